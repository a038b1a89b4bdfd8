// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// F1 on every view and in dialogs, and the links between findings and atomics.
#include "window/help_window.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QSet>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include "gui/own_daemon.h"
#include "gui/wait.h"
#include "models/table_values.h"
#include "views/atomics/atomic_view.h"
#include "views/findings/finding_list.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/summary/verdict_view.h"
#include "views/table_actions.h"
#include "window/guide.h"
#include "window/main_window.h"
#include "window/server_dialog.h"
#include "window/session_views.h"

namespace iwarpscope::gui::help_test {
namespace {

using test::sample;
using test::wait_until;
using testing::HasSubstr;

class Help : public testing::Test {
 protected:
  Help() { window.show(); }
  [[nodiscard]] bool open(const char* name) {
    window.open_files({sample(name)});
    window.show_page(MainWindow::Page::details);
    return wait_until([this] {
      const StatusPtr& status = window.views()->session().status();
      return status && !window.views()->qps().empty() && window.views()->qps().front().ended;
    });
  }
  template <class View>
  [[nodiscard]] View* view() const {
    return window.findChild<View*>();
  }

  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  MainWindow window{settings};
};

TEST_F(Help, EveryViewExplainsItselfAndItsChapterExists) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  int chapters = 0;
  for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
    const QString name = dock->objectName();
    ASSERT_NE(dock->widget(), nullptr) << name.toStdString();
    EXPECT_FALSE(dock->widget()->whatsThis().isEmpty()) << name.toStdString();
    const QString chapter = dock->widget()->property("chapter").toString();
    if (chapter.isEmpty()) continue;
    ++chapters;
    EXPECT_TRUE(guide_chapters().contains(chapter)) << chapter.toStdString();
    EXPECT_THAT(help_html(dock->widget()).toStdString(), HasSubstr(chapter.toStdString()));
  }
  EXPECT_GE(chapters, 4);
  EXPECT_FALSE(view<QpTableView>()->whatsThis().isEmpty());
}

TEST_F(Help, TheGuideHasItsChaptersAndTheyAreShown) {
  ASSERT_FALSE(guide_chapters().isEmpty());
  for (const QString& title : guide_chapters()) {
    EXPECT_THAT(guide_chapter_html(title).toStdString(), HasSubstr("<"));
    EXPECT_THAT(guide_chapter_html(title).toStdString(), testing::Not(HasSubstr("<img")));
  }
  EXPECT_TRUE(guide_chapter_html(QStringLiteral("no such chapter")).isEmpty());
  HelpWindow help;
  help.explain_widget(nullptr);
  EXPECT_THAT(help.plain_text().toStdString(), HasSubstr("Reading a report"));
}

TEST_F(Help, F1InADialogOpensAHelpWindowOfTheDialog) {
  ServerDialog dialog(settings);
  dialog.setModal(true);
  dialog.show();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&dialog));
  QWidget* const field = dialog.findChild<QComboBox*>();
  field->setFocus();
  QTest::keyClick(field, Qt::Key_F1);
  auto* const help = dialog.findChild<HelpWindow*>();
  ASSERT_NE(help, nullptr);
  EXPECT_TRUE(help->isVisible());
  EXPECT_THAT(help->plain_text().toStdString(), HasSubstr("how to reach the daemon"));
  EXPECT_THAT(help->plain_text().toStdString(), HasSubstr("From another machine"));
}

/// Parts of headers and lists of choices are not tables.
std::vector<QAbstractItemView*> tables_of(const QWidget& root) {
  std::vector<QAbstractItemView*> tables;
  for (QAbstractItemView* table : root.findChildren<QAbstractItemView*>()) {
    const bool is_tree = qobject_cast<QTreeView*>(table) != nullptr;
    if (is_tree || qobject_cast<QTableView*>(table) != nullptr) tables.push_back(table);
  }
  return tables;
}

TEST_F(Help, EveryTableIsCopiedAndExportedWithKeysForPrograms) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  int tables = 0;
  for (const QAbstractItemView* table : tables_of(window)) {
    const std::string name = table->accessibleName().toStdString();
    const auto has = [table](const char* text) {
      for (const QAction* action : table->actions()) {
        if (action->text().remove(QLatin1Char('&')).startsWith(QLatin1String(text))) return true;
      }
      return false;
    };
    EXPECT_TRUE(has("Copy as Text")) << name;
    EXPECT_TRUE(has("Export Table")) << name;
    const auto* const actions = table->findChild<TableActions*>();
    if (actions == nullptr) continue;
    ++tables;
    QSet<QString> keys;
    for (const int column : actions->shown().columns) {
      const QString key = table->model()->headerData(column, Qt::Horizontal, kValueRole).toString();
      EXPECT_FALSE(key.isEmpty() || key.contains(QLatin1Char(' '))) << name << " column " << column;
      EXPECT_FALSE(keys.contains(key)) << name << ": " << key.toStdString();
      keys.insert(key);
    }
  }
  EXPECT_GE(tables, 9);
}

TEST_F(Help, CopyInTheVerdictPaneTakesTheSentenceOrWhatIsSelected) {
  ASSERT_TRUE(open("siw/viol-crc-error.pcap"));
  window.views()->selection().set_qp(window.views()->qps().front().record.qp);
  auto* const verdict = view<VerdictView>();
  ASSERT_TRUE(wait_until([&] { return !verdict->sentence().isEmpty(); }));
  auto* const text = verdict->findChild<QTextBrowser*>();
  window.activateWindow();  // if there is no window manager
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  text->setFocus();
  QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QApplication::clipboard()->text(), verdict->sentence());
  text->selectAll();
  QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
  EXPECT_NE(QApplication::clipboard()->text(), verdict->sentence());
}

TEST_F(Help, AFindingOnAtomicsLeadsToItsOperationAndBack) {
  ASSERT_TRUE(open("made/questions/atomic-result-impossible.pcapng"));
  auto* const list = view<FindingList>();
  auto* const atomics = view<AtomicView>();
  QTreeView* const table = list->table();
  const auto finding_row = [&] {
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      const QString rule = table->model()->index(row, FindingTable::kRule).data().toString();
      if (rule.startsWith(QLatin1String("AT-14")) || rule.startsWith(QLatin1String("AT-15"))) return row;
    }
    return -1;
  };
  ASSERT_TRUE(wait_until([&] { return finding_row() >= 0; }));
  table->setCurrentIndex(table->model()->index(finding_row(), 0));
  for (QAction* action : table->actions()) {
    if (action->text().contains(QLatin1String("Word"))) action->trigger();
  }
  const auto finding_links = [&] {
    const QModelIndex current = atomics->uses()->currentIndex();
    return current.isValid() ? current.siblingAtColumn(AtomicUsesModel::kFinding).data().toString() : QString();
  };
  ASSERT_TRUE(wait_until([&] { return finding_links().contains(QLatin1String("AT-1")); }));
  const auto* const dock = window.findChild<QDockWidget*>(QStringLiteral("atomics"));
  EXPECT_FALSE(dock->visibleRegion().isEmpty());
  EXPECT_THAT(atomics->links()->text().toStdString(), HasSubstr("finding:"));
  table->setCurrentIndex({});
  list->findChild<QComboBox*>()->setCurrentIndex(2);
  emit atomics->links()->linkActivated(atomics->links()->text().section(QLatin1Char('"'), 1, 1));
  EXPECT_EQ(table->currentIndex().row(), finding_row());
}

}  // namespace
}  // namespace iwarpscope::gui::help_test
