// Where secrets are kept between runs: with the desktop, never in a file of ours.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <optional>

#include "api/secret.h"

namespace iwarpscope::gui {

/// Answers come later, in the same thread, unless `asker` is gone by then.
class Keyring {
 public:
  struct Kept {
    std::optional<api::Secret> secret{};  ///< empty: there is none of this name
    QString trouble{};                    ///< a sentence: there is no keyring, or it may not be used; empty: it works
  };
  using Then = std::function<void(const Kept&)>;

  virtual ~Keyring() = default;
  virtual void read(const QString& name, QObject* asker, Then then) = 0;
  /// Takes the place of one of the same name. `secret` of the answer is empty.
  virtual void write(const QString& name, const api::Secret& secret, QObject* asker, Then then) = 0;
  /// No harm when there is none.
  virtual void forget(const QString& name) = 0;
};

/// The desktop's own: the Secret Service (GNOME Keyring, KeePassXC, ...) or KWallet, over D-Bus. Where there is none it
/// says so; a file never takes its place.
class DesktopKeyring final : public Keyring {
 public:
  void read(const QString& name, QObject* asker, Then then) override;
  void write(const QString& name, const api::Secret& secret, QObject* asker, Then then) override;
  void forget(const QString& name) override;
};

}  // namespace iwarpscope::gui
