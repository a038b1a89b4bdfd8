// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The real window on a real sample, operated by mouse as by a user.
#pragma once

#include <QAbstractButton>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QScopeGuard>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QTreeView>
#include <QWindow>

#include <optional>

#include "gui/window/open_window.h"
#include "models/queue_pairs/qp_columns.h"
#include "views/frame/frame_view.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_painter.h"
#include "views/ladder/ladder_view.h"
#include "views/queue_pairs/qp_table_view.h"

namespace iwarpscope::gui {

/// The text of an action or a button, without key and letter.
inline QString bare(QString text) {
  return text.section(QLatin1Char('\t'), 0, 0).remove(QLatin1Char('&'));
}

/// Clicks on the entry of the menu that is open, when it is open.
inline void click_entry(const QString& text) {
  auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
  if (menu == nullptr) return;
  for (QAction* entry : menu->actions()) {
    if (bare(entry->text()) != text) continue;
    // The click that opened the menu may have chosen another queue pair, which is being fetched.
    EXPECT_TRUE(test::wait_until([&] { return entry->isEnabled(); })) << text.toStdString();
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
    return;
  }
  ADD_FAILURE() << "no entry " << text.toStdString();
  menu->close();
}

/// Answers what stops the window: menus with an entry, dialogs of files with a name.
class Answers : public QObject {
 public:
  explicit Answers(QString file, QString entry = {}) : file_(std::move(file)), entry_(std::move(entry)) {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    startTimer(20);
  }
  int menus = 0, dialogs = 0;

 protected:
  void timerEvent(QTimerEvent* /*event*/) override {
    if (++looks_ > kMostLooks) return give_up();
    if (!entry_.isEmpty() && menus == 0 && qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr) {
      ++menus;
      // Not from here: while the entry opens a dialog, this timer must go on.
      QTimer::singleShot(0, qApp, [entry = entry_] { click_entry(entry); });
      return;
    }
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr || dialogs != 0) return;
    ++dialogs;
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(file_);
    auto* buttons = dialog->findChild<QDialogButtonBox*>();
    auto* go = buttons->button(dialog->acceptMode() == QFileDialog::AcceptSave ? QDialogButtonBox::Save
                                                                               : QDialogButtonBox::Open);
    QTest::mouseClick(go, Qt::LeftButton);
  }

 private:
  static constexpr int kMostLooks = 500;
  /// So that the test goes on.
  static void give_up() {
    for (QWidget* stops : {QApplication::activePopupWidget(), QApplication::activeModalWidget()}) {
      if (stops == nullptr) continue;
      ADD_FAILURE() << "not answered: " << stops->metaObject()->className() << " "
                    << stops->windowTitle().toStdString();
      stops->close();
    }
  }
  int looks_ = 0;
  const QString file_, entry_;
};

class Mouse : public OpenWindow {
 protected:
  /// At a point of the widget, as the window system reports it: so that menus open.
  void press_at(QWidget& widget, QPoint at, Qt::MouseButton button = Qt::LeftButton) const {
    QTest::mouseClick(widget.window()->windowHandle(), button, {}, widget.mapTo(widget.window(), at));
    QCoreApplication::processEvents();
  }
  void click(QWidget& widget) const { press_at(widget, widget.rect().center()); }
  void drag(QWidget& widget, QPoint from, QPoint to) const {
    QTest::mousePress(&widget, Qt::LeftButton, {}, from);
    QTest::mouseMove(&widget, (from + to) / 2);
    QTest::mouseMove(&widget, to);
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
  }
  /// Chooses from the menu that a click with the right button opens. Files that it asks for get this name.
  void entry(QWidget& widget, QPoint at, const QString& text, const QString& file = {}) const {
    const Answers answers(file, text);
    press_at(widget, at, Qt::RightButton);
    EXPECT_TRUE(test::wait_until([&] { return answers.menus != 0; })) << "no menu";
  }
  /// With this text or name, in a view ("ladder") or anywhere.
  [[nodiscard]] QAbstractButton& button(const char* place, const QString& text) const {
    const QWidget& in = place == nullptr ? static_cast<const QWidget&>(window) : *dock(place);
    for (auto* one : in.findChildren<QAbstractButton*>()) {
      const bool is_it = bare(one->text()) == text || one->accessibleName() == text;
      if (is_it && !one->visibleRegion().isEmpty()) return *one;
    }
    ADD_FAILURE() << "no button " << text.toStdString();
    static QToolButton none;
    return none;
  }
  void press_button(const char* place, const QString& text) const { click(button(place, text)); }
  /// Chooses another entry by two clicks. Qt takes a second click that comes at once for a part of the first one. It
  /// also takes the end of a first one that lasts longer than a double click for the second: on a busy machine the list
  /// closes at once, and nothing is chosen. So each attempt allows twice the time of the one before.
  void choose_in(QComboBox& box, int row) const {
    constexpr int kMostAttempts = 5;
    const int usual = QApplication::doubleClickInterval();
    const auto restore = qScopeGuard([usual] { QApplication::setDoubleClickInterval(usual); });
    const QAbstractItemView& list = *box.view();
    for (int i = 0; i < kMostAttempts && box.currentIndex() != row; ++i) {
      QApplication::setDoubleClickInterval(usual << i);
      click(box);
      if (!test::wait_until([&] { return list.isVisible(); }, 500)) continue;
      QTest::qWait(QApplication::doubleClickInterval());
      const QPoint at = list.visualRect(list.model()->index(row, 0)).center();
      QTest::mouseMove(list.viewport(), at + QPoint(2, 0));
      QTest::mouseMove(list.viewport(), at);
      QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, at);
      (void)test::wait_until([&] { return !list.isVisible(); }, 1000);
    }
    EXPECT_EQ(box.currentIndex(), row);
  }
  void raise_dock(const char* name) const {
    dock(name)->raise();
    EXPECT_TRUE(test::wait_until([&] { return !dock(name)->visibleRegion().isEmpty(); })) << name;
  }
  [[nodiscard]] QTreeView& table() const { return view<QpTableView>()->tree(); }
  void click(QAbstractItemView& in, const QModelIndex& index) const {
    in.scrollTo(index);
    QTest::mouseClick(in.viewport(), Qt::LeftButton, {}, in.visualRect(index).center());
  }
  /// The table of queue pairs.
  void click_header(QpColumn column) const {
    QHeaderView& header = *table().header();
    const int section = static_cast<int>(column);
    table().scrollTo(table().model()->index(0, section));
    const QPoint at(header.sectionViewportPosition(section) + header.sectionSize(section) / 2, header.height() / 2);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, at);
  }
  /// Opens the menu by its title, and clicks on the entry.
  void choose(const QString& title, const QString& text) const {
    QMenuBar& bar = *window.menuBar();
    for (QAction* menu : bar.actions()) {
      if (bare(menu->text()) != title) continue;
      QTest::mouseClick(&bar, Qt::LeftButton, {}, bar.actionGeometry(menu).center());
      for (QAction* entry : menu->menu()->actions()) {
        if (bare(entry->text()) != text) continue;
        ASSERT_TRUE(entry->isEnabled()) << text.toStdString();
        QTest::mouseClick(menu->menu(), Qt::LeftButton, {}, menu->menu()->actionGeometry(entry).center());
        return;
      }
    }
    ADD_FAILURE() << "no entry " << text.toStdString() << " in the menu " << title.toStdString();
  }
  /// Clicks on the first link of that kind.
  void click_link(QWidget& in, const QString& scheme) const {
    auto& text = *in.findChild<QTextBrowser*>();
    QTextCursor cursor(text.document());
    while (!cursor.atEnd()) {
      cursor.movePosition(QTextCursor::NextCharacter);
      const QString link = cursor.charFormat().anchorHref();
      if (!link.startsWith(scheme + QLatin1Char(':'))) continue;
      cursor.movePosition(QTextCursor::NextCharacter);
      text.setTextCursor(cursor);
      text.ensureCursorVisible();
      return QTest::mouseClick(text.viewport(), Qt::LeftButton, {}, text.cursorRect(cursor).center());
    }
    ADD_FAILURE() << "no link " << scheme.toStdString();
  }
  [[nodiscard]] LadderCanvas& ladder() const { return view<LadderView>()->canvas(); }
  /// The text on each row of the ladder that is visible.
  [[nodiscard]] QStringList ladder_rows() const {
    QStringList rows;
    for (double y = ladder().row() / 2; y < ladder().viewport()->height(); y += ladder().row()) {
      const QString tip = ladder().tip_at(y);
      if (rows.isEmpty() || rows.back() != tip) rows << tip;
    }
    return rows;
  }
  /// A point of the ladder with the mark of a finding; empty: none is visible.
  [[nodiscard]] std::optional<QPoint> mark_of_a_finding() const {
    const LadderColumns at(QFontMetricsF(ladder().font()), ladder().viewport()->width());
    for (int y = 0; y < ladder().viewport()->height(); ++y) {
      const QPoint point(static_cast<int>(at.notes + at.line), y);
      if (ladder().finding_at(QPointF(point)) != nullptr) return point;
    }
    return std::nullopt;
  }
  /// The frame is shown, decoded.
  [[nodiscard]] bool shows_frame(std::uint64_t number) const {
    return test::wait_until([&] { return view<FrameView>()->model().frame().number.value == number; });
  }
  /// "0x02: SYN": the value of the chosen field of the frame.
  [[nodiscard]] QString chosen_field(int column) const {
    return view<FrameView>()->tree().currentIndex().siblingAtColumn(column).data().toString();
  }
  [[nodiscard]] static std::string clipboard() { return QApplication::clipboard()->text().toStdString(); }
};

}  // namespace iwarpscope::gui
