// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/timeline_series.h"

#include <algorithm>
#include <cmath>

#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

/// The context of translations.
class TimelineSeries {
  Q_DECLARE_TR_FUNCTIONS(TimelineSeries)
};

constexpr std::array kDirections{Direction::a_to_b, Direction::b_to_a};

QString from_a_to_b(Direction direction) {
  return direction == Direction::a_to_b ? TimelineSeries::tr("A to B") : TimelineSeries::tr("B to A");
}

QString event_name(qp::TransportEventKind kind) {
  switch (kind) {
    case qp::TransportEventKind::retransmission: return TimelineSeries::tr("retransmission");
    case qp::TransportEventKind::out_of_order: return TimelineSeries::tr("out of order");
    case qp::TransportEventKind::capture_gap: return TimelineSeries::tr("capture gap");
    case qp::TransportEventKind::damaged: return TimelineSeries::tr("damaged");
    case qp::TransportEventKind::window_closed: break;
  }
  return TimelineSeries::tr("window closed");
}

LatencyCounts latencies(const TimelineBucket& bucket) {
  LatencyCounts all = bucket.latency[0];
  all.add(bucket.latency[1]);
  return all;
}

}  // namespace

TimelineSlices slices_of(const TimelineData& data, TimePoint origin, const QCPRange& span, double width) {
  TimelineSlices out;
  if (data.is_empty()) return out;
  const auto time = [&](double seconds) {
    return TimePoint{origin.ns + static_cast<std::int64_t>(std::clamp(seconds, -4e9, 4e9) * 1e9)};
  };
  const std::size_t first = data.bucket_at(time(span.lower)), last = data.bucket_at(time(span.upper)) + 1;
  const double wanted = std::ceil(width * 1e9 / static_cast<double>(data.width_ns()));
  const auto group = static_cast<std::size_t>(std::clamp(wanted, 1.0, 1.0 * TimelineData::kMostBuckets));
  out.from = static_cast<double>(elapsed_ns(origin, data.begin_of(first))) / 1e9;
  out.width = static_cast<double>(data.width_ns()) * static_cast<double>(group) / 1e9;
  out.slices = data.grouped(first, last, group);
  return out;
}

std::vector<PlotSeries> throughput_series(const TimelineSlices& slices, const QPalette& palette) {
  std::vector<PlotSeries> out;
  for (const Direction direction : kDirections) {
    for (std::size_t opcode = 0; opcode < rdmap::kOpcodes; ++opcode) {
      const auto kind = static_cast<rdmap::Opcode>(opcode);
      const QString title = QString::fromUtf8(rdmap::title(kind));
      PlotSeries series{TimelineSeries::tr("%1, %2").arg(title, from_a_to_b(direction)), PlotSeries::Shape::steps,
                        opcode_color(kind, palette)};
      bool is_used = false;
      for (std::size_t i = 0; i < slices.slices.size(); ++i) {
        const std::uint64_t octets = slices.slices[i].octets[index(direction)][opcode];
        is_used |= octets != 0;
        series.x.push_back(slices.at(i));
        series.y.push_back(static_cast<double>(octets) / slices.width);
      }
      series.x.push_back(slices.at(slices.slices.size()));
      series.y.push_back(0);
      if (is_used) out.push_back(std::move(series));
    }
  }
  return out;
}

std::vector<PlotSeries> outstanding_series(const TimelineSlices& slices,
                                           const std::array<std::optional<std::uint16_t>, 2>& limits,
                                           const QPalette& palette) {
  std::vector<PlotSeries> out;
  for (const Direction direction : kDirections) {
    const bool is_a = direction == Direction::a_to_b;
    const QColor color = series_color(is_a ? 0 : 1, palette);
    PlotSeries level{is_a ? TimelineSeries::tr("of A") : TimelineSeries::tr("of B"), PlotSeries::Shape::steps, color};
    PlotSeries lost{is_a ? TimelineSeries::tr("of A, no response seen") : TimelineSeries::tr("of B, no response seen"),
                    PlotSeries::Shape::impulses, series_color(5, palette)};
    bool is_used = false;
    for (std::size_t i = 0; i < slices.slices.size(); ++i) {
      const TimelineBucket& slice = slices.slices[i];
      is_used |= slice.outstanding[index(direction)] != 0;
      level.x.push_back(slices.at(i));
      level.y.push_back(static_cast<double>(slice.outstanding[index(direction)]));
      if (slice.unanswered[index(direction)] == 0) continue;
      lost.x.push_back(slices.at(i));
      lost.y.push_back(static_cast<double>(slice.unanswered[index(direction)]));
    }
    if (is_used) {  // to the end of the last slice
      level.x.push_back(slices.at(slices.slices.size()));
      level.y.push_back(level.y.back());
      out.push_back(level);
    }
    if (!lost.x.empty()) out.push_back(lost);
    if (!limits[index(direction)] || (!is_used && lost.x.empty())) continue;
    const double limit = *limits[index(direction)];
    out.push_back({is_a ? TimelineSeries::tr("limit of Reads of A") : TimelineSeries::tr("limit of Reads of B"),
                   PlotSeries::Shape::level,
                   series_color(is_a ? 2 : 3, palette),
                   {slices.at(0), slices.at(slices.slices.size())},
                   {limit, limit}});
  }
  return out;
}

std::vector<PlotSeries> latency_series(const TimelineSlices& slices, const QPalette& palette) {
  std::vector<PlotSeries> out{
      {TimelineSeries::tr("50th percentile"), PlotSeries::Shape::points, series_color(0, palette)},
      {TimelineSeries::tr("99th percentile"), PlotSeries::Shape::points, series_color(1, palette)},
      {TimelineSeries::tr("longest"), PlotSeries::Shape::points, series_color(5, palette)}};
  for (std::size_t i = 0; i < slices.slices.size(); ++i) {
    const LatencyCounts all = latencies(slices.slices[i]);
    if (all.total() == 0) continue;
    const std::array values{all.percentile_ns(50), all.percentile_ns(99), all.largest_ns()};
    for (std::size_t line = 0; line < out.size(); ++line) {
      out[line].x.push_back(slices.at(i));
      out[line].y.push_back(static_cast<double>(std::max<std::int64_t>(1, values[line])));
    }
  }
  if (out[0].x.empty()) out.clear();
  return out;
}

PlotHeat latency_heat(const TimelineSlices& slices) {
  constexpr int kRowsOfADecade = 6;
  PlotHeat out;
  LatencyCounts all;
  for (const TimelineBucket& slice : slices.slices) all.add(latencies(slice));
  if (all.total() == 0) return out;
  const double least = std::log10(static_cast<double>(std::max<std::int64_t>(1, all.percentile_ns(1e-9))));
  out.low = std::floor(least - 0.2);
  out.high = std::max(out.low + 1,
                      std::ceil(std::log10(static_cast<double>(std::max<std::int64_t>(1, all.largest_ns()))) + 0.05));
  out.rows = static_cast<int>(out.high - out.low) * kRowsOfADecade;
  out.columns = static_cast<int>(slices.slices.size());
  out.from = slices.from;
  out.to = slices.at(slices.slices.size());
  out.counts.resize(static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns));
  for (std::size_t i = 0; i < slices.slices.size(); ++i) {
    const LatencyCounts here = latencies(slices.slices[i]);
    for (std::size_t cell = 0; cell < here.cells().size(); ++cell) {
      if (here.cells()[cell] == 0) continue;
      const double log = std::log10(static_cast<double>(std::max<std::int64_t>(1, LatencyCounts::begin_of(cell))));
      const int row = std::clamp(static_cast<int>((log - out.low) * kRowsOfADecade), 0, out.rows - 1);
      out.counts[i * static_cast<std::size_t>(out.rows) + static_cast<std::size_t>(row)] += here.cells()[cell];
    }
  }
  return out;
}

std::vector<PlotSeries> transport_series(const TimelineSlices& slices, const QPalette& palette) {
  std::vector<PlotSeries> out;
  for (const Direction direction : kDirections) {
    for (std::size_t kind = 0; kind < qp::kTransportEventKinds; ++kind) {
      const QString name = event_name(static_cast<qp::TransportEventKind>(kind));
      PlotSeries series{TimelineSeries::tr("%1, %2").arg(name, from_a_to_b(direction)), PlotSeries::Shape::impulses,
                        series_color(static_cast<int>(kind + 2 * index(direction)), palette)};
      for (std::size_t i = 0; i < slices.slices.size(); ++i) {
        const std::uint64_t count = slices.slices[i].events[index(direction)][kind];
        if (count == 0) continue;
        series.x.push_back(slices.at(i));
        series.y.push_back(static_cast<double>(count));
      }
      if (!series.x.empty()) out.push_back(std::move(series));
    }
  }
  return out;
}

}  // namespace iwarpscope::gui
