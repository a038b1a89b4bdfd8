// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// TCP connections, SCTP associations and MPA startups that failed, by listener.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "findings/capture_findings.h"
#include "hosts/failed_openings.h"
#include "hosts/in_group.h"
#include "net/sctp_packet.h"
#include "net/tcp_packet.h"
#include "qp/records.h"
#include "verdict/capture_span.h"

namespace iwarpscope::hosts {

/// Follows SYNs, and INITs that announce DDP, until they are answered, and keeps those that failed: many such to one
/// listener within a short time are a finding. Bounded: what finds no room is counted.
class Openings {
 public:
  /// `most`: of those that wait, and of those that failed.
  explicit Openings(std::size_t most = 16384) : most_(most) {}
  /// Takes a TCP segment with SYN or RST.
  void see(const net::TcpPacket& packet);
  /// Takes any SCTP packet.
  void see(const net::SctpPacket& packet);
  /// Takes a queue pair at the end of the capture, after all packets.
  void see(const qp::QpRecord& record, const verdict::CaptureSpan& capture);
  /// A listener that speaks iWARP, as the port mapper says.
  void note_listener(const Listener& listener);

  [[nodiscard]] const FailedOpenings& refused() const noexcept { return refused_; }
  [[nodiscard]] FailedOpenings unanswered() const;
  /// Connections and associations of this host to this listener that failed.
  [[nodiscard]] std::uint64_t failures(const net::IpAddress& host, const Listener& listener) const;
  [[nodiscard]] std::uint64_t discarded() const noexcept { return discarded_; }
  /// SYNs and INITs without an answer and what failed: now, and at most.
  [[nodiscard]] std::size_t size() const noexcept { return pending_.size() + failures_.size(); }
  [[nodiscard]] std::size_t room() const noexcept { return 2 * most_; }

  /// Raises the findings. Takes those that are still without an answer as unanswered. `one_sided`: silence means
  /// nothing in this capture.
  void tell(findings::CaptureFindings& to, bool one_sided, const verdict::CaptureSpan& capture);

  template <class A>
  void archive(A& a) {
    a(pending_, failures_, listeners_, refused_, discarded_);
    a.check(pending_.size() <= most_ && failures_.size() <= most_);
  }

 private:
  std::size_t most_;

  enum class Kind : std::uint8_t { rejected, reset, silent };
  /// Between which ends, and by which transport. Over TCP without the overlay, which may differ by direction.
  struct Key {
    net::SctpPath path;  ///< over TCP its flow alone
    bool over_sctp = false;
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.path, k.over_sctp);
    }
  };
  /// A SYN or INIT without an answer so far.
  struct Pending {
    FrameNumber frame;
    TimePoint time;
    std::uint32_t mark = 0;  ///< its sequence number, or Initiate Tag
    std::uint32_t repeats = 0;
    bool low_opened = false;
  };
  struct Failure {
    Listener listener;
    net::IpAddress source;
    TimePoint time;
    FrameNumber frame;
    Kind kind{};
    InterfaceSet interfaces = InterfaceSet::all();  ///< where an answer would be seen
  };
  struct Burst;

  void ask(const Key& key, const Pending& asked);
  /// `answers`: it says that it is an answer to the SYN or INIT with this mark; empty: that is not known.
  void answer(const Key& key, bool from_low, bool refuses, std::optional<std::uint32_t> answers);
  /// The SYN or INIT of a queue pair was answered, though the answer was not seen.
  void forget_answered(const qp::QpRecord& record);
  void add(const Failure& failure);
  void tell(findings::CaptureFindings& to, const Burst& burst) const;

  absl::flat_hash_map<Key, Pending> pending_;
  std::vector<Failure> failures_;
  absl::flat_hash_map<Listener, std::uint64_t> listeners_;  ///< that speak iWARP, and their queue pairs
  FailedOpenings refused_;
  std::uint64_t discarded_ = 0;
};

}  // namespace iwarpscope::hosts
