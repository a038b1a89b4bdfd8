// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/keyring.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QPointer>

#include <qt6keychain/keychain.h>

#include <utility>

namespace iwarpscope::gui {
namespace {

class KeyringWords {
  Q_DECLARE_TR_FUNCTIONS(Keyring)

 public:
  static QString trouble(const QKeychain::Job& job) {
    switch (job.error()) {
      case QKeychain::NoError:
      case QKeychain::EntryNotFound: return {};
      case QKeychain::AccessDeniedByUser:
      case QKeychain::AccessDenied: return tr("The keyring of this desktop was not unlocked.");
      case QKeychain::NoBackendAvailable:
      case QKeychain::NotImplemented: return tr("This desktop has no keyring.");
      default: return tr("No keyring answers on this desktop.");
    }
  }
};

void begin(QKeychain::Job& job, const QString& name) {
  job.setKey(name);
  job.setInsecureFallback(false);
  job.start();
}

QString service() {
  return QStringLiteral("iwarpscope");
}

}  // namespace

void DesktopKeyring::read(const QString& name, QObject* asker, Then then) {
  auto* job = new QKeychain::ReadPasswordJob(service());  // deletes itself
  QObject::connect(job, &QKeychain::Job::finished, asker, [job, then = std::move(then)] {
    Kept kept{{}, KeyringWords::trouble(*job)};
    const QByteArray octets = job->binaryData();
    if (job->error() == QKeychain::NoError) {
      kept.secret.emplace(std::string_view(octets.constData(), static_cast<std::size_t>(octets.size())));
    }
    then(kept);
  });
  begin(*job, name);
}

void DesktopKeyring::write(const QString& name, const api::Secret& secret, QObject* asker, Then then) {
  auto* job = new QKeychain::WritePasswordJob(service());
  job->setBinaryData(QByteArray(secret.text().data(), static_cast<qsizetype>(secret.text().size())));
  QObject::connect(job, &QKeychain::Job::finished, asker, [job, then = std::move(then)] {
    then({{}, KeyringWords::trouble(*job)});
  });
  begin(*job, name);
}

void DesktopKeyring::forget(const QString& name) {
  begin(*new QKeychain::DeletePasswordJob(service()), name);
}

}  // namespace iwarpscope::gui
