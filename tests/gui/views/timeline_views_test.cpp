// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Timeline, list of slowest requests, buffers and atomics, operated by mouse and keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "views/atomics/atomic_view.h"
#include "views/buffers/buffer_view.h"
#include "views/plots/latency_view.h"
#include "views/plots/plot_ticker.h"
#include "views/plots/timeline_view.h"

namespace iwarpscope::gui::timeline_views_test {
namespace {

using enum rdmap::Opcode;
using iwarpscope::test::wait_until;

/// Two seconds of Writes, Sends and Reads, some of them lost and retransmitted.
std::vector<qp::MessageRecord> traffic() {
  std::vector<qp::MessageRecord> all;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const auto at = static_cast<std::int64_t>(3'000'000 * i);
    qp::MessageRecord write = made::tagged(Direction::a_to_b, 3 * i, rdma_write, 0x1000, 512 * (i % 40), 512);
    write.first_time = write.placed_time = write.delivered_time = {at};
    all.push_back(write);
    if (i % 10 == 0) all.push_back(made::message(Direction::a_to_b, 3 * i + 1, send, at, at, 64));
    const auto took = static_cast<std::int64_t>(i % 50 == 7 ? 40'000'000 : 100'000 + 3000 * (i % 17));
    if (i % 3 == 0) all.push_back(made::read_request(Direction::a_to_b, 3 * i + 2, at, i % 99 == 0 ? -1 : took));
  }
  return all;
}

struct Shown {
  Shown() : filled(traffic()) {
    qp::TransportEvent event;
    for (int i = 0; i < 9; ++i) {
      event.kind = static_cast<qp::TransportEventKind>(i % 3);
      event.time = {200'000'000 * i};
      event.octets = 1000;
      filled.events.push_back(event);
    }
  }
  [[nodiscard]] live::QpView view() const {
    live::QpView qp = filled.view();
    qp.record.read_depth[0] = std::uint16_t{16};
    return qp;
  }
  [[nodiscard]] bool open() {
    filled.store.open(view());
    return wait_until([this] { return filled.store.progress() == 1 && !filled.store.transport().empty(); });
  }
  made::Filled filled;
  Selection selection;
};

/// Saves a picture in the folder of IWARPSCOPE_SCREENSHOTS, for inspection.
void keep(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QTest::qWait(100);
  EXPECT_TRUE(widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

void show(QWidget& widget) {
  widget.resize(1100, 900);
  widget.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&widget));
  QTest::qWait(200);
}

class TimelineViews : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    before_ = QApplication::palette();
    if (!GetParam()) return;
    QPalette dark(QColor(45, 45, 48));
    QApplication::setPalette(dark);
  }
  void TearDown() override { QApplication::setPalette(before_); }
  [[nodiscard]] static QString shade() { return GetParam() ? QStringLiteral("-dark") : QStringLiteral("-light"); }

 private:
  QPalette before_;
};
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

TEST_P(TimelineViews, TheStagThatIsShownFirstHasAMap) {
  Shown shown;
  qp::MessageRecord read = made::read_request(Direction::b_to_a, 0, 1000, 2000);
  shown.filled.messages = {read, made::tagged(Direction::a_to_b, 1, rdma_write, 0x7000, 0, 700)};
  BufferView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.table()->model()->rowCount() >= 2; }));
  EXPECT_TRUE(wait_until([&] {
    return view.table()->currentIndex().siblingAtColumn(0).data().toString() == QStringLiteral("0x00007000");
  })) << view.table()->currentIndex().siblingAtColumn(0).data().toString().toStdString();
  // What the user chooses stays.
  const QModelIndex first = view.table()->model()->index(0, 0);
  ASSERT_NE(first, view.table()->currentIndex().siblingAtColumn(0));
  QTest::mouseClick(view.table()->viewport(), Qt::LeftButton, {}, view.table()->visualRect(first).center());
  view.set_qp(shown.view());
  QTest::qWait(300);
  EXPECT_EQ(view.table()->currentIndex().siblingAtColumn(0), first);
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

TEST_P(TimelineViews, TheHistogramCountsWhatTheMarkedTimeHolds) {
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

TEST_P(TimelineViews, TheSlowestIsLookedAtByEnter) {
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

TEST_P(TimelineViews, PiecesOfMemoryAreWalkedThroughByKeys) {
  Shown shown;
  qp::MessageRecord invalidate =
      made::message(Direction::a_to_b, 5000, send_invalidate, 1'700'000'000, 1'700'000'000, 8);
  invalidate.invalidate_stag = STag{0x1000};
  qp::MessageRecord late = made::tagged(Direction::a_to_b, 5001, rdma_write, 0x1000, 512 * 20, 700);
  late.first_time = late.placed_time = {1'900'000'000};
  shown.filled.messages.push_back(invalidate);
  shown.filled.messages.push_back(late);
  BufferView view(shown.filled.store, shown.selection);
  ASSERT_TRUE(shown.open());
  view.set_qp(shown.view());
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.table()->model()->rowCount() >= 1; }));
  const QModelIndexList found =
      view.table()->model()->match(view.table()->model()->index(0, 0), Qt::DisplayRole, QStringLiteral("0x00001000"));
  ASSERT_EQ(found.size(), 1);
  view.table()->setCurrentIndex(found.front());
  BufferCanvas& canvas = *view.canvas();
  ASSERT_TRUE(wait_until([&] { return canvas.current() != nullptr; }));
  std::optional<Focus> focus;
  QObject::connect(&shown.selection, &Selection::focused, &view, [&](const Focus& f) { focus = f; });
  canvas.setFocus();
  QTest::keyClick(&canvas, Qt::Key_Home);
  EXPECT_EQ(canvas.current()->begin, 0u);
  QTest::keyClick(&canvas, Qt::Key_Right);
  EXPECT_EQ(canvas.current()->begin, 512u);
  QTest::keyClick(&canvas, Qt::Key_End);
  EXPECT_EQ(canvas.current()->end, 512u * 40);
  QTest::keyClick(&canvas, Qt::Key_Return);
  ASSERT_TRUE(focus && focus->message);
  EXPECT_EQ(*focus->message, canvas.current()->last.index);
  QTest::keyClick(&canvas, Qt::Key_Plus);
  QTest::keyClick(&canvas, Qt::Key_0);
  EXPECT_FALSE(canvas.accessibleDescription().isEmpty());
  keep(view, QStringLiteral("buffers") + shade());
}

TEST_P(TimelineViews, AWordWithAContradictionIsShownFirst) {
  Shown shown;
  shown.filled.messages.clear();
  for (std::uint64_t i = 0; i < 12; ++i) {
    const auto at = static_cast<std::int64_t>(1000 * i);
    qp::MessageRecord request = made::message(Direction::a_to_b, i, atomic_request, at, at, 52);
    qp::AtomicRequestDetail detail{"fetch_add", 1, STag{7}, TaggedOffset{8 * (i % 2)}, 1, 0, 0, 0, {}};
    detail.response = qp::ResponseLink{i, 300, 300};
    request.detail = detail;
    qp::MessageRecord response = made::message(Direction::b_to_a, i, atomic_response, at + 300, at + 300, 12);
    const bool is_wrong = i == 9;
    const std::uint64_t original = is_wrong ? 77 : i / 2;
    response.detail = qp::AtomicResponseDetail{i, 1, original, original + 1, is_wrong ? "inconsistent" : "verified"};
    shown.filled.messages.push_back(request);
    shown.filled.messages.push_back(response);
  }
  AtomicView view(shown.filled.store, {}, shown.selection);
  view.set_qp(shown.view());
  ASSERT_TRUE(shown.open());
  show(view);
  ASSERT_TRUE(
      wait_until([&] { return view.words()->model()->rowCount() == 2 && view.uses()->model()->rowCount() == 6; }));
  EXPECT_EQ(view.words()->currentIndex().row(), 1);
  EXPECT_FALSE(view.others()->isEnabled());
  live::FindingView finding;
  finding.finding.id = findings::FindingId::rdmap_atomic_results_inconsistent;
  finding.finding.qp = 0;
  finding.finding.direction = Direction::b_to_a;
  finding.finding.message = 9;
  finding.finding.frame = FrameNumber{18};
  finding.finding.frames = {FrameNumber{10}, FrameNumber{13}};
  finding.began = TimePoint{9300};
  view.set_findings(std::span(&finding, 1));
  const auto is_links = [](const QLabel* label) { return label->text().contains(QLatin1String("AT-14")); };
  const auto labels = view.findChildren<QLabel*>();
  const auto links = std::find_if(labels.begin(), labels.end(), is_links);
  ASSERT_NE(links, labels.end());
  EXPECT_TRUE((*links)->text().contains(QLatin1String("frame 10"))) << "where every view has it: in its first evidence";
  std::optional<Focus> focus;
  QObject::connect(&shown.selection, &Selection::focused, &view, [&](const Focus& f) { focus = f; });
  view.uses()->setCurrentIndex(view.uses()->model()->index(0, 0));
  QTest::keyClick(view.uses(), Qt::Key_Return);
  ASSERT_TRUE(focus && focus->message);
  EXPECT_EQ(*focus->message, 1u);
  keep(view, QStringLiteral("atomics") + shade());
}

/// A FetchAdd on the only word of these tests, and its response.
std::vector<qp::MessageRecord> fetch_add(std::uint64_t qp, std::int64_t at) {
  qp::MessageRecord request = made::message(Direction::a_to_b, 0, atomic_request, at, at, 52);
  qp::AtomicRequestDetail detail{"fetch_add", 1, STag{7}, TaggedOffset{8}, 1, 0, 0, 0, {}};
  detail.response = qp::ResponseLink{0, 300, 300};
  request.detail = detail;
  qp::MessageRecord response = made::message(Direction::b_to_a, 0, atomic_response, at + 300, at + 300, 12);
  response.detail = qp::AtomicResponseDetail{0, 1, 5, 6, "verified"};
  request.qp = response.qp = qp;
  return {request, response};
}

TEST_P(TimelineViews, AContradictionBetweenQueuePairsShowsTheOperationsOfBoth) {
  Selection selection;
  made::Filled filled(fetch_add(0, 1000));
  int asked = 0;
  AtomicView view(
      filled.store,
      [&asked](std::uint64_t qp, std::uint64_t from, std::uint32_t, QObject* asker, const auto& then) {
        ++asked;
        const MessageRows rows{from, from == 0 ? fetch_add(qp, 2000) : std::vector<qp::MessageRecord>{}, {}, 0};
        QMetaObject::invokeMethod(
            asker, [rows, then] { then(rows); }, Qt::QueuedConnection);
      },
      selection);
  live::QpView mine = filled.view(), other = filled.view();
  mine.record.directions[0].messages[static_cast<std::size_t>(atomic_request)] = 1;
  other.record.directions[0].messages[static_cast<std::size_t>(atomic_request)] = 1;
  other.record.qp = 3;
  view.set_qp(mine);
  view.set_all({mine, other});
  filled.open();
  show(view);
  ASSERT_TRUE(wait_until([&] { return view.uses()->model()->rowCount() == 1; }));
  live::FindingView finding;
  finding.finding.qp = 0;
  finding.finding.direction = Direction::b_to_a;
  finding.finding.message = 0;
  finding.finding.id = findings::FindingId::rdmap_atomic_results_inconsistent;
  view.set_findings(std::span(&finding, 1));
  QTest::qWait(50);
  EXPECT_EQ(asked, 0) << "one queue pair contradicts itself";
  finding.finding.id = findings::FindingId::rdmap_atomics_not_linearizable;
  view.set_findings(std::span(&finding, 1));
  EXPECT_TRUE(wait_until([&] { return view.uses()->model()->rowCount() == 2; }));
  EXPECT_FALSE(view.others()->isEnabled()) << "no finding is left";
  view.set_findings(std::span(&finding, 1));
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace iwarpscope::gui::timeline_views_test
