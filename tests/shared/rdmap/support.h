// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the judge's tests share: one DDP segment before the judge.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ddp/reassembler.h"
#include "findings/catalogue.h"
#include "rdmap/judge.h"
#include "synth/wire/ddp.h"
#include "synth/wire/rdmap.h"

namespace iwarpscope::rdmap::test {

using synth::wire::rdmap_control;
using WireOpcode = synth::wire::Opcode;

/// Keeps codes and findings.
struct Reporter : findings::Reporter {
  std::vector<findings::Finding> findings;
  void raise(findings::Finding finding) override { findings.push_back(std::move(finding)); }
  [[nodiscard]] std::string codes() const {
    std::string all;
    for (const auto& f : findings) all += (all.empty() ? "" : " ") + std::string{findings::rule(f.id).code};
    return all;
  }
};

/// A DDP segment, alone in its message unless stated otherwise.
struct Suspect {
  bool tagged = false, last = true, starts = true, first = true, intact = true;
  std::uint8_t control = rdmap_control(WireOpcode::send);
  std::uint8_t ddp_version = 1;
  std::uint32_t qn = 0, msn = 1, mo = 0, invalidate = 0;
  synth::Buffer payload{};
  std::optional<std::uint32_t> expected_msn{};
};

/// The codes of the rules it breaks.
inline std::string judged(const Suspect& s, const JudgeContext& context = {}, Reporter* keep = nullptr) {
  synth::Buffer ulpdu;
  if (s.tagged) {
    ulpdu = synth::wire::write(synth::wire::DdpTagged{.control = synth::wire::ddp_control(true, s.last, s.ddp_version),
                                                      .rdmap_control = s.control},
                               s.payload);
  } else {
    ulpdu =
        synth::wire::write(synth::wire::DdpUntagged{.control = synth::wire::ddp_control(false, s.last, s.ddp_version),
                                                    .rdmap_control = s.control,
                                                    .invalidate_stag = s.invalidate,
                                                    .qn = QueueNumber{s.qn},
                                                    .msn = MessageSequence{s.msn},
                                                    .mo = MessageOffset{s.mo}},
                           s.payload);
  }
  const std::size_t header = s.tagged ? 14 : 18;
  ddp::Segment segment;
  segment.carrier.intact = s.intact;
  if (s.expected_msn) segment.expected_msn = MessageSequence{*s.expected_msn};
  segment.carrier.delivery_frame = FrameNumber{7};
  segment.tagged = s.tagged;
  segment.last = s.last;
  segment.first_of_message = s.first;
  segment.starts_message = s.starts;
  segment.ddp_control = to_u8(ulpdu[0]);
  segment.rdmap_control = s.control;
  segment.reserved_ulp = s.tagged ? 0 : s.invalidate;
  segment.qn = QueueNumber{s.qn};
  segment.msn = MessageSequence{s.msn};
  segment.mo = MessageOffset{s.mo};
  segment.header = Octets{ulpdu}.first(header);
  segment.payload = Octets{ulpdu}.subspan(header);
  segment.payload_length = static_cast<std::uint32_t>(s.payload.size());
  segment.message = 3;
  Reporter reporter;
  judge(segment, Direction::b_to_a, context, reporter);
  if (keep != nullptr) *keep = reporter;
  return reporter.codes();
}

}  // namespace iwarpscope::rdmap::test
