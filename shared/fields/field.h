// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A field of a header, and where its octets are in the frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/octets.h"

namespace iwarpscope::fields {

/// One field. Units: octets of the frame.
struct Field {
  std::string_view layer;  ///< "TCP", "MPA", "DDP"; static storage
  std::string_view name;   ///< the RFC's name: "STag"; static storage
  std::string value;       ///< as text; ASCII
  std::uint32_t offset = 0;
  std::uint32_t length = 0;            ///< at least 1: the octets that are in this frame
  std::optional<StreamOffset> unit{};  ///< first octet of its FPDU or startup frame; over SCTP: its DDP-SSN
};

/// The fields of a frame, at most kMost of them.
struct FieldList {
  static constexpr std::size_t kMost = 4096;
  std::vector<Field> fields;
  std::uint64_t left_out = 0;  ///< fields above kMost
};

/// Where the octets of a unit (a header, an FPDU) are in the frame. Units: octets.
struct Placing {
  std::int64_t at = 0;                   ///< of the unit's first octet; negative: it begins in an earlier frame
  std::uint32_t begin = 0, end = 0;      ///< the part of the frame that can hold octets of the unit
  std::vector<std::uint32_t> markers{};  ///< positions in the unit, markers included, ascending; each 4 octets long
  std::optional<StreamOffset> unit{};    ///< see Field
};

/// Adds fields of one unit to a list. A field that is not in the frame is left out, one that is there in part is cut.
class Writer {
 public:
  Writer(FieldList& to, Placing placing) : to_(to), placing_(std::move(placing)) {}

  /// `at` and `length` do not count markers.
  void put(std::string_view layer, std::string_view name, std::size_t at, std::size_t length, std::string value);
  /// The octets as they are in the unit, with markers.
  void put_raw(std::string_view layer, std::string_view name, std::uint64_t at, std::uint64_t length,
               std::string value);

 private:
  [[nodiscard]] std::uint64_t raw(std::uint64_t at) const noexcept;

  FieldList& to_;
  const Placing placing_;
};

/// "1 octet", "17 octets".
[[nodiscard]] std::string octets_text(std::uint64_t count);
/// "1", "0".
[[nodiscard]] std::string bit_text(bool bit);
/// Printable ASCII; other octets as \xNN.
[[nodiscard]] std::string ascii_text(Octets octets);

}  // namespace iwarpscope::fields
