// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Latencies and the list of the slowest requests, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QTemporaryDir>

#include <cmath>
#include <optional>

#include "gui/views/message_views.h"
#include "views/plots/latency_view.h"
#include "views/plots/plot_ticker.h"

namespace iwarpscope::gui::latency_view_test {
namespace {

using namespace message_views;
using enum rdmap::Opcode;

class LatencyViews : public LightAndDark {};
INSTANTIATE_TEST_SUITE_P(LightAndDark, LatencyViews, testing::Values(false, true));

TEST(DurationTicks, AreRoundAndNoMoreThanHaveRoom) {
  for (const double low : {1.0, 37.0, 4.2e6}) {
    for (const double factor : {1.5, 4.0, 12.0, 3000.0, 1e9}) {
      for (const int most : {1, 2, 4, 6}) {
        const QVector<double> ticks = duration_ticks(low, low * factor, most);
        const double apart = std::log10(factor) / most;
        for (qsizetype i = 0; i < ticks.size(); ++i) {
          EXPECT_TRUE(ticks[i] >= low && ticks[i] <= low * factor);
          if (i > 0) {
            EXPECT_GE(std::log10(ticks[i] / ticks[i - 1]), 0.99 * apart) << low << " " << factor << " " << most;
          }
        }
        if (factor >= 12) {
          EXPECT_FALSE(ticks.empty()) << low << " " << factor << " " << most;
        }
      }
    }
  }
}

TEST_P(LatencyViews, TheHistogramCountsWhatTheMarkedTimeHolds) {
  Shown shown;
  LatencyView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  show(view);
  LatencyHistogram& histogram = *view.histogram();
  const auto total = [&histogram] {
    qulonglong sum = 0;
    const QStringList lines = histogram.csv().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    for (const QString& line : lines.mid(1)) sum += line.section(QLatin1Char(','), 2, 2).toULongLong();
    return sum;
  };
  // Seven of 200 Reads have no response.
  ASSERT_TRUE(wait_until([&] { return total() == 193; }));
  QString pointed;
  QObject::connect(&histogram, &LatencyHistogram::pointed, &view, [&pointed](const QString& text) { pointed = text; });
  histogram.setFocus();
  QTest::keyClick(&histogram, Qt::Key_Home);
  EXPECT_TRUE(pointed.contains(QStringLiteral("RDMA Reads"))) << pointed.toStdString();
  const QString first = pointed;
  QTest::keyClick(&histogram, Qt::Key_End);
  EXPECT_NE(pointed, first);
  keep(view, QStringLiteral("latency") + shade());
  shown.selection.set_range(TimeRange{{0}, {300'000'000}});
  EXPECT_GT(total(), 0U);
  EXPECT_LT(total(), 193U);
  const QTemporaryDir folder;
  EXPECT_TRUE(histogram.save(folder.filePath(QStringLiteral("a.svg"))));
  EXPECT_TRUE(histogram.save(folder.filePath(QStringLiteral("a.png"))));
  EXPECT_TRUE(histogram.save(folder.filePath(QStringLiteral("a.csv"))));
  EXPECT_FALSE(histogram.save(folder.filePath(QStringLiteral("a.txt"))));
}

TEST_P(LatencyViews, TheSlowestIsLookedAtByEnter) {
  Shown shown;
  LatencyView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  std::optional<Focus> focus;
  QObject::connect(&shown.selection, &Selection::focused, &view, [&](const Focus& f) { focus = f; });
  view.list()->setCurrentIndex(view.list()->model()->index(0, 0));
  QTest::keyClick(view.list(), Qt::Key_Return);
  ASSERT_TRUE(focus && focus->message);
  EXPECT_EQ(*focus->message % 3, 2u);
  const int all = view.list()->model()->rowCount();
  shown.selection.set_range(TimeRange{{0}, {500'000'000}});
  EXPECT_LT(view.list()->model()->rowCount(), all);
  keep(view, QStringLiteral("slowest") + shade());
}

}  // namespace
}  // namespace iwarpscope::gui::latency_view_test
