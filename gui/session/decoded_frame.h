// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One captured frame with the fields of its headers, as the daemon decoded it.
#pragma once

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"
#include "base/time_point.h"

namespace iwarpscope::v1 {
class Frame;
}

namespace iwarpscope::gui {

struct DecodedField {
  QString layer, name, value;
  std::uint32_t offset = 0, length = 0;   ///< octets of the frame; inside it
  std::vector<std::uint64_t> findings{};  ///< sequence numbers of the findings about this field
};

struct DecodedFrame {
  FrameNumber number;
  TimePoint time;
  std::uint32_t original_length = 0;  ///< octets on the wire
  QByteArray octets;                  ///< as captured
  std::optional<Direction> direction{};
  std::vector<DecodedField> fields;  ///< by offset
  std::uint64_t left_out = 0;        ///< fields that were too many
  QString note;                      ///< what could not be decoded; empty: nothing
};

/// A daemon may be of another version, or hostile: fields outside the octets are dropped.
[[nodiscard]] DecodedFrame decoded_frame(const v1::Frame& in);

}  // namespace iwarpscope::gui
