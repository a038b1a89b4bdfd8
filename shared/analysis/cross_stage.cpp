// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/cross_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "rdmap/atomic.h"

namespace iwarpscope::analysis {
namespace {

using emulation::AtomicDecision;
using emulation::Close;
using emulation::WordConflict;
using emulation::WordOperation;
using emulation::WordVerdict;
using findings::FindingId;

constexpr unsigned kQpShift = 44, kDirectionShift = 43;
constexpr std::uint64_t kMessages = (std::uint64_t{1} << kDirectionShift) - 1;

/// Names the request: queue pair, sender, index. Of more than 2^43 messages in a direction two may share a name.
constexpr std::uint64_t cookie_of(std::uint64_t qp, Direction sender, std::uint64_t message) noexcept {
  return qp << kQpShift | static_cast<std::uint64_t>(index(sender)) << kDirectionShift | (message & kMessages);
}
constexpr Direction sender_of(std::uint64_t cookie) noexcept {
  return (cookie >> kDirectionShift & 1) == 0 ? Direction::a_to_b : Direction::b_to_a;
}

std::string_view name(WordVerdict verdict) noexcept {
  switch (verdict) {
    case WordVerdict::first: return "first";
    case WordVerdict::verified: return "verified";
    case WordVerdict::inconsistent: return "inconsistent";
    case WordVerdict::undecidable: break;
  }
  return "undecidable";
}

std::string word(const emulation::WordKey& key) {
  return fmt::format("STag 0x{:08x}, TO 0x{:016x}", key.stag.value, key.to.value);
}

/// "FetchAdd of QP 3 (frame 12)", "Write of QP 3 (frame 12)".
std::string operation(const WordOperation& op) {
  std::string_view kind = "Atomic Operation";
  if (!op.is_atomic()) {
    kind = "RDMA Write";
  } else if (op.function.operation == rdmap::AOpCode::fetch_add) {
    kind = "FetchAdd";
  } else if (op.function.operation == rdmap::AOpCode::cmp_swap) {
    kind = "CmpSwap";
  } else if (op.function.operation == rdmap::AOpCode::swap) {
    kind = "Swap";
  }
  return fmt::format("{} of QP {} (frame {})", kind, op.qp, op.invoked.frame.value);
}

std::string value(std::uint64_t v) {
  return fmt::format("0x{:016x}", v);
}

std::string explain(const emulation::WordKey& key, const WordConflict& c) {
  std::string text =
      fmt::format("The {} on {} returned {}", operation(c.operation), word(key), value(c.operation.original));
  for (std::size_t k = 0; k < c.due_shown; ++k) {
    text += k == 0 ? ", but " : ", or ";
    text += c.due[k].left_by ? fmt::format("the {} left {}", operation(*c.due[k].left_by), value(c.due[k].value))
                             : fmt::format("the word held {}", value(c.due[k].value));
  }
  text += c.more_due ? " (or still others)." : ".";
  if (c.repeated_original) {
    text += " Both found the same value: one of the two updates was lost, or another writer restored the value.";
  }
  if (c.unseen_writer)
    text += " A writer that is not in the capture, such as the responder's own software, would explain it.";
  return text;
}

}  // namespace

CrossStage::CrossStage(std::uint64_t findings_per_rule) : registry_(*this), findings_per_rule_(findings_per_rule) {}

void CrossStage::take(std::uint64_t qp, const emulation::CrossFact& fact, FrameNumber frame, TimePoint time) {
  frame_ = frame;
  time_ = time;
  report(unsure_, kSkewNs, false);
  report(doubted_, kDoubtNs, false);
  if (const auto* touched = std::get_if<emulation::MemoryTouched>(&fact)) {
    const emulation::MemoryAccess access{touched->responder, touched->stag,          touched->to,
                                         touched->length,    touched->head.octets(), qp};
    if (touched->is_write) {
      excuse(qp, touched->responder, touched->stag, touched->at);
      memory_.write(access, touched->at);
    } else {
      memory_.read(access, touched->request, touched->at);
    }
  } else if (const auto* asked = std::get_if<emulation::AtomicRequested>(&fact)) {
    requested(qp, *asked);
  } else if (const auto* answer = std::get_if<emulation::AtomicResponded>(&fact)) {
    responded(qp, *answer);
  } else if (const auto* missing = std::get_if<emulation::RequestsMissing>(&fact)) {
    memory_.gap(qp, missing->responder, missing->since);
    registry_.ended(qp);  // a new epoch begins with its next fact
  } else if (const auto* gone = std::get_if<emulation::StagInvalidated>(&fact)) {
    memory_.invalidate(gone->responder, gone->stag);
  } else if (const auto* stag = std::get_if<emulation::StagReported>(&fact)) {
    registry_.fact(qp, stag->owner, stag->peer, stag->fact);
  } else if (const auto* contradicted_read = std::get_if<emulation::ReadContradicted>(&fact)) {
    contradicted(qp, *contradicted_read);
  } else if (const auto* end = std::get_if<emulation::StreamEnded>(&fact)) {
    ended(qp, *end);
  }
  collect();
}

/// The request that waited longest goes when there are too many.
void CrossStage::make_room() {
  while (!in_order_.empty() && (waiting_.size() >= kMostWaiting || !waiting_.contains(in_order_.front()))) {
    const auto it = waiting_.find(in_order_.front());
    in_order_.pop_front();
    if (it == waiting_.end()) continue;
    ++discarded_;
    memory_.give_up(it->first);
    if (it->second.record != nullptr) {
      qp::MessageRecord record = std::move(*it->second.record);
      std::get<qp::AtomicResponseDetail>(record.detail).verdict = name(WordVerdict::undecidable);
      reported_.push_back({record.qp, std::move(record)});
    }
    waiting_.erase(it);
  }
  if (in_order_.size() > 2 * kMostWaiting) {
    std::erase_if(in_order_, [this](std::uint64_t cookie) { return !waiting_.contains(cookie); });
  }
}

void CrossStage::requested(std::uint64_t qp, const emulation::AtomicRequested& fact) {
  make_room();
  const std::uint64_t cookie = cookie_of(qp, fact.sender, fact.message);
  waiting_[cookie].request = fact.invoked.frame;
  in_order_.push_back(cookie);
  excuse(qp, fact.responder, fact.stag, fact.invoked);
  memory_.request({fact.responder, fact.stag, fact.to}, {qp, fact.begin_seen}, cookie, fact.function, fact.invoked);
}

void CrossStage::responded(std::uint64_t qp, const emulation::AtomicResponded& fact) {
  const std::uint64_t cookie = cookie_of(qp, fact.sender, fact.message);
  const auto it = waiting_.find(cookie);
  if (it == waiting_.end()) return;
  if (!fact.certain) {
    memory_.give_up(cookie);
    decided_[cookie] = WordVerdict::undecidable;
    waiting_.erase(it);
    return;
  }
  it->second.response = fact.response;
  it->second.answer = fact.at.frame;
  memory_.response(cookie, fact.original, fact.at);
}

void CrossStage::contradicted(std::uint64_t qp, const emulation::ReadContradicted& fact) {
  if (!registry_.is_shared(fact.owner, fact.note->stag)) raise(qp, finding_of(*fact.note));
}

/// What was asked and not answered will not be answered; what was answered is decided in its own time.
void CrossStage::ended(std::uint64_t qp, const emulation::StreamEnded& end) {
  memory_.ended(qp, end.last, end.closed);
  if (end.by_terminate) return clear_doubted();
  registry_.ended(qp);
  auto it = waiting_.lower_bound(qp << kQpShift);
  while (it != waiting_.end() && it->first >> kQpShift == qp) {
    if (it->second.answer.value != 0) {
      ++it;
      continue;
    }
    memory_.give_up(it->first);
    it = waiting_.erase(it);
  }
  clear_doubted();
}

bool CrossStage::holds(qp::MessageRecord& record) {
  auto* const detail = std::get_if<qp::AtomicResponseDetail>(&record.detail);
  if (detail == nullptr || detail->verdict) return false;
  detail->verdict = name(WordVerdict::undecidable);
  if (!detail->request_index) return false;
  const std::uint64_t cookie = cookie_of(record.qp, opposite(record.direction), *detail->request_index);
  if (const auto known = decided_.find(cookie); known != decided_.end()) {
    detail->verdict = name(known->second);
    return false;
  }
  const auto it = waiting_.find(cookie);
  if (it == waiting_.end() || it->second.answer.value == 0) return false;
  it->second.record = std::make_unique<qp::MessageRecord>(std::move(record));
  return true;
}

void CrossStage::finish(FrameNumber frame, TimePoint time) {
  frame_ = frame;
  time_ = time;
  memory_.finish();
  collect();
  report(unsure_, kSkewNs, true);
  report(doubted_, kDoubtNs, true);
}

void CrossStage::collect() {
  for (AtomicDecision& decision : memory_.decided()) settle(decision);
  for (const emulation::MixedUse& use : memory_.mixed()) raise_mixed(use);
}

void CrossStage::settle(AtomicDecision& decision) {
  const std::uint64_t cookie = decision.decision.cookie;
  const auto it = waiting_.find(cookie);
  if (it == waiting_.end()) return;
  if (decision.decision.conflict == nullptr) return conclude(cookie, it->second, decision.decision.verdict);
  if (decision.decision.conflict->crossed) return conclude(cookie, it->second, WordVerdict::undecidable);
  const bool one_qp = decision.decision.conflict->proved_by_one_qp;
  it->second.doubted = std::make_unique<AtomicDecision>(std::move(decision));
  (one_qp ? unsure_ : doubted_).push_back({cookie, time_});
  if (!one_qp && may_be_other_memory(*it->second.doubted, Close::seen)) {
    conclude(cookie, it->second, WordVerdict::undecidable);
  }
}

/// The Atomic Response has its verdict, and is discarded.
void CrossStage::conclude(std::uint64_t cookie, Waiting& waiting, WordVerdict verdict) {
  if (waiting.record != nullptr) {
    qp::MessageRecord record = std::move(*waiting.record);
    std::get<qp::AtomicResponseDetail>(record.detail).verdict = name(verdict);
    reported_.push_back({record.qp, std::move(record)});
  } else {
    decided_[cookie] = verdict;
  }
  waiting_.erase(cookie);
}

/// What left the value that was due did so before all that used the STag were closed, and another one began.
bool CrossStage::may_be_other_memory(const AtomicDecision& decision, Close close) const {
  const WordConflict& c = *decision.decision.conflict;
  emulation::TapPoint after{};
  for (std::size_t k = 0; k < c.due_shown; ++k) {
    if (!c.due[k].left_by) continue;
    const WordOperation& by = *c.due[k].left_by;
    const emulation::TapPoint at = close == Close::maybe_unseen && by.answered ? by.response : by.invoked;
    after.frame = std::max(after.frame, at.frame);
    after.time = std::max(after.time, at.time);
  }
  return memory_.may_be_other_memory(decision.word.responder, decision.word.stag, after, c.operation.invoked, close);
}

/// A connection was closed: what it explains is not reported.
void CrossStage::clear_doubted() {
  std::erase_if(doubted_, [this](const Doubted& doubted) {
    const auto it = waiting_.find(doubted.cookie);
    if (it == waiting_.end() || it->second.doubted == nullptr) return true;
    if (!may_be_other_memory(*it->second.doubted, Close::seen)) return false;
    conclude(doubted.cookie, it->second, WordVerdict::undecidable);
    return true;
  });
}

/// Another queue pair changes memory that an AT-14 speaks of, and its frame comes so soon after that it may have been
/// carried out before: no queue pair alone rules the value out.
void CrossStage::excuse(std::uint64_t qp, const net::IpAddress& responder, STag stag, const emulation::TapPoint& at) {
  std::erase_if(unsure_, [&](const Doubted& unsure) {
    const auto it = waiting_.find(unsure.cookie);
    if (it == waiting_.end() || it->second.doubted == nullptr) return true;
    const AtomicDecision& decision = *it->second.doubted;
    const bool is_same = decision.word.responder == responder && decision.word.stag == stag;
    if (!is_same || decision.decision.qp == qp) return false;
    if (elapsed_ns(decision.decision.conflict->operation.response.time, at.time) > kSkewNs) return false;
    conclude(unsure.cookie, it->second, WordVerdict::undecidable);
    return true;
  });
}

/// Reports those that waited so long, or are too many; or all.
void CrossStage::report(std::deque<Doubted>& those, std::int64_t wait_ns, bool all) {
  while (!those.empty()) {
    const Doubted& oldest = those.front();
    if (!all && those.size() <= kMostDoubted && elapsed_ns(oldest.since, time_) <= wait_ns) return;
    const auto it = waiting_.find(oldest.cookie);
    if (it != waiting_.end() && it->second.doubted != nullptr) {
      const AtomicDecision& decision = *it->second.doubted;
      const bool is_excused =
          !decision.decision.conflict->proved_by_one_qp && may_be_other_memory(decision, Close::maybe_unseen);
      if (!is_excused) raise_inconsistent(decision, it->second);
      conclude(oldest.cookie, it->second, is_excused ? WordVerdict::undecidable : WordVerdict::inconsistent);
    }
    those.pop_front();
  }
}

/// AT-14 when this queue pair alone rules the value out, else AT-15.
void CrossStage::raise_inconsistent(const AtomicDecision& decision, const Waiting& waiting) {
  const WordConflict& c = *decision.decision.conflict;
  findings::Finding f;
  f.id = c.proved_by_one_qp ? FindingId::rdmap_atomic_results_inconsistent : FindingId::rdmap_atomics_not_linearizable;
  f.direction = opposite(sender_of(decision.decision.cookie));
  f.message = waiting.response;
  f.frames = {waiting.request, waiting.answer};
  f.broken_in = waiting.answer;
  for (std::size_t k = 0; k < c.due_shown; ++k) {
    if (!c.due[k].left_by) continue;
    f.frames.push_back(c.due[k].left_by->invoked.frame);
    if (c.due[k].left_by->answered) f.frames.push_back(c.due[k].left_by->response.frame);
  }
  f.seen = value(c.operation.original);
  if (c.due_shown != 0) f.expected = value(c.due[0].value);
  f.text = explain(decision.word, c);
  raise(decision.decision.qp, std::move(f));
}

/// AT-19.
void CrossStage::raise_mixed(const emulation::MixedUse& use) {
  findings::Finding f;
  f.id = FindingId::rdmap_atomic_word_mixed_use;
  f.frames = {use.frame};
  f.seen = use.is_write ? "RDMA Write" : "RDMA Read";
  f.text = fmt::format("Atomic Operations work on {}, and an {} of frame {} accesses it as well.", word(use.word),
                       f.seen, use.frame.value);
  raise(use.qp, std::move(f));
}

void CrossStage::note(const emulation::Note& note) {
  raise(note.qp, finding_of(note));
}

void CrossStage::keep(std::uint64_t qp, const findings::Finding& finding) {
  if (finding.frames.empty()) return;
  std::vector<qp::NotedFinding>& noted = noted_[qp];
  const auto [first, last] = std::minmax_element(finding.frames.begin(), finding.frames.end());
  const qp::BreachPlace place{*first, *last, finding.message};
  if (finding.direction && findings::is_refused(findings::rule(finding.id))) {
    breaches_[qp].add(*finding.direction, {finding.id, place});
  }
  const auto known = std::find_if(noted.begin(), noted.end(), [&](const qp::NotedFinding& n) {
    return n.id == finding.id && n.direction == finding.direction;
  });
  if (known != noted.end()) {
    known->latest = place;
  } else {
    noted.push_back({finding.id, finding.direction, place.frame, place, {}});
  }
}

void CrossStage::raise(std::uint64_t qp, findings::Finding finding) {
  keep(qp, finding);
  switch (filters_[qp].ask(finding.id, finding.direction, findings_per_rule_)) {
    case qp::FindingFilter::Answer::repeated: return;
    case qp::FindingFilter::Answer::over_limit: ++suppressed_; return;
    case qp::FindingFilter::Answer::first_over_limit:
      ++suppressed_;
      finding = qp::limit_reached(finding, findings_per_rule_);
      break;
    case qp::FindingFilter::Answer::report: break;
  }
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()), finding.frames.end());
  finding.qp = qp;
  finding.frame = frame_;
  finding.time = time_;
  reported_.push_back({qp, std::move(finding)});
}

}  // namespace iwarpscope::analysis
