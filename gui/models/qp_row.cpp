// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/qp_row.h"

#include <algorithm>
#include <bit>

#include "findings/catalogue.h"
#include "mpa/startup.h"
#include "report/qp_words.h"

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLatestSecond = 100'000'000'000;  // data from the daemon is not trusted

/// The first sixteen characters: enough to sort names.
QpSortKey text_key(std::string_view text) noexcept {
  const auto eight = [&](std::size_t from) {
    std::uint64_t key = 0;
    for (std::size_t i = from; i < from + 8; ++i) {
      key = key << 8 | (i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0U);
    }
    return key;
  };
  return {eight(0), eight(8)};
}

QpSortKey address_key(const net::IpAddress& address) noexcept {
  QpSortKey key;
  for (std::size_t i = 0; i < 8; ++i) {
    key.high = key.high << 8 | address.octets[i];
    key.low = key.low << 8 | address.octets[i + 8];
  }
  return key;
}

/// Maps signed numbers to unsigned ones in the same order.
std::uint64_t from_signed(std::int64_t value) noexcept {
  return static_cast<std::uint64_t>(value) ^ (std::uint64_t{1} << 63);
}

std::uint64_t flag_rank(std::optional<bool> flag) noexcept {
  return !flag ? 0 : *flag ? 2 : 1;
}

/// By severity, then by number of findings.
QpSortKey worst_key(const QpRow& row) noexcept {
  const auto severity = row.severity();
  if (!severity) return {};
  const std::uint64_t count = *severity == findings::Severity::error     ? row.errors
                              : *severity == findings::Severity::warning ? row.warnings
                                                                         : row.notes;
  return {1 + static_cast<std::uint64_t>(*severity), count};
}

}  // namespace

std::optional<findings::Severity> QpRow::severity() const noexcept {
  if (!worst) return std::nullopt;
  return findings::rule(*worst).severity;
}

std::tuple<int, int, std::uint64_t> badness(const live::QpView& view) {
  const auto& verdict = view.record.verdict;
  const bool is_bad = verdict && qp::ended_badly(verdict->outcome);
  const auto& worst = view.findings.worst;
  const int severity = worst ? static_cast<int>(findings::rule(*worst).severity) + 1 : 0;
  return {is_bad ? 0 : 1, -severity, view.record.qp};
}

QpRow row_of(const live::QpView& view) {
  const qp::QpRecord& in = view.record;
  QpRow row;
  row.number = in.qp;
  row.a = in.a;
  row.b = in.b;
  row.state = in.state;
  row.closed_by = in.closed_by.value_or("");
  row.sctp_stream = in.sctp_stream;
  row.ulp = in.ulp.value_or("");
  if (in.verdict) {
    row.outcome = in.verdict->outcome;
    row.blame = in.verdict->blame;
    row.confidence = in.verdict->confidence;
    row.verdict_code = in.verdict->code;
    row.verdict_id = in.verdict->id;
  }
  row.ended = view.ended;
  row.crc = in.crc_in_use;
  row.markers = in.markers;
  row.crc_inferred = in.crc_inferred;
  row.markers_inferred = in.markers_inferred;
  row.rate_then = view.activity.octets_per_second();
  row.activity = view.activity.octets;
  row.last_second = std::clamp<std::int64_t>(view.activity.last_second, 0, kLatestSecond);
  for (std::size_t d = 0; d < 2; ++d) {
    const qp::DirectionRecord& direction = in.directions[d];
    if (in.read_depth[d] != mpa::kDepthNotNegotiated) row.depth[d] = in.read_depth[d];
    row.waiting[d] = in.story.directions[d].waiting ? in.story.directions[d].waiting->count : 0;
    row.messages[d] = report::message_count(direction);
    row.octets[d] = report::payload_octets(direction);
    row.at_least |= report::is_at_least(direction);
    row.retransmitted += direction.retransmitted_octets;
    row.gaps += direction.capture_gap_octets;
    row.gap_messages += direction.capture_gap_messages;
  }
  row.lost_frames = view.losses.frames();
  row.errors = view.findings.errors;
  row.warnings = view.findings.warnings;
  row.notes = view.findings.notes;
  row.worst = view.findings.worst;
  row.began = in.first_time;
  row.last = in.last_time;
  row.rate = rate_at(row, 0);
  return row;
}

double rate_at(const QpRow& row, std::int64_t capture_time_ns) noexcept {
  const bool is_old = row.ended || (capture_time_ns != 0 && row.last_second + 2 < capture_time_ns / kSecond);
  return is_old ? 0 : row.rate_then;
}

QpSortKey sort_key(const QpRow& row, QpColumn column) noexcept {
  switch (column) {
    case QpColumn::number: return row.is_sum() ? QpSortKey{row.queue_pairs, 0} : QpSortKey{row.number, 0};
    case QpColumn::ends: return address_key(row.a.address);
    case QpColumn::state: return {static_cast<std::uint64_t>(row.state), row.ended};
    case QpColumn::verdict:
      return {static_cast<std::uint64_t>(gravity(row.outcome)), static_cast<std::uint64_t>(row.blame)};
    case QpColumn::worst: return worst_key(row);
    case QpColumn::ulp: return text_key(row.ulp);
    case QpColumn::rate:
    case QpColumn::activity: return {static_cast<std::uint64_t>(std::clamp(row.rate, 0.0, 1e18)), 0};
    case QpColumn::outstanding: return {row.waiting[0] + row.waiting[1], 0};
    case QpColumn::depth: return {row.depth[0].value_or(0), row.depth[1].value_or(0)};
    case QpColumn::crc: return {flag_rank(row.crc), row.crc_inferred};
    case QpColumn::markers: return {flag_rank(row.markers[0]) + flag_rank(row.markers[1]), row.markers_inferred};
    case QpColumn::messages: return {row.messages[0] + row.messages[1], 0};
    case QpColumn::octets: return {row.octets[0] + row.octets[1], 0};
    case QpColumn::retransmitted: return {row.retransmitted, 0};
    case QpColumn::gaps: return {row.gaps + row.gap_messages, 0};
    case QpColumn::lost_frames: return {row.lost_frames, 0};
    case QpColumn::began: return {from_signed(row.began.ns), 0};
    case QpColumn::lasted: return {from_signed(elapsed_ns(row.began, row.last)), 0};
  }
  return {};
}

}  // namespace iwarpscope::gui
