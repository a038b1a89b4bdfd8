// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope-gui --picture`: saves a picture of the window with a capture.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace iwarpscope::gui {

class MainWindow;
class SessionViews;

/// Waits until the window has read its captures and shows a complete queue pair: the chosen one, else the first that
/// ended badly, else the first. Then takes the picture.
class PictureTaker : public QObject {
  Q_OBJECT

 public:
  /// The window must outlive it.
  PictureTaker(MainWindow& window, QString file, QObject* parent = nullptr);
  void start();

 signals:
  /// Empty: the picture is written; else a sentence.
  void done(const QString& trouble);

 private:
  void look();
  [[nodiscard]] bool is_read(SessionViews& views) const;
  [[nodiscard]] bool is_shown(SessionViews& views) const;
  void take_soon();
  void take();
  void end(const QString& trouble);

  MainWindow& window_;
  const QString file_;
  QTimer timer_;
  bool is_ready_ = false;
};

}  // namespace iwarpscope::gui
