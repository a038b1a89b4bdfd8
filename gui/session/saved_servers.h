// Daemons that the user has given names to.
#pragma once

#include <QObject>
#include <QSettings>
#include <QString>
#include <QVector>

#include <functional>

#include "api/client.h"

namespace iwarpscope::gui {

/// A name, where it is, and its certificates. The passphrase of the key, if it has one, is in the keyring of the
/// desktop and nowhere else.
struct SavedServer {
  QString name;
  api::Place place;
  friend bool operator==(const SavedServer& a, const SavedServer& b) { return a.name == b.name; }
};

/// Kept in the settings.
class SavedServers {
 public:
  explicit SavedServers(QSettings& settings) : settings_(settings) {}
  [[nodiscard]] QVector<SavedServer> all() const;
  /// Takes the place of one of the same name.
  void save(const SavedServer& server);
  void remove(const QString& name);

 private:
  void write(const QVector<SavedServer>& servers);
  QSettings& settings_;
};

}  // namespace iwarpscope::gui
