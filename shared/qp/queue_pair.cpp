#include "qp/queue_pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "qp/digest.h"
#include "qp/finding_filter.h"
#include "qp/half.h"
#include "qp/ulp.h"

namespace iwarpscope::qp {
namespace {

using findings::FindingId;

constexpr std::size_t kMostPendingFindings = 64;  // held until the connection is known to be iWARP

constexpr std::array<Direction, 2> kDirections{Direction::a_to_b, Direction::b_to_a};

bool is_marker_rule(FindingId id) noexcept {
  return id >= FindingId::mpa_marker_missing && id <= FindingId::mpa_markers_disagree;
}

}  // namespace

Environment::Environment(std::size_t buffer_octets) : budget(buffer_octets) {}
Environment::~Environment() = default;

class QueuePair::Impl final : public Common {
 public:
  Impl(Environment& environment, const Beginning& beginning, Events& sink)
      : Common(environment, sink),
        a_(beginning.a),
        b_(beginning.b),
        roles_(beginning.roles),
        first_frame_(beginning.first_frame),
        first_time_(beginning.first_time),
        connection_(beginning.origins, environment.tcp, environment.budget),
        halves_{Half(Direction::a_to_b, *this), Half(Direction::b_to_a, *this)} {
    midstream = beginning.midstream;
    seen_ = {beginning.origins[0].seen, beginning.origins[1].seen};
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

  void feed(Direction d, const net::TcpPacket& packet) {
    frame = last_frame_ = packet.frame;
    time = last_time_ = packet.time;
    seen_[index(d)] = true;
    one_sided = !(seen_[0] && seen_[1]);
    connection_.feed(d, packet, sinks(), *this);
    follow_close();
    if (startup_ != nullptr && startup_->phase() == mpa::StartupPhase::full_operation) keep_startup_frames();
  }

  void finish(FrameNumber at_frame, TimePoint at_time) {
    frame = at_frame;
    time = at_time;
    connection_.finish(at_frame, at_time, sinks(), *this);
    follow_close();
    end_startup();
    for (Half& half : halves_) half.ended(false);
    for (Half& half : halves_) half.settle_requests(false);
    if (confirmed) conclude();
  }

  [[nodiscard]] bool is_given_up() const noexcept {
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

  // Common
  void raise(findings::Finding finding) override {
    if (is_marker_rule(finding.id) && finding.direction) marker_errors[index(*finding.direction)] = true;
    if (finding.frames.empty()) finding.frames = {finding.frame.value != 0 ? finding.frame : frame};
    std::sort(finding.frames.begin(), finding.frames.end());
    finding.frames.erase(std::unique(finding.frames.begin(), finding.frames.end()), finding.frames.end());
    if (confirmed) {
      deliver(std::move(finding));
    } else if (pending_.size() < kMostPendingFindings) {
      pending_.push_back(std::move(finding));
    }
  }

  void confirm() override {
    if (confirmed) return;
    confirmed = true;
    events.confirmed(frame);
    std::vector<findings::Finding> held = std::move(pending_);
    pending_ = {};
    for (findings::Finding& finding : held) deliver(std::move(finding));
    if (midstream) {
      findings::Finding f;
      f.id = FindingId::capture_joined_midstream;
      f.frames = {first_frame_, frame};
      f.text = "The capture holds no startup of this connection; it was recognised by its FPDUs.";
      deliver(std::move(f));
    }
  }

  void startup_moved() override {
    const mpa::StartupPhase phase = startup_->phase();
    if (phase == last_phase_) return;
    last_phase_ = phase;
    switch (phase) {
      case mpa::StartupPhase::await_request: return;
      case mpa::StartupPhase::await_reply: move(Event::request); break;
      case mpa::StartupPhase::rejected:
        move(Event::reject);
        raise_rejected();
        break;
      case mpa::StartupPhase::failed: move(Event::startup_failed); break;
      case mpa::StartupPhase::full_operation: begin_full_operation(); return;
    }
    confirm();
  }

  [[nodiscard]] QpRecord record() const;
  void trim() {
    for (Half& half : halves_) half.trim();
  }

  const net::Endpoint a_, b_;
  const Roles roles_;
  const FrameNumber first_frame_;
  const TimePoint first_time_;
  FrameNumber last_frame_;
  TimePoint last_time_;
  tcp::Connection connection_;
  FindingFilter filter_;
  std::unique_ptr<mpa::Startup> startup_;  ///< until Full Operation begins
  std::unique_ptr<StartupRecord> kept_;    ///< from then on
  std::array<Half, 2> halves_;

 private:
  std::array<tcp::StreamSink*, 2> sinks() noexcept { return {&halves_[0], &halves_[1]}; }

  void deliver(findings::Finding finding) {
    switch (filter_.ask(finding.id, finding.direction, env.findings_per_rule)) {
      case FindingFilter::Answer::repeated:
      case FindingFilter::Answer::over_limit: return;
      case FindingFilter::Answer::first_over_limit: {
        findings::Finding f;
        f.id = FindingId::capture_findings_limit;
        f.direction = finding.direction;
        f.frames = finding.frames;
        f.seen = findings::rule(finding.id).name;
        f.text = fmt::format("More than {} findings of {} in this direction: the rest is counted, not listed.",
                             env.findings_per_rule, findings::rule(finding.id).code);
        finding = std::move(f);
        break;
      }
      case FindingFilter::Answer::report: break;
    }
    finding.frame = frame;
    finding.time = time;
    events.finding(std::move(finding));
  }

  void begin_full_operation() {
    agreement = startup_->agreement();
    move(startup_->request() != nullptr && startup_->reply() == nullptr ? Event::request : Event::reply);
    confirm();
    for (Direction d : kDirections) {
      mpa::FramingSettings settings;
      settings.markers = agreement->markers[index(d)];
      settings.crc = agreement->crc;
      settings.sequence_start = agreement->sequence_start[index(d)];
      if (startup_->reply() != nullptr) settings.ddp_version = agreement->rdmac ? 0 : 1;
      settings.mss = connection_.mss(opposite(d));
      Half& half = halves_[index(d)];
      half.set_startup_frames(startup_->request(), startup_->reply());
      half.begin_framing(settings);
    }
    const Octets early = startup_->early_octets();
    const auto start = agreement->sequence_start[index(agreement->initiator)];
    if (early.empty() || !start) return;
    tcp::Chunk chunk;
    chunk.offset = *start;
    chunk.octets = early;
    chunk.frame = chunk.delivery_frame = frame;
    chunk.arrival = chunk.delivery = time;
    halves_[index(agreement->initiator)].octets(chunk);
  }

  /// Startup is over: its machine goes, its frames stay.
  void keep_startup_frames() {
    kept_ = std::make_unique<StartupRecord>();
    if (startup_->request() != nullptr) kept_->request = *startup_->request();
    if (startup_->reply() != nullptr) kept_->reply = *startup_->reply();
    for (Half& half : halves_) {
      half.set_startup_frames(kept_->request ? &*kept_->request : nullptr, kept_->reply ? &*kept_->reply : nullptr);
    }
    startup_.reset();
  }

  void end_startup() {
    if (startup_ == nullptr || startup_->phase() == mpa::StartupPhase::full_operation) return;
    for (Direction d : kDirections) {
      if (std::exchange(startup_ended_[index(d)], true)) continue;
      startup_->ended(d, false, false, frame, time);
      startup_moved();
    }
  }

  /// What FINs and RSTs of the last TCP segment mean for the layers above.
  void follow_close() {
    for (Direction d : kDirections) {
      if (connection_.fin_delivered(d) && !fin_told_[index(d)]) {
        fin_told_[index(d)] = true;
        end_half(d, true);
        move(fin_told_[index(opposite(d))] ? Event::fin_both : Event::fin_one);
      }
    }
    if (connection_.reset_by() && !reset_told_) {
      reset_told_ = true;
      if (first_terminate) raise_reset_after_terminate(*connection_.reset_by());
      end_half(*connection_.reset_by(), false);
      // What the other side had on the way still passes the tap: its half ends with its FIN or with the capture.
      end_startup_half(opposite(*connection_.reset_by()), false);
      move(Event::reset);
    }
    if (!settled_ && (reset_told_ || (fin_told_[0] && fin_told_[1]))) {
      settled_ = true;
      for (Half& half : halves_) half.settle_requests(!reset_told_);
    }
  }

  void end_half(Direction d, bool by_fin) {
    halves_[index(d)].ended(by_fin);
    end_startup_half(d, by_fin);
  }

  void end_startup_half(Direction d, bool by_fin) {
    if (startup_ == nullptr || startup_->phase() == mpa::StartupPhase::full_operation) return;
    if (std::exchange(startup_ended_[index(d)], true)) return;
    startup_->ended(d, by_fin, !by_fin, frame, time);
    startup_moved();
  }

  void raise_rejected() {
    const mpa::StartupFrame* reply = startup_->reply();
    if (reply == nullptr) return;
    findings::Finding f;
    f.id = FindingId::mpa_rejected;
    f.direction = Direction::b_to_a;  // A is the Initiator
    f.frames = {reply->frame};
    if (const auto* request = startup_->request(); request != nullptr) f.frames.push_back(request->frame);
    f.offset = reply->start;
    f.text = fmt::format("The MPA Reply refuses the connection; it carries {} octets of private data.",
                         reply->private_data.size());
    raise(std::move(f));
  }

  void raise_reset_after_terminate(Direction by) {
    findings::Finding f;
    f.id = FindingId::rdmap_reset_after_terminate;
    f.direction = by;
    f.text = fmt::format("The connection was reset after the Terminate of direction {}.",
                         *first_terminate == Direction::a_to_b ? "a_to_b" : "b_to_a");
    raise(std::move(f));
  }

  /// What only the end can tell of a whole queue pair.
  void conclude() {
    if (one_sided) {
      findings::Finding f;
      f.id = FindingId::capture_one_sided;
      f.direction = seen_[0] ? Direction::a_to_b : Direction::b_to_a;
      f.frames = {first_frame_, last_frame_};
      f.text = "Only this direction of the connection is in the capture.";
      raise(std::move(f));
    }
    for (Direction d : kDirections) {
      const mpa::Framer* framer = halves_[index(d)].framer();
      if (framer == nullptr || framer->statistics().fpdus == 0) continue;
      const mpa::FramingSettings& s = framer->settings();
      if (!s.crc_inferred && !s.markers_inferred) continue;
      findings::Finding f;
      f.id = FindingId::capture_inferred_settings;
      f.direction = d;
      f.frames = {first_frame_, last_frame_};
      f.text = fmt::format("{}; from the FPDUs themselves: CRC {}, markers {}.",
                           midstream ? "Startup was not seen" : "Startup was not seen whole and in order",
                           s.crc ? (*s.crc ? "in use" : "not in use") : "unknown",
                           s.markers ? (*s.markers ? "in use" : "not in use") : "unknown");
      raise(std::move(f));
    }
  }

  mpa::StartupPhase last_phase_ = mpa::StartupPhase::await_request;
  std::vector<findings::Finding> pending_;
  std::array<bool, 2> seen_{};
  std::array<bool, 2> fin_told_{};
  std::array<bool, 2> startup_ended_{};
  bool reset_told_ = false;
  bool settled_ = false;
};

QpRecord QueuePair::Impl::record() const {
  QpRecord r;
  r.a = a_;
  r.b = b_;
  r.roles = roles_;
  r.joined_midstream = midstream;
  r.state = state;
  r.first_frame = first_frame_;
  r.last_frame = last_frame_;
  r.first_time = first_time_;
  r.last_time = last_time_;
  switch (connection_.closed_by()) {
    case tcp::ClosedBy::open: break;
    case tcp::ClosedBy::fin: r.closed_by = "fin"; break;
    case tcp::ClosedBy::rst: r.closed_by = "rst"; break;
  }
  if (kept_ != nullptr) {
    r.startup = *kept_;
  } else if (startup_ != nullptr) {
    r.startup = StartupRecord{};
    if (startup_->request() != nullptr) r.startup->request = *startup_->request();
    if (startup_->reply() != nullptr) r.startup->reply = *startup_->reply();
  }
  if (r.startup) r.startup->rtr = rtr;
  if (agreement) {
    r.crc_in_use = agreement->crc;
    r.read_depth = agreement->read_depth;
    r.markers = agreement->markers;
  }
  for (Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    r.directions[index(d)] = half.record();
    if (half.framer() == nullptr) continue;
    const mpa::FramingSettings& s = half.framer()->settings();
    if (!r.crc_in_use && s.crc) {
      r.crc_in_use = s.crc;
      r.crc_inferred = s.crc_inferred;
    }
    if (!r.markers[index(d)] && s.markers) {
      r.markers[index(d)] = s.markers;
      r.markers_inferred = r.markers_inferred || s.markers_inferred;
    }
    if (!r.ddp_version) r.ddp_version = half.ddp_version();
    if (!r.rdmap_version) r.rdmap_version = half.rdmap_version();
  }
  const auto private_data = [](const std::optional<mpa::StartupFrame>& f) {
    return f ? Octets(f->private_data) : Octets{};
  };
  r.ulp = guess_ulp(r.startup ? private_data(r.startup->request) : Octets{},
                    r.startup ? private_data(r.startup->reply) : Octets{}, b_.port,
                    r.roles == Roles::address ? std::optional(a_.port) : std::nullopt);
  return r;
}

QueuePair::QueuePair(Environment& environment, const Beginning& beginning, Events& events)
    : impl_(std::make_unique<Impl>(environment, beginning, events)) {}
QueuePair::~QueuePair() = default;

void QueuePair::feed(Direction d, const net::TcpPacket& packet) {
  impl_->feed(d, packet);
}
void QueuePair::finish(FrameNumber frame, TimePoint time) {
  impl_->finish(frame, time);
}
bool QueuePair::is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept {
  return impl_->connection_.is_reused_by(d, packet);
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
  return impl_->filter_.suppressed();
}
std::uint64_t QueuePair::messages() const noexcept {
  return impl_->halves_[0].messages() + impl_->halves_[1].messages();
}
QpRecord QueuePair::record() const {
  return impl_->record();
}
void QueuePair::trim() {
  impl_->trim();
}

}  // namespace iwarpscope::qp
