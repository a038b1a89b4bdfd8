// A verdict while it is being written: who is who, and sentences about it. Inside of verdict*.cpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "findings/catalogue.h"
#include "verdict/facts.h"
#include "verdict/judge.h"

namespace iwarpscope::verdict {

/// Of what seems unacknowledged.
inline constexpr std::string_view kNotSentAgain =
    "It was not sent again: the acknowledgment may be missing from the capture, or its sender is gone.";

struct Draft {
  const qp::QpRecord& record;
  const CaptureSpan& capture;
  qp::VerdictRecord verdict;
  std::string_view unheard{};  ///< what may be among what the capture did not take; empty: nothing that matters
  DeafTime::Share deaf{};      ///< with `unheard`: how much of the time in which it may have come
  bool elsewhere = false;      ///< it may have passed by a path without a tap

  [[nodiscard]] const qp::Story& story() const noexcept { return record.story; }
  [[nodiscard]] const qp::DirectionStory& from(Direction d) const noexcept { return record.story.directions[index(d)]; }

  /// The end that sends direction `d`, as text: "Initiator 10.0.0.1:4791", "A 10.0.0.1:4791".
  [[nodiscard]] std::string who(Direction d) const {
    const net::Endpoint& e = d == Direction::a_to_b ? record.a : record.b;
    const std::string_view role = record.roles != qp::Roles::mpa
                                      ? (d == Direction::a_to_b ? "A" : "B")
                                      : (d == Direction::a_to_b ? "the Initiator" : "the Responder");
    return fmt::format("{} {}", role, e.text());
  }
  // Words of the layer below DDP.
  [[nodiscard]] bool is_over_sctp() const noexcept { return record.sctp_stream.has_value(); }
  [[nodiscard]] std::string_view connection() const noexcept { return is_over_sctp() ? "session" : "connection"; }
  [[nodiscard]] std::string_view request() const noexcept {
    return is_over_sctp() ? "Session Initiate" : "MPA Request";
  }
  [[nodiscard]] std::string_view reply() const noexcept { return is_over_sctp() ? "Session Accept" : "MPA Reply"; }
  [[nodiscard]] std::string_view fpdu() const noexcept { return is_over_sctp() ? "DDP segment" : "FPDU"; }
  [[nodiscard]] std::string_view transport() const noexcept { return is_over_sctp() ? "SCTP" : "TCP"; }
  /// What StreamOffsets count: "octet", "message".
  [[nodiscard]] std::string_view unit() const noexcept { return is_over_sctp() ? "message" : "octet"; }
  /// "reset the connection".
  [[nodiscard]] std::string_view reset() const noexcept {
    return is_over_sctp() ? "aborted the association" : "reset the connection";
  }
  [[nodiscard]] static qp::Blame blame(Direction sender) noexcept {
    return sender == Direction::a_to_b ? qp::Blame::a : qp::Blame::b;
  }
  /// Time from `since` to the capture's end, as far as the capture could hear.
  [[nodiscard]] std::int64_t waiting_ns(const qp::Moment& since) const noexcept {
    return capture.heard_ns(since.time, capture.end);
  }
  [[nodiscard]] static std::string seconds(std::int64_t ns) {
    return fmt::format("{:.{}f} s", static_cast<double>(ns) / 1e9, ns < 10'000'000'000 ? 2 : 0);
  }

  /// Every octet of this direction is there and could be read; an RST may still tell of others.
  [[nodiscard]] bool is_whole(Direction d) const noexcept {
    const qp::DirectionRecord& r = record.directions[index(d)];
    return !from(d).lacks_end && r.captured && !story().one_sided && !r.has_capture_gap() && !r.cut_framing &&
           !from(d).framing_lost && !story().reset_beyond_seen;
  }
  /// Octets are missing that could hold the real reason.
  [[nodiscard]] bool has_holes() const noexcept {
    const auto& d = record.directions;
    return story().one_sided || story().reset_beyond_seen || lacks_end() || d[0].has_capture_gap() ||
           d[1].has_capture_gap() || from(Direction::a_to_b).framing_lost || from(Direction::b_to_a).framing_lost;
  }
  [[nodiscard]] bool lacks_end() const noexcept {
    return from(Direction::a_to_b).lacks_end || from(Direction::b_to_a).lacks_end;
  }
  /// Whose end it was first, of two that were both seen. Over SCTP one packet may show both.
  [[nodiscard]] Direction first_of(const qp::Moment& a, const qp::Moment& b) const noexcept {
    if (a.frame == b.frame && story().shut_down_by) return *story().shut_down_by;
    return a.frame < b.frame ? Direction::a_to_b : Direction::b_to_a;
  }
  /// Its sender sent it again and again, so that it had no acknowledgment either. Of what was not sent again the
  /// acknowledgment may only be missing from the capture, or its sender is gone.
  [[nodiscard]] bool never_arrived(Direction d) const noexcept {
    return from(d).unacknowledged != 0 && record.directions[index(d)].retransmitted_octets != 0;
  }
  /// An ABORT has no TSN, and so does not show what the capture lacks just before it: a message that no SACK had to
  /// acknowledge yet, or one that came with the SACK which is not here.
  [[nodiscard]] bool may_lack_before(const qp::Moment& abort) const noexcept {
    if (!is_over_sctp()) return false;
    for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
      if (from(d).unacknowledged != 0 && !never_arrived(d)) return true;
      if (elapsed_ns(from(d).last_octets.time, abort.time) < qp::kMostSackDelayNs) return true;
    }
    return false;
  }
  /// What was noted of this rule in direction `d`.
  [[nodiscard]] const qp::NotedFinding* noted(findings::FindingId id, std::optional<Direction> d) const noexcept {
    for (const qp::NotedFinding& f : story().findings) {
      if (f.id == id && f.direction == d) return &f;
    }
    return nullptr;
  }

  /// Until then both sides were heard: what the capture did not take before, sequence numbers show.
  [[nodiscard]] TimePoint both_heard() const noexcept {
    const TimePoint both = std::min(from(Direction::a_to_b).last.time, from(Direction::b_to_a).last.time);
    return std::max(both, record.first_time);
  }
  /// Were `what` among what the capture did not take in this time, the verdict would be another: it will be limited.
  /// True: it did not take everything.
  bool doubt(std::string_view what, TimePoint from, TimePoint to = CaptureSpan::kEver) {
    if (!capture.may_lack(from, to)) return false;
    unheard = what;
    deaf = capture.deaf_between(from, to);
    return true;
  }
  /// The same of who is silent since then. Over SCTP it may go on by another path.
  bool doubt_silence(TimePoint since) {
    elsewhere = story().may_pass_elsewhere;
    return doubt(kWhatCameMeanwhile, since) || elsewhere;
  }
  void decide(qp::Outcome outcome, qp::Blame who_caused_it, qp::Confidence confidence) noexcept {
    verdict.outcome = outcome;
    verdict.blame = who_caused_it;
    verdict.confidence = confidence;
  }
  void say(std::string_view sentence) {
    if (sentence.empty()) return;
    if (!verdict.text.empty()) verdict.text += ' ';
    verdict.text += sentence;
    // A sentence may begin with "the Initiator".
    char& first = verdict.text[verdict.text.size() - sentence.size()];
    if (first >= 'a' && first <= 'z') first = static_cast<char>(first - 'a' + 'A');
  }
  void show(FrameNumber frame) {
    if (frame.value != 0) verdict.evidence.push_back(frame);
  }
  /// What makes Linux siw frame wrongly, where it may be the sender.
  void advise_gso(findings::FindingId id) {
    if (id != findings::FindingId::mpa_ulpdu_length_invalid || !record.startup) return;
    const auto has_bit = [](const std::optional<mpa::StartupFrame>& f) {
      return f && (f->reserved & mpa::kSiwGsoBit) != 0;
    };
    if (has_bit(record.startup->request) || has_bit(record.startup->reply)) {
      advise("With Linux siw, turn its GSO option off: it makes FPDUs that others take for wrong ones.");
    }
  }
  void advise(std::string_view next) {
    if (next.empty()) return;
    if (!verdict.next.empty()) verdict.next += ' ';
    verdict.next += next;
  }
};

/// What Request and Reply disagree about: half a sentence, and what to do. Empty when they agree.
struct LegacyDisagreement {
  std::string what;
  std::string_view next;
};
/// verdict_startup.cpp.
[[nodiscard]] LegacyDisagreement legacy_disagreement(const mpa::StartupFrame& request, const mpa::StartupFrame& reply,
                                                     bool over_sctp);

/// verdict_startup.cpp. True when startup decided it: refused, failed, or never finished.
bool judge_startup(Draft& draft);
/// verdict_end.cpp. How it ended, or who waits for whom.
void judge_end(Draft& draft);

}  // namespace iwarpscope::verdict
