// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Totals of all queue pairs since the start.
#pragma once

#include "live/recent_records.h"
#include "live/views.h"

namespace iwarpscope::live {

/// Totals and latencies. The entry of a queue pair holds what was counted already, so only the difference is added.
/// Not thread-safe.
class Tally {
 public:
  void opened() noexcept { ++totals_.qps_opened; }
  void message(const qp::MessageRecord& record);
  void finding(findings::FindingId id) { ++totals_.findings[findings::rule(id).name]; }
  /// A queue pair that another run followed before: what that run counted is not counted again.
  static void continued(RecentRecords::QpEntry& entry, const qp::QpRecord& record);
  /// The current state of an active queue pair.
  void update(RecentRecords::QpEntry& entry, const qp::QpRecord& record);
  /// Its last record. Notes in its entry whether it failed.
  void ended(RecentRecords::QpEntry& entry, const qp::QpRecord& record);

  /// Without frames, octets and capture losses, which belong to no queue pair.
  [[nodiscard]] const Totals& totals() const noexcept { return totals_; }
  [[nodiscard]] const Latencies& reads() const noexcept { return reads_; }
  [[nodiscard]] const Latencies& atomics() const noexcept { return atomics_; }
  [[nodiscard]] const Latencies& handshakes() const noexcept { return handshakes_; }

 private:
  void latency(const qp::MessageRecord& record);
  void traffic(RecentRecords::QpEntry& entry, const qp::QpRecord& record);

  Totals totals_;
  Latencies reads_, atomics_, handshakes_;
};

}  // namespace iwarpscope::live
