// Asks for the passphrase of a key until it fits.
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
  /// `why`: what to say first, empty: nothing. `no_keyring`: why none can keep the passphrase; empty: it can be kept.
  PassphraseDialog(std::string key_file, const QString& why, const QString& no_keyring, QWidget* parent = nullptr);
  ~PassphraseDialog() override;
  /// Once it is accepted.
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
