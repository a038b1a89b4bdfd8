// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/decoded_frame.h"

#include <algorithm>

#include "iwarpscope/v1/frame.pb.h"

namespace iwarpscope::gui {

DecodedFrame decoded_frame(const v1::Frame& in) {
  DecodedFrame out;
  out.number = FrameNumber{in.frame()};
  out.time = TimePoint{in.time_ns()};
  out.original_length = in.original_length();
  out.octets = QByteArray(in.octets().data(), static_cast<qsizetype>(in.octets().size()));
  if (in.direction() == v1::DIRECTION_A_TO_B) out.direction = Direction::a_to_b;
  if (in.direction() == v1::DIRECTION_B_TO_A) out.direction = Direction::b_to_a;
  for (const v1::FrameField& field : in.fields()) {
    const std::uint64_t end = std::uint64_t{field.offset()} + field.length();
    if (field.length() == 0 || end > in.octets().size()) continue;
    out.fields.push_back({QString::fromStdString(field.layer()),
                          QString::fromStdString(field.name()),
                          QString::fromStdString(field.value()),
                          field.offset(),
                          field.length(),
                          {field.findings().begin(), field.findings().end()}});
  }
  std::stable_sort(out.fields.begin(), out.fields.end(),
                   [](const DecodedField& a, const DecodedField& b) { return a.offset < b.offset; });
  out.left_out = in.fields_left_out();
  out.note = QString::fromStdString(in.note());
  return out;
}

}  // namespace iwarpscope::gui
