// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers for people. Programs read the exact ones in the JSON report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/time_point.h"
#include "base/wording.h"
#include "net/address.h"
#include "rdmap/opcode.h"

namespace iwarpscope::report {

/// "17 octets", "1.50 KiB", "3.21 GiB": three digits, binary units.
[[nodiscard]] std::string human_octets(std::uint64_t octets);
/// The same of a second: "17 octets/s", "1.50 MiB/s". All rates of the command line, the reports and the dashboard.
[[nodiscard]] std::string human_rate(double octets_per_second);

/// What a capture lacks: "1.50 KiB", "3 messages", "1.50 KiB and 3 messages"; octets of TCP, messages of SCTP.
[[nodiscard]] std::string gap_text(std::uint64_t octets, std::uint64_t messages);

/// "999 ns", "12.3 us", "4.56 s", "2 min 3 s", "5 h 6 min", "7 d 8 h"; with a minus sign when the capture's clock went
/// back.
[[nodiscard]] std::string human_duration(std::int64_t ns);

/// "2023-11-14 22:13:20.000000001 UTC".
[[nodiscard]] std::string date_time(TimePoint time);
/// "22:13:20.000000001", of the UTC day.
[[nodiscard]] std::string time_of_day(TimePoint time);
/// Seconds from `start` with nine decimals and a sign: "+0.000001234".
[[nodiscard]] std::string since(TimePoint start, TimePoint time);

/// "10.0.0.1:4420", "[fd00::1]:4420".

/// "0x00001234" and "0x0000000000001000".
[[nodiscard]] std::string stag_text(STag stag);
[[nodiscard]] std::string to_text(TaggedOffset to);

/// "16", or "not negotiated" for 0x3FFF. Source: RFC 6581 §9.1.
[[nodiscard]] std::string depth_text(std::uint16_t depth);

/// Longer lines of sentences are hard to read.
inline constexpr std::size_t kSentenceWidth = 100;

/// "1.25 %", "12.5 %", "less than 0.01 %"; `part` of `whole`, which is not 0.
[[nodiscard]] std::string percent(double part, double whole);

/// The columns that UTF-8 text takes: one for each character, none for colours.
[[nodiscard]] std::size_t columns_of(std::string_view text) noexcept;

/// `text` broken at spaces into lines of at most `width` columns, `first` before the first line and `rest` before the
/// others; each ends with a line feed. A word longer than a line has a line of its own. Colours take no room.
[[nodiscard]] std::string wrapped(std::string_view first, std::string_view rest, std::string_view text,
                                  std::size_t width = kSentenceWidth);

}  // namespace iwarpscope::report
