// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Timeline and its plots, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gui/views/message_views.h"
#include "views/plots/latency_view.h"
#include "views/plots/plot_ticker.h"
#include "views/plots/timeline_view.h"

namespace iwarpscope::gui::timeline_view_test {
namespace {

using namespace message_views;
using enum rdmap::Opcode;

class TimelineViews : public LightAndDark {};
INSTANTIATE_TEST_SUITE_P(LightAndDark, TimelineViews, testing::Values(false, true));

TEST_P(TimelineViews, AMarkMadeByMouseOrKeysIsTheSelectionsAndGoesByEscape) {
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  PlotPane& pane = *view.pane(0);
  EXPECT_GT(pane.graphCount(), 1);
  EXPECT_NEAR(pane.span().upper, 1.8, 0.1);
  const auto at = [&](double seconds) {
    return QPoint(static_cast<int>(pane.xAxis->coordToPixel(seconds)), pane.height() / 2);
  };
  QTest::mousePress(&pane, Qt::LeftButton, {}, at(0.5));
  QTest::mouseMove(&pane, at(0.8));
  QTest::mouseRelease(&pane, Qt::LeftButton, {}, at(1.0));
  ASSERT_TRUE(shown.selection.range());
  EXPECT_NEAR(static_cast<double>(shown.selection.range()->from.ns) / 1e9, 0.5, 0.02);
  EXPECT_NEAR(static_cast<double>(shown.selection.range()->to.ns) / 1e9, 1.0, 0.02);
  keep(view, QStringLiteral("timeline") + shade());
  QTest::keyClick(&pane, Qt::Key_Escape);
  EXPECT_FALSE(shown.selection.range());
  QTest::keyClick(&pane, Qt::Key_Home);
  for (int i = 0; i < 10; ++i) QTest::keyClick(&pane, Qt::Key_Right, Qt::ShiftModifier);
  ASSERT_TRUE(shown.selection.range());
  EXPECT_NEAR(static_cast<double>(shown.selection.range()->to.ns) / 1e9, 0.18, 0.02);
  const double before = pane.span().size();
  QTest::keyClick(&pane, Qt::Key_Plus);
  EXPECT_NEAR(view.pane(4)->span().size(), before / 2, before / 50) << "all of them zoom";
  QTest::keyClick(&pane, Qt::Key_0);
  EXPECT_NEAR(pane.span().size(), before, before / 50);
}

TEST_P(TimelineViews, PlotsAreSavedAsPictureDrawingAndValues) {
  const QTemporaryDir folder;
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  for (std::size_t i = 0; i < TimelineView::kPanes; ++i) {
    for (const char* const ending : {".png", ".svg", ".csv"}) {
      const QString file = folder.filePath(QString::number(i) + QLatin1String(ending));
      EXPECT_TRUE(view.pane(i)->save(file)) << file.toStdString();
      EXPECT_GT(QFileInfo(file).size(), 100) << file.toStdString();
    }
  }
  EXPECT_FALSE(view.pane(0)->save(folder.filePath(QStringLiteral("x.doc"))));
  EXPECT_FALSE(view.pane(0)->save(QStringLiteral("/nowhere/x.svg")));
  EXPECT_TRUE(view.pane(0)->csv().startsWith(QStringLiteral("seconds,what,value\r\n")));
  EXPECT_TRUE(view.pane(0)->csv().contains(QStringLiteral("\"RDMA Write, A to B\"")));
  EXPECT_TRUE(view.pane(1)->csv().contains(QStringLiteral("limit of Reads of A")));
  EXPECT_TRUE(view.pane(4)->csv().contains(QStringLiteral("capture gap")));
}

/// Each entry is completely visible, and none overlaps another.
void expect_whole_legend(PlotPane& pane, const std::string& where) {
  const QFontMetrics metrics(pane.legend->font());
  EXPECT_GE(pane.axisRect()->height(), 3 * metrics.height()) << where;
  std::vector<QRect> before;
  for (int i = 0; i < pane.legend->itemCount(); ++i) {
    auto* const entry = qobject_cast<QCPPlottableLegendItem*>(pane.legend->item(i));
    if (entry == nullptr) continue;  // the end of a row
    const QString name = entry->plottable()->name();
    EXPECT_GE(entry->rect().height(), metrics.height()) << name.toStdString() << where;
    EXPECT_GE(entry->rect().width(), pane.legend->iconSize().width() + metrics.horizontalAdvance(name))
        << name.toStdString() << where;
    EXPECT_TRUE(pane.rect().contains(entry->rect())) << name.toStdString() << where;
    for (const QRect& other : before) EXPECT_FALSE(other.intersects(entry->rect())) << name.toStdString() << where;
    before.push_back(entry->rect());
  }
  EXPECT_EQ(before.size(), static_cast<std::size_t>(pane.graphCount())) << where;
}

TEST_P(TimelineViews, LegendsLieOverNoCurveAndAreWhole) {
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  // Curves may arrive before the view is visible and has its final width.
  ASSERT_TRUE(wait_until([&] { return view.pane(0)->graphCount() > 1 && view.pane(2)->graphCount() > 2; }));
  for (const QSize size : {QSize(1100, 900), QSize(600, 900), QSize(1270, 450), QSize(700, 300)}) {
    view.resize(size);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    QCoreApplication::processEvents();
    for (std::size_t i = 0; i < TimelineView::kPanes; ++i) {
      const std::string where =
          ", plot " + std::to_string(i) + " at " + std::to_string(size.width()) + " x " + std::to_string(size.height());
      PlotPane& pane = *view.pane(i);
      pane.replot();
      if (!pane.legend->visible()) continue;
      EXPECT_FALSE(pane.legend->outerRect().intersects(pane.axisRect()->rect())) << where;
      EXPECT_TRUE(pane.rect().contains(pane.legend->outerRect())) << where;
      expect_whole_legend(pane, where);
    }
  }
}

TEST_P(TimelineViews, ALoneMessageHasARateThatCanBe) {
  Selection selection;
  made::Filled filled({made::message(Direction::a_to_b, 0, rdma_write, 300'000'000, 300'000'000, 64 + 14)});
  TimelineView view(filled.store, selection);
  view.set_qp(filled.view());
  filled.open();
  show(view);
  PlotPane& pane = *view.pane(0);
  ASSERT_TRUE(wait_until([&] { return pane.graphCount() == 1; }));
  const auto most = [&] {
    double all = 0;
    for (const QCPGraphData& point : *pane.graph(0)->data()) all = std::max(all, point.value);
    return all;
  };
  EXPECT_GT(most(), 0);
  EXPECT_LE(most(), 64 / 1e-3) << "of a plot that shows 0.3 s";
  // It is as wide as its interval, and returns to zero.
  const auto points = pane.graph(0)->data();
  ASSERT_GE(points->size(), 2);
  EXPECT_GE((points->constEnd() - 1)->key - points->constBegin()->key, pane.span().size() / 201);
  EXPECT_LE((points->constEnd() - 1)->key, pane.span().upper);
  const double before = most();
  pane.setFocus();
  QTest::keyClick(&pane, Qt::Key_End);
  for (int i = 0; i < 12; ++i) QTest::keyClick(&pane, Qt::Key_Plus);
  EXPECT_GT(most(), before) << "a user who zooms in sees more";
}

/// A wait without an end is the trouble that is looked for.
TEST_P(TimelineViews, WhatWasNeverAnsweredIsSeenToWaitToTheEnd) {
  Selection selection;
  made::Filled filled({made::read_request(Direction::a_to_b, 0, 20'000, -1)});
  live::QpView qp = filled.view();
  qp.record.last_time = {3'000'000'000};
  TimelineView view(filled.store, selection);
  filled.store.open(qp);
  view.set_qp(qp);
  show(view);
  PlotPane& pane = *view.pane(1);
  ASSERT_TRUE(wait_until([&] { return pane.graphCount() != 0; }));
  EXPECT_GE(pane.span().upper, 3.0);
  const auto points = pane.graph(0)->data();
  EXPECT_GE((points->constEnd() - 1)->key, 3.0);
  EXPECT_EQ((points->constEnd() - 1)->value, 1.0);
}

/// Short times, too, are in plain digits.
TEST_P(TimelineViews, TheAxisOfTimeHasNoPowersOfTen) {
  Selection selection;
  made::Filled filled({made::message(Direction::a_to_b, 0, rdma_write, 90'000, 91'000, 64 + 14)});
  TimelineView view(filled.store, selection);
  view.set_qp(filled.view());
  filled.open();
  show(view);
  const QCPAxis& axis = *view.findChild<TimeAxis*>()->xAxis;
  ASSERT_TRUE(wait_until([&] { return axis.range().upper < 1e-3 && axis.tickVectorLabels().size() > 2; }));
  for (const QString& label : axis.tickVectorLabels()) {
    EXPECT_TRUE(QRegularExpression(QStringLiteral("^-?[0-9]+(\\.[0-9]*[1-9])?$")).match(label).hasMatch())
        << label.toStdString();
  }
}

/// Positions of an axis' labels, from the top, and their texts.
std::vector<std::pair<double, QString>> labels(const QCPAxis& axis) {
  std::vector<std::pair<double, QString>> all;
  for (qsizetype i = 0; i < axis.tickVector().size(); ++i) {
    if (axis.range().contains(axis.tickVector()[i])) {
      all.emplace_back(axis.coordToPixel(axis.tickVector()[i]), axis.tickVectorLabels()[i]);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST_P(TimelineViews, LabelsOfValuesHaveUnitsAndLieOverNoOther) {
  static const QRegularExpression kExponent(QStringLiteral("\\de[+-]?\\d|·"));
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  for (const int height : {1400, 900, 500}) {
    view.resize(1100, height);
    view.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&view));
    ASSERT_TRUE(wait_until([&] { return view.pane(0)->graphCount() > 1; }));
    for (std::size_t i = 0; i < TimelineView::kPanes; ++i) {
      PlotPane& pane = *view.pane(i);
      pane.replot();
      const auto all = labels(*pane.yAxis);
      EXPECT_FALSE(all.empty()) << i << " at " << height;
      for (std::size_t n = 1; n < all.size(); ++n) {
        EXPECT_GE(all[n].first - all[n - 1].first, pane.fontMetrics().ascent())
            << all[n].second.toStdString() << " over " << all[n - 1].second.toStdString() << ", plot " << i << " at "
            << height;
      }
      for (const auto& [at, text] : all) {
        EXPECT_FALSE(text.contains(kExponent)) << text.toStdString();
        if (i == 0) {
          EXPECT_TRUE(text.endsWith(QLatin1String("/s"))) << text.toStdString();
        }
        if (i == 1 || i == 4) {
          EXPECT_FALSE(text.contains(QLatin1Char('.'))) << "a part of a request: " << text.toStdString();
        }
      }
    }
  }
  EXPECT_TRUE(view.pane(0)->text_at(0.5).contains(QLatin1String("/s"))) << view.pane(0)->text_at(0.5).toStdString();
}

/// The labels of an axis up to `highest`.
QStringList rate_ticks(double highest) {
  class Ticks : public RateTicker {
   public:
    QStringList labels(double upper) {
      QStringList all;
      const double step = getTickStep(QCPRange(0, upper));
      for (double tick = 0; tick <= upper; tick += step) all << getTickLabel(tick, QLocale::c(), QLatin1Char('g'), 6);
      return all;
    }
  };
  Ticks ticks;
  ticks.setTickCount(4);
  return ticks.labels(highest);
}

TEST(Rates, OfAnAxisAreRoundInTheUnitsOfTheReports) {
  EXPECT_EQ(rate_ticks(400).join(QLatin1Char(' ')).toStdString(),
            "0 octets/s 100 octets/s 200 octets/s 300 octets/s 400 octets/s");
  EXPECT_EQ(rate_ticks(2.1e6).join(QLatin1Char(' ')).toStdString(),
            "0 octets/s 512 KiB/s 1.00 MiB/s 1.50 MiB/s 2.00 MiB/s");
  for (double highest = 1; highest < 1e15; highest *= 1.7) {
    const QStringList labels = rate_ticks(highest);
    EXPECT_GE(labels.size(), 2) << highest;
    EXPECT_EQ(QSet<QString>(labels.begin(), labels.end()).size(), labels.size())
        << "two ticks with one label at " << highest;
  }
}

TEST_P(TimelineViews, ALimitHasAColourOfItsOwn) {
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  ASSERT_TRUE(wait_until([&] { return view.pane(1)->graphCount() > 1; }));
  const PlotPane& pane = *view.pane(1);
  std::map<QString, QColor> colors;
  for (int i = 0; i < pane.graphCount(); ++i) colors[pane.graph(i)->name()] = pane.graph(i)->pen().color();
  ASSERT_TRUE(colors.contains(QStringLiteral("of A")) && colors.contains(QStringLiteral("limit of Reads of A")));
  for (const auto& [name, color] : colors) {
    for (const auto& [other, its] : colors) {
      if (name != other) {
        EXPECT_NE(color, its) << name.toStdString() << " and " << other.toStdString();
      }
    }
  }
}

TEST_P(TimelineViews, TheHeatMapSaysWhatItsColoursMean) {
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  const PlotPane& pane = *view.pane(3);
  ASSERT_TRUE(wait_until([&] { return pane.graphCount() > 0; }));
  EXPECT_TRUE(pane.legend->visible());
  ASSERT_GE(pane.graphCount(), 2);
  EXPECT_TRUE(pane.graph(0)->name().startsWith(QLatin1String("1 "))) << pane.graph(0)->name().toStdString();
  std::set<QRgb> colors;
  for (int i = 0; i < pane.graphCount(); ++i) colors.insert(pane.graph(i)->scatterStyle().brush().color().rgb());
  EXPECT_EQ(colors.size(), static_cast<std::size_t>(pane.graphCount())) << "each number has its own colour";
}

TEST_P(TimelineViews, PlotsWithoutALatencySaySo) {
  Selection selection;
  made::Filled filled({made::message(Direction::a_to_b, 0, rdma_write, 0, 0, 64)});
  TimelineView view(filled.store, selection);
  view.set_qp(filled.view());
  filled.open();
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.pane(0)->graphCount() == 1; }));
  LatencyHistogram histogram;
  EXPECT_FALSE(view.pane(2)->isVisible() || view.pane(3)->isVisible());
  EXPECT_THAT(view.hidden().toStdString(), testing::HasSubstr("Latency of Reads and Atomics, Latency distribution."));
  std::vector<QCustomPlot*> plots{view.pane(2), view.pane(3), &histogram};
  for (QCustomPlot* const plot : plots) {
    plot->replot();
    EXPECT_FALSE(plot->yAxis->tickLabels());
    bool is_said = false;
    for (int i = 0; i < plot->itemCount(); ++i) {
      const auto* const text = qobject_cast<const QCPItemText*>(plot->item(i));
      is_said |= text != nullptr && text->visible() && text->text() == QStringLiteral("no Reads or Atomics");
    }
    EXPECT_TRUE(is_said);
  }
  EXPECT_TRUE(view.pane(0)->yAxis->tickLabels());
  Shown shown;
  TimelineView full(shown.filled.store, shown.selection);
  full.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  show(full);
  ASSERT_TRUE(wait_until([&] { return full.pane(2)->graphCount() > 2; }));
  EXPECT_TRUE(full.pane(2)->yAxis->tickLabels() && full.pane(3)->yAxis->tickLabels());
  EXPECT_TRUE(full.pane(2)->isVisible() && full.pane(3)->isVisible());
}

TEST_P(TimelineViews, TheAxisOfTimeStaysInSightAndFitsThePlots) {
  Shown shown;
  TimelineView view(shown.filled.store, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  show(view);
  auto& axis = *view.findChild<TimeAxis*>();
  QString trouble;
  const auto fits = [&] {
    trouble.clear();
    axis.replot();
    if (!view.rect().contains(QRect(axis.mapTo(&view, QPoint()), axis.size()))) trouble = QStringLiteral("the axis");
    for (std::size_t i = 0; i < TimelineView::kPanes; ++i) {
      PlotPane& pane = *view.pane(i);
      if (!pane.isVisible()) continue;
      pane.replot();
      for (const double seconds : {0.2, 1.5}) {
        const double above = pane.mapTo(&view, QPoint()).x() + pane.xAxis->coordToPixel(seconds);
        const double below = axis.mapTo(&view, QPoint()).x() + axis.xAxis->coordToPixel(seconds);
        if (std::abs(above - below) > 1) trouble = pane.title();
      }
    }
    return trouble.isEmpty();
  };
  for (const int height : {900, 420, 300}) {  // the plots scroll, at the latest in the last
    view.resize(1100, height);
    QTest::qWait(50);
    EXPECT_TRUE(wait_until(fits)) << trouble.toStdString() << " at a height of " << height;
    EXPECT_FALSE(view.pane(4)->visibleRegion().isEmpty() && height >= 420) << "the transport's plot is in sight";
  }
}

}  // namespace
}  // namespace iwarpscope::gui::timeline_view_test
