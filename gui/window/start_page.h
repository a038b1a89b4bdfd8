// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the window shows while nothing is open: ways to open something.
#pragma once

#include <QStringList>
#include <QWidget>

class QVBoxLayout;

namespace iwarpscope::gui {

/// Buttons for captures, daemons, recent files, and five captures that are part of the program.
class StartPage : public QWidget {
  Q_OBJECT

 public:
  explicit StartPage(QWidget* parent = nullptr);
  void set_recent(const QStringList& files);

 signals:
  void open_wanted();
  void connect_wanted();
  void file_wanted(const QString& file);
  /// A capture of the program's resources, such as ":/samples/viol-crc-error.pcap".
  void sample_wanted(const QString& resource);

 private:
  void add_samples(QVBoxLayout& column);

  QWidget* recent_;  ///< with its heading; hidden while the list is empty
};

}  // namespace iwarpscope::gui
