// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The real window on a real sample, operated with keys as by a user, and its pictures for the documents.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTranslator>

#include <algorithm>
#include <map>

#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "iwarpscope/v1/status.pb.h"
#include "window/main_window.h"
#include "window/session_views.h"

namespace iwarpscope::gui {

/// Takes pictures until two in a row are equal: then the widget has finished drawing.
inline QImage settled(QWidget& widget) {
  QImage last;
  const bool is_quiet = test::wait_until([&] {
    QTest::qWait(100);
    const QImage now = widget.grab().toImage().convertToFormat(QImage::Format_RGB32);
    return now == std::exchange(last, now);
  });
  EXPECT_TRUE(is_quiet);
  return last;
}

/// With 256 colours: the most frequent colours that differ enough; all others become the nearest of them.
inline QImage with_palette(const QImage& image) {
  constexpr int kLeast = 10;  // of red, green and blue together: shades of one letter's edge leave room for others
  const auto is_near = [](QRgb one, QRgb other) {
    return std::abs(qRed(one) - qRed(other)) + std::abs(qGreen(one) - qGreen(other)) +
               std::abs(qBlue(one) - qBlue(other)) <
           kLeast;
  };
  std::map<QRgb, int> counts;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) ++counts[image.pixel(x, y)];
  }
  std::vector<std::pair<int, QRgb>> by_count;
  for (const auto& [color, count] : counts) by_count.emplace_back(count, color);
  std::sort(by_count.rbegin(), by_count.rend());
  QList<QRgb> table;
  for (const auto& entry : by_count) {
    const QRgb color = entry.second;
    const auto taken = [&](QRgb other) { return is_near(color, other); };
    if (table.size() < 256 && std::none_of(table.begin(), table.end(), taken)) table << color;
  }
  return image.convertToFormat(QImage::Format_Indexed8, table, Qt::ThresholdDither | Qt::AvoidDither);
}

/// Writes `name`.png to the folder of IWARPSCOPE_SCREENSHOTS, if set. The picture must never be empty.
inline void save_picture(const QImage& image, const QString& name) {
  std::map<QRgb, int> counts;
  for (int y = 0; y < image.height(); y += 3) {
    for (int x = 0; x < image.width(); x += 3) ++counts[image.pixel(x, y)];
  }
  EXPECT_GT(counts.size(), 10u) << name.toStdString() << " shows next to nothing";
  const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  if (folder.isEmpty()) return;
  EXPECT_TRUE(with_palette(image).save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}
inline void picture(QWidget& widget, const QString& name) {
  save_picture(settled(widget), name);
}
/// Without waiting, for a widget that goes on changing.
inline void picture_now(QWidget& widget, const QString& name) {
  save_picture(widget.grab().toImage().convertToFormat(QImage::Format_RGB32), name);
}

/// Not covered by another view. Areas covered by its children count as visible.
inline bool is_seen(const QWidget& widget) {
  if (!widget.isVisible() || widget.size().isEmpty()) return false;
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    if (qobject_cast<const QDockWidget*>(around) != nullptr && around->visibleRegion().isEmpty()) return false;
  }
  return true;
}

/// As in the program: "1 frame", "2 frames".
class English {
 public:
  English() {
    EXPECT_TRUE(translator_.load(QStringLiteral(IWARPSCOPE_TRANSLATIONS "/iwarpscope-gui_en.qm")));
    QCoreApplication::installTranslator(&translator_);
  }

 private:
  QTranslator translator_;
};

class OpenWindow : public testing::Test {
 protected:
  static constexpr int kWidth = 1360, kHeight = 860;

  OpenWindow() {
    window.resize(kWidth, kHeight);
    window.show();
    window.activateWindow();
    EXPECT_TRUE(QTest::qWaitForWindowActive(&window));
  }

  /// The file is read to its end, and all visible data of the chosen queue pair has arrived.
  [[nodiscard]] bool open(const char* name) { return open(QStringList{test::sample(name)}); }
  [[nodiscard]] bool open(const QStringList& files) {
    window.open_files(files);
    press(Qt::Key_Q, Qt::AltModifier);  // to the table and the views around it
    return is_read() && (window.views()->qps().size() > 1 || is_whole());
  }
  /// To its end.
  [[nodiscard]] bool is_read() {
    return test::wait_until([this] {
      const StatusPtr& status = window.views()->session().status();
      const QpRows& rows = window.views()->qps();
      return status && !status->capturing() && !rows.empty() && rows.size() >= status->totals().qps_opened() &&
             std::all_of(rows.begin(), rows.end(), [](const live::QpView& row) { return row.ended; });
    });
  }
  /// All data of the chosen queue pair has arrived.
  [[nodiscard]] bool is_whole() {
    return test::wait_until([this] {
      SessionViews& views = *window.views();
      return views.qp() && views.qp()->record.qp == views.selection().qp() && views.messages().progress() >= 1;
    });
  }
  /// As a user would do.
  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget* focus = QApplication::focusWidget();
    QTest::keyClick(focus != nullptr ? focus : &window, key, modifiers);
    QCoreApplication::processEvents();
  }
  [[nodiscard]] QDockWidget* dock(const char* name) const {
    return window.findChild<QDockWidget*>(QLatin1String(name));
  }
  template <class View>
  [[nodiscard]] View* view() const {
    return window.findChild<View*>();
  }

  const English english;
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  MainWindow window{settings};
};

}  // namespace iwarpscope::gui
