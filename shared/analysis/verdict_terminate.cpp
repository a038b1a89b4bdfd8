// Verdicts on streams that a Terminate ended.
#include <optional>

#include "analysis/terminate_advice.h"
#include "analysis/terminate_evidence.h"
#include "analysis/verdict_draft.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;
using qp::Blame;
using qp::Confidence;
using qp::Outcome;

/// Errors of MPA startup. Source: RFC 5044 §8, RFC 6581 §8.
constexpr std::uint8_t kFirstStartupError = 4, kLastStartupError = 7;

bool is_startup(findings::TerminateCode code) noexcept {
  return code.layer == 2 && code.error_type == 0 && code.error_code >= kFirstStartupError &&
         code.error_code <= kLastStartupError;
}

std::string named_message(const Draft& draft, Direction sender, const qp::TerminateStory::Named& named) {
  std::string text = fmt::format("It names the {} of {} in frame {}", rdmap::title(named.opcode), draft.who(sender),
                                 named.frame.value);
  const std::string_view so_far = named.cut ? " so far" : "";
  if (named.target) {
    text += fmt::format(" (STag 0x{:08x}, TO 0x{:016x}", named.target->stag.value, named.target->to.value);
    if (named.target->size) text += fmt::format(", {} octets to read", *named.target->size);
    text += ')';
  } else if (named.tagged) {
    text += fmt::format(" (STag 0x{:08x}, TO 0x{:016x}, {} octets{})", named.stag.value, named.to.value, named.length,
                        so_far);
  } else if (named.length != 0 && rdmap::traits(named.opcode).has_payload) {
    text += fmt::format(" ({} octets{})", named.length, so_far);
  }
  return text + ".";
}

/// The first FPDU of this direction with a wrong CRC, up to `until`; frame 0: there was none.
FrameNumber first_bad_crc(const Draft& draft, Direction d, FrameNumber until) noexcept {
  const qp::NotedFinding* const f = draft.noted(FindingId::mpa_crc_mismatch, d);
  return f != nullptr && f->frame <= until ? f->frame : FrameNumber{};
}

/// The last one; frame 0: there was none.
FrameNumber last_bad_crc(const Draft& draft, Direction d, FrameNumber until) noexcept {
  FrameNumber last{};
  for (const qp::NotedFinding& f : draft.story().findings) {
    if (f.id != FindingId::mpa_crc_mismatch || f.direction != d) continue;
    for (const FrameNumber frame : {f.frame, f.latest.frame}) {
      if (frame <= until) last = std::max(last, frame);
    }
  }
  return last;
}

void judge_crc_seen_wrong(Draft& draft, Direction accused, FrameNumber bad) {
  constexpr std::uint64_t kFew = 3;  // so many may be damaged one after the other
  const qp::DirectionRecord& of = draft.record.directions[index(accused)];
  draft.show(bad);
  if (of.crc_ok == 0 && of.crc_bad >= kFew) {
    draft.decide(Outcome::failed, Draft::blame(accused), Confidence::likely);
    draft.say(
        fmt::format("None of the {} FPDUs of {} that could be checked has a right CRC, that of frame {} neither: it "
                    "computes CRCs in another way, or puts them in another order of octets.",
                    of.crc_bad, draft.who(accused), bad.value));
    draft.advise(
        "See what the findings of mpa.crc-mismatch (MF-04) say of the order of octets, then look at the driver and "
        "firmware of that side.");
    return;
  }
  draft.decide(Outcome::failed, Blame::path, Confidence::likely);
  draft.say(
      fmt::format("The FPDU that ends in frame {} has a wrong CRC at the tap too, although its TCP checksum passed: "
                  "it was damaged in or near the sender, or by something on the way that rewrites checksums.",
                  bad.value));
  draft.advise("Suspect the sending adapter and host (memory, bus, firmware) and middleboxes before the tap.");
}

void judge_crc_claim(Draft& draft, Direction accused, FrameNumber until) {
  const qp::DirectionRecord& of = draft.record.directions[index(accused)];
  if (const FrameNumber bad = last_bad_crc(draft, accused, until); bad.value != 0) {
    judge_crc_seen_wrong(draft, accused, bad);
    return;
  }
  const std::optional<bool> in_use = draft.record.crc_in_use;
  if (in_use && !*in_use) {
    draft.decide(Outcome::failed, Draft::blame(opposite(accused)),
                 draft.record.crc_inferred ? Confidence::limited : Confidence::likely);
    draft.say(
        fmt::format("But CRC is not in use on this connection{}: the side that complains checks what nobody fills "
                    "in.",
                    draft.record.crc_inferred ? ", as far as the FPDUs tell" : ""));
    draft.advise("Compare the CRC settings of both drivers; look at the kernel log of the side that complains.");
    return;
  }
  if (!draft.is_whole(accused) || of.cut_octets != 0 || of.crc_unjudged != 0 || of.crc_ok == 0) {
    draft.decide(Outcome::failed, Blame::unknown, Confidence::limited);
    draft.say(of.crc_ok == 0
                  ? fmt::format("No FPDU of {} could be checked in this capture.", draft.who(accused))
                  : fmt::format("Of {}, {} FPDUs could be checked and have the right CRC; the one that was complained "
                                "about may be among the octets that this capture lacks.",
                                draft.who(accused), of.crc_ok));
    if (!draft.has_holes()) {
      draft.advise("Capture whole frames to tell whether the damage happens before the tap or behind it.");
    }
    return;
  }
  draft.decide(Outcome::failed, Blame::path, Confidence::likely);
  draft.say(
      "Every FPDU was right at the tap: the damage happened between the tap and the side that complains, or in it.");
  draft.advise("Suspect the link and the adapter behind the tap, on the side that sent the Terminate.");
}

/// The claim, read in the RFC's order of bits where its sender seems to have the other: Linux siw's "0/2/07" and the
/// RFC's "2/0/07" are the same octets. What was wrong in startup tells them apart. Source: RFC 6581 §8.
findings::TerminateCode code_of(const Draft& draft, const qp::TerminateStory& t, Direction sender) {
  const findings::TerminateCode code{t.layer, t.error_type, t.error_code};
  if (t.dialect != rdmap::TerminateDialect::siw_le || t.layer != 0 || t.named) return code;
  const findings::TerminateCode other{t.error_type, t.layer, t.error_code};
  if (!is_startup(other)) return code;
  const auto breach = breach_behind(draft.story(), {t, sender, other});
  return breach && breach->fit == Fit::reported ? other : code;
}

std::optional<Claim> first_terminate(const Draft& draft) {
  std::optional<Claim> first;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& t = draft.from(d).terminate;
    if (t && (!first || t->at.frame < first->terminate.at.frame)) {
      first.emplace(Claim{*t, d, code_of(draft, *t, d)});
    }
  }
  return first;
}

/// The wire contradicts what the Terminate says.
bool judge_false_claim(Draft& draft, const Claim& t) {
  const auto is_noted = [&](FindingId id) {
    const auto* f = draft.noted(id, t.sender);
    return f != nullptr && f->frame == t.terminate.at.frame;
  };
  if (is_noted(FindingId::rdmap_terminate_claim_false)) {
    draft.say(
        "But the header it quotes cannot have that error: the side that sent the Terminate is more likely at fault.");
  } else if (is_noted(FindingId::rdmap_terminate_names_unsent)) {
    draft.say(
        fmt::format("But the DDP header it quotes is none that {} ever sent: the side that sent the Terminate is "
                    "more likely at fault.",
                    draft.who(t.accused())));
  } else if (t.is(2, 0, 3) && is_noted(FindingId::mpa_reported_error_not_seen)) {
    draft.decide(Outcome::failed, Blame::path, Confidence::likely);
    draft.say(
        "But every FPDU and marker was right at the tap: octets were lost or damaged between the tap and the side "
        "that complains, or in it.");
    draft.advise("Suspect the link and the adapter behind the tap, on the side that sent the Terminate.");
    return true;
  } else {
    return false;
  }
  draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely);
  draft.advise("Look at the kernel log and the RNIC's firmware on the side that sent the Terminate.");
  return true;
}

/// AT-18 was found of this Terminate.
bool lacks_extension(const Draft& draft, const Claim& t) {
  const auto* f = draft.noted(FindingId::rdmap_extension_refused, t.sender);
  return f != nullptr && f->frame == t.terminate.at.frame && t.is(0, 2, 6);
}

/// AT-18: the side that sent the Terminate lacks RFC 7306.
bool judge_refused_extension(Draft& draft, const Claim& t) {
  if (!lacks_extension(draft, t)) return false;
  const findings::Rule& rule = findings::rule(FindingId::rdmap_extension_refused);
  draft.decide(Outcome::failed, Draft::blame(t.accused()), Confidence::likely);
  draft.say(fmt::format(
      "{} had sent an atomic or Immediate Data message, and the RNIC or driver of the other side does not know the "
      "extension of RFC 7306: {} ({}).",
      draft.who(t.accused()), rule.name, rule.code));
  draft.advise(rule.next);
  return true;
}

/// MS-28: there was no RTR to send, and the Initiator said so by another error.
bool judge_unsaid_rtr_mismatch(Draft& draft, const Claim& t) {
  const auto* f = draft.noted(FindingId::mpa_rtr_mismatch_not_terminated, t.sender);
  if (f == nullptr || f->frame != t.terminate.at.frame) return false;
  const findings::Rule& rule = findings::rule(f->id);
  draft.decide(Outcome::failed, Blame::unknown, Confidence::likely);
  draft.say(
      fmt::format("The two startup frames have no kind of RTR message in common, which is likely the reason; the "
                  "error for that is 2/0/07: {} ({}).",
                  rule.name, rule.code));
  draft.show(draft.record.startup && draft.record.startup->reply ? draft.record.startup->reply->frame : FrameNumber{});
  draft.advise("Compare the A, B, C and D bits of Request and Reply: one kind of RTR must be in common.");
  return true;
}

/// The kinds of RTR message that a startup frame offers: "Write and Read"; empty: none.
std::string rtr_kinds(const mpa::EnhancedData& data) {
  std::string text;
  const auto add = [&text](bool offered, std::string_view kind) {
    if (offered) text += (text.empty() ? "" : " or ") + std::string(kind);
  };
  add(data.rtr_send, "Send");
  add(data.rtr_write, "Write");
  add(data.rtr_read, "Read");
  return text;
}

/// Both ends want peer-to-peer mode, and no kind of RTR message is offered by both. Neither breaks a rule by that.
bool tell_rtr_kinds(Draft& draft, const Claim& t) {
  const auto& startup = draft.record.startup;
  if (!t.is(2, 0, 7) || !startup || !startup->request || !startup->reply) return false;
  const auto& request = startup->request->enhanced;
  const auto& reply = startup->reply->enhanced;
  if (!request || !reply || !request->peer_to_peer || !reply->peer_to_peer) return false;
  const std::string asked = rtr_kinds(*request), granted = rtr_kinds(*reply);
  const bool common = (request->rtr_send && reply->rtr_send) || (request->rtr_write && reply->rtr_write) ||
                      (request->rtr_read && reply->rtr_read);
  if (common || asked.empty() || granted.empty()) return false;
  draft.decide(Outcome::failed, Blame::unknown, Confidence::certain);
  draft.say(
      fmt::format("The Request offers {} as RTR message, the Reply {}: no kind is offered by both.", asked, granted));
  draft.show(startup->request->frame);
  draft.show(startup->reply->frame);
  if (const auto breach = breach_behind(draft.story(), t)) {
    const findings::Rule& rule = findings::rule(breach->id);
    draft.say(fmt::format("{} also broke {} ({}) in frame {}.", draft.who(t.accused()), rule.name, rule.code,
                          breach->frame.value));
    draft.show(breach->frame);
  }
  draft.advise(fmt::format("Allow {} on the Responder's side, or {} on the Initiator's side.", asked, granted));
  return true;
}

/// This analyser saw itself what the accused side did wrong.
void tell_breach(Draft& draft, const Claim& t, const Breach& breach) {
  const findings::Rule& rule = findings::rule(breach.id);
  const std::string who = draft.who(t.accused());
  const bool sure = breach.fit == Fit::reported;
  draft.decide(Outcome::failed, Draft::blame(t.accused()), sure ? Confidence::certain : Confidence::likely);
  switch (breach.fit) {
    case Fit::reported:
      draft.say(fmt::format("The wire agrees that {} was at fault: {} ({}) in frame {}.", who, rule.name, rule.code,
                            breach.frame.value));
      break;
    case Fit::named:
      draft.say(fmt::format("That message broke {} ({}) in frame {}, which is the likely reason.", rule.name, rule.code,
                            breach.frame.value));
      draft.say("Receivers usually report it by another error.");
      break;
    case Fit::late:
      draft.say(fmt::format("{} broke {} ({}) in frame {}.", who, rule.name, rule.code, breach.frame.value));
      draft.say("The capture shows that after the Terminate; it may have arrived before.");
      break;
    case Fit::forced:
      draft.say(fmt::format("Before it, {} broke {} ({}) in frame {}, which every receiver refuses.", who, rule.name,
                            rule.code, breach.frame.value));
      draft.say("Receivers usually report it by another error.");
      break;
  }
  draft.show(breach.first);
  draft.show(breach.frame);
  draft.advise(rule.next);
  draft.advise_gso(breach.id);
  if (lacks_extension(draft, t)) draft.say("The other side knows no message of RFC 7306 at all (AT-18).");
}

/// A wrong CRC at the tap explains what came after it, and not what came before.
bool judge_crc(Draft& draft, const Claim& t) {
  if (!t.is(2, 0, 2)) return false;
  const FrameNumber bad = first_bad_crc(draft, t.accused(), t.terminate.at.frame);
  const auto breach = breach_behind(draft.story(), t);
  if (breach && breach->fit == Fit::reported && (bad.value == 0 || breach->frame <= bad)) {
    tell_breach(draft, t, *breach);
  } else {
    judge_crc_claim(draft, t.accused(), t.terminate.at.frame);
  }
  return true;
}

/// A message that was refused as too long, or for want of a receive, although messages as long went through before.
/// Linux siw reports both by 1/2/02. Source: RFC 5041 §7.1.
bool judge_refused_length(Draft& draft, const Claim& t) {
  constexpr std::uint64_t kEnough = 2;  // one may have met a larger buffer by chance
  const auto& named = t.terminate.named;
  if (!named || named->as_long_before < kEnough) return false;
  const bool too_long = t.is(1, 2, 5);
  const bool either = t.is(1, 2, 2) && t.terminate.dialect == rdmap::TerminateDialect::siw_le;
  if (!too_long && !either) return false;
  draft.say(fmt::format("{} messages before it were as long or longer, and were received.", named->as_long_before));
  if (too_long) {
    draft.decide(Outcome::failed, Blame::unknown, Confidence::likely);
    draft.say("So the receive posted for this one was smaller than those before.");
    draft.advise("Check the sizes of the receives that the side which sent the Terminate posts.");
  } else {
    draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely);
    draft.say("So its length is not the reason: no receive was posted when it arrived.");
    draft.advise(
        "Check how many receives the side that sent the Terminate keeps posted, and the credits of the upper layer.");
  }
  return true;
}

/// The RTR was refused for an STag that it need not have: its length is zero, and no STag is checked then.
/// Source: RFC 5041 §5.2, RFC 5040 §5.2.1, RFC 6581 §9.2.
bool judge_refused_rtr(Draft& draft, const Claim& t) {
  const auto& startup = draft.record.startup;
  const auto& named = t.terminate.named;
  if (!startup || !startup->rtr || !named || named->frame != startup->rtr->frame) return false;
  draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely);
  draft.say(fmt::format(
      "That is the RTR message of peer-to-peer mode. It has no payload, so its STag{} means nothing and need not be "
      "valid: the side that refuses it is at fault, or its adapter cannot take this kind of RTR.",
      named->tagged ? fmt::format(" 0x{:08x}", named->stag.value) : std::string()));
  draft.advise(
      "Choose another kind of RTR (Send, Read or Write) at the Initiator, or update the Responder's firmware and "
      "driver.");
  return true;
}

/// What the Terminate is about may be in what the capture lacks: the message that it names, or octets before it.
bool is_unseen(const Draft& draft, const Claim& t) {
  if (draft.story().one_sided || (t.terminate.quoted && !t.terminate.named)) return true;
  const auto& startup = draft.record.startup;
  if (is_startup(t.code) && (!startup || !startup->request || !startup->reply)) return true;
  return !t.terminate.named && !draft.is_whole(t.accused());
}

/// A Read Response was refused by the side that said where it is to go.
bool judge_refused_sink(Draft& draft, const Claim& t, const TerminateAdvice& advised) {
  const auto& quoted = t.terminate.quoted;
  if (advised.culprit != Culprit::named || quoted != rdmap::Opcode::rdma_read_response) return false;
  const bool unseen = is_unseen(draft, t) || !draft.is_whole(t.accused()) || !draft.is_whole(t.sender);
  draft.decide(Outcome::failed, unseen ? Blame::unknown : Draft::blame(t.sender),
               unseen ? Confidence::limited : Confidence::likely);
  draft.say(
      "The buffer is its own: it named it as the sink of its Read Request. On iWARP the sink of an RDMA Read needs the "
      "right of remote write, and must stay registered until the Response is there.");
  draft.advise(
      "Check the registration of the Read's sink on the side that sent the Terminate: remote write, still valid, and "
      "long enough.");
  return true;
}

void judge_by_usual_cause(Draft& draft, const Claim& t, const TerminateAdvice& advised) {
  const bool unseen = is_unseen(draft, t);
  const Confidence confidence = unseen ? Confidence::limited : Confidence::likely;
  switch (advised.culprit) {
    case Culprit::named:
      draft.decide(Outcome::failed, unseen ? Blame::unknown : Draft::blame(t.accused()), confidence);
      break;
    case Culprit::terminator: draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely); break;
    case Culprit::path: draft.decide(Outcome::failed, unseen ? Blame::unknown : Blame::path, confidence); break;
    case Culprit::either: draft.decide(Outcome::failed, Blame::unknown, confidence); break;
  }
  const auto& startup = draft.record.startup;
  if (is_startup(t.code) && startup && startup->request && startup->reply) {
    const Disagreement d = disagreement(*startup->request, *startup->reply, draft.is_over_sctp());
    if (!d.what.empty()) draft.say(fmt::format("The two startup frames: {}.", d.what));
  }
  draft.say(fmt::format("The usual cause: {}.", advised.cause));
  draft.advise(advised.next);
  const auto earlier = breach_before(draft.story(), t.terminate.at.frame);
  if (!earlier) return;
  const findings::Rule& rule = findings::rule(earlier->breach.id);
  draft.say(fmt::format("Before that, {} broke {} ({}) in frame {}; whether that led to it is not known.",
                        draft.who(earlier->by), rule.name, rule.code, earlier->breach.frame.value));
  draft.show(earlier->breach.frame);
}

/// A Terminate was sent, and its octets are not those of one: it ended the stream, for a reason that nobody can read.
bool judge_unreadable_terminate(Draft& draft) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const qp::NotedFinding* told = draft.noted(FindingId::rdmap_terminate_sent, d);
    if (told == nullptr) continue;
    draft.decide(Outcome::failed, Blame::unknown, Confidence::likely);
    draft.say(
        fmt::format("{} ended the stream with a Terminate in frame {} whose octets cannot be read, so its reason "
                    "is not known.",
                    draft.who(d), told->frame.value));
    draft.show(told->frame);
    draft.advise("Look at the kernel log of the side that sent the Terminate, at its time.");
    return true;
  }
  return false;
}

}  // namespace

bool judge_terminated(Draft& draft) {
  const auto first = first_terminate(draft);
  if (!first) return judge_unreadable_terminate(draft);
  const Claim& t = *first;
  draft.show(t.terminate.at.frame);
  draft.say(fmt::format("{} ended the stream with a Terminate in frame {}: {}.", draft.who(t.sender),
                        t.terminate.at.frame.value,
                        rdmap::error_name(t.code.layer, t.code.error_type, t.terminate.error_code)));
  if (t.terminate.named) {
    draft.say(named_message(draft, t.accused(), *t.terminate.named));
    draft.show(t.terminate.named->frame);
  }
  if (judge_crc(draft, t) || tell_rtr_kinds(draft, t)) return true;
  const auto breach = breach_behind(draft.story(), t);
  // What the message that it names is seen to have broken goes before what is wrong with the Terminate.
  if (breach && t.terminate.named) {
    tell_breach(draft, t, *breach);
    return true;
  }
  const TerminateAdvice advised = advice(t.code.layer, t.code.error_type, t.code.error_code, t.terminate.dialect);
  if (judge_false_claim(draft, t) || judge_refused_rtr(draft, t) || judge_refused_extension(draft, t) ||
      judge_unsaid_rtr_mismatch(draft, t)) {
    return true;
  }
  if (breach) {
    tell_breach(draft, t, *breach);
    return true;
  }
  if (judge_refused_length(draft, t) || judge_refused_sink(draft, t, advised)) return true;
  judge_by_usual_cause(draft, t, advised);
  return true;
}

}  // namespace iwarpscope::analysis
