// The inside of a QueuePair.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "mpa/startup.h"
#include "qp/finding_filter.h"
#include "qp/half.h"
#include "qp/queue_pair.h"
#include "tcp/connection.h"

namespace iwarpscope::qp {

inline constexpr std::array<Direction, 2> kDirections{Direction::a_to_b, Direction::b_to_a};

/// The startup frames of a queue pair whose startup is over.
struct StartupFrames {
  std::optional<mpa::StartupFrame> request, reply;
};

class QueuePair::Impl final : public Common {
 public:
  Impl(Environment& environment, const Beginning& beginning, Events& sink, Observation* observer);

  void feed(Direction d, const net::TcpPacket& packet);
  void finish(FrameNumber at_frame, TimePoint at_time);
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool is_given_up() const noexcept;
  [[nodiscard]] QpRecord record() const;
  [[nodiscard]] std::optional<std::string_view> ulp() const;
  void trim() {
    for (Half& half : halves_) half.trim();
  }

  // Common
  void raise(findings::Finding finding) override;
  void confirm() override;
  void startup_moved() override;

  const net::Endpoint a_, b_;
  const Roles roles_;
  const FrameNumber first_frame_;
  const TimePoint first_time_;
  FrameNumber last_frame_;
  TimePoint last_time_;
  tcp::Connection connection_;
  /// What was found. Most queue pairs never need it.
  struct Found {
    FindingFilter filter;
    std::vector<NotedFinding> noted;
  };
  std::unique_ptr<Found> found_;
  std::unique_ptr<mpa::Startup> startup_;  ///< until Full Operation begins
  std::unique_ptr<StartupFrames> kept_;    ///< from then on
  std::array<Half, 2> halves_;

 private:
  std::array<tcp::StreamSink*, 2> sinks() noexcept { return {&halves_[0], &halves_[1]}; }
  [[nodiscard]] bool is_premature(const findings::Finding& finding) const noexcept;
  void deliver(findings::Finding finding);

  // queue_pair_reuse.cpp
  /// A pure ACK that may end the handshake of the next connection. If it is this one's after all, behind octets that
  /// the capture missed, the octets that follow tell as much.
  [[nodiscard]] bool is_stray(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] const mpa::StartupFrame* request() const noexcept;

  // queue_pair_phases.cpp
  void begin_full_operation();
  /// Startup is over: its machine goes, its frames stay.
  void keep_startup_frames();
  void end_startup();
  /// What FINs and RSTs of the last TCP segment mean for the layers above.
  void follow_close();
  void end_half(Direction d, bool by_fin);
  void end_startup_half(Direction d, bool by_fin);
  void raise_rejected();
  void raise_reset_after_terminate(Direction by);
  void raise_one_sided();
  void raise_cut_framing(Direction d);
  /// What only the end can tell of a whole queue pair.
  void conclude();

  // queue_pair_startup.cpp
  /// Something that came after `since` may have passed while the capture could not hear.
  [[nodiscard]] bool may_lack(TimePoint since) const noexcept {
    return env.deaf != nullptr && env.deaf->between(since, time).any();
  }
  [[nodiscard]] bool is_startup_time_known() const noexcept;
  void judge_startup_time();
  void judge_request_time(const mpa::StartupFrame& request);
  void judge_reply_time(const mpa::StartupFrame& request, const mpa::StartupFrame& reply);
  void judge_missing_reply();
  void raise_slow(Direction late, std::vector<FrameNumber> frames, StreamOffset offset, std::int64_t took,
                  std::string text);
  void judge_reset(Direction by);

  // queue_pair_record.cpp
  [[nodiscard]] std::optional<StartupRecord> startup_record() const;

  mpa::StartupPhase last_phase_ = mpa::StartupPhase::await_request;
  std::unique_ptr<std::vector<findings::Finding>> pending_;  ///< until it is known to be iWARP
  // queue_pair_transport.cpp
  void tell_transport(Direction d, const net::TcpPacket& packet, const std::array<tcp::DirectionStatistics, 2>& before);

  // queue_pair_story.cpp
  void follow(Direction d, const net::TcpPacket& packet);
  [[nodiscard]] bool is_reset_beyond_seen(Direction d, const net::TcpPacket& packet) const noexcept;
  void note(const findings::Finding& finding);
  [[nodiscard]] Story story() const;

  /// What only TCP segments tell of one direction.
  struct Course {
    Moment last, last_octets;
  };
  /// Of one direction; rare in the life of a queue pair.
  struct Ending {
    Moment fin, rst, window_closed;
  };
  [[nodiscard]] Ending& ending(Direction d);
  std::array<Course, 2> courses_{};
  std::unique_ptr<std::array<Ending, 2>> endings_;
  std::array<bool, 2> seen_{};
  std::array<bool, 2> fin_told_{};
  std::array<bool, 2> startup_ended_{};
  std::array<std::uint32_t, 2> first_sequence_{};  ///< of the octet at kStreamOrigin, with `origin_known_`
  std::array<bool, 2> origin_known_{};
  bool handshake_seen_ = false;     ///< the capture holds all of it, and nothing else before the first octets
  bool reset_beyond_seen_ = false;  ///< the RST shows octets that were sent and not seen
  bool reset_told_ = false;
  bool settled_ = false;
};

}  // namespace iwarpscope::qp
