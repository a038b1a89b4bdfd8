// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/human.h"
#include "report/incident_words.h"
#include "report/qp_words.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

/// Findings of one queue pair in detail: so many times the usual number of examples.
constexpr std::size_t kDetailExamples = 10;
/// Queue pairs above this number have no worst finding in the table.
constexpr std::uint64_t kMaxQpNumber = 4u << 20;

/// Orders queue pairs for the table: those that did not end well, then worst finding, then what was repaired, then
/// octets and messages, then number. Notes are not "worse".
struct Interest {
  int badness = 0;
  std::uint64_t activity = 0;
  std::uint64_t qp = 0;

  friend bool operator>(const Interest& l, const Interest& r) {
    if (l.badness != r.badness) return l.badness > r.badness;
    return l.activity != r.activity ? l.activity > r.activity : l.qp < r.qp;
  }
};

int row_badness(const qp::QpRecord& record, std::optional<findings::FindingId> worst) {
  const int repaired = flaw(record) == Flaw::repaired ? 1 : 0;
  if (qp::ended_badly(record)) return 4;
  if (!worst) return repaired;
  switch (findings::rule(*worst).severity) {
    case findings::Severity::error: return 3;
    case findings::Severity::warning: return 2;
    case findings::Severity::note: return repaired;
  }
  return 0;
}

Interest interest(const qp::QpRecord& record, std::optional<findings::FindingId> worst) {
  const auto& [a, b] = record.directions;
  return {row_badness(record, worst), a.stream_octets + b.stream_octets + message_count(a) + message_count(b),
          record.qp};
}

struct KeptRow {
  Interest interest;
  QpRow row;
};
bool more_interesting(const KeptRow& l, const KeptRow& r) {
  return l.interest > r.interest;
}

/// Adds to an ascending list without repeats.
void insert_bounded(RuleGroup& group, std::uint64_t qp) {
  const auto at = std::lower_bound(group.qps.begin(), group.qps.end(), qp);
  if (at != group.qps.end() && *at == qp) return;
  if (group.qps.size() >= kGroupQps) {
    group.more_qps = true;
  } else {
    group.qps.insert(at, qp);
  }
}

void measure(Latencies& latencies, const std::optional<qp::ResponseLink>& link) {
  if (!link) {
    ++latencies.unanswered;
    return;
  }
  ++latencies.answered;
  if (latencies.last_octet.size() >= kLatencies) return;
  latencies.first_octet.push_back(link->first_octet_ns);
  latencies.last_octet.push_back(link->last_octet_ns);
}

/// The latencies of queue pairs that the table may list.
class MeasuredQps {
 public:
  void add(std::uint64_t qp, const qp::ResponseLink& link) {
    if (all_ >= kMost) return;
    std::vector<std::int64_t>& its = by_qp_[qp];
    if (its.size() >= kLatencies) return;
    its.push_back(link.last_octet_ns);
    ++all_;
  }
  /// They are not needed again.
  [[nodiscard]] std::optional<QpRow::Latency> take(std::uint64_t qp) {
    const auto found = by_qp_.find(qp);
    if (found == by_qp_.end()) return std::nullopt;
    std::vector<std::int64_t> its = std::move(found->second);
    by_qp_.erase(found);
    all_ -= its.size();
    return QpRow::Latency{at_percentile(its, 50), at_percentile(its, 99)};
  }

 private:
  static constexpr std::size_t kMost = 2'000'000;
  std::unordered_map<std::uint64_t, std::vector<std::int64_t>> by_qp_;
  std::size_t all_ = 0;
};

/// Null: it is no request that was answered.
const qp::ResponseLink* answer_of(const qp::MessageRecord& record) noexcept {
  const std::optional<qp::ResponseLink>* link = nullptr;
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&record.detail)) link = &read->response;
  if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&record.detail)) link = &atomic->response;
  return link != nullptr && *link ? &**link : nullptr;
}

/// The verdicts on the queue pairs of a small capture that ended well, without those of incidents. Of a larger one,
/// what was repaired for them.
void append_good(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, const Incidents& incidents,
                 std::uint64_t total) {
  constexpr std::uint64_t kFew = 3;
  if (total > kFew) {
    const std::string repaired = repairs_text(incidents);
    if (!repaired.empty()) out += '\n' + wrapped("", "", repaired, paint.width());
    return;
  }
  for (const QpRow& row : rows) {
    const qp::QpRecord& record = row.record;
    if (!record.verdict || badness(record.verdict->outcome, first_error(record).has_value()) != 0) continue;
    append_verdict(out += '\n', paint, record);
  }
}

}  // namespace

std::string Paint::painted(std::string_view code, std::string_view text) const {
  if (!on_) return std::string{text};
  std::string out = "\x1b[";
  return out.append(code).append("m").append(text).append("\x1b[0m");
}

std::string Paint::severity(findings::Severity severity, std::string_view text) const {
  switch (severity) {
    case findings::Severity::error: return painted("1;31", text);
    case findings::Severity::warning: return painted("33", text);
    case findings::Severity::note: return painted("34", text);
  }
  return std::string{text};
}

struct TextObserver::State {
  State(Sink s, const TextOptions& o) : sink(std::move(s)), options(o), paint(o.color, o.columns) {}

  [[nodiscard]] std::size_t examples() const {
    return options.qp ? options.examples * kDetailExamples : options.examples;
  }
  [[nodiscard]] std::optional<findings::FindingId> worst_of(std::uint64_t qp) const {
    if (qp >= worst.size() || worst[qp] == 0) return std::nullopt;
    return static_cast<findings::FindingId>(worst[qp] - 1);
  }
  void remember_worst(std::uint64_t qp, findings::FindingId id) {
    if (qp >= kMaxQpNumber) return;
    if (qp >= worst.size()) worst.resize(qp + 1, 0);
    const auto old = worst_of(qp);
    if (old && findings::rule(*old).severity >= findings::rule(id).severity) return;
    worst[qp] = static_cast<std::uint16_t>(static_cast<std::uint16_t>(id) + 1);
  }
  void remember_end(const qp::QpRecord& record) {
    if (record.qp >= kMaxQpNumber || !qp::ended_badly(record)) return;
    if (record.qp >= ended_badly.size()) ended_badly.resize(record.qp + 1);
    ended_badly[record.qp] = true;
  }
  void keep(const qp::QpRecord& record) {
    const auto found = worst_of(record.qp);
    const auto latency = measured.take(record.qp);
    const Interest mine = interest(record, found);
    if (rows.size() >= options.table_rows) {
      if (rows.empty() || !(mine > rows.front().interest)) return;
      std::pop_heap(rows.begin(), rows.end(), more_interesting);
      rows.pop_back();
    }
    rows.push_back({mine, {record, found, latency}});
    std::push_heap(rows.begin(), rows.end(), more_interesting);
  }
  [[nodiscard]] std::vector<QpRow> ordered_rows() {
    if (totals.qps > rows.size()) {
      std::sort(rows.begin(), rows.end(), more_interesting);
    } else {
      // All of them: the busiest are not looked for.
      std::sort(rows.begin(), rows.end(), [](const KeptRow& l, const KeptRow& r) {
        return std::pair(-l.interest.badness, l.interest.qp) < std::pair(-r.interest.badness, r.interest.qp);
      });
    }
    std::vector<QpRow> result;
    result.reserve(rows.size());
    for (KeptRow& kept : rows) result.push_back(std::move(kept.row));
    rows.clear();
    return result;
  }
  [[nodiscard]] std::string result(const analysis::SummaryRecord& summary) const {
    if (options.qp && totals.qps == 0) {
      return fmt::format("There is no QP {}; the capture has {}.", *options.qp, counted(summary.qps, "QP"));
    }
    if (totals.qps == 0) return no_qp_text(capture.value_or(analysis::CaptureRecord{}), groups);
    const std::string outcomes = outcomes_text(incidents);
    return outcomes.empty() ? counted(totals.qps, "queue pair") : outcomes;
  }
  void pass_on(std::size_t at_least) {
    if (buffer.size() < at_least) return;
    sink(buffer);
    buffer.clear();
  }

  Sink sink;
  TextOptions options;
  Paint paint;
  std::string buffer;
  bool listed = false;  ///< a message or finding line was printed
  std::optional<analysis::CaptureRecord> capture;
  RuleGroups groups;
  std::vector<std::uint16_t> worst;  ///< by queue pair: FindingId + 1, or 0
  std::vector<KeptRow> rows;         ///< a heap, the least interesting in front
  QpTotals totals;
  Incidents incidents;
  std::vector<bool> ended_badly;  ///< by queue pair
  QpLatencies latencies;
  MeasuredQps measured;
};

TextObserver::TextObserver(Sink sink, const TextOptions& options)
    : state_(std::make_unique<State>(std::move(sink), options)) {}
TextObserver::~TextObserver() = default;

void TextObserver::message(const qp::MessageRecord& record) {
  State& s = *state_;
  if (s.options.messages) {
    append_message(s.buffer, s.paint, record);
    s.listed = true;
    s.pass_on(kSinkChunk);
  }
  if (!s.options.qp) {
    if (s.options.columns < kColumnsForLatency) return;
    if (const qp::ResponseLink* const answer = answer_of(record)) s.measured.add(record.qp, *answer);
    return;
  }
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&record.detail)) {
    measure(s.latencies.reads[index(record.direction)], read->response);
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&record.detail)) {
    measure(s.latencies.atomics[index(record.direction)], atomic->response);
  }
}

void TextObserver::finding(const findings::Finding& finding) {
  State& s = *state_;
  RuleGroup& group = s.groups[finding.id];
  if (group.listed++ == 0) group.first_frame = finding.frame;
  if (group.examples.size() < s.examples()) group.examples.push_back(finding);
  if (finding.qp) {
    insert_bounded(group, *finding.qp);
    s.remember_worst(*finding.qp, finding.id);
  }
  if (!s.options.messages) return;
  append_finding_line(s.buffer, s.paint, finding);
  s.listed = true;
  s.pass_on(kSinkChunk);
}

void TextObserver::capture(const analysis::CaptureRecord& record) {
  state_->capture = record;
}

void TextObserver::qp(const qp::QpRecord& record) {
  State& s = *state_;
  s.totals.add(record);
  s.keep(record);
  s.incidents.add(record);
  s.remember_end(record);
}

void TextObserver::summary(const analysis::SummaryRecord& record) {
  State& s = *state_;
  if (s.listed) s.buffer += '\n';
  const std::vector<QpRow> rows = s.ordered_rows();
  const std::string losses = s.capture ? losses_text(*s.capture, s.totals, s.options.qp) : std::string{};
  if (s.capture) append_capture_line(s.buffer, s.paint, *s.capture);
  append_result(s.buffer, s.paint, s.result(record), losses);
  if (s.options.qp) {
    if (!rows.empty()) append_qp(s.buffer += '\n', s.paint, rows.front().record, s.latencies);
  } else {
    append_incidents(s.buffer, s.paint, s.incidents);
    append_good(s.buffer, s.paint, rows, s.incidents, s.totals.qps);
  }
  if (s.capture) append_capture(s.buffer += '\n', s.paint, *s.capture, !losses.empty());
  if (!s.options.qp && !rows.empty()) append_table(s.buffer += '\n', s.paint, rows, s.totals.qps);
  if (!rows.empty() || (!s.options.qp && !s.groups.empty())) {
    FindingsContext context;
    context.summary = &record;
    context.only_qp = s.options.qp;
    context.notes = s.options.notes;
    context.ended_badly = &s.ended_badly;
    context.losses = !losses.empty();
    if (s.capture) context.start = s.capture->first_time;
    append_findings(s.buffer += '\n', s.paint, s.groups, context);
  }
  if (record.elapsed_ns) s.buffer += "\nAnalysed in " + human_duration(*record.elapsed_ns) + "\n";
  s.pass_on(1);
}

}  // namespace iwarpscope::report
