// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/refused_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/wording.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;

/// So many queue pairs of one host are many. Ours.
constexpr std::uint64_t kManyRefusals = 8;
constexpr std::size_t kMostFrames = 8;

// Layer, error type and error code of a Terminate. Source: RFC 5040 §4.8, RFC 5041 §7.2, RFC 5042 §6.
constexpr std::array<std::uint32_t, 4> kStagClaims{0x000100, 0x000103, 0x010100, 0x010102};
constexpr std::array<std::uint32_t, 4> kBoundsClaims{0x000101, 0x000104, 0x010101, 0x010103};

template <class T>
void insert(std::set<T>& set, const T& value, std::size_t most) {
  if (set.size() < most) set.insert(value);
}

}  // namespace

void RefusedAccess::count(Refusals& refusals, const qp::TerminateSummary& terminate, const net::IpAddress& target) {
  ++refusals.qps;
  insert(refusals.targets, target, kMostValues);
  if (terminate.named && terminate.named->tagged) {
    insert(refusals.stags, terminate.named->stag.value, kMostValues);
    insert(refusals.offsets, terminate.named->to.value, kMostValues);
  }
  if (refusals.frames.size() < kMostFrames) refusals.frames.push_back(terminate.at.frame);
}

void RefusedAccess::see(const qp::QpRecord& record) {
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const auto& terminate = record.summary.directions[index(d)].terminate;
    if (!terminate) continue;
    const std::uint32_t claim =
        (std::uint32_t{terminate->layer} << 16) | (std::uint32_t{terminate->error_type} << 8) | terminate->error_code;
    const bool by_stag = std::find(kStagClaims.begin(), kStagClaims.end(), claim) != kStagClaims.end();
    const bool by_bounds = std::find(kBoundsClaims.begin(), kBoundsClaims.end(), claim) != kBoundsClaims.end();
    if (!by_stag && !by_bounds) continue;
    // Where an RDMA Read Response goes was said by the side that refuses it.
    if (terminate->named && terminate->named->opcode == rdmap::Opcode::rdma_read_response) continue;
    const Host source{d == Direction::a_to_b ? record.b.address : record.a.address, record.tap_group};
    const net::IpAddress& target = d == Direction::a_to_b ? record.a.address : record.b.address;
    if (hosts_.size() >= most_ && !hosts_.contains(source)) {
      ++discarded_;
      return;
    }
    OfHost& host = hosts_[source];
    count(by_stag ? host.stags : host.bounds, *terminate, target);
    return;
  }
}

void RefusedAccess::tell(findings::CaptureFindings& to, const net::IpAddress& host, const Refusals& refusals,
                         bool bounds) {
  if (refusals.qps < kManyRefusals) return;
  std::string text = fmt::format(
      "{} of {} were ended by a Terminate because {}", counted(refusals.qps, "queue pair"), host.text(),
      bounds ? "the access was outside the bounds of a buffer." : "an STag that they used was not valid there.");
  text += refusals.stags.empty() ? " The accesses were"
                                 : fmt::format(" The host used {}", counted(refusals.stags.size(), "different STag"));
  if (bounds && !refusals.stags.empty())
    text += fmt::format(" and {}", counted(refusals.offsets.size(), "different offset"));
  text += fmt::format(" against {}.", counted(refusals.targets.size(), "host"));
  to.tell(bounds ? FindingId::stag_bounds_probing : FindingId::stag_guessing, refusals.qps, text, refusals.frames);
}

void RefusedAccess::tell(findings::CaptureFindings& to) const {
  for (const auto& [host, refusals] : hosts_) {
    tell(to, host.its, refusals.stags, false);
    tell(to, host.its, refusals.bounds, true);
  }
}

}  // namespace iwarpscope::hosts
