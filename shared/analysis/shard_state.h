// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The inside of a Shard.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/banners.h"
#include "analysis/doubles.h"
#include "analysis/flow_table.h"
#include "analysis/reopening.h"
#include "analysis/shard.h"
#include "analysis/trace.h"
#include "emulation/queue_pair_models.h"
#include "qp/observation.h"
#include "qp/sctp_queue_pair.h"
#include "qp/tcp_queue_pair.h"
#include "tcp/waiting_segments.h"

namespace iwarpscope::analysis {

/// A connection followed as a queue pair, and what it reports.
struct Shard::Slot final : qp::Events, qp::Observation, emulation::Host {
  Slot(State& s, std::uint32_t p) : owner(s), place(p) {}

  void confirmed(FrameNumber frame) override;
  void message(qp::MessageRecord record) override;
  void finding(findings::Finding finding) override;
  void transport(const qp::TransportEvent& event) override;

  [[nodiscard]] bool shows_tcp_segments() const noexcept override { return watcher != nullptr; }
  void tcp_segment(Direction direction, const net::TcpPacket& packet, std::optional<StreamOffset> offset) override;
  void startup_frame(Direction direction, const mpa::StartupFrame& frame) override;
  void marker(Direction direction, StreamOffset at, std::uint32_t value) override;
  void fpdu(Direction direction, const mpa::Fpdu& fpdu) override;
  void control(Direction direction, const sctp::ControlMessage& message) override;
  void session_segment(Direction direction, const sctp::Message& message) override;
  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override;
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override;
  void requested(Direction sender, const qp::Request& request) override;
  void answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                std::optional<std::uint64_t> original) override;
  void terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                  std::optional<std::uint64_t> names) override;
  void gap(Direction direction) override;

  void noted(const emulation::Note& note) override;
  void tell(emulation::CrossFact fact) override;
  void tell_end(std::optional<qp::Moment> terminate = {});
  [[nodiscard]] bool saw_all(Direction direction, const ddp::Carrier& at) const override;
  void found(findings::Finding finding) override;
  void make_models();
  [[nodiscard]] bool is_flooded(const qp::MessageFacts& facts, const ddp::MessageEnd& end) noexcept;

  static constexpr std::uint32_t kNoSession = 0xFFFFFFFF;

  State& owner;
  const std::uint32_t place;              ///< its own index in State::slots
  std::uint32_t flow = FlowTable::kNone;  ///< over TCP
  std::unique_ptr<qp::QueuePair> pair;
  Watcher* watcher = nullptr;                          ///< may be null
  std::unique_ptr<emulation::QueuePairModels> models;  ///< from the first message that one of them has to know of
  /// What is left of it, once it was closed and others needed the room.
  struct Retired {
    qp::QpRecord record;
    std::uint64_t mirror_duplicates = 0, suppressed = 0, messages = 0, model_evictions = 0;
  };
  std::unique_ptr<Retired> retired;
  /// STags that the models knew before they were trimmed, as reports show them.
  struct KnownStags {
    std::vector<qp::StagUse> first;
    std::uint64_t all = 0;
  };
  std::unique_ptr<KnownStags> known_stags;
  std::uint64_t flow_hash = 0;
  std::uint32_t index = 0;             ///< among the confirmed
  std::uint32_t session = kNoSession;  ///< over SCTP, while it lives
  std::uint32_t overlay = 0;           ///< as in net::FlowKey
  std::uint32_t tap_group = 0;         ///< the same
  bool a_is_low : 1 = true;
  bool tentative : 1 = false;
  bool closed_listed : 1 = false;
  bool busy : 1 = false;  ///< it is in State::busy
  bool ulp_known : 1 = false;
  bool had_models : 1 = false;             ///< those who see all queue pairs may know of it
  bool wait_listed = false;                ///< it is in State::waiting
  bool is_session = false;                 ///< over SCTP
  ulp::Ulp ulp{};                          ///< once ulp_known
  std::array<std::uint8_t, 2> in_a_row{};  ///< by direction: small messages, until there are models
  std::array<bool, 2> gaps{};              ///< by direction: octets were missing before there were models

  template <class A>
  void archive(A& a);
  template <class A>
  void archive_connection(A& a);
  template <class A>
  void archive_session(A& a);
  [[nodiscard]] KnownStags stags() const;
  [[nodiscard]] qp::QpRecord record() const;
  /// Precondition: it is there, and its flow is one of TCP.
  [[nodiscard]] qp::TcpQueuePair& tcp() const noexcept { return static_cast<qp::TcpQueuePair&>(*pair); }
  /// Precondition: it is there, and is_session.
  [[nodiscard]] qp::SctpQueuePair& sctp() const noexcept { return static_cast<qp::SctpQueuePair&>(*pair); }
};

/// When a shard looks for idle queue pairs: by the capture's time alone, so that reports do not depend on which
/// connections share a shard.
class IdleClock {
 public:
  /// Takes the time of each step (CaptureClock::is_step()). True: look now.
  [[nodiscard]] bool is_due(TimePoint time) noexcept {
    constexpr std::int64_t kEveryNs = 1'000'000'000;
    if (last_ && time.ns >= last_->ns && elapsed_ns(*last_, time) < kEveryNs) return false;
    last_ = time;
    return true;
  }
  template <class A>
  void archive(A& a) {
    a(last_);
  }

 private:
  std::optional<TimePoint> last_;
};

struct Shard::State {
  State(std::uint32_t n, const Options& o, Trace* t);

  void feed(const net::TcpPacket& packet);
  void feed(const net::SctpPacket& packet);
  /// The current frame.
  void begin(FrameNumber frame, TimePoint time);
  /// The current frame decided it, whatever frame it is about: that one is evidence. So findings come in the order of
  /// their frames.
  void decide(findings::Finding& finding) const;
  /// A slot of its own; null: there are as many queue pairs as there may be.
  Slot* take_slot();
  /// The slot's queue pair is over: others may have its room.
  void list_closed(Slot& slot);
  void feed_one(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low);
  void feed_flow(std::uint32_t flow_index, const net::TcpPacket& packet);
  /// The flow that the packet belongs to, a new one if needed; FlowTable::kNone: there is no room.
  [[nodiscard]] std::uint32_t flow_of(const net::TcpPacket& packet);
  [[nodiscard]] std::uint32_t find_flow(const net::TcpPacket& packet);
  /// The first from `first` on, by Flow::sibling, for which `is_it`.
  [[nodiscard]] std::uint32_t find_tenant(std::uint32_t first, const auto& is_it) const;
  [[nodiscard]] bool fits(const Flow& flow, const net::TcpPacket& packet, bool from_low) const;
  void restart(Flow& flow, const net::TcpPacket& first);
  // shard_doubles.cpp
  bool hold_double(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low);
  void see_own(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low);
  void settle_double(std::uint32_t flow_index, Double::Verdict verdict);
  void expire_doubles(bool all);
  [[nodiscard]] Double* double_of(std::uint32_t flow_index);
  [[nodiscard]] bool is_double(const Flow& flow, std::uint32_t flow_index, const net::TcpPacket& packet) const;
  bool feed_followed(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low);
  [[nodiscard]] static bool is_late(Flow& flow, const net::TcpPacket& packet, bool from_low);
  bool wants_promotion(Flow& flow, const net::TcpPacket& packet, bool from_low, bool& midstream);
  bool is_midstream(Flow& flow, const net::TcpPacket& packet) const;
  void promote(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low, bool midstream);
  void feed_slot(std::uint32_t slot_index, const net::TcpPacket& packet, bool from_low);
  // shard_early.cpp
  bool hold_early(std::uint32_t flow_index, const net::TcpPacket& packet, bool from_low);
  void release_early(std::uint32_t flow_index, bool at_once);
  [[nodiscard]] std::unique_ptr<tcp::WaitingSegments> make_early();
  void expire_early(bool all);
  /// What feeding the slot may have brought about.
  void after_feeding(Slot& slot);
  void pass_time();
  void age(TimePoint now);
  void drop(std::uint32_t slot_index);
  [[nodiscard]] bool is_followed(const Flow& flow) const noexcept;
  void count_unconfirmed(const Flow& flow) noexcept;
  void retire_closed();
  void retire(Slot& slot);
  /// What one queue pair adds to the whole.
  static void add(ShardStatistics& to, const Slot& slot);
  void trim_idle();
  void trim(Slot& slot);
  /// Keeps count of what the slot's models hold; makes others give up theirs when it is too much.
  void account(Slot& slot);
  void drop_models(Slot& slot);

  template <class A>
  void archive(A& a);
  template <class A>
  void archive_flows(A& a);
  template <class A>
  void archive_slots(A& a);
  /// For what was read: whatever is named is there, and knows it.
  [[nodiscard]] bool is_sound();
  [[nodiscard]] bool are_slots_sound() const;
  [[nodiscard]] bool is_sound(const Slot& slot) const;

  static constexpr std::uint8_t kMostAttempts = 3;  ///< to follow one connection
  static constexpr std::uint8_t kSuspicious = 2;    ///< TCP segments that begin like an FPDU until it looks like iWARP

  std::uint32_t number;
  FlowTable flows;
  std::uint32_t latest = FlowTable::kNone;  ///< what flow_of() gave last: many packets of one flow come in sequence
  Reopenings reopenings;
  Banners banners;
  Beginnings beginnings;
  Doubles doubles;
  std::unique_ptr<Associations> associations;  ///< from the first SCTP packet on
  const Limits limits;                         ///< in force
  std::size_t max_qps;
  qp::Environment environment;
  std::vector<std::unique_ptr<Slot>> slots;  ///< by Flow::qp; empty where a trial failed
  std::vector<bool> fed;                     ///< by slot, since take_fed()
  std::vector<std::uint32_t> free_slots;
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFF;
  std::vector<std::uint32_t> confirmed;     ///< slot by index of the confirmed; kNoSlot: it was released
  std::vector<std::uint32_t> free_indices;  ///< into confirmed
  ShardStatistics released;                 ///< what queue pairs counted that were released
  std::deque<std::uint32_t> closed;         ///< slots, oldest first
  /// TCP segments of connections of which the first octets are still to come, by flow; those whose flow says otherwise
  /// are of one that is gone.
  absl::flat_hash_map<std::uint32_t, std::unique_ptr<tcp::WaitingSegments>> early;
  std::vector<std::uint32_t> waiting;  ///< slots with wait_listed, and some that were one
  std::size_t tentative = 0;
  std::uint64_t refused = 0;
  std::uint64_t unconfirmed = 0;  ///< of flows that are gone
  IdleClock idle;
  std::vector<std::uint32_t> busy;  ///< slots fed since they were trimmed
  FrameNumber frame;
  TimePoint time;
  const std::size_t model_octets;
  std::size_t models_held = 0;
  std::size_t model_hand = 0;
  const bool emulates;  ///< there are models
  Trace* const trace;   ///< may be null
  Reports* reports = nullptr;
};

}  // namespace iwarpscope::analysis
