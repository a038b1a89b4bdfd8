// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the cells of a table of queue pairs say, for people: a word or two each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "qp/records.h"

namespace iwarpscope::report {

/// Messages and ULP payload of one direction, all opcodes.
[[nodiscard]] std::uint64_t message_count(const qp::DirectionRecord& direction) noexcept;
[[nodiscard]] std::uint64_t payload_octets(const qp::DirectionRecord& direction) noexcept;
/// Messages may be in octets that were not read. Tables mark such counts with "+".
[[nodiscard]] bool is_at_least(const qp::DirectionRecord& direction) noexcept;
/// The use of CRCs or of markers was inferred. Tables mark it with "~".
[[nodiscard]] bool is_inferred(const qp::QpRecord& record) noexcept;

/// " stream 3" of a session over SCTP, to follow the ends; otherwise nothing.
[[nodiscard]] std::string stream_mark(const qp::QpRecord& record);
/// "on", "off~", "?"; "-" over SCTP, whose packets always have one.
[[nodiscard]] std::string crc_cell(const qp::QpRecord& record);
/// "on", "off~", "?", over SCTP "-"; where they differ, of what A sends and of what B sends: "on/off".
[[nodiscard]] std::string markers_cell(const qp::QpRecord& record);
/// RDMA Reads that A and that B may have outstanding: "16/?".
[[nodiscard]] std::string depth_cell(const qp::QpRecord& record);
/// "closed (FIN)", "rts"; over SCTP "rejected" where MPA has "mpa rejected". `closed_by`: empty when it is not closed.
[[nodiscard]] std::string state_text(const qp::QpRecord& record);
[[nodiscard]] std::string state_text(qp::State state, std::string_view closed_by, bool over_sctp);

/// What the marks mean: a line below the table, without its line feed.
inline constexpr std::string_view kInferredLegend =
    "~  inferred from the stream: the startup was not captured completely";
inline constexpr std::string_view kAtLeastLegend =
    "+  at least: some octets were skipped, because the starts of FPDUs in them were unknown";

}  // namespace iwarpscope::report
