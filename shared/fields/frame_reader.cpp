// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/frame_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "analysis/analyzer.h"
#include "analysis/trace.h"
#include "fields/headers.h"
#include "mpa/marker.h"

namespace iwarpscope::fields {
namespace {

constexpr std::size_t kMostKept = 8192;       // FPDUs of a direction that are remembered: a frame has fewer
constexpr std::size_t kMostStartup = 16;      // startup frames of a connection
constexpr std::size_t kMostConnections = 64;  // with the same addresses and ports, one after another

/// A startup frame of a connection.
struct KeptStartup {
  StreamOffset start, end;
  bool has_enhanced_data = false;
};

/// The frame in the stream of its connection.
struct Place {
  Direction direction{};
  std::optional<StreamOffset> offset;
};

/// Remembers where the FPDUs of one connection are.
class Follower final : public analysis::Watcher {
 public:
  explicit Follower(FrameNumber wanted) : wanted_(wanted) {}

  [[nodiscard]] const std::optional<Place>& place() const noexcept { return place_; }
  [[nodiscard]] const std::deque<KeptFpdu>& fpdus(Direction d) const noexcept { return fpdus_[index(d)]; }
  [[nodiscard]] const std::vector<KeptStartup>& startup(Direction d) const noexcept { return startup_[index(d)]; }
  /// Everything up to this offset was framed.
  [[nodiscard]] StreamOffset framed(Direction d) const noexcept { return framed_[index(d)]; }

  void confirmed(analysis::QpPlace) override {}
  void dropped() override {}
  void tcp_segment(Direction d, const net::TcpPacket& packet, std::optional<StreamOffset> offset) override {
    if (packet.frame == wanted_) place_ = Place{d, offset};
  }
  void startup_frame(Direction d, const mpa::StartupFrame& frame) override {
    std::vector<KeptStartup>& all = startup_[index(d)];
    if (all.size() < kMostStartup) all.push_back({frame.start, frame.end, frame.enhanced.has_value()});
    framed_[index(d)] = std::max(framed_[index(d)], frame.end);
  }
  void marker(Direction d, StreamOffset at, std::uint32_t value) override { markers_[index(d)].push_back({at, value}); }
  void fpdu(Direction d, const mpa::Fpdu& fpdu) override {
    std::deque<KeptFpdu>& all = fpdus_[index(d)];
    if (all.size() == kMostKept) all.pop_front();
    KeptFpdu& kept = all.emplace_back();
    kept.start = fpdu.start;
    kept.header = fpdu.header;
    kept.end = fpdu.end;
    kept.ulpdu_length = fpdu.ulpdu_length;
    kept.captured = static_cast<std::uint32_t>(fpdu.ulpdu.size());
    const Octets head = fpdu.ulpdu.first(std::min(fpdu.ulpdu.size(), KeptFpdu::kHead));
    kept.head.assign(head.begin(), head.end());
    kept.crc_seen = fpdu.crc_seen;
    kept.crc = fpdu.crc;
    kept.first_frame = fpdu.first_frame;
    kept.last_frame = fpdu.last_frame;
    kept.markers = std::exchange(markers_[index(d)], {});
    framed_[index(d)] = std::max(framed_[index(d)], fpdu.end);
  }
  void segment(const qp::MessageFacts&, const ddp::Segment&) override {}
  void message_ended(const qp::MessageFacts&, const ddp::MessageEnd&) override {}
  void requested(Direction, const qp::Request&) override {}
  void answered(const qp::Request&, const qp::MessageFacts&, const ddp::MessageEnd&, bool,
                std::optional<std::uint64_t>) override {}
  void terminated(const qp::MessageFacts&, const rdmap::Terminate&, std::optional<std::uint64_t>) override {}
  void gap(Direction) override {}

 private:
  const FrameNumber wanted_;
  std::optional<Place> place_;
  std::array<std::deque<KeptFpdu>, 2> fpdus_;
  std::array<std::vector<KeptFpdu::Marker>, 2> markers_;  ///< of the FPDU to come
  std::array<std::vector<KeptStartup>, 2> startup_;
  std::array<StreamOffset, 2> framed_{};
};

analysis::Options options() {
  analysis::Options options;
  options.emulation = false;
  // One connection: a small part of what an analysis of all may hold.
  options.limits.max_flows = 4096;
  options.limits.max_associations = options.limits.max_streams = options.limits.max_qps = 1024;
  options.limits.findings_per_rule = 1;
  return options;
}

void add_sentence(std::string& to, std::string_view sentence) {
  if (!to.empty()) to += ' ';
  to += sentence;
}

}  // namespace

struct FrameReader::State final : private analysis::Trace, private analysis::Observer {
  explicit State(FrameNumber number) : wanted(number), analyzer(options(), *this, this) {}

  analysis::Watcher* follow(const qp::Beginning&) override {
    if (followers.size() == kMostConnections) return nullptr;
    return &followers.emplace_back(wanted);
  }
  // What an SCTP packet holds needs no other packet.
  analysis::Watcher* follow(std::uint64_t, const sctp::SessionStart&) override { return nullptr; }
  void data(std::uint64_t, const sctp::DataSeen&) override {}

  [[nodiscard]] const Follower* follower() const noexcept {
    const auto it = std::ranges::find_if(followers, [](const Follower& f) { return f.place().has_value(); });
    return it == followers.end() ? nullptr : &*it;
  }

  void keep(const net::Frame& packet) {
    const Octets octets = packet.octets.first(std::min(packet.octets.size(), kMostOctets));
    net::Frame cut = packet;
    cut.octets = octets;
    cut.original_length = std::max(packet.original_length, static_cast<std::uint32_t>(packet.octets.size()));
    found.emplace();
    found->number = packet.number;
    found->time = packet.time;
    found->link = packet.link;
    found->original_length = cut.original_length;
    found->octets.assign(octets.begin(), octets.end());
    transport = put_link(cut, found->fields);
    if (transport.kind != Transport::Kind::none) found->source = transport.source;
  }
  /// Whether packets to come can add fields.
  [[nodiscard]] bool is_complete() const noexcept {
    if (transport.kind != Transport::Kind::tcp || transport.wire_length == 0 || after == kMostAfter) return true;
    const Follower* const with = follower();
    if (with == nullptr) return false;
    const auto& place = *with->place();
    return !place.offset || with->framed(place.direction) >= *place.offset + transport.wire_length;
  }

  [[nodiscard]] std::optional<std::uint32_t> length_at(StreamOffset header, StreamOffset offset) const;
  void put_payload(const Follower& with, StreamOffset offset);
  void put_tcp();
  void sort();

  const FrameNumber wanted;
  FrameNumber first;
  std::uint32_t after = 0;  ///< packets taken after the frame
  Transport transport;
  std::optional<FrameFields> found;
  std::deque<Follower> followers;
  analysis::Analyzer analyzer;
};

/// The two octets of a ULPDU_Length, if they are in the frame. `offset`: of its payload.
std::optional<std::uint32_t> FrameReader::State::length_at(StreamOffset header, StreamOffset offset) const {
  if (header < offset || header + mpa::kUlpduLengthOctets > offset + transport.length) return std::nullopt;
  const std::size_t at = transport.payload + static_cast<std::size_t>(distance(offset, header));
  return load_be<std::uint16_t>(Octets{found->octets}.subspan(at));
}

/// The startup frames and FPDUs that have octets in the frame.
void FrameReader::State::put_payload(const Follower& with, StreamOffset offset) {
  const Direction d = with.place()->direction;
  const StreamOffset end = offset + transport.length;
  const auto placing = [&](StreamOffset start) {
    const auto at = static_cast<std::int64_t>(start.value - offset.value);
    return Placing{.at = at + transport.payload,
                   .begin = transport.payload,
                   .end = transport.payload + transport.length,
                   .unit = start};
  };
  std::uint64_t known = 0;
  const auto count = [&](StreamOffset from, StreamOffset to) {
    known += distance(std::max(from, offset), std::min(to, end));
  };
  for (const KeptStartup& startup : with.startup(d)) {
    if (startup.start >= end || startup.end <= offset) continue;
    count(startup.start, startup.end);
    if (startup.start < offset) {
      add_sentence(found->note, "The startup frame begins in an earlier frame.");
      continue;
    }
    Writer to(found->fields, placing(startup.start));
    const auto at = static_cast<std::size_t>(distance(offset, startup.start));
    put_startup(Octets{found->octets}.subspan(transport.payload + at, transport.length - at), startup.has_enhanced_data,
                to);
  }
  for (const KeptFpdu& kept : with.fpdus(d)) {
    if (kept.start >= end || kept.end <= offset) continue;
    KeptFpdu fpdu = kept;
    fpdu.wire_length = length_at(fpdu.header, offset);
    put_fpdu(fpdu, wanted, placing(fpdu.start), found->fields);
    count(fpdu.start, fpdu.end);
  }
  if (known < transport.length) {
    add_sentence(found->note, fmt::format("{} of the TCP payload belong to no FPDU that could be found.",
                                          octets_text(transport.length - known)));
  }
}

void FrameReader::State::put_tcp() {
  if (transport.length == 0) return;
  const Follower* const with = follower();
  if (with == nullptr || !with->place()->offset) {
    add_sentence(found->note, "The TCP payload is not decoded: the FPDU boundaries in it are not known.");
    return;
  }
  found->offset = with->place()->offset;
  put_payload(*with, *found->offset);
}

void FrameReader::State::sort() {
  std::ranges::stable_sort(found->fields.fields, {}, &Field::offset);
}

FrameReader::FrameReader(FrameNumber wanted) : state_(std::make_unique<State>(wanted)) {}
FrameReader::~FrameReader() = default;

bool FrameReader::take(const net::Frame& packet) {
  State& s = *state_;
  if (s.first.value == 0) s.first = packet.number;
  if (s.found) ++s.after;
  if (packet.number == s.wanted && !s.found) s.keep(packet);
  s.analyzer.feed(packet);
  return !s.found || !s.is_complete();
}

std::optional<FrameFields> FrameReader::finish() {
  State& s = *state_;
  if (!s.found) return std::nullopt;
  s.analyzer.finish({});
  s.found->first_analysed = s.first;
  if (s.transport.kind == Transport::Kind::none) add_sentence(s.found->note, s.transport.why);
  if (s.transport.kind == Transport::Kind::tcp) s.put_tcp();
  if (s.transport.kind == Transport::Kind::sctp) put_chunks(s.found->octets, s.transport, s.found->fields);
  if (s.found->octets.size() < s.found->original_length) {
    add_sentence(s.found->note, fmt::format("The capture cut this frame: {} of {} octets are there.",
                                            s.found->octets.size(), s.found->original_length));
  }
  s.sort();
  return std::move(s.found);
}

}  // namespace iwarpscope::fields
