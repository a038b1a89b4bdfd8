// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/connection.h"

#include <algorithm>

#include "sctp/control.h"
#include "session/session.h"

namespace iwarpscope::plugin {
namespace {

constexpr std::size_t kMostStags = 65'536;  // of one owner, with a known first frame

Frame frame_of(FrameNumber number) noexcept {
  return static_cast<Frame>(number.value);
}

AtomicVerdict verdict_named(std::string_view name) noexcept {
  if (name == "verified") return AtomicVerdict::verified;
  if (name == "first") return AtomicVerdict::first;
  if (name == "inconsistent") return AtomicVerdict::inconsistent;
  return AtomicVerdict::undecidable;
}

}  // namespace

const FpduEntry* Half::fpdu_at(StreamOffset offset) const noexcept {
  const auto behind = std::upper_bound(fpdus.begin(), fpdus.end(), offset,
                                       [](StreamOffset o, const FpduEntry& f) { return o < f.start; });
  if (behind == fpdus.begin()) return nullptr;
  const FpduEntry& entry = *std::prev(behind);
  return offset < entry.end ? &entry : nullptr;
}

const TerminateEntry* Half::terminate(std::uint32_t message) const noexcept {
  const auto it = std::lower_bound(terminates.begin(), terminates.end(), message,
                                   [](const TerminateEntry& t, std::uint32_t m) { return t.message < m; });
  return it != terminates.end() && it->message == message ? &*it : nullptr;
}

Connection::Connection(Session& session, std::uint32_t number, const qp::Beginning& beginning)
    : id(number), a(beginning.a), b(beginning.b), session_(session) {}

Connection::Connection(Session& session, std::uint32_t number, std::uint32_t association,
                       const sctp::SessionStart& start)
    : id(number),
      a(start.endpoints[0]),
      b(start.endpoints[1]),
      over_sctp(SessionPlace{association, start.stream, start.number, start.active}),
      session_(session) {}

std::optional<std::uint16_t> Connection::read_limit(Direction d) const noexcept {
  const auto reply = std::find_if(startup.rbegin(), startup.rend(), [](const auto& s) { return s.frame.reply_key; });
  if (reply == startup.rend()) return std::nullopt;
  const auto& depths = reply->frame.enhanced ? reply->frame.enhanced : reply->frame.legacy;
  if (!depths) return std::nullopt;
  const std::uint16_t limit = d == reply->direction ? depths->ord : depths->ird;
  return limit == mpa::kDepthNotNegotiated ? std::nullopt : std::optional(limit);
}

void Connection::confirmed(analysis::QpPlace place) {
  session_.confirmed(place, *this);
}

void Connection::available() {
  session_.available_ = id;
}

void Connection::dropped() {
  session_.dropped(id);  // destroys this
}

void Connection::tcp_segment(Direction d, const net::TcpPacket& packet, std::optional<StreamOffset> offset) {
  session_.payload(*this, d, packet, offset);
}

void Connection::startup_frame(Direction d, const mpa::StartupFrame& frame) {
  if (over_sctp) return;  // control() returns it
  Item item{Item::Kind::startup, d, id, static_cast<std::uint32_t>(startup.size())};
  session_.show(item, frame.frame);
  startup.push_back({d, frame, std::nullopt});
}

void Connection::control(Direction d, const sctp::ControlMessage& control) {
  const sctp::Message& message = control.message;
  const auto number = static_cast<std::uint32_t>(startup.size());
  ControlEntry entry;
  entry.code = control.code;
  entry.ssn = static_cast<std::uint16_t>(message.ssn);
  entry.phase = control.phase;
  entry.captured = static_cast<std::uint32_t>(message.octets.size());
  entry.length = message.length;
  entry.at = session_.place_in_frame(message.octets);
  if (entry.at == kNone) entry.octets = session_.store_.keep(message.octets);
  entry.chunk = session_.chunks_.join(*this, {Item::Kind::startup, d, id, number}, message);
  entry.first = frame_of(message.first_frame);
  entry.last = frame_of(message.last_frame);
  entry.delivered = frame_of(message.delivery_frame);
  entry.shown = session_.show({Item::Kind::startup, d, id, number},
                              session_.is_finished() ? message.last_frame : FrameNumber{session_.last_frame()});
  startup.push_back({d, control.startup, entry});
  link_answer(number);
}

/// The Initiate that the control message of this index answers, and the reverse.
void Connection::link_answer(std::uint32_t answer) noexcept {
  StartupFrameEntry& to = startup[answer];
  const std::uint16_t code = to.control->code;
  const bool refuses = to.control->phase == sctp::SessionPhase::refused;
  if (!refuses && !sctp::is_accept(code) && !sctp::is_reject(code)) return;
  for (std::uint32_t i = 0; i < answer; ++i) {
    StartupFrameEntry& from = startup[i];
    if (from.direction == to.direction || !sctp::is_initiate(from.control->code)) continue;
    if (from.control->peer == kNone) from.control->peer = answer;
    to.control->peer = i;
    return;
  }
}

void Connection::marker(Direction d, StreamOffset at, std::uint32_t value) {
  halves[index(d)].markers.push_back({at, value});
  ++pending_markers_[index(d)];
}

void Connection::fpdu(Direction d, const mpa::Fpdu& fpdu) {
  Half& half = halves[index(d)];
  FpduEntry entry;
  entry.start = fpdu.start;
  entry.end = fpdu.end;
  entry.ulpdu_length = fpdu.ulpdu_length;
  entry.length_field = static_cast<std::uint16_t>(fpdu.length_field);
  entry.captured = static_cast<std::uint32_t>(fpdu.ulpdu.size());
  entry.at = session_.place_in_frame(fpdu.ulpdu);
  if (entry.at == kNone) entry.octets = session_.store_.keep(fpdu.ulpdu);
  entry.crc_seen = fpdu.crc_seen;
  entry.crc = fpdu.crc;
  entry.markers = static_cast<std::uint16_t>(std::exchange(pending_markers_[index(d)], 0));
  entry.first_marker = static_cast<std::uint32_t>(half.markers.size() - entry.markers);
  entry.first = frame_of(fpdu.first_frame);
  entry.last = frame_of(fpdu.last_frame);
  entry.delivered = frame_of(fpdu.delivery_frame);
  // A frame of another connection can show that the capture has passed a frame: items that waited until then are shown
  // in that frame.
  const bool here = !session_.is_finished() && session_.available_ == id;
  entry.shown = session_.show({Item::Kind::fpdu, d, id, static_cast<std::uint32_t>(half.fpdus.size())},
                              here ? FrameNumber{session_.last_frame()} : fpdu.last_frame);
  half.fpdus.push_back(entry);
}

void Connection::session_segment(Direction d, const sctp::Message& message) {
  Half& half = halves[index(d)];
  const Item item{Item::Kind::fpdu, d, id, static_cast<std::uint32_t>(half.fpdus.size())};
  FpduEntry entry;
  entry.start = kStreamOrigin + message.ssn;
  entry.end = entry.start + 1u;
  entry.ulpdu_length = message.length;
  entry.captured = static_cast<std::uint32_t>(message.octets.size());
  entry.at = session_.place_in_frame(message.octets);
  if (entry.at == kNone) entry.octets = session_.store_.keep(message.octets);
  entry.crc = mpa::CrcVerdict::not_in_use;
  entry.chunk = session_.chunks_.join(*this, item, message);
  entry.first = frame_of(message.first_frame);
  entry.last = frame_of(message.last_frame);
  entry.delivered = frame_of(message.delivery_frame);
  entry.shown = session_.show(item, session_.is_finished() ? message.last_frame : FrameNumber{session_.last_frame()});
  half.fpdus.push_back(entry);
}

void Connection::segment(const qp::MessageFacts& facts, const ddp::Segment& segment) {
  Half& half = halves[index(facts.direction)];
  if (half.fpdus.empty() || facts.message >= kNone) return;
  while (half.messages.size() <= facts.message) half.messages.emplace_back();
  MessageEntry& entry = half.messages[facts.message];
  FpduEntry& fpdu = half.fpdus.back();
  fpdu.message = static_cast<std::uint32_t>(facts.message);
  fpdu.position = segment.tagged ? static_cast<std::uint32_t>(segment.to.value - facts.to.value) : segment.mo.value;
  fpdu.ends_message = segment.last;
  if (segment.first_of_message) {
    entry.opcode = facts.opcode;
    entry.tagged = facts.tagged;
    entry.first = frame_of(facts.first_frame);
    entry.first_time = facts.first_time;
    entry.first_fpdu = static_cast<std::uint32_t>(half.fpdus.size() - 1);
    if (facts.tagged) note_stag(entry, facts.direction, facts.stag, facts.first_frame);
    if (facts.invalidates) note_stag(entry, facts.direction, *facts.invalidates, facts.first_frame);
  }
  entry.last = frame_of(facts.last_frame);
  entry.placed_time = facts.placed_time;
  entry.delivered_time = facts.delivered_time;
  ++entry.ddp_segments;
  entry.length += segment.payload_length;
  collect(half, static_cast<std::uint32_t>(facts.message), segment);
}

/// The octets of messages in several DDP segments, appended as they are delivered.
void Connection::collect(Half& half, std::uint32_t message, const ddp::Segment& segment) {
  if (segment.first_of_message && segment.last) return;
  const auto it = std::find_if(half.collected.begin(), half.collected.end(),
                               [message](const Half::Collected& c) { return c.message == message; });
  if (it == half.collected.end() && !segment.first_of_message) return;
  Half::Collected& c = it != half.collected.end() ? *it : half.collected.emplace_back();
  c.message = message;
  if (c.dropped) return;
  const SessionOptions& options = session_.options();
  const std::size_t most = segment.tagged ? options.largest_untaken : options.largest_message;
  const bool in_place = half.fpdus.back().position == c.octets.size();
  const bool whole = segment.payload.size() == segment.payload_length;
  if (!in_place || !whole || c.octets.size() + segment.payload.size() > most) {
    c.dropped = true;
    c.octets = {};
    return;
  }
  c.octets.insert(c.octets.end(), segment.payload.begin(), segment.payload.end());
}

void Connection::message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) {
  Half& half = halves[index(facts.direction)];
  MessageEntry* const entry = message(facts.direction, end.message);
  if (entry == nullptr) return;
  entry->ended = true;
  entry->complete = end.complete;
  entry->length = end.length;
  entry->shown = session_.is_finished() ? frame_of(facts.last_frame) : session_.last_frame();
  const auto it = std::find_if(half.collected.begin(), half.collected.end(),
                               [&](const Half::Collected& c) { return c.message == end.message; });
  if (it == half.collected.end()) return;
  if (end.complete && !it->dropped) entry->octets = session_.store_.keep(it->octets);
  half.collected.erase(it);
}

void Connection::requested(Direction sender, const qp::Request& request) {
  MessageEntry* const entry = message(sender, request.message);
  if (entry == nullptr) return;
  Half& half = halves[index(sender)];
  ++(request.atomic ? half.atomics : half.reads);
  entry->outstanding = request.atomic ? half.reads + half.atomics : half.reads;
  if (!request.atomic) note_stag(*entry, opposite(sender), request.sink_stag, request.frame);
  note_stag(*entry, sender, request.source_stag, request.frame);
}

void Connection::answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd&, bool,
                          std::optional<std::uint64_t>) {
  const Direction asker = opposite(response.direction);
  std::uint32_t& waiting = request.atomic ? halves[index(asker)].atomics : halves[index(asker)].reads;
  if (waiting != 0) --waiting;
  MessageEntry* const asked = message(asker, request.message);
  MessageEntry* const answer = message(response.direction, response.message);
  if (asked == nullptr || answer == nullptr) return;
  asked->peer = static_cast<std::uint32_t>(response.message);
  answer->peer = static_cast<std::uint32_t>(request.message);
  asked->first_octet_ns = elapsed_ns(request.time, response.first_time);
  asked->last_octet_ns = elapsed_ns(request.time, response.placed_time);
}

void Connection::terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                            std::optional<std::uint64_t> names) {
  TerminateEntry t;
  t.message = static_cast<std::uint32_t>(facts.message);
  t.layer = terminate.layer;
  t.error_type = terminate.error_type;
  t.error_code = terminate.error_code;
  t.m = terminate.m;
  t.d = terminate.d;
  t.r = terminate.r;
  t.reserved = terminate.reserved;
  t.dialect = terminate.dialect;
  t.has_length = terminate.ddp_segment_length.has_value();
  t.ddp_segment_length = terminate.ddp_segment_length.value_or(0);
  // Both headers follow the four octets that are always present and the length, if present.
  t.ddp_octets = static_cast<std::uint16_t>(terminate.ddp_header.size());
  t.rdmap_octets = static_cast<std::uint16_t>(terminate.rdmap_header.size());
  t.ddp_at = static_cast<std::uint16_t>(rdmap::Terminate::kOctets + (t.has_length ? sizeof(std::uint16_t) : 0));
  t.rdmap_at = static_cast<std::uint16_t>(t.ddp_at + t.ddp_octets);
  halves[index(facts.direction)].terminates.push_back(t);
  MessageEntry* const entry = message(facts.direction, facts.message);
  if (entry != nullptr && names && *names < kNone) entry->named = static_cast<std::uint32_t>(*names);
}

void Connection::gap(Direction d) {
  Half& asker = halves[index(opposite(d))];  // its responses may be in the missing octets
  asker.reads = asker.atomics = 0;
}

void Connection::complete(const qp::MessageRecord& record) {
  MessageEntry* const entry = message(record.direction, record.index);
  const auto* response = std::get_if<qp::AtomicResponseDetail>(&record.detail);
  if (entry == nullptr || response == nullptr) return;
  if (response->verdict) entry->verdict = verdict_named(*response->verdict);
  entry->has_result = response->result.has_value();
  entry->result = response->result.value_or(0);
}

MessageEntry* Connection::message(Direction d, std::uint64_t number) noexcept {
  std::deque<MessageEntry>& all = halves[index(d)].messages;
  return number < all.size() ? &all[number] : nullptr;
}

void Connection::note_stag(MessageEntry& entry, Direction owner, STag stag, FrameNumber frame) {
  auto& known = stags_[index(owner)];
  const auto it = known.find(stag.value);
  if (it != known.end()) {
    entry.stag_first = it->second;
    return;
  }
  entry.stag_first = frame_of(frame);
  if (known.size() < kMostStags) known.emplace(stag.value, frame_of(frame));
}

}  // namespace iwarpscope::plugin
