// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records of queue pairs with their verdicts.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <optional>
#include <tuple>

#include "analysis/merger.h"
#include "analysis/shard.h"
#include "verdict/judge.h"

namespace iwarpscope::analysis {

/// Failed attempts, by the two ends. Bounded.
class Attempts {
 public:
  /// The one just before this queue pair's startup.
  [[nodiscard]] std::optional<verdict::EarlierAttempt> before(const qp::QpRecord& record) const;
  /// After its verdict.
  void remember(const qp::QpRecord& record);

  template <class A>
  void archive(A& a) {
    a(attempts_);
    a.check(attempts_.size() <= kMost);
  }

 private:
  static constexpr std::size_t kMost = 65536;
  struct Ended {
    verdict::EarlierAttempt attempt;
    TimePoint ended;
  };
  /// The end that asked, the end that was asked, and whether over SCTP.
  using Key = std::tuple<net::IpAddress, net::Endpoint, bool>;
  [[nodiscard]] static Key key_of(const qp::QpRecord& record);
  absl::flat_hash_map<Key, Ended> attempts_;
};

/// Makes records again each time they are asked for: a capture may hold a million.
class Judge {
 public:
  /// Both must outlive it.
  Judge(const Shards& shards, const Merger& merger) : shards_(shards), merger_(merger) {}

  /// The record as it is, with the verdict that would be given now. Precondition: merger.has(number).
  [[nodiscard]] qp::QpRecord look(std::uint64_t number, const verdict::CaptureSpan& span) const;
  /// The last record of a queue pair. Precondition: as look(); called for each number once, lower numbers first among
  /// those that end together.
  [[nodiscard]] qp::QpRecord settle(std::uint64_t number, const verdict::CaptureSpan& span);

  template <class A>
  void archive(A& a) {
    a(attempts_);
  }

 private:
  const Shards& shards_;
  const Merger& merger_;
  Attempts attempts_;
};

}  // namespace iwarpscope::analysis
