// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/outstanding.h"

#include <algorithm>

namespace iwarpscope::verdict {

bool has_outstanding(const Facts& facts) noexcept {
  return std::any_of(kDirections.begin(), kDirections.end(), [&](Direction d) {
    const qp::DirectionSummary& s = facts.from(d);
    return s.waiting || s.inside_message || s.inside_fpdu;
  });
}

bool is_open_for_a_hole(const Facts& facts) noexcept {
  if (facts.is_cut()) return true;
  return std::none_of(kDirections.begin(), kDirections.end(), [&](Direction d) {
    const qp::DirectionSummary& s = facts.from(d);
    // A message of the other end that was not read whole may be the answer.
    const bool may_be_answered =
        facts.record.directions[index(opposite(d))].incomplete_messages != 0 && !facts.from(opposite(d)).inside_message;
    const bool is_seen = facts.is_whole(opposite(d)) && !facts.may_have_answered(opposite(d));
    if (s.waiting && is_seen && !may_be_answered) return true;
    return (s.inside_message || s.inside_fpdu) && facts.is_whole(d);
  });
}

bool is_end_unknown(const Facts& facts) noexcept {
  return facts.summary().reset_beyond_seen || facts.lacks_end() || facts.from(Direction::a_to_b).framing_lost ||
         facts.from(Direction::b_to_a).framing_lost;
}

bool is_all_read(const Facts& facts) noexcept {
  return facts.is_whole(Direction::a_to_b) && facts.is_whole(Direction::b_to_a);
}

std::string_view request_kind(const qp::UnansweredRequests& waiting) noexcept {
  return waiting.atomic ? "Atomic Request" : "Read Request";
}

Diagnosis& name_unfinished_fpdu(const Facts& facts, Direction sender, Diagnosis& diagnosis) {
  const auto& fpdu = facts.from(sender).inside_fpdu;
  if (!fpdu || fpdu->ulpdu_length == 0 || !facts.is_whole(sender)) return diagnosis;
  diagnosis.remark(RemarkId::fpdu_length, {{Arg::of_frame, fpdu->frame},
                                           {Arg::length, std::uint64_t{fpdu->ulpdu_length}},
                                           {Arg::amount, Amount{fpdu->octets, "octet"}}});
  return diagnosis.show({fpdu->frame});
}

Diagnosis& list_outstanding(const Facts& facts, Diagnosis& diagnosis) {
  for (const Direction d : kDirections) {
    const qp::DirectionSummary& s = facts.from(d);
    if (s.waiting) {
      const FrameNumber frame = s.waiting->oldest.frame;
      diagnosis.remark(RemarkId::open_request, {{Arg::request_kind, request_kind(*s.waiting)},
                                                {Arg::msn, std::uint64_t{s.waiting->msn.value}},
                                                {Arg::frame, frame},
                                                {Arg::who, d}});
      diagnosis.show({frame});
    }
    if (s.inside_message) {
      const FrameNumber frame = s.last_message.frame;
      diagnosis.remark(RemarkId::open_message, {{Arg::opcode, s.last_opcode}, {Arg::who, d}, {Arg::frame, frame}});
      diagnosis.show({frame});
    } else if (s.inside_fpdu) {
      name_unfinished_fpdu(facts, d, diagnosis.remark(RemarkId::open_fpdu, {{Arg::who, d}}));
    }
  }
  return diagnosis;
}

}  // namespace iwarpscope::verdict
