// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/server_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "views/text_button.h"

namespace iwarpscope::gui {

ServerDialog::ServerDialog(QSettings& settings, QWidget* parent)
    : QDialog(parent),
      servers_(settings),
      chooser_(new QComboBox(this)),
      name_(new QLineEdit(this)),
      by_socket_(new QRadioButton(tr("By its &socket on this machine"), this)),
      by_tcp_(new QRadioButton(tr("Over the &network, with TLS"), this)),
      socket_(new QLineEdit(this)),
      host_(new QLineEdit(this)),
      hint_(new QLabel(this)),
      save_(new TextButton(tr("Sa&ve"), this)),
      remove_(new TextButton(tr("&Remove"), this)),
      buttons_(new QDialogButtonBox(QDialogButtonBox::Cancel, this)) {
  setWindowTitle(tr("Connect to a Daemon"));
  setAccessibleName(windowTitle());
  setWhatsThis(
      tr("Choose how to reach the daemon: on this machine by its socket, or on another machine by host and port, with "
         "the certificates that both ends require. Daemons saved under a name can be chosen again."));
  setProperty("chapter", QStringLiteral("From another machine"));
  make_fields();
  make_buttons();
  connect(chooser_, &QComboBox::currentIndexChanged, this, &ServerDialog::show_server);
  for (QLineEdit* field : {name_, socket_, host_, certificate_, key_, ca_}) {
    connect(field, &QLineEdit::textChanged, this, &ServerDialog::check);
  }
  connect(by_tcp_, &QRadioButton::toggled, this, &ServerDialog::check);
  list({});
}

QLineEdit* ServerDialog::add_file(QFormLayout* form, const QString& label, const QString& name) {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins({});
  auto* field = new QLineEdit(row);
  field->setAccessibleName(name);
  auto* button = new QToolButton(row);
  button->setText(tr("..."));
  button->setAccessibleName(tr("Choose the file: %1").arg(name));
  connect(button, &QToolButton::clicked, this, [this, field, name] {
    const QString file = QFileDialog::getOpenFileName(this, name, field->text());
    if (!file.isEmpty()) field->setText(file);
  });
  layout->addWidget(field, 1);
  layout->addWidget(button);
  form->addRow(label, row);
  return field;
}

void ServerDialog::make_fields() {
  auto* layout = new QVBoxLayout(this);
  auto* form = new QFormLayout;
  layout->addLayout(form);
  chooser_->setAccessibleName(tr("Daemon"));
  name_->setAccessibleName(tr("Name to save it under"));
  socket_->setAccessibleName(tr("Socket of the daemon"));
  host_->setAccessibleName(tr("Address and port of the daemon"));
  host_->setPlaceholderText(tr("sensor.example:7470"));
  by_socket_->setAccessibleName(tr("By its socket on this machine"));
  by_tcp_->setAccessibleName(tr("Over the network, with TLS"));
  form->addRow(tr("&Daemon:"), chooser_);
  form->addRow(tr("&Name:"), name_);
  form->addRow(by_socket_);
  form->addRow(tr("Socket:"), socket_);
  form->addRow(by_tcp_);
  form->addRow(tr("Address and port:"), host_);
  certificate_ = add_file(form, tr("Certificate:"), tr("Certificate of this user (PEM)"));
  key_ = add_file(form, tr("Key:"), tr("Key of the certificate (PEM)"));
  ca_ = add_file(form, tr("Authority:"), tr("Certificate that signs the daemon's (PEM)"));
  certificate_->setPlaceholderText(tr("PEM file"));
  key_->setPlaceholderText(tr("PEM file that only you can read"));
  key_->setToolTip(tr("You are asked for its passphrase."));
  const QFontMetrics metrics = fontMetrics();
  key_->setMinimumWidth(metrics.horizontalAdvance(key_->placeholderText()) + 4 * metrics.averageCharWidth());
  ca_->setPlaceholderText(tr("PEM file"));
  hint_->setWordWrap(true);
  hint_->setAccessibleDescription(tr("Missing input"));
  layout->addWidget(hint_);
  layout->addWidget(buttons_);
}

void ServerDialog::make_buttons() {
  QPushButton* go = buttons_->addButton(tr("&Connect"), QDialogButtonBox::AcceptRole);
  go->setAccessibleName(tr("Connect"));
  go->setDefault(true);
  buttons_->button(QDialogButtonBox::Cancel)->setAccessibleName(tr("Cancel"));
  save_->setAccessibleName(tr("Save under this name"));
  remove_->setAccessibleName(tr("Remove the saved daemon"));
  buttons_->addButton(save_, QDialogButtonBox::ActionRole);
  buttons_->addButton(remove_, QDialogButtonBox::ActionRole);
  connect(buttons_, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons_, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(save_, &QPushButton::clicked, this, &ServerDialog::save);
  connect(remove_, &QPushButton::clicked, this, &ServerDialog::remove);
}

void ServerDialog::list(const QString& chosen) {
  known_ = servers_.all();
  chooser_->clear();
  chooser_->addItem(tr("On this machine"));
  for (const SavedServer& server : known_) chooser_->addItem(server.name);
  const int index = chosen.isEmpty() ? 0 : chooser_->findText(chosen);
  chooser_->setCurrentIndex(std::max(index, 0));
  show_server(chooser_->currentIndex());
}

void ServerDialog::show_server(int index) {
  const bool is_saved = index > 0 && index <= known_.size();
  const SavedServer server = is_saved ? known_[index - 1] : SavedServer{};
  const auto set = [](QLineEdit* field, const std::string& text) { field->setText(QString::fromStdString(text)); };
  name_->setText(server.name);
  set(socket_, server.place.socket);
  set(host_, server.place.host);
  set(certificate_, server.place.tls.certificate);
  set(key_, server.place.tls.key);
  set(ca_, server.place.tls.ca);
  (server.place.host.empty() ? by_socket_ : by_tcp_)->setChecked(true);
  remove_->setEnabled(is_saved);
  check();
}

/// Fields that are not needed are disabled; missing input is reported.
void ServerDialog::check() {
  const bool tcp = by_tcp_->isChecked();
  socket_->setEnabled(!tcp);
  host_->setEnabled(tcp);
  for (QLineEdit* field : {certificate_, key_, ca_}) field->parentWidget()->setEnabled(tcp);  // and its button
  QString missing;
  if (!tcp && socket_->text().isEmpty()) missing = tr("The path of the daemon's socket is missing.");
  if (tcp && !host_->text().contains(QLatin1Char(':'))) {
    missing = tr("The daemon's address and port are missing. Example: sensor.example:7470.");
  } else if (tcp && (certificate_->text().isEmpty() || key_->text().isEmpty() || ca_->text().isEmpty())) {
    missing = tr("Over the network the daemon requires a certificate: all three files are needed.");
  }
  hint_->setText(missing);
  for (QAbstractButton* button : buttons_->buttons()) {
    if (buttons_->buttonRole(button) == QDialogButtonBox::AcceptRole) button->setEnabled(missing.isEmpty());
  }
  save_->setEnabled(missing.isEmpty() && !name_->text().trimmed().isEmpty());
}

SavedServer ServerDialog::server() const {
  const auto text = [](const QLineEdit* field) { return field->text().trimmed().toStdString(); };
  SavedServer server{name_->text().trimmed(), {}};
  if (by_tcp_->isChecked()) {
    server.place.host = text(host_);
    server.place.tls = {text(certificate_), text(key_), text(ca_)};
  } else {
    server.place.socket = text(socket_);
  }
  return server;
}

void ServerDialog::save() {
  servers_.save(server());
  list(server().name);
}

void ServerDialog::remove() {
  const std::string key = known_.value(chooser_->currentIndex() - 1).place.tls.key;
  servers_.remove(chooser_->currentText());
  list({});
  const auto has_it = [&](const SavedServer& other) { return other.place.tls.key == key; };
  if (!key.empty() && std::none_of(known_.begin(), known_.end(), has_it)) emit key_unused(QString::fromStdString(key));
}

Source ServerDialog::source() const {
  const SavedServer chosen = server();
  return {chosen.place, chosen.name, {}};
}

}  // namespace iwarpscope::gui
