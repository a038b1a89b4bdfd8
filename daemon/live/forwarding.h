// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records that could not be stored, and how far another program is that delivers the stored ones to a centre.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "live/archive.h"
#include "live/views.h"

namespace iwarpscope::live {

/// The stored records, by kind, and those of them that wait for delivery.
struct Backlog {
  CountByKind highest{};     ///< ids
  CountByKind gone{};        ///< ids up to these are deleted
  double seconds = 0;        ///< age of the oldest one that waits
  std::uint64_t octets = 0;  ///< estimate, of those that wait
  std::uint64_t room = 0;    ///< octets that there can be
  /// Those that are behind these places.
  [[nodiscard]] std::uint64_t records(const std::vector<ArchivePlace>& stored) const noexcept;
  /// The last id of a kind that needs no delivery.
  [[nodiscard]] std::uint64_t done(RecordKind kind, const std::vector<ArchivePlace>& stored) const noexcept;
};

/// Any thread.
class Forwarding {
 public:
  /// So long nothing is wrong while the program is not connected: it may just begin.
  explicit Forwarding(std::chrono::milliseconds grace = std::chrono::seconds{30}) : grace_(grace) {}

  void connected();
  void disconnected();
  /// Why the centre gets no more.
  struct Trouble {
    std::string text{};    ///< a sentence; empty: none
    bool refused = false;  ///< the centre answers, and takes no record
  };
  /// What the centre has: the last record of each kind.
  void report(std::vector<ArchivePlace> stored, Trouble trouble);
  /// The places of the last report; of an earlier run, if restore() had them.
  [[nodiscard]] std::vector<ArchivePlace> stored() const;
  /// As an earlier run left it. Does nothing once there was a report.
  void restore(std::vector<ArchivePlace> stored);
  void waits(const Backlog& backlog);
  /// Records that are lost, since the start of the daemon.
  struct Lost {
    CountByKind expired{};     ///< deleted, and the centre never got them
    CountByKind not_stored{};  ///< they could not be written
    std::uint64_t missed = 0;  ///< findings and queue pairs for which a queue had no room
  };
  /// Adds to what is lost.
  void lose(const Lost& more);
  [[nodiscard]] Lost lost() const;
  [[nodiscard]] OutputView view() const;

 private:
  using Clock = std::chrono::steady_clock;

  const std::chrono::milliseconds grace_;
  mutable std::mutex mutex_;
  std::vector<ArchivePlace> stored_;
  Trouble trouble_;
  unsigned connections_ = 0;
  bool has_report_ = false;
  Clock::time_point alone_since_ = Clock::now();
  Backlog backlog_;
  Lost lost_;
  std::uint64_t delivered_ = 0;
};

}  // namespace iwarpscope::live
