// Verdicts on connections that never came to their first FPDU.
#include "emulation/private_data.h"
#include "verdict/legacy_draft.h"

namespace iwarpscope::verdict {
namespace {

using findings::FindingId;
using qp::Blame;
using qp::Confidence;
using qp::Outcome;

}  // namespace

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

/// The rule of startup that was broken first, if one was.
const qp::NotedFinding* broken_rule(const Draft& draft) {
  for (const qp::NotedFinding& f : draft.story().findings) {
    if (f.id < FindingId::mpa_ulpdu_length_invalid && findings::rule(f.id).severity == findings::Severity::error) {
      return &f;
    }
  }
  return nullptr;
}

/// A Request of a revision that nobody knows: a receiver may refuse it.
const qp::NotedFinding* draft_revision(const Draft& draft) {
  return draft.noted(FindingId::mpa_revision_unknown, kInitiator);
}

void tell_broken_rule(Draft& draft, const qp::NotedFinding& f) {
  const findings::Rule& rule = findings::rule(f.id);
  draft.say(fmt::format("{} broke {} ({}) in frame {}: {}", f.direction ? draft.who(*f.direction) : "one side",
                        rule.name, rule.code, f.frame.value, rule.what));
  if (f.id == FindingId::mpa_reply_key_wrong) {
    draft.say("So another program answers on that port, or one that is not ready for RDMA.");
  }
  draft.show(f.begin.first);
  draft.show(f.frame);
  draft.advise(rule.next);
  if (f.direction) draft.verdict.blame = Draft::blame(*f.direction);
}

bool is_shut_down(const Draft& draft) {
  return draft.record.closed_by == "shutdown";
}

/// Who caused it that nothing shows the Request to have arrived.
Blame not_acknowledged(const Draft& draft) {
  return draft.never_arrived(kInitiator) ? Blame::path : Blame::unknown;
}

void no_reply(Draft& draft) {
  const qp::DirectionStory& a = draft.from(kInitiator);
  const qp::DirectionStory& b = draft.from(kResponder);
  const auto& startup = draft.record.startup;
  const mpa::StartupFrame* request = startup && startup->request ? &*startup->request : nullptr;
  if (request != nullptr) draft.show(request->frame);
  std::string asked = fmt::format("a{} {} that could not be read", draft.is_over_sctp() ? "" : "n", draft.request());
  if (request != nullptr) asked = fmt::format("the {} of frame {}", draft.request(), request->frame.value);
  if (request != nullptr && !draft.is_over_sctp()) asked += fmt::format(" (revision {})", request->revision);
  const qp::NotedFinding* broken = broken_rule(draft);
  if (draft.story().one_sided) {
    draft.decide(Outcome::unknown, Blame::capture, Confidence::limited);
    draft.say(fmt::format("{} sent {}; whether it was answered is not in the capture.", draft.who(kInitiator), asked));
    return;
  }
  const qp::NotedFinding* const crossed =
      draft.is_over_sctp() ? draft.noted(FindingId::sctp_both_sent_initiate, std::nullopt) : nullptr;
  if (crossed != nullptr) {
    draft.decide(Outcome::failed, Blame::unknown, Confidence::certain);
    draft.say(
        fmt::format("Both ends sent a Session Initiate on this stream, the second one in frame {}: neither could "
                    "answer the other's.",
                    crossed->frame.value));
    draft.show(crossed->frame);
    draft.advise(findings::rule(crossed->id).next);
    return;
  }
  // Who ended it first?
  const auto first_end = [](const qp::DirectionStory& d) { return d.rst.happened() ? d.rst : d.fin; };
  const qp::Moment end_a = first_end(a);
  const qp::Moment end_b = first_end(b);
  const bool by_b = end_b.happened() && (!end_a.happened() || draft.first_of(end_a, end_b) == kResponder);
  if (by_b) {
    draft.decide(Outcome::refused, Blame::b, Confidence::likely);
    draft.say(fmt::format("{} {} in frame {} instead of answering {}.", draft.who(kResponder),
                          b.rst.happened()       ? std::string(draft.reset())
                          : is_shut_down(draft)  ? "shut the association down"
                          : draft.is_over_sctp() ? "sent a Session Terminate"
                                                 : "closed the connection",
                          end_b.frame.value, asked));
    draft.show(end_b.frame);
    if (broken != nullptr) {
      tell_broken_rule(draft, *broken);
    } else if (const qp::NotedFinding* odd = draft_revision(draft); odd != nullptr) {
      tell_broken_rule(draft, *odd);
    } else if (is_shut_down(draft)) {
      draft.advise("Look at the log of the program that shut the association down.");
    } else if (draft.is_over_sctp()) {
      draft.say("That is how a session is refused without the upper layer: too many wait to be accepted.");
      draft.advise("Check that the listener accepts sessions in time and that its backlog is not full.");
    } else {
      draft.say("Its driver does not take this kind of Request, or what listens there does not speak MPA.");
      draft.advise(
          "Check the MPA revision and settings the Responder supports, its kernel log, and that an RDMA listener (not "
          "a plain TCP one) owns the port.");
    }
    return;
  }
  if (end_a.happened()) {
    const TimePoint asked_at = request != nullptr ? request->time : draft.record.first_time;
    const bool doubtful = end_a.frame == a.rst.frame && draft.doubt("an answer", asked_at, end_a.time);
    // Over SCTP it may have asked as well, at the same time.
    const bool spoke = draft.is_over_sctp() && b.last_octets.happened();
    const Blame who = spoke ? Blame::unknown : a.unacknowledged == 0 ? Blame::b : not_acknowledged(draft);
    draft.decide(Outcome::failed, doubtful ? Blame::unknown : who, Confidence::likely);
    draft.say(
        fmt::format("{} gave up in frame {} without an answer to {}", draft.who(kInitiator), end_a.frame.value, asked));
    if (request != nullptr)
      draft.verdict.text += fmt::format(", after {}", Draft::seconds(elapsed_ns(request->time, end_a.time)));
    draft.verdict.text +=
        fmt::format("; the Responder's {} {} acknowledged {}.", draft.transport(),
                    a.unacknowledged != 0 ? "never" : "had", a.unacknowledged != 0 ? "it" : "what it sent");
    draft.show(end_a.frame);
    if (broken != nullptr) tell_broken_rule(draft, *broken);
    draft.advise("Check that the listener accepts connections in time and that its backlog is not full.");
    return;
  }
  const std::int64_t waited = draft.waiting_ns(a.last_octets);
  const bool late = waited >= kReplyLateNs;
  const bool doubtful = draft.doubt_silence(request != nullptr ? request->time : draft.record.first_time);
  const bool arrived = a.unacknowledged == 0;
  const Blame blame = doubtful ? Blame::unknown : arrived ? Blame::b : not_acknowledged(draft);
  draft.decide(late ? Outcome::stalled : Outcome::running, late ? blame : Blame::none, Confidence::likely);
  draft.say(fmt::format("{} has waited {} for an answer to {}{}.", draft.who(kInitiator), Draft::seconds(waited), asked,
                        draft.capture.goes_on ? "" : " when the capture ends"));
  if (!late) return;
  if (!arrived) draft.say(fmt::format("The Responder's {} never acknowledged it.", draft.transport()));
  if (!arrived && !draft.never_arrived(kInitiator)) {
    draft.verdict.confidence = Confidence::limited;
    draft.say(kNotSentAgain);
  }
  draft.advise(arrived ? "Check that the application on the Responder's side accepts the connection."
                       : "Check that the other host is alive, and the path to it.");
}

/// Startup was agreed on, and no FPDU came.
bool no_fpdu(Draft& draft, const mpa::StartupFrame& request, const mpa::StartupFrame& reply) {
  const qp::DirectionStory& a = draft.from(kInitiator);
  const qp::DirectionStory& b = draft.from(kResponder);
  draft.show(request.frame);
  draft.show(reply.frame);
  const bool needs_rtr =
      request.enhanced && reply.enhanced && request.enhanced->peer_to_peer && reply.enhanced->peer_to_peer;
  const LegacyDisagreement d = legacy_disagreement(request, reply, draft.is_over_sctp());
  const bool ended = a.fin.happened() || b.fin.happened() || a.rst.happened() || b.rst.happened();
  if (!ended) {
    const std::int64_t idle = draft.waiting_ns({reply.frame, reply.time});
    const bool doubtful = draft.doubt_silence(reply.time);
    if (needs_rtr && idle >= kReplyLateNs) {
      draft.decide(Outcome::stalled, doubtful ? Blame::unknown : Blame::a, Confidence::likely);
      draft.say(fmt::format("{} agreed to send an RTR message first and has not for {}.", draft.who(kInitiator),
                            Draft::seconds(idle)));
    } else {
      draft.decide(Outcome::running, Blame::none, Confidence::certain);
      draft.say(fmt::format("The {} is set up and no message was sent for {}{}.", draft.connection(),
                            Draft::seconds(idle), draft.capture.goes_on ? "" : ", up to the end of the capture"));
    }
    return true;
  }
  const bool reset = a.rst.happened() || b.rst.happened();
  const auto earliest = [](const qp::DirectionStory& s) {
    if (!s.rst.happened()) return s.fin;
    return s.fin.happened() && s.fin.frame < s.rst.frame ? s.fin : s.rst;
  };
  const qp::Moment end_a = earliest(a);
  const qp::Moment end_b = earliest(b);
  const bool by_a = end_a.happened() && (!end_b.happened() || draft.first_of(end_a, end_b) == kInitiator);
  const qp::Moment end = by_a ? end_a : end_b;
  const Direction closer = by_a ? kInitiator : kResponder;
  draft.show(end.frame);
  if (draft.is_over_sctp() && draft.has_holes()) {
    draft.decide(Outcome::unknown, Blame::capture, Confidence::limited);
    draft.say(fmt::format("{} {} in frame {}, after the {}; the capture holds no {}.", draft.who(closer),
                          reset ? draft.reset() : "ended the session", end.frame.value, draft.reply(), draft.fpdu()));
    return true;
  }
  const qp::NotedFinding* broken = broken_rule(draft);
  if (broken != nullptr || !d.what.empty()) {
    draft.decide(by_a ? Outcome::refused : Outcome::failed, Draft::blame(opposite(closer)), Confidence::likely);
    draft.say(fmt::format("{} ended the {} in frame {}, after the {} and before any {}.", draft.who(closer),
                          draft.connection(), end.frame.value, draft.reply(), draft.fpdu()));
    if (broken != nullptr) {
      tell_broken_rule(draft, *broken);
    } else {
      draft.say(fmt::format("The likely reason: {}.", d.what));
      draft.advise(d.next);
    }
    return true;
  }
  if (reset) {
    draft.decide(Outcome::failed, Draft::blame(closer), Confidence::likely);
    draft.say(fmt::format("{} {} in frame {}, after the {} and before any {}.", draft.who(closer), draft.reset(),
                          end.frame.value, draft.reply(), draft.fpdu()));
    draft.advise(fmt::format("Look at the kernel log of the side that {}.", draft.reset()));
    return true;
  }
  draft.decide(Outcome::completed, Blame::none, Confidence::certain);
  draft.say(fmt::format("The {} was set up and closed in order without a message.", draft.connection()));
  return true;
}

}  // namespace

bool judge_startup(Draft& draft) {
  const auto& startup = draft.record.startup;
  const bool has_fpdus = draft.record.directions[0].fpdus + draft.record.directions[1].fpdus != 0;
  if (draft.record.joined_midstream || !startup || has_fpdus) return false;
  const mpa::StartupFrame* request = startup->request ? &*startup->request : nullptr;
  const mpa::StartupFrame* reply = startup->reply ? &*startup->reply : nullptr;
  if (reply == nullptr) {
    no_reply(draft);
    // A Reply that is not in the capture is nobody's fault.
    if (draft.verdict.blame == Blame::b && !draft.is_whole(kResponder)) draft.verdict.blame = Blame::unknown;
    // Over SCTP nothing but the next chunk of its sender shows one that is missing, and a Responder that only answers
    // sends no other: what the Initiator's messages lack shows that the capture may lack the answer too.
    const bool ended = draft.verdict.outcome == Outcome::failed || draft.verdict.outcome == Outcome::refused;
    if (draft.is_over_sctp() && ended && draft.has_holes()) {
      draft.decide(Outcome::unknown, Blame::capture, Confidence::limited);
    }
    return true;
  }
  if (request == nullptr) return false;
  return no_fpdu(draft, *request, *reply);
}

}  // namespace iwarpscope::verdict
