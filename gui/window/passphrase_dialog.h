// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Asks for the passphrase of a key until it is correct.
#pragma once

#include <QDialog>

#include <string>

#include "api/secret.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace iwarpscope::gui {

/// Accepted only with the passphrase that opens the key.
class PassphraseDialog : public QDialog {
  Q_OBJECT

 public:
  /// `why`: text to show first; empty: none. `no_keyring`: why the passphrase cannot be saved; empty: it can.
  PassphraseDialog(std::string key_file, const QString& why, const QString& no_keyring, QWidget* parent = nullptr);
  ~PassphraseDialog() override;
  /// After it was accepted.
  [[nodiscard]] const api::Secret& passphrase() const noexcept { return passphrase_; }
  [[nodiscard]] bool is_to_be_kept() const;

  void accept() override;

 private:
  const std::string key_file_;
  api::Secret passphrase_;
  QLabel* why_;
  QLineEdit* field_;
  QCheckBox* keep_;
};

}  // namespace iwarpscope::gui
