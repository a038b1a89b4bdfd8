// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Daemons that the user has saved under names.
#pragma once

#include <QSettings>
#include <QString>
#include <QVector>

#include "api/client.h"

namespace iwarpscope::gui {

/// A name, an address, and the files of the certificates. No secret is saved: the key stays in its file, and its
/// passphrase, if any, is in the keyring.
struct SavedServer {
  QString name;
  api::Place place;
};

/// Saved in the settings, in the order in which they were first saved.
class SavedServers {
 public:
  explicit SavedServers(QSettings& settings) : settings_(settings) {}
  [[nodiscard]] QVector<SavedServer> all() const;
  /// Replaces an entry of the same name.
  void save(const SavedServer& server);
  void remove(const QString& name);

 private:
  void write(const QVector<SavedServer>& servers);
  QSettings& settings_;
};

}  // namespace iwarpscope::gui
