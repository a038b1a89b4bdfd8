// Verdicts on streams that a Terminate ended.
#include "analysis/terminate_advice.h"
#include "analysis/verdict_draft.h"

namespace iwarpscope::analysis {
namespace {

using findings::FindingId;
using qp::Blame;
using qp::Confidence;
using qp::Outcome;

// Layer LLP, type MPA. Source: RFC 5044 §8, RFC 6581 §8.
constexpr std::uint32_t kCrcClaim = 0x020002;
constexpr std::uint32_t kFirstStartupClaim = 0x020004;
constexpr std::uint32_t kLastStartupClaim = 0x020007;

std::string named_message(const Draft& draft, Direction sender, const qp::TerminateStory::Named& named) {
  std::string text = fmt::format("It names the {} of {} in frame {}", rdmap::title(named.opcode), draft.who(sender),
                                 named.frame.value);
  if (named.tagged) {
    text += fmt::format(" (STag 0x{:08x}, TO 0x{:016x}, {} octets)", named.stag.value, named.to.value, named.length);
  } else if (named.length != 0) {
    text += fmt::format(" ({} octets)", named.length);
  }
  return text + ".";
}

/// The first error of the other side that this analyser saw itself, up to the Terminate: of startup when that is what
/// the Terminate speaks of, else of what came after it.
const qp::NotedFinding* own_evidence(const Draft& draft, Direction accused, FrameNumber until, bool startup) {
  for (const qp::NotedFinding& f : draft.story().findings) {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity == findings::Severity::error && rule.about == findings::About::peer && f.direction == accused &&
        f.frame <= until && (f.id < FindingId::mpa_ulpdu_length_invalid) == startup) {
      return &f;
    }
  }
  return nullptr;
}

void judge_crc_claim(Draft& draft, Direction accused) {
  draft.decide(Outcome::failed, Blame::path, Confidence::likely);
  if (const qp::NotedFinding* bad = draft.noted(FindingId::mpa_crc_mismatch);
      bad != nullptr && bad->direction == accused) {
    draft.say(
        fmt::format("The FPDU that ends in frame {} has a wrong CRC at the tap too, although its TCP checksum passed: "
                    "it was damaged in or near the sender, or by something on the way that rewrites checksums.",
                    bad->frame.value));
    draft.show(bad->frame);
    draft.advise("Suspect the sending adapter and host (memory, bus, firmware) and middleboxes before the tap.");
  } else {
    draft.say(
        "Every FPDU was right at the tap: the damage happened between the tap and the side that complains, or in it.");
    draft.advise("Suspect the link and the adapter behind the tap, on the side that sent the Terminate.");
  }
}

/// The claim, read in the RFC's order of bits where its sender seems to have the other: Linux siw's "0/2/07" and the
/// RFC's "2/0/07" are the same octets. What was wrong in startup tells them apart. Source: RFC 6581 §8.
std::uint32_t claim_of(const Draft& draft, const qp::TerminateStory& t, Direction accused) {
  const std::uint32_t claim = (std::uint32_t{t.layer} << 16) | (std::uint32_t{t.error_type} << 8) | t.error_code;
  if (t.dialect != rdmap::TerminateDialect::siw_le || t.layer != 0 || t.named) return claim;
  const std::uint32_t other = (std::uint32_t{t.error_type} << 16) | t.error_code;
  const bool fits = other >= kFirstStartupClaim && other <= kLastStartupClaim &&
                    own_evidence(draft, accused, t.at.frame, true) != nullptr;
  return fits ? other : claim;
}

/// The RTR was refused for an STag that it need not have: its length is zero, and no STag is checked then.
/// Source: RFC 5041 §5.2, RFC 5040 §5.2.1, RFC 6581 §9.2.
bool judge_refused_rtr(Draft& draft, const qp::TerminateStory& terminate, Direction sender) {
  const auto& startup = draft.record.startup;
  if (!startup || !startup->rtr || !terminate.named || terminate.named->frame != startup->rtr->frame) return false;
  draft.decide(Outcome::failed, Draft::blame(sender), Confidence::likely);
  draft.say(fmt::format(
      "That is the RTR message of peer-to-peer mode. It has no payload, so its STag{} means nothing and need not be "
      "valid: the side that refuses it is at fault, or its adapter cannot take this kind of RTR.",
      terminate.named->tagged ? fmt::format(" 0x{:08x}", terminate.named->stag.value) : std::string()));
  draft.advise(
      "Choose another kind of RTR (Send, Read or Write) at the Initiator, or update the Responder's firmware and "
      "driver.");
  return true;
}

}  // namespace

bool judge_terminated(Draft& draft) {
  const qp::TerminateStory* first = nullptr;
  Direction sender{};
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& t = draft.from(d).terminate;
    if (t && (first == nullptr || t->at.frame < first->at.frame)) {
      first = &*t;
      sender = d;
    }
  }
  if (first == nullptr) return false;
  const Direction accused = opposite(sender);
  draft.show(first->at.frame);
  const std::uint32_t claim = claim_of(draft, *first, accused);
  const auto layer = static_cast<std::uint8_t>(claim >> 16), error_type = static_cast<std::uint8_t>(claim >> 8);
  draft.say(fmt::format("{} ended the stream with a Terminate in frame {}: {}.", draft.who(sender),
                        first->at.frame.value, rdmap::error_name(layer, error_type, first->error_code)));
  if (first->named) {
    draft.say(named_message(draft, accused, *first->named));
    draft.show(first->named->frame);
  }
  if (claim == kCrcClaim) {
    judge_crc_claim(draft, accused);
    return true;
  }
  const bool is_startup = claim >= kFirstStartupClaim && claim <= kLastStartupClaim;
  const TerminateAdvice a = advice(layer, error_type, first->error_code, first->dialect);
  if (const auto* f = draft.noted(FindingId::rdmap_terminate_claim_false); f != nullptr && f->direction == sender) {
    draft.decide(Outcome::failed, Draft::blame(sender), Confidence::likely);
    draft.say(
        "But the header it quotes cannot have that error: the side that sent the Terminate is more likely at fault.");
    draft.advise("Look at the kernel log and the RNIC's firmware on the side that sent the Terminate.");
    return true;
  }
  if (judge_refused_rtr(draft, *first, sender)) return true;
  if (const qp::NotedFinding* own = own_evidence(draft, accused, first->at.frame, is_startup)) {
    const findings::Rule& rule = findings::rule(own->id);
    draft.decide(Outcome::failed, Draft::blame(accused), Confidence::certain);
    draft.say(fmt::format("The wire agrees that {} was at fault: {} ({}) in frame {}.", draft.who(accused), rule.name,
                          rule.code, own->frame.value));
    draft.show(own->frame);
    draft.advise(rule.next);
    return true;
  }
  if (a.culprit == Culprit::named && first->named && first->named->opcode == rdmap::Opcode::rdma_read_response) {
    draft.decide(Outcome::failed, Draft::blame(sender), Confidence::likely);
    draft.say(
        "The buffer is its own: it named it as the sink of its Read Request. On iWARP the sink of an RDMA Read needs "
        "the "
        "right of remote write, and must stay registered until the Response is there.");
    draft.advise(
        "Check the registration of the Read's sink on the side that sent the Terminate: remote write, still valid, and "
        "long enough.");
    return true;
  }
  switch (a.culprit) {
    case Culprit::named: draft.decide(Outcome::failed, Draft::blame(accused), Confidence::likely); break;
    case Culprit::terminator: draft.decide(Outcome::failed, Draft::blame(sender), Confidence::likely); break;
    case Culprit::path: draft.decide(Outcome::failed, Blame::path, Confidence::likely); break;
    case Culprit::either: draft.decide(Outcome::failed, Blame::unknown, Confidence::likely); break;
  }
  const auto& startup = draft.record.startup;
  if (is_startup && startup && startup->request && startup->reply) {
    const Disagreement d = disagreement(*startup->request, *startup->reply);
    if (!d.what.empty()) draft.say(fmt::format("The two startup frames: {}.", d.what));
  }
  draft.say(fmt::format("The usual cause: {}.", a.cause));
  draft.advise(a.next);
  return true;
}

}  // namespace iwarpscope::analysis
