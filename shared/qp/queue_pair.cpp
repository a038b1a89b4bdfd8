#include "qp/queue_pair.h"

#include <algorithm>
#include <utility>

#include "qp/digest.h"
#include "qp/queue_pair_state.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::uint32_t kHandshake = 3;           // TCP segments: SYN, SYN and ACK, ACK
constexpr std::size_t kMostPendingFindings = 64;  // held until the connection is known to be iWARP

bool is_marker_rule(FindingId id) noexcept {
  return id >= FindingId::mpa_marker_missing && id <= FindingId::mpa_markers_disagree;
}

}  // namespace

Environment::Environment(std::size_t buffer_octets) : budget(buffer_octets) {}
Environment::~Environment() = default;

QueuePair::Impl::Impl(Environment& environment, const Beginning& beginning, Events& sink, Observation* observer)
    : Common(environment, sink),
      a_(beginning.a),
      b_(beginning.b),
      roles_(beginning.roles),
      first_frame_(beginning.first_frame),
      first_time_(beginning.first_time),
      connection_(beginning.origins, environment.tcp, environment.budget),
      halves_{Half(Direction::a_to_b, *this), Half(Direction::b_to_a, *this)} {
  observation = observer;
  midstream = beginning.midstream;
  seen_ = {beginning.origins[0].seen, beginning.origins[1].seen};
  const std::uint32_t before = beginning.origins[0].packets + beginning.origins[1].packets;
  handshake_seen_ = beginning.origins[0].syn_seen && beginning.origins[1].syn_seen && before <= kHandshake;
  for (const Direction d : kDirections) {
    origin_known_[index(d)] = beginning.origins[index(d)].seen;
    first_sequence_[index(d)] = beginning.origins[index(d)].next_sequence;
  }
  if (!midstream) startup_ = std::make_unique<mpa::Startup>(*this);
  halves_[0].join(halves_[1], connection_, startup_.get());
  halves_[1].join(halves_[0], connection_, startup_.get());
  if (midstream) {
    for (Direction d : kDirections) {
      mpa::FramingSettings settings;
      settings.mss = connection_.mss(opposite(d));
      halves_[index(d)].begin_framing(settings);
    }
  }
}

void QueuePair::Impl::feed(Direction d, const net::TcpPacket& packet) {
  if (is_stray(d, packet)) return;
  frame = last_frame_ = packet.frame;
  time = last_time_ = packet.time;
  seen_[index(d)] = true;
  follow(d, packet);
  one_sided = !(seen_[0] && seen_[1]);
  if (env.transport && confirmed) {
    const std::array before{connection_.statistics(Direction::a_to_b), connection_.statistics(Direction::b_to_a)};
    connection_.feed(d, packet, sinks(), *this);
    tell_transport(d, packet, before);
  } else {
    connection_.feed(d, packet, sinks(), *this);
  }
  follow_close();
  if (observation != nullptr && packet.payload_length != 0) {
    observation->tcp_segment(d, packet, connection_.offset_of(d, packet));
  }
  if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) keep_startup_frames();
}

void QueuePair::Impl::finish(FrameNumber at_frame, TimePoint at_time) {
  frame = at_frame;
  time = at_time;
  connection_.finish(at_frame, at_time, sinks(), *this);
  one_sided = !(halves_[0].is_captured() && halves_[1].is_captured());
  follow_close();
  end_startup();
  for (Half& half : halves_) half.ended(false);
  for (Half& half : halves_) half.settle_requests(false);
  if (confirmed) conclude();
}

bool QueuePair::Impl::is_given_up() const noexcept {
  if (confirmed) return false;
  if (!midstream) {
    return startup_ != nullptr && startup_->phase() == mpa::StartupPhase::await_request &&
           startup_->request() == nullptr && !startup_->is_collecting();
  }
  bool given_up = false;
  for (const Half& half : halves_) {
    if (half.framer()->state() == mpa::FramerState::given_up) {
      given_up = true;
    } else if (half.framer()->state() == mpa::FramerState::framing || half.has_octets()) {
      return false;
    }
  }
  return given_up;
}

/// It would be held against a sender whose octets are framed by a guess that nothing bears out yet.
bool QueuePair::Impl::is_premature(const findings::Finding& finding) const noexcept {
  const findings::Rule& rule = findings::rule(finding.id);
  if (!finding.direction || rule.about != findings::About::peer || rule.severity == findings::Severity::note) {
    return false;
  }
  const mpa::Framer* const framer = halves_[index(*finding.direction)].framer();
  if (framer == nullptr || framer->is_proven()) return false;
  // That a connection ended badly is told of nobody in particular; one right CRC vouches for it.
  return finding.id != FindingId::rdmap_terminate_sent || framer->statistics().crc_good == 0;
}

void QueuePair::Impl::raise(findings::Finding finding) {
  if (is_premature(finding)) return;
  if (is_marker_rule(finding.id) && finding.direction) marker_errors[index(*finding.direction)] = true;
  if (finding.frames.empty()) finding.frames = {finding.frame.value != 0 ? finding.frame : frame};
  std::sort(finding.frames.begin(), finding.frames.end());
  finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()), finding.frames.end());
  note_error(finding);
  if (confirmed) {
    deliver(std::move(finding));
  } else {
    if (pending_ == nullptr) pending_ = std::make_unique<std::vector<findings::Finding>>();
    if (pending_->size() < kMostPendingFindings) pending_->push_back(std::move(finding));
  }
}

void QueuePair::Impl::confirm() {
  if (confirmed) return;
  confirmed = true;
  events.confirmed(frame);
  if (const auto held = std::move(pending_); held != nullptr) {
    for (findings::Finding& finding : *held) deliver(std::move(finding));
  }
  if (midstream) {
    findings::Finding f;
    f.id = FindingId::capture_joined_midstream;
    f.frames = {first_frame_, frame};
    f.text = "The capture holds no startup of this connection; it was recognised by its FPDUs.";
    deliver(std::move(f));
  }
}

void QueuePair::Impl::deliver(findings::Finding finding) {
  if (found_ == nullptr) found_ = std::make_unique<Found>();
  switch (found_->filter.ask(finding.id, finding.direction, env.findings_per_rule)) {
    case FindingFilter::Answer::repeated:
    case FindingFilter::Answer::over_limit: return;
    case FindingFilter::Answer::first_over_limit: finding = limit_reached(finding, env.findings_per_rule); break;
    case FindingFilter::Answer::report: break;
  }
  finding.frame = frame;
  finding.time = time;
  note(finding);
  events.finding(std::move(finding));
}

QueuePair::QueuePair(Environment& environment, const Beginning& beginning, Events& events, Observation* observation)
    : impl_(std::make_unique<Impl>(environment, beginning, events, observation)) {}
QueuePair::~QueuePair() = default;

void QueuePair::feed(Direction d, const net::TcpPacket& packet) {
  impl_->feed(d, packet);
}
void QueuePair::finish(FrameNumber frame, TimePoint time) {
  impl_->finish(frame, time);
}
bool QueuePair::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  return impl_->is_reused_by(d, packet);
}
bool QueuePair::is_confirmed() const noexcept {
  return impl_->confirmed;
}
bool QueuePair::is_given_up() const noexcept {
  return impl_->is_given_up();
}
bool QueuePair::is_closed() const noexcept {
  return impl_->connection_.closed_by() != tcp::ClosedBy::open;
}
const net::Endpoint& QueuePair::end_a() const noexcept {
  return impl_->a_;
}
const net::Endpoint& QueuePair::end_b() const noexcept {
  return impl_->b_;
}
FrameNumber QueuePair::first_frame() const noexcept {
  return impl_->first_frame_;
}
TimePoint QueuePair::last_time() const noexcept {
  return impl_->last_time_;
}
std::uint64_t QueuePair::mirror_duplicates() const noexcept {
  return impl_->connection_.statistics(Direction::a_to_b).mirror_duplicates +
         impl_->connection_.statistics(Direction::b_to_a).mirror_duplicates;
}
std::uint64_t QueuePair::suppressed_findings() const noexcept {
  return impl_->found_ != nullptr ? impl_->found_->filter.suppressed() : 0;
}
std::uint64_t QueuePair::messages() const noexcept {
  return impl_->halves_[0].messages() + impl_->halves_[1].messages();
}
std::optional<std::string_view> QueuePair::ulp() const {
  return impl_->ulp();
}
QpRecord QueuePair::record() const {
  return impl_->record();
}
bool QueuePair::was_told_before(Direction direction, const ddp::Carrier& at) const noexcept {
  return impl_->halves_[index(direction)].was_told_before(at);
}
void QueuePair::report(findings::Finding finding) {
  impl_->raise(std::move(finding));
}
void QueuePair::trim() {
  impl_->trim();
}

}  // namespace iwarpscope::qp
