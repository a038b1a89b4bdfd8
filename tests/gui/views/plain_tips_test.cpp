// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Tips of tables are text, whatever a sensor writes into them.
#include "views/plain_tips.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QApplication>
#include <QHelpEvent>
#include <QStandardItemModel>
#include <QTableView>
#include <QToolTip>

namespace iwarpscope::gui::plain_tips_test {
namespace {

TEST(PlainTips, OfATableAreShownAsText) {
  PlainTips tips;
  QApplication::instance()->installEventFilter(&tips);
  QStandardItemModel model(1, 1);
  model.setData(model.index(0, 0), QStringLiteral("<img src=\"/dev/zero\">"), Qt::ToolTipRole);
  QTableView view;
  view.setModel(&model);
  view.show();
  const QPoint at = view.visualRect(model.index(0, 0)).center();
  QHelpEvent event(QEvent::ToolTip, at, view.viewport()->mapToGlobal(at));
  QApplication::sendEvent(view.viewport(), &event);
  EXPECT_THAT(QToolTip::text().toStdString(), testing::HasSubstr("&lt;img"));
  QToolTip::hideText();
}

}  // namespace
}  // namespace iwarpscope::gui::plain_tips_test
