// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a report shows of a queue pair.
#include <optional>

#include "qp/queue_pair_state.h"
#include "ulp/guess.h"

namespace iwarpscope::qp {

namespace {

Octets private_data(const std::optional<mpa::StartupFrame>& frame) noexcept {
  return frame ? Octets(frame->private_data) : Octets{};
}

}  // namespace

std::optional<std::string_view> QueuePair::Impl::ulp() const {
  const std::optional<StartupRecord> startup = startup_record();
  return ulp::guess(startup ? private_data(startup->request) : Octets{},
                    startup ? private_data(startup->reply) : Octets{}, b_.port,
                    roles == Roles::address ? std::optional(a_.port) : std::nullopt);
}

QpRecord QueuePair::Impl::record() const {
  QpRecord r;
  r.a = a_;
  r.b = b_;
  r.roles = roles;
  r.joined_midstream = midstream;
  r.state = state;
  r.first_frame = first_frame_;
  r.last_frame = last_frame_;
  r.first_time = first_time_;
  r.last_time = last_time_;
  r.interfaces = interfaces();
  r.startup = startup_record();
  if (agreement) r.read_depth = agreement->read_depth;
  for (Direction d : kDirections) {
    const Half& half = halves_[index(d)];
    r.directions[index(d)] = half.record();
    if (!r.ddp_version) r.ddp_version = half.messages().ddp_version();
    if (!r.rdmap_version) r.rdmap_version = half.rdmap_version();
  }
  fill(r);
  r.ulp = ulp();
  r.summary = summary();
  return r;
}

}  // namespace iwarpscope::qp
