// Gets the passphrase of a key from the keyring or, failing that, from the user.
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

/// One source at a time: another one takes the place of the one before, whose user is asked no longer.
class KeyUnlocker : public QObject {
  Q_OBJECT

 public:
  using Then = std::function<void(Source)>;

  /// Asks in front of `window`, which owns it.
  KeyUnlocker(std::unique_ptr<Keyring> keyring, QWidget* window);
  ~KeyUnlocker() override;

  /// Gives the source on as soon as its key can be opened: at once when that needs no passphrase, never when the user
  /// gives none.
  void unlock(Source source, Then then);
  /// The user is asked no longer.
  void drop();
  /// Takes a key's passphrase out of the keyring.
  void forget(const std::string& key_file);

 signals:
  /// For the status bar.
  void told(const QString& sentence);

 private:
  void take_kept(const Keyring::Kept& kept);
  void ask(const QString& why, const QString& no_keyring);
  void finish(const api::Secret& passphrase);

  const std::unique_ptr<Keyring> keyring_;
  QWidget* const window_;
  Source source_;
  Then then_;                          ///< empty: nobody waits
  std::unique_ptr<QObject> question_;  ///< of the keyring, for `source_`
  QPointer<PassphraseDialog> dialog_;
};

}  // namespace iwarpscope::gui
