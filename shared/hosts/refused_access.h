// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Hosts whose accesses to memory were refused again and again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "findings/capture_findings.h"
#include "hosts/in_group.h"
#include "qp/records.h"

namespace iwarpscope::hosts {

/// Counts, by the host that sent the refused message, queue pairs that a Terminate ended for an STag or for bounds.
/// Bounded: hosts that find no room are counted.
class RefusedAccess {
 public:
  explicit RefusedAccess(std::size_t most = 4096) : most_(most) {}
  /// Takes a queue pair at the end of the capture.
  void see(const qp::QpRecord& record);
  [[nodiscard]] std::uint64_t discarded() const noexcept { return discarded_; }
  [[nodiscard]] std::size_t size() const noexcept { return hosts_.size(); }
  [[nodiscard]] std::size_t room() const noexcept { return most_; }
  void tell(findings::CaptureFindings& to) const;

  template <class A>
  void archive(A& a) {
    a(hosts_, discarded_);
    a.check(hosts_.size() <= most_);
  }

 private:
  std::size_t most_;
  static constexpr std::size_t kMostValues = 256;
  struct Refusals {
    std::uint64_t qps = 0;
    std::set<std::uint32_t> stags;
    std::set<std::uint64_t> offsets;
    std::set<net::IpAddress> targets;
    std::vector<FrameNumber> frames;  ///< of the first Terminates
  };
  struct OfHost {
    Refusals stags, bounds;
  };
  static void count(Refusals& refusals, const qp::TerminateSummary& terminate, const net::IpAddress& target);
  static void tell(findings::CaptureFindings& to, const net::IpAddress& host, const Refusals& refusals, bool bounds);

  std::map<Host, OfHost> hosts_;
  std::uint64_t discarded_ = 0;
};

}  // namespace iwarpscope::hosts
