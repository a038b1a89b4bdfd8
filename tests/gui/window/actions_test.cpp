// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Everything that the window offers to a mouse is in actions.txt, with the test that uses it.
#include <QAbstractButton>
#include <QDirIterator>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QTabBar>
#include <QToolButton>

#include <set>

#include "gui/window/mouse.h"
#include "session/keyring.h"
#include "views/atomics/atomic_view.h"
#include "views/local_keys.h"
#include "views/logs/log_view.h"
#include "views/overview/incident_card.h"
#include "views/plots/time_note.h"
#include "window/help_window.h"
#include "window/passphrase_dialog.h"
#include "window/server_dialog.h"

namespace iwarpscope::gui::actions_test {
namespace {

using Things = std::set<QString>;

/// Numbers and names of files change from capture to capture.
QString general(QString text) {
  text = bare(text).simplified();
  text.remove(QRegularExpression(QStringLiteral("^[✗‖⊘✓△▲◇▸?] ")));
  static const QRegularExpression file(QStringLiteral("\\S+\\.pcap\\S*")), number(QStringLiteral("[0-9][0-9,]*"));
  return text.replace(file, QStringLiteral("FILE")).replace(number, QStringLiteral("#"));
}

/// "Ladder": the view, dialog or page that a widget is in.
QString place_of(const QWidget& widget) {
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    if (qobject_cast<const QDockWidget*>(around) != nullptr) return around->accessibleName();
    if (qobject_cast<const QDialog*>(around) != nullptr) return general(around->windowTitle());
    if (around->inherits("iwarpscope::gui::OverviewView")) return QStringLiteral("Overview");
    if (around->inherits("iwarpscope::gui::SiteView")) return QStringLiteral("Site");
    if (around->inherits("iwarpscope::gui::QpTableView")) return QStringLiteral("Queue pairs");
  }
  return QStringLiteral("window");
}

void add_menu(const QMenu& menu, const QString& path, Things& things) {
  for (const QAction* action : menu.actions()) {
    if (action->isSeparator()) continue;
    const QString text = path + QStringLiteral(" > ") + general(action->text());
    action->menu() != nullptr ? add_menu(*action->menu(), text, things) : void(things.insert(text));
  }
}

void add_actions(const QWidget& widget, Things& things) {
  if (qobject_cast<const QMenu*>(&widget) != nullptr || qobject_cast<const QMenuBar*>(&widget) != nullptr) return;
  for (const QAction* action : widget.actions()) {
    if (action->isSeparator() || action->text().isEmpty()) continue;  // without text: a key alone
    const bool is_card = qobject_cast<const IncidentCard*>(&widget) != nullptr;
    const QString text = general(action->text());
    const QString name = is_card ? QStringLiteral("card of an incident") : general(widget.accessibleName());
    const bool is_of_each =
        qobject_cast<const QAbstractItemView*>(&widget) != nullptr &&
        (action->objectName() == QLatin1String(kCopyRow) || action->objectName() == QLatin1String(kCopySentence) ||
         action->objectName() == QLatin1String("export"));
    const bool is_shared = action->parent() != &widget;  // the actions on the chosen queue pair
    const QString place = is_shared ? QStringLiteral("each view") : is_of_each ? QStringLiteral("each table") : name;
    things.insert(QStringLiteral("entry > %1 > %2").arg(place, text));
  }
}

void add_links(const QString& html, const QWidget& widget, Things& things) {
  static const QRegularExpression link(QStringLiteral("href=\"([a-z]+):"));
  for (auto found = link.globalMatch(html); found.hasNext();) {
    things.insert(QStringLiteral("link > %1 > %2").arg(place_of(widget), found.next().captured(1)));
  }
}

/// Parts of Qt's own controls do what Qt's tests say.
bool is_inner(const QWidget& widget) {
  const QWidget* around = widget.parentWidget();
  return around != nullptr && (qobject_cast<const QTabBar*>(around) != nullptr || around->inherits("QLineEdit") ||
                               around->inherits("QComboBoxPrivateContainer") || around->inherits("QCompleter"));
}

void add_widget(const QWidget& widget, Things& things) {
  if (is_inner(widget)) return;
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
    QString text = general(button->text());
    if (text.size() < 2) text = general(button->accessibleName());
    // A bar of a view, and its note on the marked time: the same in each view.
    const bool is_of_each = qobject_cast<const QDockWidget*>(widget.parentWidget()) != nullptr ||
                            qobject_cast<const TimeNote*>(widget.parentWidget()) != nullptr;
    const QString place = is_of_each ? QStringLiteral("each view") : place_of(widget);
    if (!text.isEmpty()) things.insert(QStringLiteral("button > %1 > %2").arg(place, text));
    return;
  }
  const QString name = general(widget.accessibleName());
  const bool is_header = qobject_cast<const QHeaderView*>(&widget) != nullptr;
  if (is_header || qobject_cast<const QSplitter*>(&widget) != nullptr) {
    things.insert(QStringLiteral("%1 > %2").arg(is_header ? QStringLiteral("header") : QStringLiteral("splitter"),
                                                place_of(widget)));
  } else if (qobject_cast<const QTabBar*>(&widget) != nullptr) {
    things.insert(QStringLiteral("tabs > ") + place_of(widget));
  } else if (qobject_cast<const IncidentCard*>(&widget) != nullptr) {
    things.insert(QStringLiteral("view > Overview > card of an incident"));
  } else if (widget.focusPolicy() != Qt::NoFocus && widget.focusProxy() == nullptr && !name.isEmpty()) {
    things.insert(QStringLiteral("view > %1 > %2").arg(place_of(widget), name));
  }
  if (const auto* browser = qobject_cast<const QTextBrowser*>(&widget)) add_links(browser->toHtml(), widget, things);
  if (const auto* label = qobject_cast<const QLabel*>(&widget)) add_links(label->text(), widget, things);
}

void add_all(const QWidget& window, Things& things) {
  add_actions(window, things);
  for (const QWidget* widget : window.findChildren<QWidget*>()) {
    add_actions(*widget, things);
    add_widget(*widget, things);
  }
}

struct Listed {
  Things things;
  std::map<QString, QString> test_of;
};

Listed read_list() {
  QFile file(QStringLiteral(IWARPSCOPE_SAMPLES "/../tests/gui/window/actions.txt"));
  EXPECT_TRUE(file.open(QIODevice::ReadOnly));
  Listed listed;
  for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
    if (line.isEmpty() || line.startsWith(QLatin1Char('#'))) continue;
    const QString thing = line.section(QStringLiteral(" | "), 0, 0).trimmed();
    EXPECT_TRUE(listed.things.insert(thing).second) << "twice: " << thing.toStdString();
    listed.test_of[thing] = line.section(QStringLiteral(" | "), 1).trimmed();
  }
  return listed;
}

/// The text of each test, by its name.
std::map<QString, QString> all_tests() {
  std::map<QString, QString> tests;
  static const QRegularExpression head(QStringLiteral("^TEST(?:_F|_P)?\\((\\w+), (\\w+)\\)"),
                                       QRegularExpression::MultilineOption);
  QDirIterator files(QStringLiteral(IWARPSCOPE_SAMPLES "/../tests/gui"), {QStringLiteral("*_test.cpp")}, QDir::Files,
                     QDirIterator::Subdirectories);
  while (files.hasNext()) {
    QFile file(files.next());
    if (!file.open(QIODevice::ReadOnly)) continue;
    const QString text = QString::fromUtf8(file.readAll());
    for (auto found = head.globalMatch(text); found.hasNext();) {
      const auto one = found.next();
      const qsizetype end = text.indexOf(QStringLiteral("\n}\n"), one.capturedEnd());
      tests[one.captured(1) + QLatin1Char('.') + one.captured(2)] =
          text.mid(one.capturedEnd(), end - one.capturedEnd());
    }
  }
  return tests;
}

class Actions : public Mouse {
 protected:
  Actions() {
    add_all(window, offered);  // the start page
    EXPECT_TRUE(open("siw/viol-crc-error.pcap"));
    add();
    EXPECT_TRUE(open("made/questions/three-ways-to-fail.pcapng"));
    add();
    EXPECT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
    EXPECT_TRUE(
        test::wait_until([&] { return !view<AtomicView>()->words()->selectionModel()->selection().isEmpty(); }));
    add();
    ServerDialog servers(settings, &window);
    PassphraseDialog passphrase("/etc/key.pem", {}, {}, &window);
    HelpWindow help(&window);
    help.explain(QStringLiteral("Rule"), rule_help_html(QStringLiteral("MF-04")));
    for (const QDialog* dialog :
         {static_cast<QDialog*>(&servers), static_cast<QDialog*>(&passphrase), static_cast<QDialog*>(&help)}) {
      add_all(*dialog, offered);
    }
  }
  void add() {
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) dock->raise();
    const LogView& log = *view<LogView>();
    log.box().setPlainText(QStringLiteral("siw: crc error. in: 13ded25c, own ab679949, op 3\n"));
    EXPECT_TRUE(test::wait_until([&] { return log.plain_text().contains(QLatin1String("MF-04")); }));
    EXPECT_TRUE(test::wait_until([&] { return window.views()->overview().is_settled(); }));
    for (QAction* title : window.menuBar()->actions()) {
      for (QAction* entry : title->menu()->actions()) {
        if (entry->menu() != nullptr) emit entry->menu()->aboutToShow();
      }
      add_menu(*title->menu(), bare(title->text()), offered);
    }
    add_all(window, offered);
  }

  Things offered;
};

/// "Copy as Text": as the menus of other programs have it.
TEST_F(Actions, EntriesOfAllMenusAreInTitleCase) {
  static const QRegularExpression lower(QStringLiteral("\\b[a-z]\\w*"));
  const QStringList small{QStringLiteral("a"),  QStringLiteral("as"),  QStringLiteral("in"),
                          QStringLiteral("of"), QStringLiteral("or"),  QStringLiteral("and"),
                          QStringLiteral("to"), QStringLiteral("the"), QStringLiteral("iwarpscope")};
  int entries = 0;
  for (const QString& thing : offered) {
    const QString kind = thing.section(QStringLiteral(" > "), 0, 0);
    if (!QStringList{QStringLiteral("File"), QStringLiteral("Edit"), QStringLiteral("View"), QStringLiteral("Help"),
                     QStringLiteral("entry")}
             .contains(kind)) {
      continue;
    }
    ++entries;
    const QString text = thing.section(QStringLiteral(" > "), -1);
    EXPECT_FALSE(text.contains(QStringLiteral("…"))) << text.toStdString();
    for (auto found = lower.globalMatch(text); found.hasNext();) {
      const QString word = found.next().captured();
      EXPECT_TRUE(small.contains(word)) << word.toStdString() << " in " << thing.toStdString();
    }
  }
  EXPECT_GT(entries, 50);
}

TEST_F(Actions, EachHasATestThatUsesTheMouse) {
  const Listed listed = read_list();
  const std::map<QString, QString> tests = all_tests();
  static const QRegularExpression by_mouse(
      QStringLiteral("click|mouse|choose\\(|drag|entry\\(|press_|menu_at|saves\\(|opens<"),
      QRegularExpression::CaseInsensitiveOption);
  EXPECT_GT(offered.size(), 100u);
  for (const QString& thing : offered) {
    EXPECT_TRUE(listed.things.contains(thing)) << "no test uses it: " << thing.toStdString();
  }
  for (const auto& [thing, test] : listed.test_of) {
    EXPECT_TRUE(offered.contains(thing)) << "the window does not have it: " << thing.toStdString();
    const auto found = tests.find(test);
    ASSERT_NE(found, tests.end()) << thing.toStdString() << ": there is no test " << test.toStdString();
    EXPECT_TRUE(found->second.contains(by_mouse)) << test.toStdString() << " does not use the mouse";
  }
}

}  // namespace
}  // namespace iwarpscope::gui::actions_test
