// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The whole window without a mouse, and its accessible texts.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>
#include <QTreeView>

#include <set>

#include "gui/window/made_site.h"
#include "gui/window/open_window.h"
#include "session/keyring.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "window/help_window.h"
#include "window/passphrase_dialog.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::keyboard_test {
namespace {

using test::wait_until;

std::string name_of(const QWidget* widget) {
  if (widget == nullptr) return "nothing";
  std::string name = widget->metaObject()->className();
  if (!widget->accessibleName().isEmpty()) name += " '" + widget->accessibleName().toStdString() + "'";
  if (!widget->objectName().isEmpty()) name += " (" + widget->objectName().toStdString() + ")";
  return name;
}

/// Controls that are visible in this window and that Tab must reach.
std::set<QWidget*> controls_of(QWidget& window) {
  std::set<QWidget*> all;
  for (QWidget* widget : window.findChildren<QWidget*>()) {
    const bool is_seen = gui::is_seen(*widget) && widget->window() == &window;
    const bool takes_focus = (widget->focusPolicy() & Qt::TabFocus) != 0 && widget->isEnabled();
    // Controls with a focus proxy, and Qt's inner controls, are reached through the outer ones.
    if (is_seen && takes_focus && widget->focusProxy() == nullptr) all.insert(widget);
  }
  return all;
}

/// The controls that Tab (or Shift+Tab) reaches until it returns to the start. False: it never returns.
bool go_round(Qt::KeyboardModifiers modifiers, std::vector<QWidget*>& visited, std::string& trouble) {
  constexpr int kMost = 2000;  // the links of a browser are also stops
  QWidget* const begin = QApplication::focusWidget();
  if (begin == nullptr) {
    trouble = "nothing has the focus";
    return false;
  }
  int at_same = 0;
  for (int i = 0; i < kMost; ++i) {
    QWidget* const before = QApplication::focusWidget();
    QTest::keyClick(before, modifiers.testFlag(Qt::ShiftModifier) ? Qt::Key_Backtab : Qt::Key_Tab, modifiers);
    QWidget* const now = QApplication::focusWidget();
    if (now == nullptr) {
      trouble = "after " + name_of(before) + " nothing has the focus";
      return false;
    }
    at_same = now == before ? at_same + 1 : 0;
    if (at_same > 300) {
      trouble = name_of(now) + " keeps the focus";
      return false;
    }
    visited.push_back(now);
    if (now == begin && now != before) return true;
  }
  trouble = "it does not come back to " + name_of(begin);
  return false;
}

void expect_all_reached(QWidget& window, const std::string& where) {
  for (const Qt::KeyboardModifiers modifiers :
       {Qt::KeyboardModifiers(Qt::NoModifier), Qt::KeyboardModifiers(Qt::ShiftModifier)}) {
    std::vector<QWidget*> visited;
    std::string trouble;
    EXPECT_TRUE(go_round(modifiers, visited, trouble)) << where << ": " << trouble;
    for (const QWidget* control : controls_of(window)) {
      const auto is_it = [control](const QWidget* one) { return one == control || control->isAncestorOf(one); };
      EXPECT_TRUE(std::any_of(visited.begin(), visited.end(), is_it))
          << where << ": " << (modifiers ? "Shift+Tab" : "Tab") << " does not lead to " << name_of(control);
    }
    if (testing::Test::HasFailure()) {
      std::string path;
      for (const QWidget* one : visited) path += "\n  " + name_of(one);
      ADD_FAILURE() << where << ": it leads to" << path.substr(0, 4000);
      return;
    }
  }
}

/// Data for a screen reader: every control that can have the focus has a name and a role.
void expect_name_and_role(QAccessibleInterface* thing, const std::string& where, int& controls) {
  ASSERT_TRUE(thing != nullptr && thing->isValid()) << where;
  const auto* widget = qobject_cast<const QWidget*>(thing->object());
  const QAccessible::State state = thing->state();
  const std::string here = where + " / " + (widget != nullptr ? name_of(widget) : "part");
  if (widget != nullptr && state.focusable && !state.invisible && widget->focusProxy() == nullptr &&
      widget->focusPolicy() != Qt::NoFocus) {
    ++controls;
    EXPECT_FALSE(thing->text(QAccessible::Name).isEmpty()) << here << " has no name";
    EXPECT_NE(thing->role(), QAccessible::NoRole) << here << " has no role";
    EXPECT_FALSE(thing->text(QAccessible::Name).contains(QLatin1Char('&'))) << here;
  }
  // A label says what it shows, not only what it is for. A sign alone has a name instead.
  if (const auto* label = qobject_cast<const QLabel*>(widget); label != nullptr && label->text().size() > 1) {
    EXPECT_TRUE(label->accessibleName().isEmpty()) << here;
  }
  // Cells have rows and columns that describe them.
  if (thing->tableInterface() != nullptr) return;
  for (int i = 0; i < thing->childCount(); ++i) {
    QAccessibleInterface* const child = thing->child(i);
    if (child != nullptr && child->isValid()) expect_name_and_role(child, here, controls);
  }
}

class Keyboard : public OpenWindow {
 protected:
  [[nodiscard]] QList<QDockWidget*> docks() const {
    return window.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly);
  }
  /// With the keys of the menu: Alt and 1 to 9, then 0.
  /// The keys after 9 and 0 are - and =.
  void go_to_dock(int number) {
    const Qt::Key digit = static_cast<Qt::Key>(Qt::Key_0 + number % 10);
    press(number == 11 ? Qt::Key_Minus : number == 12 ? Qt::Key_Equal : digit, Qt::AltModifier);
  }
  [[nodiscard]] QDockWidget* dock_with_focus() const {
    for (QDockWidget* dock : docks()) {
      if (dock->isAncestorOf(QApplication::focusWidget())) return dock;
    }
    return nullptr;
  }
};

TEST_F(Keyboard, EachViewIsReachedByItsDigitAndEachOfItsControlsByTab) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  std::set<QDockWidget*> seen;
  for (int number = 1; number <= docks().size(); ++number) {
    go_to_dock(number);
    ASSERT_TRUE(wait_until([&] { return dock_with_focus() != nullptr; })) << "Alt+" << number;
    QDockWidget* const dock = dock_with_focus();
    EXPECT_TRUE(seen.insert(dock).second) << "two digits lead to " << dock->objectName().toStdString();
    expect_all_reached(window, dock->objectName().toStdString());
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(docks().size()));
}

/// As the views that docks have.
TEST_F(Keyboard, EachControlOfThePageOfASiteIsReachedByTabAndHasANameAndARole) {
  api::testing::Daemon daemon;
  made::make_centre(daemon);
  ASSERT_EQ(daemon.start(), "");
  window.open(made::source_of(daemon));
  auto& site = *view<SiteView>();
  ASSERT_TRUE(wait_until([&] {
    press(Qt::Key_I, Qt::AltModifier);
    return is_seen(site) && site.pairs().model()->rowCount() != 0;
  }));
  site.setFocus();
  expect_all_reached(window, "the page of a site");
  int controls = 0;
  expect_name_and_role(QAccessible::queryAccessibleInterface(&site), {}, controls);
  EXPECT_GE(controls, 7);
  EXPECT_FALSE(site.whatsThis().isEmpty());
  for (const QAbstractItemView* table :
       {static_cast<const QAbstractItemView*>(&site.pairs()), static_cast<const QAbstractItemView*>(&site.sensors())}) {
    const QAccessibleTableInterface& cells =
        *QAccessible::queryAccessibleInterface(const_cast<QAbstractItemView*>(table))->tableInterface();
    EXPECT_GT(cells.rowCount(), 0);
    for (int column = 0; column < cells.columnCount(); ++column)
      EXPECT_FALSE(cells.columnDescription(column).isEmpty()) << name_of(table) << " column " << column;
  }
  window.close_session();
}

TEST_F(Keyboard, F6LeadsRoundTheViewsThatAreSeen) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  auto* table = view<QpTableView>();
  table->setFocus();
  const auto place = [&] {
    const QDockWidget* dock = dock_with_focus();
    return dock != nullptr                                    ? dock->objectName().toStdString()
           : table->isAncestorOf(QApplication::focusWidget()) ? std::string("table")
                                                              : std::string("nowhere");
  };
  std::vector<std::string> there, back;
  for (int i = 0; i < 4; ++i) {
    press(Qt::Key_F6);
    there.push_back(place());
  }
  EXPECT_EQ(there, (std::vector<std::string>{"verdict", "ladder", "frame", "table"}));
  for (int i = 0; i < 4; ++i) {
    press(Qt::Key_F6, Qt::ShiftModifier);
    back.push_back(place());
  }
  EXPECT_EQ(back, (std::vector<std::string>{"frame", "ladder", "verdict", "table"}));
}

TEST_F(Keyboard, AViewIsTakenOutOfTheWindowAndPutBack) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  go_to_dock(3);
  QDockWidget* const dock = dock_with_focus();
  ASSERT_NE(dock, nullptr);
  press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_TRUE(dock->isFloating());
  ASSERT_TRUE(wait_until([&] { return dock_with_focus() == dock; })) << "the focus stays in it";
  expect_all_reached(*dock->window(), "the view out of the window");
  press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_FALSE(dock->isFloating());
}

TEST_F(Keyboard, F6AndDigitsLeadFromAViewOutOfTheWindowBack) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  const auto* table = view<QpTableView>();
  for (int number = 1; number <= docks().size(); ++number) {
    go_to_dock(number);
    ASSERT_TRUE(wait_until([&] { return dock_with_focus() != nullptr; })) << "Alt+" << number;
    QDockWidget* const dock = dock_with_focus();
    SCOPED_TRACE(dock->objectName().toStdString());
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(wait_until([&] { return dock->isActiveWindow() && dock_with_focus() == dock; }));
    // If there is only one control, Tab moves inside it.
    if (controls_of(*dock->window()).size() > 1) {
      expect_all_reached(*dock->window(), dock->objectName().toStdString());
    }
    for (int i = 0; i < 4 && !table->isAncestorOf(QApplication::focusWidget()); ++i) {
      const QWidget* const before = QApplication::focusWidget();
      press(Qt::Key_F6);
      ASSERT_TRUE(wait_until([&] { return QApplication::focusWidget() != before && QApplication::focusWidget(); }));
    }
    EXPECT_TRUE(table->isAncestorOf(QApplication::focusWidget())) << name_of(QApplication::focusWidget());
    EXPECT_TRUE(window.isActiveWindow());
    go_to_dock(number);
    ASSERT_TRUE(wait_until([&] { return dock_with_focus() == dock; })) << "its digit leads out again";
    press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_FALSE(dock->isFloating());
  }
}

TEST_F(Keyboard, MenusOpenByTheirLettersAndArrowsLeadToEachAction) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  for (QAction* title : window.menuBar()->actions()) {
    const QKeySequence letter = QKeySequence::mnemonic(title->text());
    ASSERT_FALSE(letter.isEmpty()) << title->text().toStdString();
    QTest::keySequence(QApplication::focusWidget(), letter);
    QMenu* const menu = title->menu();
    ASSERT_TRUE(wait_until([&] { return menu->isVisible(); }, 5000)) << title->text().toStdString();
    std::set<QAction*> reached;
    for (qsizetype i = 0; i < 2 * menu->actions().size(); ++i) {
      QTest::keyClick(menu, Qt::Key_Down);
      if (menu->activeAction() != nullptr) reached.insert(menu->activeAction());
    }
    for (QAction* action : menu->actions()) {
      if (action->isSeparator() || !action->isEnabled() || !action->isVisible()) continue;
      EXPECT_TRUE(reached.contains(action)) << action->text().toStdString();
    }
    QTest::keyClick(menu, Qt::Key_Escape);
    ASSERT_TRUE(wait_until([&] { return !menu->isVisible(); }, 5000));
    QTest::keyClick(window.menuBar(), Qt::Key_Escape);
  }
}

/// If two have the same key, pressing it triggers neither.
TEST_F(Keyboard, NoKeyIsGivenTwice) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  std::multimap<QString, QString> in_window;
  for (const QAction* title : window.menuBar()->actions()) {
    in_window.emplace(QKeySequence::mnemonic(title->text()).toString(), title->text());
    std::map<QString, QString> in_menu;
    for (const QAction* action : title->menu()->actions()) {
      const QString letter = QKeySequence::mnemonic(action->text()).toString();
      if (letter.isEmpty() || action->menu() == title->menu()) continue;
      const auto [other, is_new] = in_menu.emplace(letter, action->text());
      EXPECT_TRUE(is_new) << action->text().toStdString() << " and " << other->second.toStdString();
    }
  }
  std::map<QString, QString> shortcuts;
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (action->shortcutContext() != Qt::WindowShortcut) continue;
    for (const QKeySequence& key : action->shortcuts()) {
      const auto [other, is_new] = shortcuts.emplace(key.toString(), action->text());
      EXPECT_TRUE(is_new) << key.toString().toStdString() << ": " << action->text().toStdString() << " and "
                          << other->second.toStdString();
    }
  }
  // Alt and a letter can be the key of an action, too.
  in_window.insert(shortcuts.begin(), shortcuts.end());
  for (int number = 1; number <= docks().size(); ++number) {
    go_to_dock(number);
    std::multimap<QString, QString> letters = in_window;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
      if (!is_seen(*widget)) continue;
      QString text;
      if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) text = button->text();
      const auto* label = qobject_cast<const QLabel*>(widget);
      if (label != nullptr && label->buddy() != nullptr) text = label->text();
      const QString letter = QKeySequence::mnemonic(text).toString();
      if (!letter.isEmpty()) letters.emplace(letter, text);
    }
    for (auto at = letters.begin(); at != letters.end(); at = letters.upper_bound(at->first)) {
      EXPECT_EQ(letters.count(at->first), 1u)
          << at->first.toStdString() << " is " << at->second.toStdString() << " and "
          << std::next(at)->second.toStdString() << " beside view " << number;
    }
  }
}

TEST_F(Keyboard, DialogsAreWalkedThroughByTab) {
  ServerDialog servers(settings, &window);
  PassphraseDialog passphrase("/etc/key.pem", {}, {}, &window);
  HelpWindow help(&window);
  help.explain(QStringLiteral("Rule"), rule_help_html(QStringLiteral("MF-04")));
  for (QDialog* dialog :
       {static_cast<QDialog*>(&servers), static_cast<QDialog*>(&passphrase), static_cast<QDialog*>(&help)}) {
    dialog->show();
    dialog->activateWindow();
    ASSERT_TRUE(wait_until([&] {
      return QApplication::focusWidget() != nullptr && QApplication::focusWidget()->window() == dialog;
    })) << name_of(QApplication::focusWidget());
    expect_all_reached(*dialog, dialog->windowTitle().toStdString());
    QTest::keyClick(dialog, Qt::Key_Escape);
    EXPECT_FALSE(dialog->isVisible()) << "Escape closes it";
  }
}

TEST_F(Keyboard, AScreenReaderGetsNameAndRoleOfEveryControl) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  for (int number = 1; number <= docks().size(); ++number) {
    go_to_dock(number);
    QDockWidget* const dock = dock_with_focus();
    ASSERT_NE(dock, nullptr);
    int controls = 0;
    expect_name_and_role(QAccessible::queryAccessibleInterface(dock), {}, controls);
    EXPECT_GT(controls, 0) << dock->objectName().toStdString();
    EXPECT_FALSE(dock->widget()->whatsThis().isEmpty());
  }
  int controls = 0;
  expect_name_and_role(QAccessible::queryAccessibleInterface(&window), {}, controls);
  EXPECT_GT(controls, 5);
  ServerDialog servers(settings, &window);
  servers.show();
  expect_name_and_role(QAccessible::queryAccessibleInterface(&servers), {}, controls);
  PassphraseDialog passphrase("/etc/key.pem", {}, {}, &window);
  passphrase.show();
  expect_name_and_role(QAccessible::queryAccessibleInterface(&passphrase), {}, controls);
}

/// Cells of tables: their text, or its replacement if the cell is a picture.
TEST_F(Keyboard, AScreenReaderGetsTheCellsOfEveryTable) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  for (QDockWidget* one : window.findChildren<QDockWidget*>()) {
    one->raise();  // a table that was never seen has not laid out its rows
    ASSERT_TRUE(wait_until([&] { return is_seen(*one->widget()); }));
  }
  int tables = 0;
  for (auto* table : window.findChildren<QAbstractItemView*>()) {
    QAccessibleInterface* const thing = QAccessible::queryAccessibleInterface(table);
    if (thing->tableInterface() == nullptr || table->model() == nullptr || table->model()->rowCount() == 0) continue;
    ++tables;
    const QAccessibleTableInterface& cells = *thing->tableInterface();
    for (int column = 0; column < cells.columnCount(); ++column) {
      EXPECT_FALSE(cells.columnDescription(column).isEmpty()) << name_of(table) << " column " << column;
    }
    // A hidden view lays its rows out when the event loop runs.
    EXPECT_TRUE(wait_until([&] { return cells.rowCount() > 0; })) << name_of(table);
  }
  EXPECT_GE(tables, 4);
}

}  // namespace
}  // namespace iwarpscope::gui::keyboard_test
