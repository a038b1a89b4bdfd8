// Verdicts on streams that a Terminate ended.
#include <optional>

#include "verdict/legacy_draft.h"
#include "verdict/terminate_advice.h"

namespace iwarpscope::verdict {

LegacyDisagreement legacy_disagreement(const mpa::StartupFrame& request, const mpa::StartupFrame& reply,
                                       bool over_sctp) {
  if (request.markers && !reply.markers && reply.rejected) {
    return {"the Request asks for markers, which many RNICs (and Linux siw) do not send",
            "Turn markers off on the Initiator's side."};
  }
  if (request.crc && !reply.crc) {
    return {"the Request asks for CRC and the Reply does not grant it",
            "Set CRC alike on both sides; RFC 5044 wants it on by default."};
  }
  if (!request.crc && reply.crc && reply.rejected) {
    return {"the Reply asks for CRC and the Request did not", "Turn CRC on on the Initiator's side as well."};
  }
  if (reply.markers && !request.markers) {
    return {"the Reply asks for markers",
            "Turn markers off on the Responder's side, or use an Initiator that can send them."};
  }
  // Over SCTP the revision stands for the kind of session control message. Source: RFC 6581 §7.
  if (over_sctp && request.revision != reply.revision) {
    return {fmt::format("the Session Initiate is {} and its answer {}",
                        request.revision > reply.revision ? "an enhanced one" : "a plain one",
                        request.revision > reply.revision ? "a plain one" : "an enhanced one"),
            "Check whether both ends support the enhanced session control of RFC 6581."};
  }
  if (request.revision != reply.revision) {
    return {fmt::format("the Request has revision {}, the Reply {}", request.revision, reply.revision),
            "Set both sides to the same MPA revision."};
  }
  if (request.enhanced_flag != reply.enhanced_flag) {
    return {
        fmt::format("the Request has the bit of enhanced startup (S) {}, the Reply has it {}",
                    request.enhanced_flag ? "set" : "not set", reply.enhanced_flag ? "set" : "not set"),
        "Set both sides to the same MPA revision and peer-to-peer option: the Reply has to take S from the Request."};
  }
  if (request.enhanced && reply.enhanced) {
    const auto& q = *request.enhanced;
    const auto& r = *reply.enhanced;
    if (q.peer_to_peer != r.peer_to_peer) {
      return {fmt::format("the Request {} for peer-to-peer mode, the Reply {}",
                          q.peer_to_peer ? "asks" : "does not ask", r.peer_to_peer ? "has it" : "has not"),
              "Set peer-to-peer mode alike on both sides."};
    }
    if (q.ord != mpa::kDepthNotNegotiated && r.ird < q.ord) {
      return {fmt::format("the Request wants {} Reads outstanding (ORD) and the Reply allows {} (IRD)", q.ord, r.ird),
              "Raise the Responder's responder_resources, or lower the Initiator's initiator_depth."};
    }
    if (r.ord != mpa::kDepthNotNegotiated && r.ord > q.ird) {
      return {fmt::format("the Reply wants {} Reads outstanding (ORD) and the Request allows {} (IRD)", r.ord, q.ird),
              "Lower the Responder's initiator_depth, or raise the Initiator's responder_resources."};
    }
  }
  return {};
}

namespace {

using findings::FindingId;
using qp::Blame;
using qp::Confidence;
using qp::Outcome;

// Layer RDMAP, remote operation: unexpected opcode. Source: RFC 5040 §4.8.
constexpr std::uint32_t kOpcodeClaim = 0x000206;
// Layer LLP, type MPA. Source: RFC 5044 §8, RFC 6581 §8.
constexpr std::uint32_t kCrcClaim = 0x020002;
constexpr std::uint32_t kMarkerClaim = 0x020003;
constexpr std::uint32_t kFirstStartupClaim = 0x020004;
constexpr std::uint32_t kLastStartupClaim = 0x020007;

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

/// The last FPDU of this direction with a wrong CRC, up to `until`; frame 0: there was none.
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

/// The first Terminate of a queue pair, and who is who.
struct Terminated {
  const qp::TerminateStory& story;
  Direction sender{};
  std::uint32_t claim = 0;  ///< layer << 16 | error type << 8 | error code

  [[nodiscard]] Direction accused() const noexcept { return opposite(sender); }
  [[nodiscard]] std::uint8_t layer() const noexcept { return static_cast<std::uint8_t>(claim >> 16); }
  [[nodiscard]] std::uint8_t error_code() const noexcept { return static_cast<std::uint8_t>(claim); }
  [[nodiscard]] std::uint8_t error_type() const noexcept { return static_cast<std::uint8_t>(claim >> 8); }
  [[nodiscard]] bool is_startup() const noexcept { return claim >= kFirstStartupClaim && claim <= kLastStartupClaim; }
};

/// A breach that this analyser saw itself, and where.
struct Seen {
  findings::FindingId id{};
  FrameNumber frame;
  FrameNumber first;  ///< of its evidence
};

/// Whether a breach at this place is what the Terminate is about: on the message that it names, if it names one.
bool is_spoken_of(const qp::BreachPlace& place, const qp::TerminateStory& t) noexcept {
  if (place.frame.value == 0 || place.frame > t.at.frame) return false;
  if (!t.named) return true;
  return place.frame == t.named->frame || (place.message && *place.message == t.named->message);
}

/// The last breach of the accused side before the Terminate that is reported by such a claim, on the message that it
/// names if it names one.
std::optional<Seen> latest_cause(const Draft& draft, const Terminated& t) {
  std::optional<Seen> latest;
  for (const qp::NotedFinding& f : draft.story().findings) {
    if (f.direction != t.accused() || !is_cause(f.id, t.layer(), t.error_type(), t.error_code())) continue;
    const qp::BreachPlace only{f.frame, f.frame, std::nullopt};
    for (const qp::BreachPlace& place : {f.begin.frame.value != 0 ? f.begin : only, f.latest}) {
      if (!is_spoken_of(place, t.story) || (latest && place.frame <= latest->frame)) continue;
      // The Terminate itself may be the last of the evidence.
      latest = Seen{f.id, place.frame == t.story.at.frame && t.story.named ? t.story.named->frame : place.frame,
                    place.first};
    }
  }
  return latest;
}

/// The claim, read in the RFC's order of bits where its sender seems to have the other: Linux siw's "0/2/07" and the
/// RFC's "2/0/07" are the same octets. What was wrong in startup tells them apart. Source: RFC 6581 §8.
std::uint32_t claim_of(const Draft& draft, const qp::TerminateStory& t, Direction accused) {
  const std::uint32_t claim = (std::uint32_t{t.layer} << 16) | (std::uint32_t{t.error_type} << 8) | t.error_code;
  if (t.dialect != rdmap::TerminateDialect::siw_le || t.layer != 0 || t.named) return claim;
  const std::uint32_t other = (std::uint32_t{t.error_type} << 16) | t.error_code;
  const bool fits = other >= kFirstStartupClaim && other <= kLastStartupClaim &&
                    latest_cause(draft, {t, opposite(accused), other}).has_value();
  return fits ? other : claim;
}

std::optional<Terminated> first_terminate(const Draft& draft) {
  std::optional<Terminated> first;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& t = draft.from(d).terminate;
    if (t && (!first || t->at.frame < first->story.at.frame)) {
      first.emplace(Terminated{*t, d, claim_of(draft, *t, opposite(d))});
    }
  }
  return first;
}

/// The wire contradicts what the Terminate says.
bool judge_false_claim(Draft& draft, const Terminated& t) {
  const auto is_noted = [&](FindingId id) {
    const auto* f = draft.noted(id, t.sender);
    return f != nullptr && f->frame == t.story.at.frame;
  };
  if (is_noted(FindingId::rdmap_terminate_claim_false)) {
    draft.say(
        "But the header it quotes cannot have that error: the side that sent the Terminate is more likely at fault.");
  } else if (is_noted(FindingId::rdmap_terminate_names_unsent)) {
    draft.say(
        fmt::format("But the DDP header it quotes is none that {} ever sent: the side that sent the Terminate is "
                    "more likely at fault.",
                    draft.who(t.accused())));
  } else if (t.claim == kMarkerClaim && is_noted(FindingId::mpa_reported_error_not_seen)) {
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

/// AT-18: the side that sent the Terminate lacks RFC 7306.
bool judge_refused_extension(Draft& draft, const Terminated& t) {
  const auto* f = draft.noted(FindingId::rdmap_extension_refused, t.sender);
  if (f == nullptr || f->frame != t.story.at.frame || t.claim != kOpcodeClaim) return false;
  const findings::Rule& rule = findings::rule(f->id);
  draft.decide(Outcome::failed, Draft::blame(t.accused()), Confidence::likely);
  draft.say(fmt::format(
      "{} had sent an atomic or Immediate Data message, and the RNIC or driver of the other side does not know the "
      "extension of RFC 7306: {} ({}).",
      draft.who(t.accused()), rule.name, rule.code));
  draft.advise(rule.next);
  return true;
}

/// MS-28: there was no RTR to send, and the Initiator said so by another error.
bool judge_unsaid_rtr_mismatch(Draft& draft, const Terminated& t) {
  const auto* f = draft.noted(FindingId::mpa_rtr_mismatch_not_terminated, t.sender);
  if (f == nullptr || f->frame != t.story.at.frame) return false;
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

/// This analyser saw itself what the accused side did wrong.
bool judge_by_evidence(Draft& draft, const Terminated& t) {
  const auto seen = latest_cause(draft, t);
  if (!seen) return false;
  const findings::Rule& rule = findings::rule(seen->id);
  draft.decide(Outcome::failed, Draft::blame(t.accused()), Confidence::certain);
  draft.say(fmt::format("The wire agrees that {} was at fault: {} ({}) in frame {}.", draft.who(t.accused()), rule.name,
                        rule.code, seen->frame.value));
  draft.show(seen->first);
  draft.show(seen->frame);
  draft.advise(rule.next);
  draft.advise_gso(seen->id);
  return true;
}

/// The RTR was refused for an STag that it need not have: its length is zero, and no STag is checked then.
/// Source: RFC 5041 §5.2, RFC 5040 §5.2.1, RFC 6581 §9.2.
bool judge_refused_rtr(Draft& draft, const Terminated& t) {
  const auto& startup = draft.record.startup;
  const auto& named = t.story.named;
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

/// A Read Response was refused by the side that said where it is to go.
bool judge_refused_sink(Draft& draft, const Terminated& t, const TerminateAdvice& advised) {
  const auto& named = t.story.named;
  if (advised.culprit != Culprit::named || !named || named->opcode != rdmap::Opcode::rdma_read_response) return false;
  draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely);
  draft.say(
      "The buffer is its own: it named it as the sink of its Read Request. On iWARP the sink of an RDMA Read needs the "
      "right of remote write, and must stay registered until the Response is there.");
  draft.advise(
      "Check the registration of the Read's sink on the side that sent the Terminate: remote write, still valid, and "
      "long enough.");
  return true;
}

void judge_by_usual_cause(Draft& draft, const Terminated& t, const TerminateAdvice& advised) {
  switch (advised.culprit) {
    case Culprit::named: draft.decide(Outcome::failed, Draft::blame(t.accused()), Confidence::likely); break;
    case Culprit::terminator: draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely); break;
    case Culprit::path: draft.decide(Outcome::failed, Blame::path, Confidence::likely); break;
    case Culprit::either: draft.decide(Outcome::failed, Blame::unknown, Confidence::likely); break;
  }
  const auto& startup = draft.record.startup;
  if (t.is_startup() && startup && startup->request && startup->reply) {
    const LegacyDisagreement d = legacy_disagreement(*startup->request, *startup->reply, draft.is_over_sctp());
    if (!d.what.empty()) draft.say(fmt::format("The two startup frames: {}.", d.what));
  }
  draft.say(fmt::format("The usual cause: {}.", advised.cause));
  draft.advise(advised.next);
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
  const Terminated& t = *first;
  draft.show(t.story.at.frame);
  draft.say(fmt::format("{} ended the stream with a Terminate in frame {}: {}.", draft.who(t.sender),
                        t.story.at.frame.value, rdmap::error_name(t.layer(), t.error_type(), t.story.error_code)));
  if (t.story.named) {
    draft.say(named_message(draft, t.accused(), *t.story.named));
    draft.show(t.story.named->frame);
  }
  if (t.claim == kCrcClaim) {
    judge_crc_claim(draft, t.accused(), t.story.at.frame);
    return true;
  }
  const TerminateAdvice advised = advice(t.layer(), t.error_type(), t.story.error_code, t.story.dialect);
  if (judge_false_claim(draft, t) || judge_refused_rtr(draft, t) || judge_refused_extension(draft, t) ||
      judge_unsaid_rtr_mismatch(draft, t) || judge_by_evidence(draft, t) || judge_refused_sink(draft, t, advised)) {
    return true;
  }
  judge_by_usual_cause(draft, t, advised);
  return true;
}

}  // namespace iwarpscope::verdict
