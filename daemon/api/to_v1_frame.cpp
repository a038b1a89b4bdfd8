// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A decoded frame as a message, with the findings about its fields.
#include "api/enums.h"
#include "api/records.h"
#include "fields/wrong_field.h"
#include "iwarpscope/v1/frame.pb.h"

namespace iwarpscope::api {
namespace {

/// The frame decided the finding, or the finding is based on it. What the other end sent is none of its fields, but a
/// Terminate can be about them.
std::optional<std::size_t> marked_field(const fields::FrameFields& frame, const findings::Finding& finding,
                                        const std::optional<Direction>& direction, bool offsets_agree) {
  using enum findings::FindingId;
  const bool is_other_end = finding.direction && direction && *finding.direction != *direction;
  const bool is_about = findings::is_about(finding, frame.number);
  if (is_other_end) {
    const bool is_refusal = is_about && finding.id == rdmap_terminate_sent;
    return is_refusal ? fields::refused_field(frame.fields, finding) : std::nullopt;
  }
  // It is raised once for all windows that closed.
  const bool is_again = finding.id == tcp_zero_window && direction.has_value();
  if (!is_about && !is_again) return std::nullopt;
  return fields::wrong_field(frame.fields, finding, offsets_agree);
}

}  // namespace

void to_v1(const fields::FrameFields& frame, const live::QpView& qp, const std::vector<live::FindingPtr>& findings,
           v1::Frame& out) {
  out.set_frame(frame.number.value);
  out.set_time_ns(frame.time.ns);
  out.set_link_type(static_cast<std::uint32_t>(frame.link));
  out.set_original_length(frame.original_length);
  out.set_octets(frame.octets.data(), frame.octets.size());
  std::optional<Direction> direction;
  if (frame.source) direction = *frame.source == qp.record.a ? Direction::a_to_b : Direction::b_to_a;
  if (direction) out.set_direction(enum_to_v1(*direction));
  // Offsets of an analysis that began later than the connection are counted from another octet.
  const bool offsets_agree = frame.first_analysed <= qp.record.first_frame;
  if (frame.offset && offsets_agree) out.set_stream_offset(relative(*frame.offset));
  for (const fields::Field& field : frame.fields.fields) {
    v1::FrameField& to = *out.add_fields();
    to.set_layer(std::string{field.layer});
    to.set_name(std::string{field.name});
    to.set_value(field.value);
    to.set_offset(field.offset);
    to.set_length(field.length);
  }
  out.set_fields_left_out(frame.fields.left_out);
  out.set_note(frame.note);
  for (const live::FindingPtr& view : findings) {
    const auto wrong = marked_field(frame, view->finding, direction, offsets_agree);
    if (wrong) out.mutable_fields(static_cast<int>(*wrong))->add_findings(view->sequence);
  }
}

}  // namespace iwarpscope::api
