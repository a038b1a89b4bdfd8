// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Questions to the port mapper, and its answers.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "findings/capture_findings.h"
#include "hosts/in_group.h"
#include "net/port_mapper_message.h"
#include "net/udp_datagram.h"
#include "verdict/capture_span.h"

namespace iwarpscope::hosts {

/// Follows exchanges with iWARP port mappers (UDP port 3935) and reports which of them failed. Bounded: the
/// oldest exchange makes room, and is counted.
class PortMapper {
 public:
  explicit PortMapper(std::size_t most = 4096) : most_(most) {}
  /// Takes a datagram to or from the port mapper. Other datagrams are ignored.
  void see(const net::UdpDatagram& datagram);
  /// A connection to this endpoint began, or is in the capture.
  void see_connection(const Listener& listener) {
    if (!named_.empty()) named_.erase(listener);
  }
  /// Calls `take` with each listener the port mapper named.
  template <class Take>
  void each_named(Take take) const {
    for (const Listener& listener : ever_named_) take(listener);
  }
  [[nodiscard]] std::uint64_t discarded() const noexcept { return discarded_; }
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  [[nodiscard]] std::size_t room() const noexcept { return most_; }

  /// `one_sided`: silence means nothing in this capture.
  void tell(findings::CaptureFindings& to, bool one_sided, const verdict::CaptureSpan& capture) const;

  template <class A>
  void archive(A& a) {
    a(exchanges_, order_, named_, ever_named_, discarded_);
    a.check(order_.size() <= most_ && order_.size() == exchanges_.size());
    for (const Key& key : order_) a.check(exchanges_.contains(key));
  }

 private:
  std::size_t most_;

  /// Who asks, who is asked, and the association handle.
  struct Key {
    net::IpAddress asker, asked;
    std::uint32_t overlay = 0;
    std::uint32_t tap_group = 0;
    std::uint64_t association = 0;
    friend bool operator==(const Key&, const Key&) = default;
    template <class H>
    friend H AbslHashValue(H h, const Key& k) {
      return H::combine(std::move(h), k.asker, k.asked, k.overlay, k.tap_group, k.association);
    }
  };
  struct Exchange {
    net::Endpoint wanted;  ///< the listener as applications know it
    std::optional<net::Endpoint> given;
    bool rejected = false;
    std::uint64_t requests = 0;
    FrameNumber first_frame, answer_frame;
    TimePoint first_time, last_request, answer_time;
  };
  enum class Trouble : std::uint8_t { unanswered, rejected, unused };
  /// Exchanges about one listener with the same outcome.
  struct Group {
    std::uint64_t exchanges = 0, requests = 0;
    net::IpAddress asker;  ///< of the first
    net::Endpoint given;
    TimePoint first_request;
    bool asked_again = false;
    std::vector<FrameNumber> frames;
  };
  using Groups = std::map<std::pair<Listener, Trouble>, Group>;

  Exchange* find_or_add(const Key& key, const net::UdpDatagram& datagram);
  [[nodiscard]] std::optional<Trouble> trouble(const Key& key, const Exchange& exchange, TimePoint end, bool one_sided,
                                               const verdict::CaptureSpan& capture) const;

  [[nodiscard]] Groups gather(TimePoint end, bool one_sided, const verdict::CaptureSpan& capture) const;

  absl::flat_hash_map<Key, Exchange> exchanges_;
  std::deque<Key> order_;
  absl::flat_hash_set<Listener> named_;       ///< by the port mapper, and no connection to it so far
  absl::flat_hash_set<Listener> ever_named_;  ///< at most most_
  std::uint64_t discarded_ = 0;
};

}  // namespace iwarpscope::hosts
