// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Messages of iwarpscope.v1 as the core's records.
#include <algorithm>
#include <cstring>
#include <limits>
#include <mutex>
#include <set>
#include <string>

#include "api/direction_counters.h"
#include "api/endpoint.h"
#include "api/enums.h"
#include "api/interned.h"
#include "api/records.h"
#include "iwarpscope/v1/finding.pb.h"
#include "iwarpscope/v1/message.pb.h"
#include "mpa/startup_frame_view.h"
#include "net/address.h"
#include "qp/state.h"

namespace iwarpscope::api {

namespace {

/// Words of this version, and then those of others. What is full of made-up words still has these.
struct Words {
  std::mutex mutex;
  std::set<std::string, std::less<>> all;

  Words() {
    for (const findings::Rule& rule : findings::rules()) all.emplace(rule.name);
    for (std::size_t i = 0; i < qp::kStates; ++i) all.emplace(name(static_cast<qp::State>(i)));
    for (const auto outcome : {qp::Outcome::completed, qp::Outcome::refused, qp::Outcome::failed, qp::Outcome::stalled,
                               qp::Outcome::running, qp::Outcome::unknown})
      all.emplace(name(outcome));
    for (const char* const word : {"fin", "rst", "send", "write", "read", "rfc5040", "siw-le", "abort", "shutdown",
                                   "rping", "smb-direct", "nvme", "nfs", "iser", "rdma-cm-example", "perftest"})
      all.emplace(word);
  }
};

Words& words() {
  static auto& all = *new Words;
  return all;
}

constexpr std::string_view kUnknownWord = "unknown";

}  // namespace

std::string_view interned(const std::string& word) {
  constexpr std::size_t kMost = 1024, kLongest = 64;
  Words& known = words();
  const std::lock_guard lock(known.mutex);
  if (const auto its = known.all.find(word); its != known.all.end()) return *its;
  if (known.all.size() >= kMost || word.size() > kLongest) return kUnknownWord;
  return *known.all.insert(word).first;
}

std::string_view known_word(const std::string& word) {
  Words& known = words();
  const std::lock_guard lock(known.mutex);
  const auto its = known.all.find(word);
  return its != known.all.end() ? std::string_view(*its) : kUnknownWord;
}

namespace {

std::vector<std::byte> octets(const std::string& from) {
  std::vector<std::byte> out(from.size());
  if (!from.empty()) std::memcpy(out.data(), from.data(), from.size());
  return out;
}

/// The all-zero address for what is none.
net::IpAddress address(const std::string& text) {
  return net::IpAddress::parse(text).value_or(net::IpAddress{});
}

net::Endpoint endpoint(const v1::Endpoint& in) {
  return {address(in.address()), static_cast<std::uint16_t>(in.port())};
}

StreamOffset absolute(std::int64_t offset) {
  return StreamOffset{kStreamOrigin.value + static_cast<std::uint64_t>(offset)};
}

template <class To>
To narrow(std::uint64_t value) {
  return static_cast<To>(std::min<std::uint64_t>(value, std::numeric_limits<To>::max()));
}

mpa::EnhancedData enhanced(const v1::EnhancedData& in) {
  return {.ird = narrow<std::uint16_t>(in.ird()),
          .ord = narrow<std::uint16_t>(in.ord()),
          .peer_to_peer = in.peer_to_peer(),
          .rtr_send = in.rtr_send(),
          .rtr_write = in.rtr_write(),
          .rtr_read = in.rtr_read()};
}

mpa::StartupFrame startup_frame(const v1::StartupFrame& in, bool reply) {
  mpa::StartupFrame out;
  out.frame = FrameNumber{in.frame()};
  out.time = TimePoint{in.time_ns()};
  out.reply_key = reply;
  out.markers = in.markers();
  out.crc = in.crc();
  out.rejected = in.rejected();
  out.enhanced_flag = in.enhanced();
  out.reserved = narrow<std::uint8_t>(in.reserved());
  out.revision = narrow<std::uint8_t>(in.revision());
  out.function_code = narrow<std::uint16_t>(in.function_code());
  out.private_data_length = narrow<std::uint16_t>(in.private_data_length());
  out.private_data = octets(in.private_data());
  const auto& exact = reply ? mpa::kReplyKey : mpa::kRequestKey;
  out.key = exact;
  if (in.key().size() == exact.size()) std::memcpy(out.key.data(), in.key().data(), exact.size());
  out.key_exact = out.key == exact;
  if (in.has_enhanced_data()) out.enhanced = enhanced(in.enhanced_data());
  if (in.has_legacy_data()) out.legacy = enhanced(in.legacy_data());
  return out;
}

qp::StartupRecord startup(const v1::Startup& in) {
  qp::StartupRecord out;
  if (in.has_request()) out.request = startup_frame(in.request(), false);
  if (in.has_reply()) out.reply = startup_frame(in.reply(), true);
  if (in.has_rtr()) out.rtr = qp::RtrRecord{interned(in.rtr().kind()), FrameNumber{in.rtr().frame()}};
  return out;
}

void read_settings(const v1::Settings& in, qp::QpRecord& out) {
  if (in.has_crc()) out.crc_in_use = in.crc();
  out.crc_inferred = in.crc_inferred();
  if (in.has_markers_a_to_b()) out.markers[0] = in.markers_a_to_b();
  if (in.has_markers_b_to_a()) out.markers[1] = in.markers_b_to_a();
  out.markers_inferred = in.markers_inferred();
  if (in.has_read_depth_a_to_b()) out.read_depth[0] = narrow<std::uint16_t>(in.read_depth_a_to_b());
  if (in.has_read_depth_b_to_a()) out.read_depth[1] = narrow<std::uint16_t>(in.read_depth_b_to_a());
  if (in.has_rdmap_version()) out.rdmap_version = narrow<std::uint8_t>(in.rdmap_version());
  if (in.has_ddp_version()) out.ddp_version = narrow<std::uint8_t>(in.ddp_version());
}

qp::CreditUse credit_use(const v1::CreditUse& in) {
  return {in.peak(), in.times_at_limit(), in.at_limit_ns(), in.over_limit()};
}

qp::Moment moment(const v1::Moment& in) {
  return {FrameNumber{in.frame()}, TimePoint{in.time_ns()}};
}

qp::SequenceRecord sequence(const v1::Sequence& in) {
  qp::SequenceRecord out;
  if (in.has_initial()) out.initial = in.initial();
  out.first = in.first();
  out.octets = in.octets();
  if (in.has_fin()) out.fin = in.fin();
  out.acknowledged_only = in.acknowledged_only();
  if (in.has_tag()) out.tag = in.tag();
  return out;
}

void read_traces(const v1::DirectionCounters& in, qp::DirectionRecord& out) {
  if (in.has_sequence()) out.sequence = sequence(in.sequence());
  for (const v1::OctetRange& r : in.sent_again()) out.loss_traces.sent_again.push_back({r.offset(), r.octets()});
  for (const v1::OctetRange& r : in.filled_late()) out.loss_traces.filled_late.push_back({r.offset(), r.octets()});
  out.loss_traces.more = in.more_loss_traces();
}

void read_direction(const v1::DirectionCounters& in, qp::DirectionRecord& out, qp::DirectionSummary& summary) {
  read_counters(in, out);
  for (const v1::OpcodeCounter& counter : in.opcodes()) {
    const auto opcode = enum_from_v1<rdmap::Opcode>(counter.opcode()).value_or(rdmap::Opcode::unknown);
    out.messages[static_cast<std::size_t>(opcode)] += counter.messages();
    out.payload_octets[static_cast<std::size_t>(opcode)] += counter.payload_octets();
  }
  if (in.has_read_credit()) {
    out.read_credit.emplace();
    if (in.read_credit().has_limit()) out.read_credit->limit = narrow<std::uint16_t>(in.read_credit().limit());
    out.read_credit->reads = credit_use(in.read_credit().reads());
    out.read_credit->all = credit_use(in.read_credit().reads_and_atomics());
  }
  const v1::HeadOfLine& waited = in.head_of_line();
  if (waited.messages() != 0) {
    out.head_of_line = {waited.messages(), waited.total_ns(), waited.largest_ns(), waited.largest_message()};
  }
  read_traces(in, out);
  out.captured = !in.not_captured();
  out.cut_framing = in.cut_framing();
  summary.syn = moment(in.syn());
  summary.init_ack = in.init_ack();
  summary.fin = moment(in.fin());
  summary.rst = moment(in.rst());
  if (in.has_pending_fpdu()) {
    const qp::Moment begin = moment(in.pending_fpdu().begin());
    summary.inside_fpdu = {begin.frame, in.pending_fpdu().octets(), in.pending_fpdu().ulpdu_length(), begin.time};
  }
  summary.unacknowledged = in.unacknowledged_octets();
  if (!in.has_unanswered()) return;
  const v1::Unanswered& waiting = in.unanswered();
  summary.waiting = qp::UnansweredRequests{waiting.count(),
                                           waiting.oldest_is_atomic(),
                                           MessageSequence{waiting.oldest_msn()},
                                           {FrameNumber{waiting.oldest_frame()}, TimePoint{waiting.oldest_time_ns()}}};
}

std::optional<FrameNumber> frame_if(bool there, std::uint64_t frame) {
  return there ? std::optional{FrameNumber{frame}} : std::nullopt;
}

qp::StagUse stag_use(const v1::StagUse& in) {
  qp::StagUse out;
  out.owner = in.owner_is_b() ? Direction::a_to_b : Direction::b_to_a;
  out.stag = STag{in.stag()};
  out.first_frame = FrameNumber{in.first_frame()};
  out.announced_frame = frame_if(in.has_announced_frame(), in.announced_frame());
  out.invalidated_frame = frame_if(in.has_invalidated_frame(), in.invalidated_frame());
  out.written = in.written();
  out.read = in.read();
  out.atomic = in.atomic();
  out.read_sink = in.read_sink();
  out.begin = in.begin();
  out.end = in.end();
  return out;
}

qp::VerdictRecord verdict(const v1::Verdict& in) {
  qp::VerdictRecord out;
  out.outcome = enum_from_v1<qp::Outcome>(in.outcome()).value_or(qp::Outcome::unknown);
  out.blame = enum_from_v1<qp::Blame>(in.blame()).value_or(qp::Blame::unknown);
  out.confidence = enum_from_v1<qp::Confidence>(in.confidence()).value_or(qp::Confidence::limited);
  out.text = in.text();
  for (const std::uint64_t frame : in.evidence()) out.evidence.emplace_back(frame);
  out.next = in.next();
  out.id = in.id();
  out.code = in.code();
  out.cause = in.cause();
  return out;
}

live::FindingCounts counts(const v1::FindingCounts& in) {
  live::FindingCounts out{in.errors(), in.warnings(), in.notes(), std::nullopt};
  if (const findings::Rule* rule = findings::find_rule(in.worst_rule()); rule != nullptr) out.worst = rule->id;
  return out;
}

live::Activity activity(const v1::Activity& in) {
  live::Activity out;
  out.last_second = in.last_second();
  const auto copy = [](const auto& from, auto& to) {
    std::copy_n(from.begin(), std::min(static_cast<std::size_t>(from.size()), to.size()), to.begin());
  };
  copy(in.octets(), out.octets);
  copy(in.messages(), out.messages);
  if (in.octets().empty()) {  // a row: the rate alone
    const double most = std::numeric_limits<std::uint32_t>::max();
    const double rate = in.octets_per_second();
    out.octets[live::Activity::kSeconds - 2] = rate > 0 ? static_cast<std::uint32_t>(std::min(rate, most)) : 0;
  }
  return out;
}

using V1Atomic = v1::Message::AtomicRequest;
using V1Answer = v1::Message::AtomicResponse;

std::string_view operation(V1Atomic::Operation value) {
  switch (value) {
    case V1Atomic::OPERATION_FETCH_ADD: return "fetch_add";
    case V1Atomic::OPERATION_SWAP: return "swap";
    case V1Atomic::OPERATION_CMP_SWAP: return "cmp_swap";
    default: return "unknown";
  }
}

std::optional<std::string_view> verdict_word(V1Answer::Verdict value) {
  switch (value) {
    case V1Answer::VERDICT_VERIFIED: return "verified";
    case V1Answer::VERDICT_FIRST: return "first";
    case V1Answer::VERDICT_INCONSISTENT: return "inconsistent";
    case V1Answer::VERDICT_UNDECIDABLE: return "undecidable";
    default: return std::nullopt;
  }
}

template <class Request>
std::optional<qp::ResponseLink> response(const Request& in) {
  if (!in.has_response()) return std::nullopt;
  return qp::ResponseLink{in.response().index(), in.response().first_octet_ns(), in.response().last_octet_ns()};
}
template <class Response>
std::optional<std::uint64_t> request_index(const Response& in) {
  return in.has_request_index() ? std::optional{in.request_index()} : std::nullopt;
}

qp::TerminateDetail terminate(const v1::Message::Terminate& in) {
  qp::TerminateDetail out;
  out.layer = narrow<std::uint8_t>(in.layer());
  out.error_type = narrow<std::uint8_t>(in.error_type());
  out.error_code = narrow<std::uint8_t>(in.error_code());
  out.name = in.name();
  if (in.has_names()) {
    out.names = qp::NamedMessage{enum_from_v1<Direction>(in.names().direction()).value_or(Direction::a_to_b),
                                 in.names().index()};
  }
  out.dialect = interned(in.dialect());
  if (in.has_terminated_length()) out.terminated_length = in.terminated_length();
  out.terminated_ddp = octets(in.terminated_ddp());
  out.terminated_rdmap = octets(in.terminated_rdmap());
  return out;
}

void read_detail(const v1::Message& in, qp::MessageRecord& out) {
  switch (in.detail_case()) {
    case v1::Message::kReadRequest: {
      const auto& d = in.read_request();
      out.detail = qp::ReadRequestDetail{STag{d.sink_stag()},   TaggedOffset{d.sink_to()},   d.size(),
                                         STag{d.source_stag()}, TaggedOffset{d.source_to()}, response(d)};
      return;
    }
    case v1::Message::kReadResponse: out.detail = qp::ReadResponseDetail{request_index(in.read_response())}; return;
    case v1::Message::kAtomicRequest: {
      const auto& d = in.atomic_request();
      out.detail = qp::AtomicRequestDetail{operation(d.operation()),
                                           d.request_id(),
                                           STag{d.remote_stag()},
                                           TaggedOffset{d.remote_to()},
                                           d.data(),
                                           d.mask(),
                                           d.compare(),
                                           d.compare_mask(),
                                           response(d)};
      return;
    }
    case v1::Message::kAtomicResponse: {
      const auto& d = in.atomic_response();
      out.detail = qp::AtomicResponseDetail{request_index(d), d.request_id(), d.original(),
                                            d.has_result() ? std::optional{d.result()} : std::nullopt,
                                            verdict_word(d.verdict())};
      return;
    }
    case v1::Message::kImmediate: out.detail = qp::ImmediateDetail{in.immediate().data()}; return;
    case v1::Message::kTerminate: out.detail = terminate(in.terminate()); return;
    case v1::Message::DETAIL_NOT_SET: return;
  }
}

}  // namespace

live::RecordName from_v1(const v1::RecordName& in) {
  live::RecordName out;
  live::Origin origin{in.sensor(), in.sensor_uuid(), in.run_uuid()};
  if (!origin.run_uuid.empty() || !origin.sensor.empty())
    out.origin = std::make_shared<const live::Origin>(std::move(origin));
  out.sequence = in.sequence();
  out.interface = in.interface();
  out.tap_group = in.tap_group();
  out.community_id = in.community_id();
  out.arrival = in.arrival();
  return out;
}

live::QpView from_v1(const v1::QueuePair& in) {
  live::QpView view;
  qp::QpRecord& out = view.record;
  view.version = in.version();
  view.ended = in.ended();
  view.continued = in.continued();
  out.qp = in.qp();
  out.a = endpoint(in.a());
  out.b = endpoint(in.b());
  out.roles = enum_from_v1<qp::Roles>(in.roles()).value_or(qp::Roles::address);
  out.joined_midstream = in.joined_midstream();
  out.state = enum_from_v1<qp::State>(in.state()).value_or(qp::State::unconfirmed);
  if (in.has_sctp_stream()) out.sctp_stream = narrow<std::uint16_t>(in.sctp_stream());
  if (!in.closed_by().empty()) out.closed_by = interned(in.closed_by());
  out.first_frame = FrameNumber{in.first_frame()};
  out.last_frame = FrameNumber{in.last_frame()};
  out.first_time = TimePoint{in.first_time_ns()};
  out.last_time = TimePoint{in.last_time_ns()};
  if (in.has_startup()) out.startup = startup(in.startup());
  read_settings(in.settings(), out);
  if (!in.ulp().empty()) out.ulp = interned(in.ulp());
  if (in.has_ulp_limits()) out.negotiated = qp::UlpLimitsRecord{in.ulp_limits().text(), in.ulp_limits().compatible()};
  read_direction(in.a_to_b(), out.directions[0], out.summary.directions[0]);
  read_direction(in.b_to_a(), out.directions[1], out.summary.directions[1]);
  if (in.has_banner()) out.summary.banner = {moment(in.banner().at()), in.banner().octets()};
  for (const v1::StagUse& use : in.stags()) out.stags.push_back(stag_use(use));
  out.stags_known = in.stags_known();
  if (in.has_verdict()) {
    out.verdict = verdict(in.verdict());
    // analysis::first_trouble() takes the earliest frame of a summary: this one.
    qp::Moment& earliest = out.summary.directions[0].window_closed;
    if (in.verdict().has_since_frame()) earliest.frame = FrameNumber{in.verdict().since_frame()};
    // report::first_error() takes the first error of a summary: this one.
    if (const findings::Rule* rule = findings::find_rule(in.verdict().error_rule()); rule != nullptr) {
      out.summary.findings.push_back({rule->id, std::nullopt, FrameNumber{}});
    }
    // verdict::has_repairs() takes the damage of a summary: this one.
    if (in.verdict().repaired()) {
      out.summary.findings.push_back({findings::FindingId::tcp_wrong_checksum, std::nullopt, FrameNumber{}});
    }
  }
  view.findings = counts(in.findings());
  view.activity = activity(in.activity());
  view.losses = losses(in.losses());
  view.name = from_v1(in.name());
  return view;
}

net::Endpoint from_v1(const v1::Endpoint& in) {
  return endpoint(in);
}

live::Losses losses(const v1::Losses& in) noexcept {
  return {in.nic_frames(), in.kernel_frames(), in.queue_frames(), in.gap_octets(), in.gap_messages()};
}

qp::MessageRecord from_v1(const v1::Message& in) {
  qp::MessageRecord out;
  out.qp = in.qp();
  out.direction = enum_from_v1<Direction>(in.direction()).value_or(Direction::a_to_b);
  out.index = in.index();
  out.opcode = enum_from_v1<rdmap::Opcode>(in.opcode()).value_or(rdmap::Opcode::unknown);
  out.first_frame = FrameNumber{in.first_frame()};
  out.last_frame = FrameNumber{in.last_frame()};
  out.first_time = TimePoint{in.first_time_ns()};
  out.placed_time = TimePoint{in.placed_time_ns()};
  out.delivered_time = TimePoint{in.delivered_time_ns()};
  out.ddp_segments = in.ddp_segments();
  out.length = in.length();
  out.complete = in.complete();
  if (in.sha256().size() == 32) std::memcpy(out.sha256.emplace().data(), in.sha256().data(), 32);
  out.tagged = in.has_tagged();
  out.stag = STag{in.tagged().stag()};
  out.to = TaggedOffset{in.tagged().to()};
  out.qn = QueueNumber{in.untagged().qn()};
  out.msn = MessageSequence{in.untagged().msn()};
  if (in.has_invalidate_stag()) out.invalidate_stag = STag{in.invalidate_stag()};
  read_detail(in, out);
  return out;
}

qp::TransportEvent from_v1(const v1::TransportEvent& in) {
  qp::TransportEvent out;
  out.qp = in.qp();
  out.kind = enum_from_v1<qp::TransportEventKind>(in.kind()).value_or(qp::TransportEventKind::retransmission);
  out.direction = enum_from_v1<Direction>(in.direction()).value_or(Direction::a_to_b);
  out.frame = FrameNumber{in.frame()};
  out.time = TimePoint{in.time_ns()};
  out.octets = in.octets();
  if (in.has_offset()) out.offset = absolute(in.offset());
  return out;
}

std::optional<live::FindingView> from_v1(const v1::Finding& in) {
  const findings::Rule* rule = findings::find_rule(in.rule());
  if (rule == nullptr) return std::nullopt;
  live::FindingView view;
  view.sequence = in.sequence();
  view.name = from_v1(in.name());
  if (in.has_a() && in.has_b()) view.ends = std::pair{endpoint(in.a()), endpoint(in.b())};
  findings::Finding& out = view.finding;
  out.id = rule->id;
  if (in.has_qp()) out.qp = in.qp();
  out.direction = enum_from_v1<Direction>(in.direction());
  if (in.has_message()) out.message = in.message();
  out.frame = FrameNumber{in.frame()};
  for (const std::uint64_t frame : in.frames()) out.frames.emplace_back(frame);
  out.time = TimePoint{in.time_ns()};
  if (in.has_began_time_ns()) view.began = TimePoint{in.began_time_ns()};
  if (in.has_offset()) out.offset = absolute(in.offset());
  out.seen = in.seen();
  out.expected = in.expected();
  out.text = in.text();
  return view;
}

}  // namespace iwarpscope::api
