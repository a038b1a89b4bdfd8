// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/ladder_layout.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "models/findings/finding_table.h"
#include "models/ladder/ladder_text.h"

namespace iwarpscope::gui {
namespace {

constexpr std::uint64_t kLookBack = 64;  // places above the visible range, for requests answered below it

using Events = std::vector<qp::TransportEvent>;

double y_of(const LadderQuestion& q, std::uint64_t place) {
  return static_cast<double>(place - q.begin) * q.row - q.top;
}

TimePoint last_time(const qp::MessageRecord& m) {
  return std::max({m.first_time, m.placed_time, m.delivered_time});
}

/// Events of the frames after `from` and up to `to`.
std::pair<Events::const_iterator, Events::const_iterator> events_between(const Events& events, std::uint64_t from,
                                                                         std::uint64_t to) {
  const auto is_up_to = [](std::uint64_t frame, const qp::TransportEvent& e) { return frame < e.frame.value; };
  const auto first = std::upper_bound(events.begin(), events.end(), from, is_up_to);
  return {first, std::upper_bound(first, events.end(), std::max(from, to), is_up_to)};
}

/// Events before the message at `place` and after the previous message.
std::pair<Events::const_iterator, Events::const_iterator> events_at(const LadderQuestion& q, std::uint64_t from,
                                                                    std::uint64_t to) {
  const std::uint64_t before = from == 0 ? 0 : q.index->frame_at(from - 1);
  if (to < q.index->end()) return events_between(*q.events, before, q.index->frame_at(to));
  // After all decided messages, the rest follows.
  if (q.index->end() < q.end || q.index->end() == 0) return {q.events->end(), q.events->end()};
  return events_between(*q.events, before, std::numeric_limits<std::uint64_t>::max());
}

/// The times of one row.
struct Times {
  bool known = false;  ///< false: it is not loaded
  TimePoint first{}, last{};
};

Times times_of(const LadderQuestion& q, std::uint64_t row) {
  if (const LadderLife* life = q.index->life_at(row)) return {true, life->time, life->time};
  const qp::MessageRecord* const m = q.at(row);
  return m == nullptr ? Times{} : Times{true, m->first_time, last_time(*m)};
}

/// Each finding once.
void add_name(const LadderQuestion& q, findings::FindingId id, std::vector<LadderWord>& to) {
  if (!q.with_text) return;
  const QString name = ladder_finding(id);
  if (std::any_of(to.begin(), to.end(), [&](const LadderWord& word) { return word.text == name; })) return;
  to.push_back({name, findings::rule(id).severity});
}

void add_findings(const LadderQuestion& q, LadderRow& row) {
  const auto [first, last] = q.findings->between(row.place, row.place + 1);
  for (const LadderFinding* f = first; f != last; ++f) {
    if (!f->of_message) continue;
    if (!row.severity || f->severity > *row.severity) row.finding = f->number;
    row.severity = std::max(row.severity.value_or(f->severity), f->severity);
    row.worst = row.worst || (f->severity != findings::Severity::note && q.findings->worst() == f->number);
    add_name(q, q.findings->of(*f).finding.id, row.findings);
  }
}

LadderRow row_at(const LadderQuestion& q, std::uint64_t place) {
  LadderRow row{.place = place, .y = y_of(q, place) + q.row / 2, .life = q.index->life_at(place)};
  add_findings(q, row);
  if (row.life != nullptr) {
    row.dimmed = q.range && !q.range->contains(row.life->time);
    if (!q.with_text) return row;
    row.label = row.life->label;
    row.time = ladder_time(q.start, row.life->time);
    return row;
  }
  row.message = q.at(place);
  if (row.message == nullptr) return row;
  const qp::MessageRecord& m = *row.message;
  row.dimmed = q.range && !lies_in(*q.range, m);
  row.apart = m.complete && elapsed_ns(m.placed_time, m.delivered_time) > 0;
  if (!q.with_text) return row;
  row.label = ladder_label(m);
  if (q.rtr == m.first_frame && m.index == 0) row.label = ladder_rtr(row.label);
  row.time = ladder_time(q.start, m.first_time);
  if (row.apart) row.waited = ladder_duration(elapsed_ns(m.placed_time, m.delivered_time));
  if (const StreamEnd* end = q.index->end_of(m.direction)) row.refused = end->refuses(m.index, m.first_frame);
  return row;
}

void add_rows(const LadderQuestion& q, LadderSpan span, LadderScene& scene) {
  for (std::uint64_t place = span.from; place < span.to; ++place) scene.rows.push_back(row_at(q, place));
  if (!q.with_text || scene.rows.empty()) return;
  Times before = span.from > q.begin ? times_of(q, span.from - 1) : Times{};
  for (LadderRow& row : scene.rows) {
    const Times times = times_of(q, row.place);
    if (times.known && before.known) {
      const std::int64_t delta = elapsed_ns(before.first, times.first);
      row.delta = delta < 0 ? ladder_clock_back() : ladder_duration(delta);
    }
    before = times;
  }
}

/// The text beside a bracket. If the capture has the response before its request, there is no latency.
QString bracket_text(const qp::ResponseLink& link, bool is_before) {
  if (is_before) return ladder_before();
  return link.last_octet_ns < 0 ? ladder_clock_back() : ladder_duration(link.last_octet_ns);
}

/// The bracket that begins or ends at a message, if this message draws it; empty: it does not. If both ends are
/// visible, the request draws it. If one end is visible, that end draws it. Otherwise the upper end draws it.
std::optional<LadderBracket> bracket_of(const LadderQuestion& q, LadderSpan span, std::uint64_t row,
                                        const qp::MessageRecord& m) {
  const auto is_seen = [&](std::optional<std::uint64_t> at) { return at && *at >= span.from && *at < span.to; };
  const double above = -q.row, below = q.height + q.row;
  const auto y = [&](std::optional<std::uint64_t> at, double unknown) {
    if (!at) return unknown;
    return is_seen(at) ? y_of(q, *at) + q.row / 2 : *at < span.from ? above : below;
  };
  const bool is_request = wants_response(m);
  const Direction other = opposite(m.direction);
  std::optional<std::uint64_t> request, response;
  const qp::ResponseLink* link = nullptr;
  if (is_request) {
    request = row;
    link = response_of(m);
    if (link == nullptr) {
      if (!is_seen(row)) return std::nullopt;
      return LadderBracket{.from = y(row, 0), .to = y(row, 0), .answered = false, .direction = m.direction};
    }
    response = q.index->row_of(other, link->index);
  } else {
    const auto index = request_of(m);
    if (!index) return std::nullopt;
    response = row;
    request = q.index->row_of(other, *index);
  }
  const std::optional<std::uint64_t>& counterpart = is_request ? response : request;
  const bool draws = is_seen(row)  ? is_request || !is_seen(counterpart)
                     : counterpart ? *counterpart >= span.to
                                   : is_request;
  if (!draws) return std::nullopt;
  LadderBracket bracket{.from = y(request, above),
                        .to = y(response, below),
                        .from_seen = is_seen(request),
                        .to_seen = is_seen(response),
                        .direction = is_request ? m.direction : other};
  if (link != nullptr) bracket.latency = bracket_text(*link, response && *response < row);
  return bracket;
}

/// The request, the response and the rows between them are all outside the range.
bool is_out(const LadderQuestion& q, const LadderBracket& one, const qp::MessageRecord& m) {
  if (!q.range) return false;
  const bool is_request = wants_response(m);
  TimePoint first = m.first_time, last = last_time(m);
  if (const qp::ResponseLink* link = response_of(m)) {
    last = std::max(last, TimePoint{m.placed_time.ns + std::max<std::int64_t>(0, link->last_octet_ns)});
  }
  if (const auto index = request_of(m); index && !is_request) {
    const auto row = q.index->row_of(one.direction, *index);
    if (const qp::MessageRecord* request = row ? q.at(*row) : nullptr) first = std::min(first, request->first_time);
  }
  return !q.range->touches(first, last);
}

void add_bracket(const LadderQuestion& q, LadderSpan span, std::uint64_t row, LadderScene& scene) {
  const qp::MessageRecord* const m = q.index->life_at(row) == nullptr ? q.at(row) : nullptr;
  if (m == nullptr) return;
  auto bracket = bracket_of(q, span, row, *m);
  if (!bracket) return;
  bracket->dimmed = is_out(q, *bracket, *m);
  scene.brackets.push_back(std::move(*bracket));
}

void set_lanes(std::vector<LadderBracket>& brackets) {
  const auto top = [](const LadderBracket& one) { return std::min(one.from, one.to); };
  std::stable_sort(brackets.begin(), brackets.end(),
                   [&](const LadderBracket& a, const LadderBracket& b) { return top(a) < top(b); });
  std::array<std::array<double, LadderBracket::kLanes>, 2> ends;
  for (auto& side : ends) side.fill(std::numeric_limits<double>::lowest());
  for (LadderBracket& bracket : brackets) {
    auto& side = ends[index(bracket.direction)];
    const auto is_free = [&](double end) { return end < top(bracket); };
    const auto lane = std::min(std::find_if(side.begin(), side.end(), is_free), side.end() - 1);
    *lane = std::max({*lane, bracket.from, bracket.to});
    bracket.lane = static_cast<unsigned>(lane - side.begin());
  }
}

void add_brackets(const LadderQuestion& q, LadderSpan span, LadderScene& scene) {
  for (std::uint64_t place = span.from - std::min(kLookBack, span.from - q.begin); place < span.from; ++place) {
    add_bracket(q, span, place, scene);
  }
  for (const LadderRow& row : scene.rows) add_bracket(q, span, row.place, scene);
  set_lanes(scene.brackets);
}

struct Sum {
  qp::TransportEventKind kind{};
  Direction direction{};
  std::uint64_t count = 0, octets = 0;
  FrameNumber first;
};

std::vector<Sum> added_up(const LadderQuestion& q, Events::const_iterator first, Events::const_iterator last) {
  std::vector<Sum> sums;
  for (; first != last; ++first) {
    if (!q.with_transport && is_optional(first->kind)) continue;
    const auto is_same = [&](const Sum& s) { return s.kind == first->kind && s.direction == first->direction; };
    auto sum = std::find_if(sums.begin(), sums.end(), is_same);
    if (sum == sums.end()) sum = sums.insert(sum, {first->kind, first->direction, 0, 0, first->frame});
    ++sum->count;
    sum->octets += first->octets;
  }
  return sums;
}

/// Marks before the message at `place`. Marks at one place are drawn a little apart; the first one has the whole text.
void add_marks(const LadderQuestion& q, std::uint64_t place, LadderScene& scene) {
  const std::size_t first = scene.marks.size();
  std::vector<LadderWord> texts;
  const auto [from, to] = events_at(q, place, place);
  bool is_in = !q.range || std::any_of(from, to, [&](const auto& event) { return q.range->contains(event.time); });
  std::optional<std::size_t> worst;
  for (const Sum& sum : added_up(q, from, to)) {
    scene.marks.push_back({.direction = sum.direction, .event = sum.kind});
    if (q.with_text) texts.push_back({ladder_event(sum.kind, sum.count, sum.octets, sum.first)});
  }
  const auto [begin, end] = q.findings->between(place, place + 1);
  std::vector<LadderFinding> found(begin, end);
  const auto is_worse = [](const auto& one, const auto& other) { return one.severity > other.severity; };
  std::stable_sort(found.begin(), found.end(), is_worse);
  for (const LadderFinding& f : found) {
    if (f.of_message) continue;
    const findings::Finding& finding = q.findings->of(f).finding;
    scene.marks.push_back({.direction = finding.direction, .severity = f.severity, .finding = f.number});
    if (!worst) worst = f.number;  // the worst is the first
    is_in = is_in || q.range->contains(finding.time) || q.range->contains(place_of(q.findings->of(f)).time);
    add_name(q, finding.id, texts);
  }
  if (scene.marks.size() == first) return;
  for (std::size_t i = first; i < scene.marks.size(); ++i) {
    scene.marks[i].dimmed = !is_in;
    scene.marks[i].y = y_of(q, place) + static_cast<double>(std::min<std::size_t>(i - first, 4)) * q.row / 10;
  }
  scene.marks[first].finding = worst;
  scene.marks[first].text = std::move(texts);
}

/// A long time between the previous row and the one at `place`, or the end.
void add_quiet(const LadderQuestion& q, std::uint64_t place, LadderScene& scene) {
  if (place == q.begin || !q.with_transport) return;
  const Times before = times_of(q, place - 1), after = place < q.end ? times_of(q, place) : Times{};
  if (!before.known || (place < q.end && !after.known)) return;
  if (!after.known && (!q.last || q.index->end() < q.end)) return;
  const TimePoint from = before.last, to = after.known ? after.first : *q.last;
  const std::int64_t usual = LadderQuiet::kTimes * q.index->usual_distance_ns();
  if (elapsed_ns(from, to) < std::max(LadderQuiet::kLeastNs, usual)) return;
  scene.quiet.push_back({.y = y_of(q, place),
                         .dimmed = q.range && !q.range->touches(from, to),
                         .text = q.with_text ? ladder_quiet(elapsed_ns(from, to)) : QString()});
}

LadderBand band_at(const LadderQuestion& q, std::uint64_t from, std::uint64_t to) {
  LadderBand band;
  TimePoint first{std::numeric_limits<std::int64_t>::max()}, last{std::numeric_limits<std::int64_t>::min()};
  constexpr std::uint64_t kBin = LadderIndex::kBin;
  for (std::uint64_t bin = from / kBin; bin <= (to - 1) / kBin; ++bin) {
    const LadderIndex::Bin* sum = q.index->bin_at(bin * kBin);
    if (sum == nullptr) continue;
    band.known = true;
    for (std::size_t d = 0; d < 2; ++d) band.share[d] += static_cast<double>(sum->octets[d] + sum->messages[d]);
    band.incomplete = band.incomplete || sum->incomplete != 0;
    first = std::min(first, sum->from);
    last = std::max(last, sum->to);
  }
  if (!band.known) return band;
  band.dimmed = q.range && (last < q.range->from || first >= q.range->to);
  const auto [f, g] = q.findings->between(from, to);
  for (const LadderFinding* finding = f; finding != g; ++finding) {
    band.severity = std::max(band.severity.value_or(finding->severity), finding->severity);
  }
  const auto [e, e_end] = events_at(q, from, to - 1);
  band.events = std::any_of(e, e_end, [&](const auto& x) { return q.with_transport || !is_optional(x.kind); });
  const auto is_gap = [](const qp::TransportEvent& x) { return x.kind == qp::TransportEventKind::capture_gap; };
  band.gap = std::any_of(e, e_end, is_gap);
  return band;
}

void add_bands(const LadderQuestion& q, LadderScene& scene) {
  double most = 0;
  for (double y = 0; y < q.height; y += q.band) {
    const double from = (q.top + y) / q.row, to = (q.top + y + q.band) / q.row;
    const auto first = q.begin + static_cast<std::uint64_t>(std::max(0.0, from));
    if (first >= q.end) break;
    const auto last = q.begin + static_cast<std::uint64_t>(std::max(0.0, to));
    LadderBand band = band_at(q, first, std::clamp(last, first + 1, q.end));
    band.y = y;
    band.height = q.band;
    most = std::max({most, band.share[0], band.share[1]});
    scene.bands.push_back(band);
  }
  if (most <= 0) return;
  for (LadderBand& band : scene.bands) {
    for (double& share : band.share) share /= most;
  }
}

}  // namespace

QString joined(const std::vector<LadderWord>& words) {
  QStringList texts;
  for (const LadderWord& word : words) texts << word.text;
  return texts.join(QLatin1String(kBetweenLadderWords));
}

bool is_optional(qp::TransportEventKind kind) noexcept {
  switch (kind) {
    case qp::TransportEventKind::retransmission:
    case qp::TransportEventKind::out_of_order:
    case qp::TransportEventKind::window_closed: return true;
    case qp::TransportEventKind::capture_gap:
    case qp::TransportEventKind::damaged: break;
  }
  return false;
}

bool lies_in(const TimeRange& range, const qp::MessageRecord& message) {
  return range.touches(message.first_time, last_time(message));
}

LadderSpan seen(const LadderQuestion& q) {
  const std::uint64_t count = q.end - q.begin;
  const auto clamped = [&](double rows) {
    return static_cast<std::uint64_t>(std::clamp(rows, 0.0, static_cast<double>(count)));
  };
  return {q.begin + clamped(std::floor(q.top / q.row)), q.begin + clamped(std::ceil((q.top + q.height) / q.row))};
}

std::uint64_t place_at(const LadderQuestion& q, double y) {
  const double row = std::floor((q.top + y) / q.row);
  return q.begin + static_cast<std::uint64_t>(std::clamp(row, 0.0, static_cast<double>(q.end - q.begin - 1)));
}

LadderScene lay_out(const LadderQuestion& q) {
  LadderScene scene;
  if (q.begin >= q.end || q.height <= 0) return scene;
  if (q.row < LadderQuestion::kLeastRow) {
    add_bands(q, scene);
    return scene;
  }
  const LadderSpan span = seen(q);
  if (span.from >= span.to) return scene;
  add_rows(q, span, scene);
  add_brackets(q, span, scene);
  for (std::uint64_t place = span.from; place <= span.to; ++place) {
    add_marks(q, place, scene);
    add_quiet(q, place, scene);
  }
  return scene;
}

double zoomed(double row, int steps, double least, double most) {
  constexpr double kStep = 1.3;
  return std::clamp(row * std::pow(kStep, steps), std::min(least, most), most);
}

}  // namespace iwarpscope::gui
