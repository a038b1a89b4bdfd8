// Verdicts on streams that carried messages: how they ended, or who waits for whom.
#include "base/wording.h"
#include "verdict/legacy_draft.h"

namespace iwarpscope::verdict {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;

std::string request_text(const qp::WaitingStory& waiting) {
  return fmt::format("{} with MSN {} of frame {}", waiting.atomic ? "Atomic Request" : "Read Request",
                     waiting.msn.value, waiting.oldest.frame.value);
}

/// What was left open, as half sentences; empty when nothing was.
std::string left_open(Draft& draft) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " and ") + part; };
  for (const Direction d : kDirections) {
    const qp::DirectionStory& s = draft.from(d);
    if (s.waiting) {
      add(fmt::format("the {} of {} was not answered", request_text(*s.waiting), draft.who(d)));
      draft.show(s.waiting->oldest.frame);
    }
    if (s.inside_message) {
      add(fmt::format("the {} of {} that began in frame {} was not finished", rdmap::title(s.last_opcode), draft.who(d),
                      s.last_message.frame.value));
      draft.show(s.last_message.frame);
    } else if (s.inside_fpdu) {
      add(fmt::format("an FPDU of {} was not finished", draft.who(d)));
    }
  }
  return text;
}

/// All that was left open may only seem so: its end, or its answer, would be where the capture has nothing.
bool is_open_for_a_hole(const Draft& draft) {
  for (const Direction d : kDirections) {
    const qp::DirectionStory& s = draft.from(d);
    if (s.waiting && draft.is_whole(opposite(d))) return false;
    if ((s.inside_message || s.inside_fpdu) && draft.is_whole(d)) return false;
  }
  return true;
}

/// It ended in some way, and what is missing decides whether anything was left open.
void leave_to_the_capture(Draft& draft) {
  draft.decide(Outcome::unknown, Blame::capture, Confidence::limited);
  draft.say("That may only seem so, as the capture has nothing just where the rest would be.");
}

/// How sure it is that nothing was left open, as half a sentence.
std::string_view nothing_open(const Draft& draft) {
  const bool all_read = draft.is_whole(Direction::a_to_b) && draft.is_whole(Direction::b_to_a);
  return all_read ? "nothing was left open" : "nothing that the capture holds was left open";
}

/// Whether it completed, when nothing was found open: not where its last octets are unknown.
Outcome outcome_with_nothing_open(const Draft& draft) {
  const bool end_unknown = draft.story().reset_beyond_seen || draft.lacks_end() ||
                           draft.from(Direction::a_to_b).framing_lost || draft.from(Direction::b_to_a).framing_lost;
  return end_unknown ? Outcome::unknown : Outcome::completed;
}

/// Only says once more that something was left open, or how it ended.
bool is_consequence(findings::FindingId id) noexcept {
  using enum findings::FindingId;
  if (findings::rule(id).code.starts_with("QP-")) return true;
  return id == rdmap_read_request_unanswered || id == rdmap_atomic_request_unanswered || id == ddp_message_unfinished ||
         id == mpa_closed_inside_fpdu;
}

/// What was wrong on the way, and the reason perhaps: the first error, else the first thing suspicious about a peer.
void mention_findings(Draft& draft) {
  const auto& noted = draft.story().findings;
  const auto severity = [](const qp::NotedFinding& f) { return findings::rule(f.id).severity; };
  auto it = std::find_if(noted.begin(), noted.end(), [&](const auto& f) {
    return severity(f) == findings::Severity::error && !is_consequence(f.id);
  });
  if (it == noted.end()) {
    it = std::find_if(noted.begin(), noted.end(), [](const auto& f) {
      return findings::rule(f.id).severity != findings::Severity::note &&
             findings::rule(f.id).about == findings::About::peer && !is_consequence(f.id);
    });
  }
  if (it == noted.end()) return;
  const findings::Rule& rule = findings::rule(it->id);
  const bool is_error = rule.severity == findings::Severity::error;
  draft.say(fmt::format("{} on the way: {} ({}) in frame {}.",
                        is_error ? "A rule was broken" : "Something was suspicious", rule.name, rule.code,
                        it->frame.value));
  draft.show(it->begin.first);
  draft.show(it->frame);
  draft.advise(rule.next);
  draft.advise_gso(it->id);
  if (!is_error) return;
  if (rule.about == findings::About::path) draft.verdict.blame = Blame::path;
  if (rule.about == findings::About::peer && it->direction) draft.verdict.blame = Draft::blame(*it->direction);
}

/// Of what was sent again and again.
std::string never_acknowledged(const Draft& draft, std::uint64_t count) {
  return fmt::format("{} that it had sent, {}, {} never acknowledged", counted(count, draft.unit()),
                     count == 1 ? "and sent again" : "some of them repeatedly", count == 1 ? "was" : "were");
}

void judge_reset(Draft& draft, Direction by) {
  const qp::DirectionStory& s = draft.from(by);
  const qp::DirectionStory& other = draft.from(opposite(by));
  draft.show(s.rst.frame);
  const std::string open = left_open(draft);
  const bool never_arrived = draft.never_arrived(by);
  // A reset need not acknowledge what came before it: nothing tells then that it is missing.
  const bool doubtful = (!open.empty() || never_arrived) &&
                        draft.doubt("what came before the reset", draft.record.first_time, s.rst.time);
  const auto blame = [&](Blame who) { return doubtful ? Blame::unknown : who; };
  if (open.empty() && never_arrived) {
    draft.decide(Outcome::failed, draft.has_holes() ? Blame::unknown : blame(Blame::path), Confidence::likely);
    draft.say(fmt::format("{} gave up with {} in frame {}: {}, and nothing had come from {} for {}.", draft.who(by),
                          draft.is_over_sctp() ? "an ABORT" : "a reset", s.rst.frame.value,
                          never_acknowledged(draft, s.unacknowledged), draft.who(opposite(by)),
                          Draft::seconds(draft.capture.heard_ns(other.last.time, s.rst.time))));
    draft.advise("Look for loss on the path and whether the other host was alive.");
    mention_findings(draft);
    return;
  }
  if (open.empty()) {
    draft.decide(outcome_with_nothing_open(draft), Blame::none, Confidence::likely);
    draft.say(fmt::format("{} ended the {} with {} in frame {}; {}.", draft.who(by), draft.connection(),
                          draft.is_over_sctp() ? "an ABORT" : "a reset", s.rst.frame.value, nothing_open(draft)));
    if (draft.verdict.outcome == Outcome::completed) {
      draft.say("Some RNICs and drivers close so; a program that was killed looks the same.");
    }
    mention_findings(draft);
    return;
  }
  draft.say(fmt::format("{} {} in frame {} while {}.", draft.who(by), draft.reset(), s.rst.frame.value, open));
  if (is_open_for_a_hole(draft) || draft.may_lack_before(s.rst)) {
    leave_to_the_capture(draft);
    return;
  }
  const std::int64_t waited = s.waiting ? elapsed_ns(s.waiting->oldest.time, s.rst.time) : 0;
  if (s.waiting && waited >= kLongNs && other.last_octets.time.ns < s.waiting->oldest.time.ns + kLongNs) {
    draft.decide(Outcome::failed, blame(Draft::blame(opposite(by))), Confidence::likely);
    draft.say(fmt::format("It had waited {} for that answer.", Draft::seconds(waited)));
    draft.advise(
        "Look at the side that did not answer: its load, its kernel log, and whether its memory is still registered.");
  } else if (never_arrived) {
    draft.decide(Outcome::failed, blame(Blame::path), Confidence::likely);
    draft.say(never_acknowledged(draft, s.unacknowledged) + '.');
    draft.advise("Look for loss on the path and whether the other host was alive.");
  } else {
    draft.decide(Outcome::failed, blame(Draft::blame(by)), Confidence::likely);
    draft.advise(fmt::format(
        "Look at the program and the kernel log of the side that {}: a crash, a kill, or a timeout.", draft.reset()));
  }
}

void judge_closed(Draft& draft) {
  const qp::Moment fin_a = draft.from(Direction::a_to_b).fin;
  const qp::Moment fin_b = draft.from(Direction::b_to_a).fin;
  const Direction first = draft.first_of(fin_a, fin_b);
  const std::string open = left_open(draft);
  draft.show(draft.from(first).fin.frame);
  if (open.empty()) {
    draft.decide(outcome_with_nothing_open(draft), Blame::none,
                 draft.record.joined_midstream ? Confidence::likely : Confidence::certain);
    draft.say(fmt::format("The {} was closed in order, first by {} in frame {}; {}.", draft.connection(),
                          draft.who(first), draft.from(first).fin.frame.value, nothing_open(draft)));
    mention_findings(draft);
    return;
  }
  draft.say(fmt::format("The {} was closed, first by {} in frame {}, while {}.", draft.connection(), draft.who(first),
                        draft.from(first).fin.frame.value, open));
  // Over SCTP nothing but the next chunk of its sender shows one that is missing: where others are, it may be too.
  if (is_open_for_a_hole(draft) || (draft.is_over_sctp() && draft.has_holes())) {
    leave_to_the_capture(draft);
    mention_findings(draft);
    return;
  }
  const auto& waiting = draft.from(first).waiting;
  const bool gave_up = waiting && elapsed_ns(waiting->oldest.time, draft.from(first).fin.time) >= kLongNs;
  draft.decide(Outcome::failed, draft.has_holes() ? Blame::unknown : Draft::blame(gave_up ? opposite(first) : first),
               Confidence::likely);
  mention_findings(draft);
  draft.advise("Look at the program that closed first: it ended before its work was done, or gave up waiting.");
}

void judge_half_closed(Draft& draft, Direction closer) {
  const qp::Moment fin = draft.from(closer).fin;
  const std::int64_t since = draft.waiting_ns(fin);
  const bool long_ago = since >= kLongNs;
  draft.show(fin.frame);
  if (draft.story().one_sided) {
    draft.decide(Outcome::unknown, Blame::capture, Confidence::limited);
    draft.say(fmt::format("{} closed its side in frame {}; whether {} did is not in the capture.", draft.who(closer),
                          fin.frame.value, draft.who(opposite(closer))));
    return;
  }
  draft.decide(long_ago ? Outcome::stalled : Outcome::running, Blame::none, Confidence::likely);
  draft.say(fmt::format("{} closed its side in frame {}; {} had not closed its own {} later{}.", draft.who(closer),
                        fin.frame.value, draft.who(opposite(closer)), Draft::seconds(since),
                        draft.capture.goes_on ? "" : ", when the capture ends"));
  // Its FIN may be among what the capture lacks.
  const bool doubtful = draft.doubt_silence(std::min(fin.time, draft.both_heard()));
  if (!long_ago) return;
  const bool sure = draft.is_whole(opposite(closer)) && !doubtful;
  draft.decide(Outcome::stalled, sure ? Draft::blame(opposite(closer)) : Blame::unknown,
               sure ? Confidence::likely : Confidence::limited);
}

/// Somebody has waited for long: true, and said.
bool judge_waiting(Draft& draft, Direction d) {
  const qp::DirectionStory& s = draft.from(d);
  const qp::DirectionStory& other = draft.from(opposite(d));
  const Direction peer = opposite(d);
  const auto stalled = [&](const qp::Moment& since, Blame who) {
    const bool doubtful = draft.doubt_silence(since.time) || draft.has_holes();
    draft.decide(Outcome::stalled, doubtful ? Blame::unknown : who,
                 doubtful ? Confidence::limited : Confidence::likely);
  };
  const bool never_arrived = draft.never_arrived(d);
  if (s.unacknowledged != 0 && draft.waiting_ns(s.last_octets) < kLongNs && !never_arrived) return false;  // just sent
  if (s.window_closed.happened() && draft.waiting_ns(s.window_closed) >= kLongNs) {
    stalled(s.window_closed, Draft::blame(peer));
    draft.say(fmt::format("{} has taken no more data since frame {} (its {} window is closed), {} {}.", draft.who(peer),
                          s.window_closed.frame.value, draft.transport(),
                          Draft::seconds(elapsed_ns(s.window_closed.time, draft.capture.end)),
                          draft.capture.goes_on ? "ago" : "before the capture ends"));
    draft.show(s.window_closed.frame);
    draft.advise("Look at that host: its receive buffers, PCIe and CPU load, and whether its RNIC hangs.");
    return true;
  }
  if (s.unacknowledged != 0 && draft.waiting_ns(other.last) >= kLongNs) {
    stalled(other.last, never_arrived ? Blame::path : Blame::unknown);
    draft.say(fmt::format("{} of {} {} not been acknowledged, and {} has been silent for {}.",
                          counted(s.unacknowledged, draft.unit()), draft.who(d), s.unacknowledged == 1 ? "has" : "have",
                          draft.who(peer), Draft::seconds(draft.waiting_ns(other.last))));
    if (!never_arrived) {
      draft.verdict.confidence = Confidence::limited;
      draft.say(kNotSentAgain);
    }
    draft.show(s.last_octets.frame);
    draft.advise("Check that the other host is alive, and the path to it.");
    return true;
  }
  if (s.waiting && draft.waiting_ns(s.waiting->oldest) >= kLongNs && draft.waiting_ns(other.last_octets) >= kLongNs) {
    stalled(s.waiting->oldest, Draft::blame(peer));
    draft.say(fmt::format("{} has not answered the {} of {} for {}, although its {} has acknowledged it.",
                          draft.who(peer), request_text(*s.waiting), draft.who(d),
                          Draft::seconds(draft.waiting_ns(s.waiting->oldest)), draft.transport()));
    const auto& depth = draft.record.read_depth[index(d)];
    if (depth && s.waiting->count >= *depth) {
      draft.say(
          s.waiting->count == 1
              ? std::string("It may have one outstanding and so cannot send another.")
              : fmt::format("All {} requests it may have outstanding wait: it cannot send another.", s.waiting->count));
    } else if (s.waiting->count > 1) {
      draft.say(fmt::format("{} requests wait in all.", s.waiting->count));
    }
    draft.show(s.waiting->oldest.frame);
    draft.advise(
        "Look at the side that does not answer: its RNIC, its kernel log, and whether the memory is still registered.");
    return true;
  }
  if ((s.inside_message || s.inside_fpdu) && draft.waiting_ns(s.last_octets) >= kLongNs && s.unacknowledged == 0) {
    stalled(s.last_octets, Draft::blame(d));
    const std::string silent = Draft::seconds(draft.waiting_ns(s.last_octets));
    if (s.inside_message) {
      draft.say(fmt::format("{} stopped inside the {} that began in frame {} and has sent nothing for {}.",
                            draft.who(d), rdmap::title(s.last_opcode), s.last_message.frame.value, silent));
      draft.show(s.last_message.frame);
    } else {
      draft.say(fmt::format("{} stopped inside an FPDU and has sent nothing for {}.", draft.who(d), silent));
      draft.show(s.last_octets.frame);
    }
    draft.advise("Look at the sender: its RNIC or driver stopped in the middle of a message.");
    return true;
  }
  return false;
}

void judge_open(Draft& draft) {
  for (const Direction d : kDirections) {
    if (judge_waiting(draft, d)) return;
  }
  const qp::Moment last_a = draft.from(Direction::a_to_b).last_message;
  const qp::Moment last_b = draft.from(Direction::b_to_a).last_message;
  const Direction last = last_b.frame > last_a.frame ? Direction::b_to_a : Direction::a_to_b;
  const qp::Moment at = draft.from(last).last_message;
  draft.decide(Outcome::running, Blame::none, Confidence::certain);
  draft.doubt("the end of the connection", draft.both_heard());
  const std::int64_t idle = draft.waiting_ns(at);
  const bool goes_on = draft.capture.goes_on;
  const std::string is_open = fmt::format("The {} {} open", draft.connection(), goes_on ? "is" : "was");
  const std::string_view until = goes_on ? "" : " when the capture ended";
  if (!at.happened()) {
    draft.say(fmt::format("{}{}.", is_open, until));
  } else if (idle < kLongNs) {
    draft.say(fmt::format("{} and in use{}.", is_open, until));
  } else {
    draft.say(fmt::format("{}{}, and idle for {}: the last message was a {} of {} in frame {}.", is_open, until,
                          Draft::seconds(idle), rdmap::title(draft.from(last).last_opcode), draft.who(last),
                          at.frame.value));
    draft.show(at.frame);
    const auto opcode = draft.from(last).last_opcode;
    if (rdmap::traits(opcode).qn == QueueNumber{0} && !draft.story().one_sided) {
      draft.say(fmt::format("If the upper layer answers messages, it is the turn of {}.", draft.who(opposite(last))));
      draft.verdict.confidence = Confidence::likely;
    }
  }
  mention_findings(draft);
}

/// Over SCTP: a new session began on its stream, or a new association in the place of its own.
void judge_replaced(Draft& draft) {
  const std::string open = left_open(draft);
  draft.show(draft.record.last_frame);
  const std::string meanwhile = open.empty() ? "" : fmt::format(" while {}", open);
  if (draft.record.closed_by == "restart") {
    draft.say(fmt::format("The session ended with its association: in frame {} another one took its place{}.",
                          draft.record.last_frame.value, meanwhile));
  } else {
    draft.say(fmt::format("The session was {}terminated: in frame {} another took its place{}.",
                          draft.lacks_end() ? "not seen to be " : "never ", draft.record.last_frame.value, meanwhile));
  }
  if (open.empty()) {
    draft.decide(outcome_with_nothing_open(draft), Blame::none, Confidence::likely);
  } else if (is_open_for_a_hole(draft)) {
    leave_to_the_capture(draft);
  } else {
    draft.decide(Outcome::failed, Blame::unknown, Confidence::likely);
    draft.advise("Look at both ends for a program or a host that began anew.");
  }
  mention_findings(draft);
}

}  // namespace

void judge_end(Draft& draft) {
  if (draft.record.closed_by == "replaced" || draft.record.closed_by == "restart") {
    judge_replaced(draft);
    return;
  }
  const qp::Moment rst_a = draft.from(Direction::a_to_b).rst;
  const qp::Moment rst_b = draft.from(Direction::b_to_a).rst;
  if (rst_a.happened() || rst_b.happened()) {
    const bool a_first = rst_a.happened() && (!rst_b.happened() || rst_a.frame < rst_b.frame);
    judge_reset(draft, a_first ? Direction::a_to_b : Direction::b_to_a);
    return;
  }
  const bool fin_a = draft.from(Direction::a_to_b).fin.happened();
  const bool fin_b = draft.from(Direction::b_to_a).fin.happened();
  if (fin_a && fin_b) {
    judge_closed(draft);
  } else if (fin_a || fin_b) {
    judge_half_closed(draft, fin_a ? Direction::a_to_b : Direction::b_to_a);
  } else {
    judge_open(draft);
  }
}

}  // namespace iwarpscope::verdict
