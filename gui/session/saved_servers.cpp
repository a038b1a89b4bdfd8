// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/saved_servers.h"

#include <algorithm>

namespace iwarpscope::gui {
namespace {

const QString kArray = QStringLiteral("servers");
const QString kName = QStringLiteral("name");
const QString kSocket = QStringLiteral("socket");
const QString kHost = QStringLiteral("host");
const QString kCertificate = QStringLiteral("certificate");
const QString kKey = QStringLiteral("key");
const QString kCa = QStringLiteral("ca");

}  // namespace

QVector<SavedServer> SavedServers::all() const {
  QVector<SavedServer> servers;
  const int count = settings_.beginReadArray(kArray);
  for (int i = 0; i < count; ++i) {
    settings_.setArrayIndex(i);
    const auto value = [&](const QString& key) { return settings_.value(key).toString().toStdString(); };
    SavedServer server{settings_.value(kName).toString(), {}};
    server.place.socket = value(kSocket);
    server.place.host = value(kHost);
    server.place.tls = {value(kCertificate), value(kKey), value(kCa)};
    if (!server.name.isEmpty()) servers.push_back(server);
  }
  settings_.endArray();
  return servers;
}

void SavedServers::save(const SavedServer& server) {
  QVector<SavedServer> servers = all();
  const auto same = [&](const SavedServer& other) { return other.name == server.name; };
  const auto known = std::find_if(servers.begin(), servers.end(), same);
  known == servers.end() ? servers.push_back(server) : void(*known = server);
  write(servers);
}

void SavedServers::remove(const QString& name) {
  QVector<SavedServer> servers = all();
  servers.removeIf([&](const SavedServer& server) { return server.name == name; });
  write(servers);
}

void SavedServers::write(const QVector<SavedServer>& servers) {
  settings_.remove(kArray);
  settings_.beginWriteArray(kArray, static_cast<int>(servers.size()));
  for (int i = 0; i < servers.size(); ++i) {
    settings_.setArrayIndex(i);
    const SavedServer& server = servers[i];
    const auto set = [&](const QString& key, const std::string& value) {
      settings_.setValue(key, QString::fromStdString(value));
    };
    settings_.setValue(kName, server.name);
    set(kSocket, server.place.socket);
    set(kHost, server.place.host);
    set(kCertificate, server.place.tls.certificate);
    set(kKey, server.place.tls.key);
    set(kCa, server.place.tls.ca);
  }
  settings_.endArray();
}

}  // namespace iwarpscope::gui
