// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/html_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/wording.h"
#include "report/human.h"

namespace iwarpscope::report {
namespace {

// Size of the picture, in its own units.
constexpr double kLeft = 100, kRight = 890, kTop = 28, kBottom = 208;
constexpr double kFlagWidth = 60;  ///< with its words, to the right of it; flags that are nearer are one

/// Captures may claim any time: these limits, 1970 to 2079, keep sums below 2^63.
constexpr std::int64_t kLatest = 3'450'000'000'000'000'000;

std::int64_t bounded(TimePoint time) noexcept {
  return std::clamp<std::int64_t>(time.ns, 0, kLatest);
}

/// What the picture shows.
struct Picture {
  std::int64_t from = 0, to = 0;         ///< its time
  std::int64_t start = 0, interval = 0;  ///< of `octets`
  std::array<std::array<std::uint64_t, 2>, HtmlTraffic::kIntervals> octets{};

  [[nodiscard]] double x(std::int64_t ns) const noexcept {
    const double part = static_cast<double>(ns - from) / static_cast<double>(std::max<std::int64_t>(to - from, 1));
    return kLeft + std::clamp(part, 0.0, 1.0) * (kRight - kLeft);
  }
  [[nodiscard]] std::uint64_t peak(std::size_t direction) const noexcept {
    std::uint64_t most = 0;
    for (const auto& its : octets) most = std::max(most, its[direction]);
    return most;
  }
};

/// Bars that begin at the line `base`. `scale`: height of an octet; negative: below the line.
void append_bars(std::string& out, const Picture& picture, std::size_t direction, double base, double scale) {
  std::string path;
  for (std::size_t i = 0; i < HtmlTraffic::kIntervals; ++i) {
    const std::uint64_t octets = picture.octets[i][direction];
    if (octets == 0) continue;
    const std::int64_t begin = picture.start + static_cast<std::int64_t>(i) * picture.interval;
    const double height = std::max(static_cast<double>(octets) * std::abs(scale), 1.0);
    fmt::format_to(std::back_inserter(path), "M{:.1f} {:.1f}v{:.1f}H{:.1f}V{:.1f}z", picture.x(begin), base,
                   scale < 0 ? height : -height, picture.x(begin + picture.interval), base);
  }
  out += fmt::format("<path class=\"{}\" d=\"{}\"/>\n", direction == 0 ? "ab" : "ba", path);
}

void append_flags(std::string& out, const Picture& picture, std::vector<HtmlFlag> flags) {
  std::sort(flags.begin(), flags.end(), [](const HtmlFlag& l, const HtmlFlag& r) { return l.time < r.time; });
  for (std::size_t i = 0; i < flags.size();) {
    const double x = picture.x(bounded(flags[i].time));
    std::size_t next = i + 1;
    while (next < flags.size() && picture.x(bounded(flags[next].time)) - x < kFlagWidth) ++next;
    const std::string label = next - i == 1 ? fmt::format("QP {}", flags[i].qp) : fmt::format("{} QPs", next - i);
    out += fmt::format(
        "<a href=\"#qp{}\"><path class=\"flag\" d=\"M{:.1f} {}V10\"/><text class=\"bad\" x=\"{:.1f}\" y=\"18\">"
        "&#9873; {}</text></a>\n",
        flags[i].qp, x, kBottom, x + 3, label);
    i = next;
  }
}

void append_axes(std::string& out, const Picture& picture, double base, double scale) {
  const auto label = [&](double y, std::uint64_t octets) {
    if (octets == 0) return;
    const std::string rate = human_rate(static_cast<double>(octets) / (static_cast<double>(picture.interval) / 1e9));
    out += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6, y, rate);
  };
  out += fmt::format("<path class=\"axis\" d=\"M{0} {1:.1f}H{2}M{0} {3}V{4}\"/>\n", kLeft, base, kRight, kTop, kBottom);
  label(base - static_cast<double>(picture.peak(0)) * scale + 10, picture.peak(0));
  label(base + static_cast<double>(picture.peak(1)) * scale, picture.peak(1));
  out += fmt::format("<text x=\"{}\" y=\"226\">{}</text>\n", kLeft, date_time(TimePoint{picture.from}));
  out += fmt::format("<text x=\"{}\" y=\"226\" text-anchor=\"end\">+{}</text>\n", kRight,
                     human_duration(picture.to - picture.from));
}

}  // namespace

void HtmlTraffic::stretch(bool to_the_left) noexcept {
  if (to_the_left) start_ns_ -= static_cast<std::int64_t>(kIntervals) * interval_ns_;
  std::array<Interval, kIntervals> wide{};
  for (std::size_t i = 0; i < kIntervals; ++i) {
    Interval& into = wide[i / 2 + (to_the_left ? kIntervals / 2 : 0)];
    for (const std::size_t direction : {0u, 1u}) into[direction] += intervals_[i][direction];
  }
  intervals_ = wide;
  interval_ns_ *= 2;
}

void HtmlTraffic::add(TimePoint time, Direction direction, std::uint64_t octets) noexcept {
  if (octets == 0) return;
  const std::int64_t ns = bounded(time);
  if (!has_begun_) start_ns_ = ns;
  has_begun_ = true;
  while (ns < start_ns_) stretch(true);
  while ((ns - start_ns_) / interval_ns_ >= static_cast<std::int64_t>(kIntervals)) stretch(false);
  intervals_[static_cast<std::size_t>((ns - start_ns_) / interval_ns_)][index(direction)] += octets;
}

void HtmlTraffic::append(std::string& out, std::optional<TimePoint> from, std::optional<TimePoint> to,
                         const std::vector<HtmlFlag>& flags) const {
  if (!has_begun_) {
    out += "<p>No ULP payload was seen.</p>\n";
    return;
  }
  const auto is_used = [](const Interval& interval) { return interval[0] != 0 || interval[1] != 0; };
  const auto first = std::find_if(intervals_.begin(), intervals_.end(), is_used) - intervals_.begin();
  const auto behind = intervals_.rend() - std::find_if(intervals_.rbegin(), intervals_.rend(), is_used);
  Picture picture{start_ns_ + first * interval_ns_, start_ns_ + behind * interval_ns_};
  if (from) picture.from = std::min(picture.from, bounded(*from));
  // The interval of the last octets may end later, but only where octets are counted by seconds is it known no better.
  if (to) picture.to = std::max(has_directions_ ? picture.from + 1 : picture.to, bounded(*to));
  HtmlTraffic shown = *this;
  while (shown.interval_ns_ < (picture.to - picture.from) / static_cast<std::int64_t>(kIntervals)) shown.stretch(false);
  picture.start = shown.start_ns_;
  picture.interval = shown.interval_ns_;
  picture.octets = shown.intervals_;
  const double scale = (kBottom - kTop) / (static_cast<double>(picture.peak(0)) + static_cast<double>(picture.peak(1)));
  const double base = kTop + static_cast<double>(picture.peak(0)) * scale;
  out += "<figure>\n<svg viewBox=\"0 0 960 234\" role=\"img\" aria-label=\"ULP payload over time\">\n";
  append_bars(out, picture, 0, base, scale);
  append_bars(out, picture, 1, base, -scale);
  append_axes(out, picture, base, scale);
  append_flags(out, picture, flags);
  const std::string_view ways =
      has_directions_
          ? ": <span class=\"key ab\"></span> from A to B above the line, <span class=\"key ba\"></span> from "
            "B to A below it."
          : " of both directions; of each queue pair its last minute at most.";
  out +=
      fmt::format("</svg>\n<figcaption>ULP payload by time, in steps of {}{}{}</figcaption>\n</figure>\n",
                  human_duration(picture.interval), ways, flags.empty() ? "" : " Flags: where it began to go wrong.");
}

}  // namespace iwarpscope::report
