// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Storage for secrets between runs: in the desktop's keyring, never in a file of this program.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

#include "api/secret.h"

namespace iwarpscope::gui {

/// Answers arrive later, in the same thread, unless `asker` was deleted before.
class Keyring {
 public:
  struct Kept {
    std::optional<api::Secret> secret{};  ///< empty: no secret has this name
    QString trouble{};                    ///< a sentence: there is no keyring, or access was denied; empty: success
  };
  using Then = std::function<void(const Kept&)>;

  virtual ~Keyring() = default;
  virtual void read(const QString& name, QObject* asker, Then then) = 0;
  /// Replaces a secret of the same name. `secret` of the answer is empty.
  virtual void write(const QString& name, const api::Secret& secret, QObject* asker, Then then) = 0;
  /// No error if it does not exist.
  virtual void forget(const QString& name) = 0;
};

/// The desktop's own keyring: the Secret Service (GNOME Keyring, KeePassXC, ...) or KWallet, over D-Bus. If there is
/// none, it reports so; a file is never used instead.
class DesktopKeyring final : public Keyring {
 public:
  void read(const QString& name, QObject* asker, Then then) override;
  void write(const QString& name, const api::Secret& secret, QObject* asker, Then then) override;
  void forget(const QString& name) override;
};

}  // namespace iwarpscope::gui
