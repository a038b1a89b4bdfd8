// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The answers of a running iwarpscoped as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "live/views.h"

namespace iwarpscope::v1 {
class Finding;
class Latencies;
class Losses;
class Status;
}  // namespace iwarpscope::v1

namespace iwarpscope::cli {

/// Lines, each with its line feed. `now_ns`: by the clock of this machine.
[[nodiscard]] std::string status_text(const v1::Status& status, std::int64_t now_ns);
/// "none known", or where frames were lost and how many octets are missing.
[[nodiscard]] std::string losses_text(const live::Losses& losses);
[[nodiscard]] std::string losses_text(const v1::Losses& losses);
/// "2 measured, half of them below 262 us, 406 us on average".
[[nodiscard]] std::string latency_text(const v1::Latencies& latencies);
/// Whether the capture lost something during the lifetime of a queue pair; this limits its verdict.
[[nodiscard]] bool has_losses(const live::QpView& view) noexcept;
/// What it captures, in words: "capturing on eth1", "replaying, 40 %", "not capturing".
[[nodiscard]] std::string capture_text(const v1::Status& status);
/// Sensors of a centre: "3 sensors, 1 silent: rack7".
[[nodiscard]] std::string sensors_count(const v1::Status& status);
/// One line: severity, rule, where, and the sentence. `with_sensor`: a centre answers.
[[nodiscard]] std::string finding_line(const v1::Finding& finding, bool with_sensor);

/// Replaces control characters in each line of a text: a daemon may be hostile.
[[nodiscard]] std::string printable_lines(std::string_view text);
/// A JSON record of the history with one more field, the run of the daemon that wrote it; unchanged if it is not an
/// object.
[[nodiscard]] std::string history_json(const std::string& json, const std::string& run);
/// A JSON record of the history in words. Missing fields are left out.
[[nodiscard]] std::string history_words(const std::string& json);

}  // namespace iwarpscope::cli
