// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// All models of one queue pair, fed together.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "emulation/announcement_reader.h"
#include "emulation/cross_fact.h"
#include "emulation/data_sink.h"
#include "emulation/head_of_line.h"
#include "emulation/notes.h"
#include "emulation/stag_life.h"
#include "net/address.h"
#include "qp/observation.h"

namespace iwarpscope::emulation {

/// Who keeps the models of a queue pair, and takes what they say.
class Host {
 public:
  virtual void noted(const Note& note) = 0;
  virtual void found(findings::Finding finding) = 0;
  /// For those who see all queue pairs.
  virtual void tell(CrossFact fact) = 0;
  /// As Sight::sees_all().
  [[nodiscard]] virtual bool saw_all(Direction direction, const ddp::Carrier& at) const = 0;

 protected:
  ~Host() = default;
};

/// The two ends of a queue pair.
struct Ends {
  net::IpAddress a, b;
  std::uint32_t overlay = 0;  ///< as in net::FlowKey
  bool begin_seen = true;     ///< qp::QueuePair::was_begin_seen()

  /// The end that octets of this direction go to.
  [[nodiscard]] const net::IpAddress& receiver(Direction d) const noexcept { return d == Direction::a_to_b ? b : a; }
};

/// Tiny Sends in a row, nothing coming back: SX-08. Source: RFC 5042 §6.4.3.1. The bounds are ours.
struct SmallSends {
  static constexpr std::uint64_t kTinyOctets = 16;
  static constexpr std::uint32_t kFlood = 2048;
  static constexpr std::int64_t kWithinNs = 1'000'000'000;
  std::uint32_t count = 0;
  FrameNumber first_frame;
  TimePoint first_time;
};

/// The memory of both ends, their STags, what they announce, and the waits for octets before. Made when the first
/// message comes that such a model has to know of: see wants().
class QueuePairModels final : public qp::Observation,
                              private Notes,
                              private StagFacts,
                              private Sight,
                              private AnnouncementSink {
 public:
  /// `host` must outlive it. `gaps`, by direction: octets were missing before.
  QueuePairModels(const Ends& ends, const std::array<bool, 2>& gaps, Ulp ulp, Host& host);

  /// The message concerns a model that has received nothing so far.
  [[nodiscard]] static bool wants(const qp::MessageFacts& facts, const ddp::Segment& segment, Ulp ulp) noexcept {
    return ulp != Ulp::none || facts.invalidates || rdmap::is_request(facts.opcode) ||
           (segment.tagged && segment.payload_length != 0);
  }

  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override;
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override;
  void requested(Direction sender, const qp::Request& request) override;
  void answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                std::optional<std::uint64_t> original) override;
  void terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                  std::optional<std::uint64_t> names) override;
  void gap(Direction direction) override;

  [[nodiscard]] const HeadOfLine& head_of_line(Direction d) const noexcept { return waits_[index(d)]; }
  [[nodiscard]] const StagLife& stags() const noexcept { return stags_; }
  /// Extents and STags given up to stay within the bounds.
  [[nodiscard]] std::uint64_t evicted() const noexcept;
  /// Octets of memory held beside this object, about.
  [[nodiscard]] std::size_t held() const noexcept;
  /// How many more that are than when it was asked before; modulo 2^64, as it may be less.
  [[nodiscard]] std::size_t held_more() noexcept {
    const std::size_t before = held_;
    held_ = held();
    return held_ - before;
  }
  /// As trim(), to make room for others: what is discarded counts as evicted.
  void give_up() noexcept;
  /// Forgets what memory holds and which STags were used. It raises no finding because of that.
  void trim() noexcept;
  /// Nothing is held that a report needs or that a new one could not learn again.
  [[nodiscard]] bool is_empty() const noexcept;
  [[nodiscard]] bool was_begin_seen() const noexcept { return ends_.begin_seen; }
  /// SMB Direct: what the ends negotiated.
  [[nodiscard]] std::optional<ulp::Limits> negotiated() const { return reader_.negotiated(); }

  template <class A>
  void archive(A& a) {
    a(sinks_, stags_, waits_, heads_, small_, reader_, evicted_);
  }

 private:
  void note(const Note& note) override;
  void fact(const StagFact& fact) override;
  [[nodiscard]] bool sees_all(Direction direction, const ddp::Carrier& at) const override;
  void announced(Direction owner, const ulp::Announcement& what, FrameNumber frame) override;
  void count_small(const qp::MessageFacts& facts, const ddp::MessageEnd& end);
  void reported_write(const qp::MessageFacts& facts, const ddp::MessageEnd& end);

  /// The tagged message in progress.
  struct Head {
    std::uint64_t message = 0;
    HeadOctets octets;
  };

  const Ends ends_;
  Host& host_;
  std::array<DataSink, 2> sinks_;  ///< by the direction of the octets that come to them
  StagLife stags_;
  std::array<HeadOfLine, 2> waits_;
  std::array<Head, 2> heads_;
  std::array<SmallSends, 2> small_;  ///< by direction
  AnnouncementReader reader_;
  std::size_t held_ = 0;       ///< when held_more() was asked
  std::uint64_t evicted_ = 0;  ///< before the latest trim()
};

}  // namespace iwarpscope::emulation
