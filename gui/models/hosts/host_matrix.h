// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which hosts use RDMA with each other: queue pairs summed by Initiator and Responder, and the worst of all.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "models/queue_pairs/qp_row.h"
#include "models/selection.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// The end that requested the connection and the end that answered: A and B of queue pairs.
struct HostsKey {
  net::IpAddress initiator, responder;
  friend auto operator<=>(const HostsKey&, const HostsKey&) = default;
};

/// All queue pairs between an Initiator and a Responder.
struct HostsSum {
  static constexpr std::size_t kOutcomes = 6;

  std::uint64_t qps = 0, followed = 0;  ///< `followed`: those that have not ended
  std::array<std::uint64_t, kOutcomes> outcomes{};
  std::optional<qp::Outcome> worst{};                 ///< empty: no verdict yet
  std::uint64_t worst_qp = 0;                         ///< by outcome, then by its worst finding
  std::uint64_t errors = 0, warnings = 0, notes = 0;  ///< findings
  std::optional<findings::FindingId> finding{};       ///< the most severe finding
  double rate = 0;                                    ///< ULP payload octets per second, now
  std::uint64_t octets = 0;                           ///< of ULP payload
};

/// How long a queue pair waited, and for what, as seen at the tap.
struct LongestWait {
  enum class For : std::uint8_t { nothing, hole, response };
  std::int64_t ns = 0;
  For what = For::nothing;  ///< hole: earlier octets were missing. response: the response is still missing
};

/// The measure by which the worst are chosen.
struct RankedQp {
  std::uint64_t number = 0;
  net::Endpoint a, b;
  std::optional<qp::Outcome> outcome{};
  std::uint64_t errors = 0, warnings = 0, notes = 0;
  std::optional<findings::FindingId> finding{};
  LongestWait wait{};
  double rate = 0;
  std::uint64_t octets = 0;
};
enum class Ranking : std::uint8_t { errors, waits, traffic };

/// Takes rows from a Session. If there are more than `most` queue pairs, the rest is left out.
class HostMatrix {
 public:
  static constexpr std::size_t kMost = 200'000;

  explicit HostMatrix(std::size_t most = kMost) : most_(most) {}
  void replace(const QpRows& qps);
  void change(const QpRows& qps);
  /// Time of the last frame: rates older than two seconds are zero.
  void set_capture_time(std::int64_t ns) { capture_time_ns_ = ns; }

  /// Only queue pairs that were active in `range`; empty: all.
  [[nodiscard]] std::map<HostsKey, HostsSum> sums(const std::optional<TimeRange>& range = {}) const;
  /// The worst queue pairs, the worst first; only those with something to report.
  [[nodiscard]] std::vector<RankedQp> worst(Ranking ranking, std::size_t most,
                                            const std::optional<TimeRange>& range = {}) const;
  [[nodiscard]] std::size_t outside(const std::optional<TimeRange>& range) const;
  [[nodiscard]] std::size_t known() const noexcept { return qps_.size(); }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  struct Known {
    RankedQp qp;
    bool ended = false;
    double rate_then = 0;
    std::int64_t last_second = 0;
    TimePoint began, last;
    [[nodiscard]] bool is_in(const std::optional<TimeRange>& range) const noexcept {
      return !range || range->touches(began, last);
    }
  };
  void put(const live::QpView& view);
  [[nodiscard]] double rate(const Known& known) const noexcept;

  const std::size_t most_;
  std::unordered_map<std::uint64_t, Known> qps_;  ///< by number
  std::uint64_t left_out_ = 0;
  std::int64_t capture_time_ns_ = 0;
};

[[nodiscard]] LongestWait longest_wait(const qp::QpRecord& record) noexcept;

}  // namespace iwarpscope::gui
