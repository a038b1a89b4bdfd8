// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records of sensors without a capture, and a list of them to compare with what a centre has.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daemon/outputs/events.h"
#include "live/event.h"

namespace iwarpscope {

struct Made {
  std::uint64_t findings = 0, qps = 0;
  [[nodiscard]] std::uint64_t all() const noexcept { return findings + qps; }
};

/// What a sensor made, for a comparison with what the centre has. A kill of its process takes nothing of it away.
class Ledger {
 public:
  Ledger(const std::string& folder, std::string run)
      : begun_(folder + "/begun", std::ios::app),
        produced_(folder + "/produced", std::ios::app),
        run_(std::move(run)) {}
  /// Sequences from `from` to before `to`: before and after the sensor takes them.
  void begins(std::uint64_t from, std::uint64_t to) { write(begun_, from, to); }
  void has(std::uint64_t from, std::uint64_t to) { write(produced_, from, to); }

 private:
  void write(std::ofstream& out, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t sequence = from; sequence < to; ++sequence) out << run_ << ' ' << sequence << '\n';
    out.flush();
  }
  std::ofstream begun_, produced_;
  std::string run_;
};

/// Hosts of this number, which no other sensor sees.
inline std::pair<net::Endpoint, net::Endpoint> made_ends(std::uint16_t hosts, std::uint64_t qp) {
  const std::uint32_t network = 0x0A000000U | std::uint32_t{hosts} << 8U;
  return {{net::IpAddress::v4(network | 1U), static_cast<std::uint16_t>(4000 + qp)},
          {net::IpAddress::v4(network | 2U), 5445}};
}

/// The next finding, with `octets` of text; behind every tenth a queue pair that ended. Names are those of this run.
inline void make_next(Made& made, const live::OriginPtr& origin, std::uint16_t hosts, std::size_t octets,
                      std::vector<live::Event>& events) {
  constexpr std::uint64_t kQpEvery = 10;
  const std::uint64_t qp = made.findings / kQpEvery + 1;
  const auto ends = made_ends(hosts, qp);
  const std::uint64_t flow = net::stable_hash(net::FlowKey{ends.first, ends.second, 0});
  ++made.findings;
  auto finding =
      std::make_shared<live::FindingView>(*outputs::finding_view(qp, made.findings, std::string(octets, 'x')));
  finding->ends = ends;
  finding->flow = flow;
  finding->name = {origin, made.all()};
  events.emplace_back(live::FindingReported{std::move(finding)});
  if (made.findings % kQpEvery != 0) return;
  ++made.qps;
  auto ended = outputs::qp_view(qp);
  ended->record.a = ends.first;
  ended->record.b = ends.second;
  ended->flow = flow;
  ended->name = {origin, made.all()};
  events.emplace_back(live::QpEnded{std::move(ended)});
}

}  // namespace iwarpscope
