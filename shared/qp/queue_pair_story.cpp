// What a verdict on a queue pair will need, kept while it lives.
#include <algorithm>

#include "qp/queue_pair_state.h"

namespace iwarpscope::qp {

void QueuePair::Impl::follow(Direction d, const net::TcpPacket& packet) {
  const Moment now{packet.frame, packet.time};
  Course& course = courses_[index(d)];
  course.last = now;
  if (packet.payload_length != 0) course.last_octets = now;
  if (packet.has(net::tcp_flag::rst)) reset_beyond_seen_ = is_reset_beyond_seen(d, packet);
  if (packet.has(net::tcp_flag::syn) || packet.has(net::tcp_flag::rst)) return;
  // A window speaks of the octets of the other direction.
  if (packet.window != 0) {
    if (endings_ != nullptr) ending(opposite(d)).window_closed = {};
  } else if (Moment& closed = ending(opposite(d)).window_closed; !closed.happened()) {
    closed = now;
  }
}

/// The RST shows octets, by its own number or by what it acknowledges, that were not seen, or not in order.
bool QueuePair::Impl::is_reset_beyond_seen(Direction d, const net::TcpPacket& packet) const noexcept {
  const auto is_ahead = [&](Direction of, std::uint32_t sequence) {
    if (!origin_known_[index(of)]) return true;
    const std::uint64_t sent =
        distance(kStreamOrigin, connection_.next_offset(of)) + (connection_.fin_offset(of) ? 1 : 0);
    return static_cast<std::int32_t>(sequence - first_sequence_[index(of)] - static_cast<std::uint32_t>(sent)) > 0;
  };
  return is_ahead(d, packet.sequence) ||
         (packet.has(net::tcp_flag::ack) && is_ahead(opposite(d), packet.acknowledgment));
}

QueuePair::Impl::Ending& QueuePair::Impl::ending(Direction d) {
  if (endings_ == nullptr) endings_ = std::make_unique<std::array<Ending, 2>>();
  return (*endings_)[index(d)];
}

void QueuePair::Impl::note(const findings::Finding& finding) {
  std::vector<NotedFinding>& noted = found_->noted;  // deliver() made it
  const bool is_worth_it = findings::rule(finding.id).severity != findings::Severity::note ||
                           finding.id == findings::FindingId::rdmap_extension_refused;
  if (!is_worth_it) return;
  BreachPlace place{frame, frame, finding.message};
  if (!finding.frames.empty()) {
    place.first = finding.frames.front();
    place.frame = finding.frames.back();
  }
  const auto known = std::find_if(noted.begin(), noted.end(), [&](const NotedFinding& n) {
    return n.id == finding.id && n.direction == finding.direction;
  });
  if (known != noted.end()) {
    known->latest = place;
  } else if (noted.size() < Story::kMostNoted) {
    noted.push_back({finding.id, finding.direction, place.frame, place, {}});
  }
}

Story QueuePair::Impl::story() const {
  Story s;
  if (found_ != nullptr) s.findings = found_->noted;
  std::stable_sort(s.findings.begin(), s.findings.end(),
                   [](const NotedFinding& x, const NotedFinding& y) { return x.frame < y.frame; });
  s.one_sided = one_sided;
  s.reset_beyond_seen = reset_beyond_seen_;
  for (const Direction d : kDirections) {
    DirectionStory& to = s.directions[index(d)];
    const Course& course = courses_[index(d)];
    to.last = course.last;
    to.last_octets = course.last_octets;
    if (endings_ != nullptr) {
      const Ending& ending = (*endings_)[index(d)];
      to.fin = ending.fin;
      to.rst = ending.rst;
      to.window_closed = ending.window_closed;
    }
    const auto acknowledged = connection_.acknowledged(d);
    const StreamOffset sent = connection_.next_offset(d);
    if (acknowledged && *acknowledged < sent) to.unacknowledged = distance(*acknowledged, sent);
    halves_[index(d)].tell(to);
  }
  return s;
}

void Half::tell(DirectionStory& story) const {
  story.last_message = last_message_;
  story.last_opcode = last_opcode_;
  story.inside_fpdu = ended_inside_fpdu_;
  story.inside_message = ended_inside_message_;
  // Where startup does not tell its place, without an FPDU too: then no octet of this direction could be read.
  const bool guessed = common_.midstream || startup_request_ == nullptr || startup_reply_ == nullptr;
  const bool never_found = guessed && connection_ != nullptr && connection_->statistics(direction_).stream_octets != 0;
  story.framing_lost =
      framer_ != nullptr && (framer_->statistics().fpdus != 0 || never_found) && !is_framed_to_its_end();
  story.waiting = waiting();
  story.terminate = rare().terminate;
}

void Half::remember_terminate(const OpenMessage& open, const rdmap::Terminate& terminate,
                              std::optional<std::uint64_t> names) {
  TerminateStory& t = make_rare().terminate.emplace();
  t.at = {open.last_frame, open.placed_time};
  t.layer = terminate.layer;
  t.error_type = terminate.error_type;
  t.error_code = terminate.error_code;
  t.dialect = terminate.dialect;
  const History::Entry* const entry = names ? other_->history_.entry_of(*names) : nullptr;
  if (entry == nullptr) return;
  t.named = TerminateStory::Named{};
  TerminateStory::Named& named = *t.named;
  named.message = entry->message;
  named.opcode = rdmap::opcode_of(entry->rdmap_control);
  named.frame = entry->frame;
  named.tagged = entry->tagged;
  named.stag = STag{entry->stag};
  named.to = TaggedOffset{entry->position};
  named.length = entry->length;
  named.cut = other_->find_open(entry->message) != nullptr;
  const Request* const request = other_->outstanding_.find(entry->message);
  if (request == nullptr) return;
  named.target = TerminateStory::Named::Target{request->source_stag, request->source_to,
                                               request->atomic ? std::nullopt : std::optional{request->size}};
}

}  // namespace iwarpscope::qp
