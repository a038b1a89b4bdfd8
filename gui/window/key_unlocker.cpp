// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/key_unlocker.h"

#include <QFileInfo>
#include <QWidget>

#include <utility>

#include "api/tls_files.h"
#include "window/passphrase_dialog.h"

namespace iwarpscope::gui {
namespace {

/// The name in the keyring: the canonical path of the file.
QString keyring_name(const std::string& key_file) {
  const QFileInfo file(QString::fromStdString(key_file));
  const QString canonical = file.canonicalFilePath();
  return QStringLiteral("key %1").arg(canonical.isEmpty() ? file.absoluteFilePath() : canonical);
}

}  // namespace

KeyUnlocker::KeyUnlocker(std::unique_ptr<Keyring> keyring, QWidget* window)
    : QObject(window), keyring_(std::move(keyring)), window_(window) {}

KeyUnlocker::~KeyUnlocker() = default;

void KeyUnlocker::drop() {
  then_ = {};
  question_.reset();
  delete dialog_;
}

void KeyUnlocker::forget(const std::string& key_file) {
  keyring_->forget(keyring_name(key_file));
}

void KeyUnlocker::unlock(Source source, Then then) {
  drop();
  const std::string key = source.place.tls.key;
  const bool is_locked = !source.is_file() && !source.place.host.empty() && api::needs_passphrase(key);
  if (!is_locked || api::opens(key, source.place.passphrase)) return then(std::move(source));
  source_ = std::move(source);
  then_ = std::move(then);
  question_ = std::make_unique<QObject>();
  keyring_->read(keyring_name(key), question_.get(), [this](const Keyring::Kept& kept) { take_kept(kept); });
}

void KeyUnlocker::take_kept(const Keyring::Kept& kept) {
  if (!kept.secret) return ask({}, kept.trouble);
  if (api::opens(source_.place.tls.key, *kept.secret)) return finish(*kept.secret);
  ask(tr("✗ The passphrase in the keyring no longer opens the key."), {});
}

void KeyUnlocker::ask(const QString& why, const QString& no_keyring) {
  dialog_ = new PassphraseDialog(source_.place.tls.key, why, no_keyring, window_);
  dialog_->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog_, &QDialog::accepted, this, [this] {
    const api::Secret passphrase = dialog_->passphrase();
    if (dialog_->is_to_be_kept()) {
      keyring_->write(keyring_name(source_.place.tls.key), passphrase, this, [this](const Keyring::Kept& kept) {
        emit reported(kept.trouble.isEmpty() ? tr("The passphrase is saved in the keyring.")
                                             : tr("The passphrase is not saved: %1").arg(kept.trouble));
      });
    }
    finish(passphrase);
  });
  connect(dialog_, &QDialog::rejected, this, [this] {
    then_ = {};
    emit reported(tr("Not connected: the key needs its passphrase."));
  });
  dialog_->open();
}

void KeyUnlocker::finish(const api::Secret& passphrase) {
  Source source = std::exchange(source_, {});
  source.place.passphrase = passphrase;
  if (const Then then = std::exchange(then_, {})) then(std::move(source));
}

}  // namespace iwarpscope::gui
