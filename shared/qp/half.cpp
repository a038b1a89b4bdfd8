#include "qp/half.h"

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "ddp/header.h"
#include "qp/digest.h"
#include "rdmap/opcode.h"

namespace iwarpscope::qp {

namespace {

/// Two of the largest FPDUs: whatever damage did to one, the next is found among so many octets. Ours.
constexpr std::uint64_t kForeignOctets = 132u << 10;

/// Text or another protocol, most likely. Source: RFC 5041 §4.1, RFC 5040 §4.1.
bool is_unlike_rdma(Octets ulpdu) noexcept {
  return ulpdu.size() >= 2 &&
         (ddp::Control{to_u8(ulpdu[0])}.reserved() != 0 || rdmap::Control{to_u8(ulpdu[1])}.reserved() != 0);
}

}  // namespace

Half::Half(Direction direction, Common& common) : common_(common), direction_(direction) {}
Half::~Half() = default;

void Half::join(Half& other, const tcp::Connection& connection, mpa::Startup* startup) noexcept {
  other_ = &other;
  connection_ = &connection;
  startup_ = startup;
}

void Half::begin_framing(const mpa::FramingSettings& settings) {
  framer_ = std::make_unique<mpa::Framer>(direction_, settings, common_.env.mpa, common_.env.budget, *this, common_);
  ddp_ = std::make_unique<ddp::Reassembler>(direction_, *this, common_);
  if (!settings.sequence_start) gapless_ = false;  // what stood before the first FPDU found is not known
  if (settings.ddp_version) ddp_->set_version(*settings.ddp_version);
  startup_ = nullptr;
}

void Half::set_startup_frames(const mpa::StartupFrame* request, const mpa::StartupFrame* reply) noexcept {
  startup_request_ = request;
  startup_reply_ = reply;
}

void Half::octets(const tcp::Chunk& chunk) {
  stream_end_ = chunk.offset.value + chunk.octets.size();
  if (framer_ == nullptr) {
    if (startup_ == nullptr) return;
    const std::size_t taken = feed_startup(chunk);
    if (framer_ == nullptr || taken >= chunk.octets.size()) return;
    tcp::Chunk rest = chunk;
    rest.offset = chunk.offset + taken;
    rest.octets = chunk.octets.subspan(taken);
    rest.starts_tcp_segment = chunk.starts_tcp_segment && taken == 0;
    framer_->octets(rest);
    return;
  }
  framer_->octets(chunk);
}

std::size_t Half::feed_startup(const tcp::Chunk& chunk) {
  const auto end_of = [](const mpa::StartupFrame* frame) { return frame != nullptr ? frame->end : StreamOffset{}; };
  const StreamOffset request = end_of(startup_->request()), reply = end_of(startup_->reply());
  const std::size_t taken = startup_->octets(direction_, chunk, !common_.one_sided);
  if (common_.observation != nullptr) {
    for (const auto& [frame, before] : {std::pair(startup_->request(), request), {startup_->reply(), reply}}) {
      if (frame != nullptr && frame->end != before) common_.observation->startup_frame(direction_, *frame);
    }
  }
  common_.startup_moved();
  return taken;
}

void Half::missing(StreamOffset offset, std::uint64_t length, tcp::Missing reason, FrameNumber frame, TimePoint time) {
  stream_end_ = offset.value + length;
  octets_missing_ = true;
  if (reason != tcp::Missing::snap_length) {
    lost_octets();
  }
  if (framer_ != nullptr) {
    const bool framed = is_framed_to_its_end();
    framer_->missing(offset, length, reason, frame, time);
    if (framed && !is_framed_to_its_end() && reason == tcp::Missing::snap_length) {
      cut_framing_ = true;
      if (common_.observation != nullptr) common_.observation->gap(direction_);
    }
  } else if (startup_ != nullptr) {
    startup_->missing(direction_, offset, length, reason, frame, time);
    common_.startup_moved();
  }
}

void Half::fpdu(const mpa::Fpdu& fpdu) {
  if (fpdu.after_gap) lost_octets();
  const bool first = framed_end_ == 0;
  framed_end_ = fpdu.end.value;
  if (first) first_fpdu(fpdu);
  last_crc_bad_ = fpdu.crc == mpa::CrcVerdict::bad;
  last_unlike_ = last_crc_bad_ && is_unlike_rdma(fpdu.ulpdu);
  if (last_crc_bad_) other_->outstanding_.mark_gap();  // it may be a response that cannot be known as one
  if (last_crc_bad_ && rare().first_bad_crc_frame.value == 0) {
    make_rare().first_bad_crc_frame = fpdu.last_frame;
    make_rare().first_bad_crc_offset = fpdu.start;
  }
  if (common_.midstream) {
    common_.move(Event::joined);
  } else if (!common_.agreement || common_.agreement->initiator == direction_ || common_.one_sided) {
    common_.move(Event::fpdu);
  }
  common_.confirm();
  if (common_.observation != nullptr) common_.observation->fpdu(direction_, fpdu);
  ddp_->ulpdu(ddp::carrier_of(fpdu), fpdu.ulpdu, fpdu.ulpdu_length);
}

void Half::marker(StreamOffset at, std::uint32_t value) {
  if (common_.observation != nullptr) common_.observation->marker(direction_, at, value);
}

void Half::undecodable(const ddp::Carrier&, Octets) {
  lost_octets();
}

void Half::lost_octets() {
  gapless_ = false;
  merged_ahead_ = 0;
  other_->outstanding_.mark_gap();
  if (common_.observation != nullptr) common_.observation->gap(direction_);
}

void Half::segment(const ddp::Segment& segment) {
  ++ddp_segments_;
  if (segment.first_of_message) begin_message(segment);
  OpenMessage* open = find_open(segment.message);
  if (open == nullptr) return;
  open->last_frame = std::max(open->last_frame, segment.carrier.last_frame);
  open->placed_time = std::max(open->placed_time, segment.carrier.placed_time);
  open->delivered_time = std::max(open->delivered_time, segment.carrier.delivered_time);
  if (rdmap::traits(open->opcode).has_payload) {
    count_of(open->opcode).payload_octets += segment.payload_length;
  }
  if (open->digest != nullptr) open->digest->add(segment.payload);
  history_.add(segment);
  if (common_.observation != nullptr) common_.observation->segment(open->facts(direction_), segment);
}

void Half::message_ended(const ddp::MessageEnd& end) {
  const auto it = std::find_if(open_.begin(), open_.end(), [&](const auto& o) { return o->message == end.message; });
  if (it == open_.end()) return;
  std::unique_ptr<OpenMessage> open = std::move(*it);
  open_.erase(it);
  if (!end.complete) ++incomplete_;
  if (common_.observation != nullptr) common_.observation->message_ended(open->facts(direction_), end);
  const bool recorded =
      common_.env.messages || (common_.env.atomic_results && open->opcode == rdmap::Opcode::atomic_response);
  std::unique_ptr<MessageRecord> record = recorded ? make_record(*open, end) : nullptr;
  switch (open->opcode) {
    case rdmap::Opcode::rdma_read_request:
    case rdmap::Opcode::atomic_request: request_ended(*open, end, std::exchange(record, nullptr)); break;
    case rdmap::Opcode::rdma_read_response:
    case rdmap::Opcode::atomic_response: response_ended(*open, end, record.get()); break;
    case rdmap::Opcode::terminate: terminate_ended(*open, record.get()); break;
    case rdmap::Opcode::immediate:
    case rdmap::Opcode::immediate_se:
      if (record != nullptr && open->header.size() >= 8) {
        record->detail = ImmediateDetail{load_be<std::uint64_t>(open->header)};
      }
      break;
    case rdmap::Opcode::rdma_write:
    case rdmap::Opcode::send:
    case rdmap::Opcode::send_invalidate:
    case rdmap::Opcode::send_se:
    case rdmap::Opcode::send_se_invalidate:
    case rdmap::Opcode::unknown: break;
  }
  if (record != nullptr) common_.events.message(std::move(*record));
  common_.env.spare_messages.push_back(std::move(open));
}

void Half::ended(bool orderly) {
  if (ended_) {
    // What came behind the FIN or the RST ends now; who is to blame for it was told.
    if (framer_ == nullptr) return;
    framer_->finish(false, common_.frame, common_.time);
    ddp_->finish(false, common_.frame, common_.time);
    return;
  }
  ended_ = true;
  if (framer_ == nullptr) return;
  ended_inside_fpdu_ = framer_->pending_octets() != 0;
  ended_inside_message_ = !open_.empty();
  framer_->finish(orderly, common_.frame, common_.time);
  ddp_->finish(orderly && gapless_ && is_framed_to_its_end(), common_.frame, common_.time);
  judge_stream_end();
}

/// RM-34: octets that are no FPDUs, in a stream that was framed from its startup on and of which nothing is missing. It
/// must be sure that they begin where an FPDU had to: every FPDU before has a right CRC, and what was read as the next
/// has a wrong one and no header of DDP and RDMAP. Behind other trouble a wrong length explains as much.
void Half::judge_stream_end() {
  const mpa::FramerStatistics& s = framer_->statistics();
  if (framer_->state() == mpa::FramerState::framing || octets_missing_ || common_.midstream) return;
  const bool read_as_one = last_crc_bad_ && last_unlike_ && s.crc_bad == 1;
  if (!read_as_one || s.crc_good == 0 || s.crc_good + 1 != s.fpdus || s.resynchronisations != 0) return;
  const std::uint64_t foreign = stream_end_ - std::min(stream_end_, framed_end_);
  if (foreign < kForeignOctets) return;
  findings::Finding f;
  f.id = findings::FindingId::rdmap_not_rdma;
  f.direction = direction_;
  f.seen = std::to_string(foreign);
  f.text = "After " + counted(s.crc_good, "FPDU") +
           " with right CRCs this direction carries octets that are no FPDUs, and nothing of it is missing.";
  common_.raise(std::move(f));
}

void Half::tell_crc_reaction() {
  if (rare().first_bad_crc_frame.value == 0 || bad_crc_explained_) return;
  bad_crc_explained_ = true;
  findings::Finding f;
  f.id = findings::FindingId::mpa_crc_mismatch_reaction;
  f.direction = direction_;
  f.offset = rare().first_bad_crc_offset;
  f.frames = {rare().first_bad_crc_frame, common_.frame};
  const std::string which =
      "The FPDU of frame " + std::to_string(rare().first_bad_crc_frame.value) + " (bad CRC) was followed by ";
  if (other_->terminate_seen_) {
    f.text = which + "a Terminate that names another error.";
  } else if (connection_->statistics(direction_).retransmitted_octets != 0) {
    f.text = which +
             "no Terminate; octets of this direction were sent again, as a receiver that drops the TCP segment makes "
             "its peer do.";
  } else {
    f.text =
        which + "neither a Terminate nor a retransmission: the octets may have been right where they were received.";
  }
  common_.raise(std::move(f));
}

std::optional<WaitingStory> Half::waiting() const {
  if (outstanding_.empty() || outstanding_.at(0).before_gap || !other_->is_captured()) return rare().waiting;
  const Request& oldest = outstanding_.at(0);
  return WaitingStory{outstanding_.size(), oldest.atomic, oldest.msn, {oldest.frame, oldest.time}};
}

void Half::settle_requests(bool closed) {
  tell_crc_reaction();
  if (!other_->is_captured()) outstanding_.mark_gap();
  const bool certain = closed && !common_.first_terminate && other_->gapless_ && gapless_ && requests_certain_ &&
                       !common_.midstream && !common_.one_sided && other_->framer_ != nullptr &&
                       other_->framer_->pending_octets() == 0 && is_framed_to_its_end() &&
                       other_->is_framed_to_its_end();
  if (const auto now = waiting()) make_rare().waiting = now;
  if (credit_ != nullptr) credit_->ended(common_.time);
  if (!outstanding_.empty()) requests_certain_ = false;  // a response that was on its way may still pass the tap
  while (!outstanding_.empty()) {
    std::optional<Request> request = outstanding_.take(outstanding_.at(0).message);
    if (certain && !request->before_gap) {
      findings::Finding f;
      f.id = request->atomic ? findings::FindingId::rdmap_atomic_request_unanswered
                             : findings::FindingId::rdmap_read_request_unanswered;
      f.direction = direction_;
      f.message = request->message;
      f.frames = {request->frame};
      f.text = std::string("The connection closed without a Terminate and without a response to the ") +
               (request->atomic ? "Atomic Request" : "Read Request") + " with MSN " +
               std::to_string(request->msn.value) + " of frame " + std::to_string(request->frame.value) + ".";
      common_.raise(std::move(f));
    }
    if (request->record != nullptr) common_.events.message(std::move(*request->record));
  }
}

void Half::trim() {
  history_.trim();
  outstanding_.trim();
  if (credit_ != nullptr) credit_->trim();
  if (open_.empty()) open_.shrink_to_fit();
}

DirectionRecord Half::record() const {
  DirectionRecord r;
  const tcp::DirectionStatistics& t = connection_->statistics(direction_);
  r.tcp_segments = t.tcp_segments;
  r.stream_octets = t.stream_octets;
  r.retransmitted_octets = t.retransmitted_octets;
  r.retransmitted_segments = t.retransmitted_segments;
  r.out_of_order_segments = t.out_of_order_segments;
  r.capture_gap_octets = t.capture_gap_octets;
  if (framer_ != nullptr) {
    const mpa::FramerStatistics& f = framer_->statistics();
    r.fpdus = f.fpdus;
    r.fpdu_octets = f.fpdu_octets;
    r.markers = f.markers;
    r.crc_ok = f.crc_good;
    r.crc_bad = f.crc_bad;
    r.crc_unjudged = f.crc_unjudged;
  }
  r.ddp_segments = ddp_segments_;
  for (const OpcodeCount& c : counts_) {
    r.messages[static_cast<std::size_t>(c.opcode)] = c.messages;
    r.payload_octets[static_cast<std::size_t>(c.opcode)] = c.payload_octets;
  }
  r.captured = is_captured();
  r.cut_octets = t.cut_octets;
  r.cut_framing = cut_framing_;
  if (framer_ != nullptr) {
    r.unframed_octets = framer_->statistics().skipped_octets + framer_->statistics().unframed_octets;
  }
  if (credit_ != nullptr) {
    r.max_outstanding_reads = credit_->most_at_tap();
    r.read_credit = credit_->record(read_limit(), common_.time);
  }
  r.incomplete_messages = incomplete_;
  return r;
}

bool Half::is_captured() const noexcept {
  return connection_->statistics(direction_).tcp_segments != 0 && !connection_->is_unseen(direction_);
}

std::optional<std::uint8_t> Half::ddp_version() const noexcept {
  return ddp_ != nullptr ? ddp_->version() : std::nullopt;
}
std::uint64_t Half::fpdus() const noexcept {
  return framer_ != nullptr ? framer_->statistics().fpdus : 0;
}
std::uint64_t Half::messages() const noexcept {
  return ddp_ != nullptr ? ddp_->messages() : 0;
}

const Half::Rare& Half::rare() const noexcept {
  static const Rare kNone{};
  return rare_ != nullptr ? *rare_ : kNone;
}

Half::Rare& Half::make_rare() {
  if (rare_ == nullptr) rare_ = std::make_unique<Rare>();
  return *rare_;
}

MessageFacts OpenMessage::facts(Direction direction) const noexcept {
  MessageFacts f;
  f.direction = direction;
  f.message = message;
  f.opcode = opcode;
  f.first_frame = first.first_frame;
  f.last_frame = last_frame;
  f.first_time = first.first_time;
  f.placed_time = placed_time;
  f.delivered_time = delivered_time;
  f.tagged = tagged;
  f.intact = intact;
  f.stag = stag;
  f.to = to;
  f.qn = qn;
  f.msn = msn;
  if (!tagged && rdmap::traits(opcode).invalidates) f.invalidates = STag{invalidate_stag};
  return f;
}

OpcodeCount& Half::count_of(rdmap::Opcode opcode) {
  for (OpcodeCount& c : counts_) {
    if (c.opcode == opcode) return c;
  }
  return counts_.emplace_back(OpcodeCount{opcode});
}

OpenMessage* Half::find_open(std::uint64_t message) noexcept {
  for (const auto& open : open_) {
    if (open->message == message) return open.get();
  }
  return nullptr;
}

rdmap::TerminateContext Half::terminate_context() const noexcept {
  rdmap::TerminateContext context;
  if (other_->gapless_ && !common_.midstream) context.peer_has_sent = other_->messages() > 0;
  return context;
}

findings::Finding Half::about(findings::FindingId id, const OpenMessage& open) const {
  findings::Finding f;
  f.id = id;
  f.direction = direction_;
  f.message = open.message;
  f.frame = open.last_frame;
  f.offset = open.first.offset;
  if (open.first.first_frame != open.last_frame) f.frames = {open.first.first_frame, open.last_frame};
  return f;
}

}  // namespace iwarpscope::qp
