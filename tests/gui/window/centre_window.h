// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A window that is connected to a centre.
#pragma once

#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QAction>
#include <QLabel>
#include <QTabBar>
#include <QTextBrowser>

#include <stdexcept>
#include <string>

#include "gui/window/made_site.h"
#include "gui/window/mouse.h"
#include "views/queue_pairs/qp_table_view.h"
#include "views/site/site_view.h"
#include "views/summary/verdict_view.h"

namespace iwarpscope::gui {

class CentreWindow : public Mouse {
 protected:
  ~CentreWindow() override { window.close_session(); }

  void open_centre() {
    made::make_centre(daemon);
    ASSERT_EQ(daemon.start(), "");
    window.open(made::source_of(daemon));
    ASSERT_TRUE(test::wait_until([&] { return tabs().isTabVisible(kTab) && window.views()->qps().size() == 4; }));
  }
  /// With the page in front, filled.
  void open_site() {
    open_centre();
    click_tab();
    ASSERT_TRUE(test::wait_until([&] { return is_seen(page()) && page().pairs().model()->rowCount() == 2; }));
  }
  [[nodiscard]] SiteView& page() const { return *view<SiteView>(); }
  [[nodiscard]] QTabBar& tabs() const {
    for (auto* bar : window.findChildren<QTabBar*>()) {
      if (bar->accessibleName() == QLatin1String("Pages")) return *bar;
    }
    throw std::logic_error("no tabs of pages");
  }
  void click_tab() const { QTest::mouseClick(&tabs(), Qt::LeftButton, {}, tabs().tabRect(kTab).center()); }
  [[nodiscard]] std::string filter() const { return view<QpTableView>()->filter_bar().text().toStdString(); }
  [[nodiscard]] int rows_of_table() const { return table().model()->rowCount(); }
  [[nodiscard]] std::string said() const {
    QStringList all;
    for (const auto* label : page().findChildren<QLabel*>()) {
      if (label->isVisible()) all << label->text();
    }
    return all.join(QLatin1Char('\n')).toStdString();
  }
  [[nodiscard]] static std::string cell(const QAbstractItemView& in, int row, int column, int role = Qt::DisplayRole) {
    return in.model()->index(row, column).data(role).toString().toStdString();
  }
  [[nodiscard]] QAction* entry_of_menu() const {
    for (QAction* action : window.findChildren<QAction*>()) {
      if (action->shortcut() == QKeySequence(Qt::ALT | Qt::Key_I)) return action;
    }
    return nullptr;
  }

  [[nodiscard]] std::string verdict() const {
    return view<VerdictView>()->findChild<QTextBrowser*>()->toPlainText().toStdString();
  }

  static constexpr int kTab = 2;
  static constexpr int kSoonMs = SiteModel::kEveryMs / 2;  ///< not because its timer has ended
  api::testing::Daemon daemon;
};

}  // namespace iwarpscope::gui
