#include "verdict/judge.h"

#include "base/evidence.h"
#include "base/wording.h"
#include "emulation/private_data.h"
#include "verdict/diagnose.h"
#include "verdict/legacy_draft.h"
#include "verdict/render.h"

namespace iwarpscope::verdict {
namespace {

/// What went wrong on the way although the end was in order, and what limits everything said.
void add_cautions(Draft& draft) {
  if (!draft.has_holes() && draft.unheard.empty() && !draft.elsewhere) return;
  const auto& [a, b] = draft.record.directions;
  const bool ended_well =
      draft.verdict.outcome == qp::Outcome::completed || draft.verdict.outcome == qp::Outcome::running;
  constexpr std::string_view kWithoutLoss =
      "Capture again without loss: raise the capture's buffer, or tap both directions.";
  std::string_view next;
  if (!draft.unheard.empty() && (draft.capture.has_drops || draft.deaf.lost_frames)) {
    draft.say(fmt::format("The capture itself lost frames: {} may be among them.", draft.unheard));
    next = kWithoutLoss;
  }
  if (!draft.unheard.empty() && draft.deaf.was_down) {
    draft.say(
        fmt::format("An interface of the capture was down for {} meanwhile, which is not counted: {} may have "
                    "passed then.",
                    Draft::seconds(draft.deaf.ns), draft.unheard));
    next = "See why an interface of the capture was down.";
  }
  if (draft.elsewhere) {
    draft.say("The association has addresses whose packets are not in the capture: it may go on between those.");
    next = "Tap every path of the association.";
  }
  if (!draft.has_holes()) {
    // Nothing more is known to be missing.
  } else if (draft.story().one_sided) {
    next = "Capture both directions.";
    draft.say("Only one direction is in the capture: what the other side said is not known.");
  } else if (a.has_capture_gap() || b.has_capture_gap()) {
    const std::string lacks = draft.is_over_sctp() ? counted(a.capture_gap_messages + b.capture_gap_messages, "message")
                                                   : counted(a.capture_gap_octets + b.capture_gap_octets, "octet");
    draft.say(
        fmt::format("The capture lacks {} of this {}, which may hold the real reason.", lacks, draft.connection()));
    next = kWithoutLoss;
  } else if (draft.story().reset_beyond_seen) {
    draft.say("The reset tells of octets that are not in the capture and may hold the real reason.");
    next = kWithoutLoss;
  } else if (draft.lacks_end()) {
    draft.say("The capture may lack the end of this session, which may hold the real reason.");
    next = kWithoutLoss;
  } else {
    draft.say("Where FPDUs begin was not known at the end, so the last octets were not read.");
  }
  if (!ended_well) draft.advise(next);
  draft.verdict.confidence = qp::Confidence::limited;
}

void add_earlier_attempt(Draft& draft, const std::optional<EarlierAttempt>& earlier) {
  if (!earlier || !draft.record.startup || !draft.record.startup->request) return;
  const unsigned revision = draft.record.startup->request->revision;
  if (revision < earlier->revision && draft.is_over_sctp()) {
    draft.say(
        fmt::format("It fell back to a plain Initiate: the attempt of QP {} with an enhanced one (frame {}) came to "
                    "nothing just before.",
                    earlier->qp, earlier->frame.value));
    draft.advise("A plain Initiate has no IRD, ORD or RTR negotiation; see why the enhanced one was turned away.");
  } else if (revision < earlier->revision) {
    draft.say(
        fmt::format("It fell back to MPA revision {}: the attempt of QP {} with revision {} (frame {}) came to "
                    "nothing just before.",
                    revision, earlier->qp, earlier->revision, earlier->frame.value));
    draft.advise("Revision 1 has no IRD, ORD or RTR negotiation; see why the Responder turned revision 2 away.");
  } else {
    draft.say(fmt::format("It is another attempt after that of QP {} (frame {}), which came to nothing.", earlier->qp,
                          earlier->frame.value));
  }
  draft.show(earlier->frame);
}

/// The upper layer's limits do not fit.
void add_limits(Draft& draft) {
  const auto limits = emulation::told_limits(draft.record);
  if (!limits || limits->compatible) return;
  draft.say(limits->sentence);
  draft.advise("Compare the limits that the upper layer is set up with on both sides.");
}

/// Loss or reordering held messages back for so long that a person would notice.
void add_slow_path(Draft& draft) {
  constexpr std::int64_t kNoticedNs = 20'000'000;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& waits = draft.record.directions[index(d)].head_of_line;
    if (waits.largest_ns < kNoticedNs) continue;
    draft.say(fmt::format(
        "Loss or reordering on the path held back {} of {} that had arrived, the longest wait {} ms, "
        "{} ms summed over them.",
        counted(waits.messages, "message"), draft.who(d), waits.largest_ns / 1'000'000, waits.total_ns / 1'000'000));
    draft.advise(
        fmt::format("Look for drops and pause frames on the path; {0}.retransmissions and {0}.out-of-order say how "
                    "many.",
                    draft.is_over_sctp() ? "sctp" : "tcp"));
  }
}

/// Startup came to its end and somebody took long over it. Linux siw gives up after 5 to 10 s, Chelsio's driver
/// after 60.
void add_slow_startup(Draft& draft) {
  const auto& startup = draft.record.startup;
  if (draft.record.joined_midstream || !startup || !startup->request || !startup->reply) return;
  const std::int64_t to_request = elapsed_ns(draft.record.first_time, startup->request->time);
  const std::int64_t to_reply = elapsed_ns(startup->request->time, startup->reply->time);
  if (to_request >= kLongNs) {
    draft.say(fmt::format("{} sent its {} only {} after the {} began.", draft.who(Direction::a_to_b), draft.request(),
                          Draft::seconds(to_request), draft.connection()));
    draft.show(startup->request->frame);
  }
  if (to_reply >= kLongNs) {
    draft.say(fmt::format("{} took {} to answer the {}; some drivers give up after 5 s.", draft.who(Direction::b_to_a),
                          Draft::seconds(to_reply), draft.request()));
    draft.show(startup->reply->frame);
    draft.advise("See why the application on the Responder's side accepts late: its load, its backlog.");
  }
}

}  // namespace

qp::VerdictRecord judge(const qp::QpRecord& record, const CaptureSpan& capture,
                        const std::optional<EarlierAttempt>& earlier) {
  const Facts facts(record, capture, earlier);
  if (const auto diagnosis = diagnose(facts)) return render(facts, *diagnosis);
  Draft draft{record, capture, {}};
  judge_terminated(draft);
  if (draft.verdict.outcome != qp::Outcome::refused) add_limits(draft);
  add_slow_startup(draft);
  add_slow_path(draft);
  add_earlier_attempt(draft, earlier);
  add_cautions(draft);
  put_in_order(draft.verdict.evidence);
  return std::move(draft.verdict);
}

}  // namespace iwarpscope::verdict
