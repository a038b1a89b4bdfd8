// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Painted cells of the table of queue pairs: verdicts.
#include "views/queue_pairs/qp_delegate.h"

#include <gtest/gtest.h>

#include <QApplication>

#include "gui/models/qp_rows.h"
#include "models/queue_pairs/qp_model.h"
#include "views/colors.h"

namespace iwarpscope::gui::qp_delegate_test {
namespace {

struct Opened : QpDelegate {
  using QpDelegate::initStyleOption;
};

QStyleOptionViewItem cell(const QpModel& model, std::uint64_t qp, QpColumn column) {
  QStyleOptionViewItem option;
  option.palette = QApplication::palette();
  const Opened delegate;
  delegate.initStyleOption(&option, model.index_of(qp, static_cast<int>(column)));
  return option;
}

TEST(QpDelegate, VerdictsDifferBySignWeightAndColour) {
  QpModel model;
  QpRows rows = iwarpscope::test::made_qps(0, 4);
  iwarpscope::test::fail_qp(rows[1]);
  rows[2].record.verdict->outcome = qp::Outcome::completed;
  rows[3].record.verdict->outcome = qp::Outcome::refused;
  model.replace(rows);
  const auto running = cell(model, 0, QpColumn::verdict), failed = cell(model, 1, QpColumn::verdict);
  const auto completed = cell(model, 2, QpColumn::verdict), refused = cell(model, 3, QpColumn::verdict);
  EXPECT_EQ(failed.text, QStringLiteral("✗ failed"));
  EXPECT_EQ(completed.text, QStringLiteral("✓ completed"));
  EXPECT_EQ(running.text, QStringLiteral("▸ running"));
  EXPECT_EQ(refused.text, QStringLiteral("⊘ refused"));
  EXPECT_TRUE(failed.font.bold() && refused.font.bold());
  EXPECT_FALSE(completed.font.bold() || running.font.bold());
  EXPECT_EQ(failed.palette.color(QPalette::Text), outcome_color(qp::Outcome::failed, QApplication::palette()));
  EXPECT_NE(failed.backgroundBrush, completed.backgroundBrush);
  EXPECT_NE(failed.backgroundBrush, refused.backgroundBrush);
  EXPECT_EQ(completed.backgroundBrush.style(), Qt::NoBrush);
}

TEST(QpDelegate, OtherCellsAndQueuePairsWithoutAVerdictAreAsTheModelHasThem) {
  QpModel model;
  QpRows rows = iwarpscope::test::made_qps(0, 2);
  iwarpscope::test::fail_qp(rows[0]);
  rows[1].record.verdict.reset();
  model.replace(rows);
  EXPECT_FALSE(cell(model, 0, QpColumn::state).font.bold());
  EXPECT_EQ(cell(model, 1, QpColumn::verdict).text, QStringLiteral("-"));
}

}  // namespace
}  // namespace iwarpscope::gui::qp_delegate_test
