// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The daemon to connect to: the local one, or a saved one.
#pragma once

#include <QDialog>

#include "session/saved_servers.h"
#include "session/source.h"

class QComboBox;
class QDialogButtonBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;

namespace iwarpscope::gui {

/// Choosing one fills the fields; "Save" saves them under the name.
class ServerDialog : public QDialog {
  Q_OBJECT

 public:
  /// The settings must outlive it.
  explicit ServerDialog(QSettings& settings, QWidget* parent = nullptr);
  /// The contents of the fields.
  [[nodiscard]] Source source() const;

 signals:
  /// A daemon was removed, and no other saved one has this key.
  void key_unused(const QString& key_file);

 private:
  void make_fields();
  void make_buttons();
  QLineEdit* add_file(QFormLayout* form, const QString& label, const QString& name);
  void list(const QString& chosen);
  void show_server(int index);
  void check();
  void save();
  void remove();
  [[nodiscard]] SavedServer server() const;

  SavedServers servers_;
  QVector<SavedServer> known_;
  QComboBox* chooser_;
  QLineEdit* name_;
  QRadioButton* by_socket_;
  QRadioButton* by_tcp_;
  QLineEdit* socket_;
  QLineEdit* host_;
  QLineEdit* certificate_ = nullptr;
  QLineEdit* key_ = nullptr;
  QLineEdit* ca_ = nullptr;
  QLabel* hint_;
  QPushButton* save_;
  QPushButton* remove_;
  QDialogButtonBox* buttons_;
};

}  // namespace iwarpscope::gui
