// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Words of a sentence that depend on the record only.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// "the Initiator 10.0.0.1:4791"; for an end with unknown role "A 10.0.0.1:4791".
[[nodiscard]] std::string who(const qp::QpRecord& record, Direction sender);

/// The same without its address: "the Initiator", "A".
[[nodiscard]] std::string_view role(const qp::QpRecord& record, Direction end) noexcept;

/// Names the ends of a queue pair in one text: with their address the first time, later as "the Initiator" or "A".
/// Borrows the record.
class Ends {
 public:
  explicit Ends(const qp::QpRecord& record) noexcept : record_(record) {}
  [[nodiscard]] std::string name(Direction end);
  /// Without its address; "the same end" where the text named it last.
  [[nodiscard]] std::string short_name(Direction end) const;

 private:
  const qp::QpRecord& record_;
  std::array<bool, 2> named_{};
  std::optional<Direction> last_;
};

/// For a connection that both ends closed: "first by the Initiator 10.0.0.1:4791 in frame 9". Empty: neither end closed
/// it.
[[nodiscard]] std::string closed_first(const Facts& facts, Ends& ends);

/// MF-04 of CRC fields that only their sender can have made.
[[nodiscard]] bool is_made_by_sender(const qp::NotedFinding& mismatch) noexcept;
/// What is wrong with such a field.
[[nodiscard]] std::string_view crc_words(findings::SenderCrc crc) noexcept;

/// "An SSH server": the program that begins what it sends with these octets, as escaped() writes them. Empty: not
/// known.
[[nodiscard]] std::string_view program_of(std::string_view answer) noexcept;

/// A word of kWordNames that needs no argument and is no end: "connection", "asked"... Empty for other names.
[[nodiscard]] std::string word(const Facts& facts, std::string_view name);

}  // namespace iwarpscope::verdict
