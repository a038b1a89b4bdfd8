// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The implementation of TcpQueuePair.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "qp/ending_order.h"
#include "qp/queue_pair_state.h"
#include "qp/tcp_queue_pair.h"
#include "qp/transport/mpa_half.h"
#include "tcp/waiting_segments.h"

namespace iwarpscope::qp {

class TcpQueuePair::Impl final : public QueuePair::Impl, public MpaConnection {
 public:
  Impl(Environment& environment, const Beginning& beginning, Events& sink, Observation* observer);

  void feed(Direction d, const net::TcpPacket& packet, FrameNumber at_frame, TimePoint at_time);
  [[nodiscard]] bool is_reused_by(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool ignores_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool fits(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool is_other_syn(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool is_given_up() const noexcept;
  [[nodiscard]] bool is_waiting() const noexcept { return waiting_ != nullptr; }
  void pass_time(FrameNumber at_frame, TimePoint at_time);
  void stop_waiting(FrameNumber at_frame, TimePoint at_time);

  // QueuePair::Impl
  [[nodiscard]] bool is_closed() const noexcept override { return connection_.closed_by() != tcp::ClosedBy::open; }
  [[nodiscard]] bool was_begin_seen() const noexcept override { return begin_seen_; }
  [[nodiscard]] Moment first_close() const noexcept override;
  [[nodiscard]] std::uint64_t mirror_duplicates() const noexcept override;

  // MpaConnection
  void startup_moved(Direction by) override;
  [[nodiscard]] MpaHalf& llp(Direction d) noexcept override { return llps_[index(d)]; }

  template <class A>
  void archive(A& a) {
    QueuePair::Impl::archive(a);
    a(connection_, first_fpdus_);
    a.owned(startup_, [this] { return std::make_unique<mpa::Startup>(*this); });
    a(llps_);
    a.owned(waiting_, [this] { return std::make_unique<tcp::WaitingSegments>(env.tcp, env.budget); });
    a(rare_, taken_, kept_, last_segments_, endings_, acknowledgments_, last_phase_, seen_, startup_ended_);
    a(spoke_before_);
    handshake_seen_ = a.value(handshake_seen_);
    begin_seen_ = a.value(begin_seen_);
    last_reset_beyond_seen_ = a.value(last_reset_beyond_seen_);
    reset_reported_ = a.value(reset_reported_);
    settled_ = a.value(settled_);
    fins_reported_ = a.value(std::uint8_t{fins_reported_}) & 3U;
    a.check(waiting_ == nullptr || (rare_ != nullptr && !waiting_->empty()));
    if (a.is_reading()) find_startup_frames();
  }

 private:
  void finish_llp() override;
  [[nodiscard]] bool is_premature(const findings::Finding& finding) const noexcept override;
  void conclude() override;
  [[nodiscard]] std::optional<StartupRecord> startup_record() const override;
  void fill(QpRecord& record) const override;
  void fill(Summary& summary) const override;
  [[nodiscard]] std::string midstream_text() const override {
    return "The capture contains no startup of this connection; it was recognised by its FPDUs.";
  }
  std::array<tcp::StreamSink*, 2> sinks() noexcept { return {&llps_[0], &llps_[1]}; }

  /// Processes a TCP segment that need not wait for others. False: its receiver drops it.
  bool take(Direction d, const net::TcpPacket& packet);
  void observe(Direction d, const net::TcpPacket& packet, bool belongs);

  // tcp_waiting.cpp
  [[nodiscard]] std::optional<Direction> awaited(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool awaits_request() const noexcept;
  void take_late(Direction d, const net::TcpPacket& packet);
  void note_octets(Direction d) noexcept;
  void take_before_first(Direction d, const net::TcpPacket& first);
  void take_in_turn(Direction d, const net::TcpPacket& packet);
  [[nodiscard]] bool has_waited_enough(const net::TcpPacket& packet, Direction of) noexcept;
  void take_ready();
  tcp::WaitingSegments::List::iterator take_one(tcp::WaitingSegments::List::iterator which);
  void take_satisfied();
  [[nodiscard]] StreamOffset next_there(Direction of) const noexcept;
  [[nodiscard]] bool is_sure_of_unseen(const tcp::WaitingSegment& waits) const noexcept;
  [[nodiscard]] bool give_up_for(const tcp::WaitingSegment& waits, StreamOffset there);
  [[nodiscard]] bool give_up_any(const std::function<bool(const tcp::WaitingSegment&)>& may);
  void take_first_in_vain();
  [[nodiscard]] bool make_room_for(Direction d, const net::TcpPacket& packet);
  void take_all_waiting();

  // tcp_reuse.cpp
  /// A pure ACK that may end the handshake of the next connection. If it is this one's after all, after octets that
  /// the capture missed, the next octets show it.
  [[nodiscard]] bool is_stray(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] bool follows_end(Direction d, const net::TcpPacket& packet) const noexcept;
  [[nodiscard]] const mpa::StartupFrame* request() const noexcept;
  [[nodiscard]] const mpa::StartupFrame* reply() const noexcept;

  // tcp_phases.cpp
  void begin_full_operation(Direction by);
  void frame_early_octets(Direction by);
  /// Startup is over: frees the startup machine and keeps the frames.
  void keep_startup_frames();
  void find_startup_frames() noexcept;
  void end_startup();
  /// What FINs and RSTs of the last TCP segment mean for the layers above.
  void follow_close();
  void end_half(Direction d, bool by_fin);
  void end_startup_half(Direction d, bool by_fin);
  void raise_rejected();
  void raise_reset_after_terminate(Direction by);
  void raise_unseen_octets();
  void raise_cut_framing(Direction d);
  void raise_inferred_settings();
  /// As far as the FPDUs of both directions show whether CRC is in use.
  [[nodiscard]] std::optional<bool> inferred_crc() const;

  // tcp_startup_time.cpp
  [[nodiscard]] bool is_startup_time_known() const noexcept;
  void judge_startup_time();
  void judge_request_time(const mpa::StartupFrame& request);
  void judge_reply_time(const mpa::StartupFrame& request, const mpa::StartupFrame& reply);
  void judge_missing_reply();
  void raise_slow(Direction late, std::vector<FrameNumber> frames, StreamOffset offset, std::int64_t took,
                  std::string text);
  [[nodiscard]] bool may_explain_reset() const noexcept;
  void judge_reset(Direction by);
  void raise_reset(Direction by, const std::string& what);
  void raise_late_reset();

  // tcp_transport.cpp
  void tell_transport(Direction d, const net::TcpPacket& packet, const std::array<tcp::DirectionStatistics, 2>& before);

  // tcp_summary.cpp
  void follow(Direction d, const net::TcpPacket& packet);
  void follow_last_resets();
  void note_acknowledged(Direction d, const net::TcpPacket& packet);
  [[nodiscard]] bool reaches(Direction of, std::uint32_t acknowledgment, StreamOffset end) const noexcept;
  [[nodiscard]] EndSeen how_ended(Direction d, const DirectionSummary& summary) const noexcept;
  [[nodiscard]] bool is_request_acknowledged() const noexcept;
  [[nodiscard]] bool is_reset_beyond_seen() const noexcept;

  /// The latest TCP segments of one direction.
  struct LastSegments {
    Moment last, last_octets;
  };
  /// The end of one direction. Allocated when it is needed: most queue pairs are open.
  struct Ending {
    Moment fin, rst, window_closed;
    FrameNumber fin_had, rst_had;  ///< see DirectionSummary
    /// ACK numbers of its first FIN and of its last RST.
    std::optional<std::uint32_t> fin_acknowledges, rst_acknowledges;
    std::optional<std::uint32_t> rst_sequence;  ///< the sequence number of its last RST
    std::unique_ptr<std::string> rst_cut_off;   ///< QP-03, which waits for the end: what its first RST cut off
  };
  [[nodiscard]] Ending& ending(Direction d);
  [[nodiscard]] FrameNumber had_by_now(Direction d) const noexcept;

  std::array<MpaHalf, 2> llps_;
  std::unique_ptr<tcp::WaitingSegments> waiting_;  ///< null: none wait
  /// What most connections never need: since the first TCP segment had to wait, by direction, or where b spoke first.
  struct Rare {
    std::array<FrameNumber, 2> last_octets{};  ///< the latest frame with octets
    std::array<bool, 2> silent{};              ///< octets of it were awaited in vain, and none have come since
    std::optional<Banner> banner;
  };
  std::unique_ptr<Rare> rare_;
  Moment taken_;                         ///< the TCP segment being taken; `frame` and `time` may be later
  std::unique_ptr<StartupFrames> kept_;  ///< once startup_ is gone
  std::array<LastSegments, 2> last_segments_{};
  std::unique_ptr<std::array<Ending, 2>> endings_;
  std::array<std::uint32_t, 2> acknowledgments_{};  ///< the latest ACK numbers, by sender
  mpa::StartupPhase last_phase_ = mpa::StartupPhase::await_request;
  std::array<bool, 2> seen_{};
  std::array<bool, 2> startup_ended_{};
  std::array<bool, 2> spoke_before_{};       ///< octets were seen before this queue pair began
  bool shows_tcp_segments_ : 1 = false;      ///< to the observation
  bool handshake_seen_ : 1 = false;          ///< the capture holds all of it, and nothing else before the first octets
  bool begin_seen_ : 1 = false;              ///< the same, and its last ACK came alone
  bool last_reset_beyond_seen_ : 1 = false;  ///< one that fits nowhere shows octets that were sent and not seen
  bool reset_reported_ : 1 = false;
  bool settled_ : 1 = false;
  std::uint8_t fins_reported_ : 2 = 0;  ///< a bit for each direction
};

}  // namespace iwarpscope::qp
