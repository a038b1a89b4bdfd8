// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// SCTP associations of a shard.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analysis/shard_state.h"
#include "sctp/association_table.h"

namespace iwarpscope::analysis {

/// All associations of a shard. Each DDP stream session of theirs is followed as a queue pair of the shard.
class Shard::Associations final : public sctp::AssociationSink {
 public:
  Associations(State& owner, const Limits& limits);
  ~Associations();

  void feed(const net::SctpPacket& packet);
  /// As AssociationTable::pass_time().
  void pass_time(TimePoint now);
  /// As Shard::State::age().
  void age(TimePoint now);
  /// The capture ends: all sessions do.
  void finish(FrameNumber frame, TimePoint time);
  /// Adds what the table counts.
  void add_to(ShardStatistics& statistics) const noexcept;

  /// Forgets associations that are not followed.
  void forget_others() { table_.forget_others(); }
  /// After the slots.
  template <class A>
  void archive(A& a);

  // sctp::AssociationSink
  void data(const sctp::DataSeen& chunk) override;
  sctp::SessionSink* begin(const sctp::SessionStart& session) override;
  [[nodiscard]] std::uint32_t name_of(const sctp::SessionSink& sink) const override;
  [[nodiscard]] sctp::SessionSink* resume(std::uint32_t name, const sctp::SessionView& view) override;
  findings::Reporter& reporter() override { return of_no_session_; }

 private:
  class Session;
  /// For what was read: each session has a queue pair that knows it, or none any more.
  [[nodiscard]] bool is_sound() const;
  /// Takes findings about an association as a whole.
  struct OfNoSession final : findings::Reporter {
    explicit OfNoSession(State& o) noexcept : owner(o) {}
    void raise(findings::Finding finding) override;
    State& owner;
  };
  void forget_ended();
  /// Its number among those of all shards.
  [[nodiscard]] std::uint64_t number_of(std::uint64_t association) const noexcept {
    return association * kShards + owner_.number;
  }

  State& owner_;
  const tcp::Limits limits_;
  OfNoSession of_no_session_;
  std::vector<std::unique_ptr<Session>> sessions_;  ///< by Slot::session; empty where one ended
  std::vector<std::uint32_t> free_, ended_;
  sctp::AssociationTable table_;
};

}  // namespace iwarpscope::analysis
