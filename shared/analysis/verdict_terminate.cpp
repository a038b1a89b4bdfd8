// Verdicts on streams that a Terminate ended.
#include <optional>

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

/// The first Terminate of a queue pair, and who is who.
struct Terminated {
  const qp::TerminateStory& story;
  Direction sender{};
  std::uint32_t claim = 0;  ///< layer << 16 | error type << 8 | error code

  [[nodiscard]] Direction accused() const noexcept { return opposite(sender); }
  [[nodiscard]] std::uint8_t layer() const noexcept { return static_cast<std::uint8_t>(claim >> 16); }
  [[nodiscard]] std::uint8_t error_type() const noexcept { return static_cast<std::uint8_t>(claim >> 8); }
  [[nodiscard]] bool is_startup() const noexcept { return claim >= kFirstStartupClaim && claim <= kLastStartupClaim; }
  /// RDMAP remote protection, DDP tagged buffer. Source: RFC 5040 §4.8, RFC 5041 §7.2.
  [[nodiscard]] bool is_access() const noexcept { return (claim >> 8) == 0x0001 || (claim >> 8) == 0x0101; }
};

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

bool judge_false_claim(Draft& draft, const Terminated& t) {
  const auto* f = draft.noted(FindingId::rdmap_terminate_claim_false);
  if (f == nullptr || f->direction != t.sender) return false;
  draft.decide(Outcome::failed, Draft::blame(t.sender), Confidence::likely);
  draft.say(
      "But the header it quotes cannot have that error: the side that sent the Terminate is more likely at fault.");
  draft.advise("Look at the kernel log and the RNIC's firmware on the side that sent the Terminate.");
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

/// A use of an STag after its invalidation, of the side whose access was refused.
const qp::NotedFinding* stag_evidence(const Draft& draft, const Terminated& t) {
  if (!t.is_access()) return nullptr;
  for (const FindingId id : {FindingId::rdmap_stag_used_after_invalidate, FindingId::rdmap_response_to_invalidated_stag,
                             FindingId::rdmap_stag_invalidated_twice}) {
    const qp::NotedFinding* f = draft.noted(id);
    if (f != nullptr && f->direction == t.accused() && f->frame <= t.story.at.frame) return f;
  }
  return nullptr;
}

/// This analyser saw itself what the accused side did wrong.
bool judge_by_evidence(Draft& draft, const Terminated& t) {
  const qp::NotedFinding* own = own_evidence(draft, t.accused(), t.story.at.frame, t.is_startup());
  if (own == nullptr) own = stag_evidence(draft, t);
  if (own == nullptr) return false;
  const findings::Rule& rule = findings::rule(own->id);
  draft.decide(Outcome::failed, Draft::blame(t.accused()), Confidence::certain);
  draft.say(fmt::format("The wire agrees that {} was at fault: {} ({}) in frame {}.", draft.who(t.accused()), rule.name,
                        rule.code, own->frame.value));
  draft.show(own->frame);
  draft.advise(rule.next);
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
    const Disagreement d = disagreement(*startup->request, *startup->reply);
    if (!d.what.empty()) draft.say(fmt::format("The two startup frames: {}.", d.what));
  }
  draft.say(fmt::format("The usual cause: {}.", advised.cause));
  draft.advise(advised.next);
}

}  // namespace

bool judge_terminated(Draft& draft) {
  const auto first = first_terminate(draft);
  if (!first) return false;
  const Terminated& t = *first;
  draft.show(t.story.at.frame);
  draft.say(fmt::format("{} ended the stream with a Terminate in frame {}: {}.", draft.who(t.sender),
                        t.story.at.frame.value, rdmap::error_name(t.layer(), t.error_type(), t.story.error_code)));
  if (t.story.named) {
    draft.say(named_message(draft, t.accused(), *t.story.named));
    draft.show(t.story.named->frame);
  }
  if (t.claim == kCrcClaim) {
    judge_crc_claim(draft, t.accused());
    return true;
  }
  const TerminateAdvice advised = advice(t.layer(), t.error_type(), t.story.error_code, t.story.dialect);
  if (judge_false_claim(draft, t) || judge_refused_rtr(draft, t) || judge_by_evidence(draft, t) ||
      judge_refused_sink(draft, t, advised)) {
    return true;
  }
  judge_by_usual_cause(draft, t, advised);
  return true;
}

}  // namespace iwarpscope::analysis
