// Daemons that the user has given names to.
#pragma once

#include <QSettings>
#include <QString>
#include <QVector>

#include "api/client.h"

namespace iwarpscope::gui {

/// A name, where it is, and the files of its certificates. No secret is kept: the key is a file of its owner's, and
/// its passphrase, if it has one, is the keyring's.
struct SavedServer {
  QString name;
  api::Place place;
};

/// Kept in the settings, in the order in which they were first saved.
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
