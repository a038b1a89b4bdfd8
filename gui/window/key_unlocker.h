// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Gets the passphrase of a key from the keyring or else from the user.
#pragma once

#include <QObject>
#include <QPointer>

#include <functional>
#include <memory>
#include <string>

#include "session/keyring.h"
#include "session/source.h"

class QWidget;

namespace iwarpscope::gui {

class PassphraseDialog;

/// One source at a time: a new source replaces the previous one, and its question to the user is cancelled.
class KeyUnlocker : public QObject {
  Q_OBJECT

 public:
  using Then = std::function<void(Source)>;

  /// Asks in front of `window`, which owns this object.
  KeyUnlocker(std::unique_ptr<Keyring> keyring, QWidget* window);
  ~KeyUnlocker() override;

  /// Passes the source on when its key can be opened: at once if it needs no passphrase, never if the user gives none.
  void unlock(Source source, Then then);
  /// Cancels the question to the user.
  void drop();
  /// Removes a key's passphrase from the keyring.
  void forget(const std::string& key_file);

 signals:
  /// For the status bar.
  void reported(const QString& sentence);

 private:
  void take_kept(const Keyring::Kept& kept);
  void ask(const QString& why, const QString& no_keyring);
  void finish(const api::Secret& passphrase);

  const std::unique_ptr<Keyring> keyring_;
  QWidget* const window_;
  Source source_;
  Then then_;                          ///< empty: no source waits
  std::unique_ptr<QObject> question_;  ///< answer of the keyring, for `source_`
  QPointer<PassphraseDialog> dialog_;
};

}  // namespace iwarpscope::gui
