// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/qp_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "mpa/startup.h"

namespace iwarpscope::report {
namespace {

std::string_view setting_word(std::optional<bool> setting) noexcept {
  return !setting ? "?" : *setting ? "on" : "off";
}

std::string depth_word(std::optional<std::uint16_t> depth) {
  return !depth || *depth == mpa::kDepthNotNegotiated ? std::string{"?"} : fmt::format("{}", *depth);
}

}  // namespace

std::uint64_t message_count(const qp::DirectionRecord& direction) noexcept {
  return std::accumulate(direction.messages.begin(), direction.messages.end(), std::uint64_t{0});
}

std::uint64_t payload_octets(const qp::DirectionRecord& direction) noexcept {
  return std::accumulate(direction.payload_octets.begin(), direction.payload_octets.end(), std::uint64_t{0});
}

bool is_at_least(const qp::DirectionRecord& direction) noexcept {
  return direction.captured && direction.unframed_octets != 0;
}

bool is_inferred(const qp::QpRecord& record) noexcept {
  return record.crc_inferred || record.markers_inferred;
}

std::string stream_mark(const qp::QpRecord& record) {
  return record.sctp_stream ? fmt::format(" stream {}", *record.sctp_stream) : std::string{};
}

std::string crc_cell(const qp::QpRecord& record) {
  if (record.sctp_stream) return "-";
  return fmt::format("{}{}", setting_word(record.crc_in_use), record.crc_in_use && record.crc_inferred ? "~" : "");
}

std::string markers_cell(const qp::QpRecord& record) {
  if (record.sctp_stream) return "-";
  const auto& [a, b] = record.markers;
  const std::string_view mark = (a || b) && record.markers_inferred ? "~" : "";
  return a == b ? fmt::format("{}{}", setting_word(a), mark)
                : fmt::format("{}/{}{}", setting_word(a), setting_word(b), mark);
}

std::string depth_cell(const qp::QpRecord& record) {
  return fmt::format("{}/{}", depth_word(record.read_depth[0]), depth_word(record.read_depth[1]));
}

std::string state_text(const qp::QpRecord& record) {
  return state_text(record.state, record.closed_by.value_or(""), record.sctp_stream.has_value());
}

std::string state_text(qp::State state, std::string_view closed_by, bool over_sctp) {
  std::string text{qp::name(state)};
  if (over_sctp) {
    if (state == qp::State::mpa_requested) text = "requested";
    if (state == qp::State::mpa_rejected) text = "rejected";
    if (state == qp::State::awaiting_first_fpdu) text = "awaiting first segment";
  }
  if (!closed_by.empty()) {
    std::string by{closed_by};
    std::transform(by.begin(), by.end(), by.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
    text += fmt::format(" ({})", by);
  }
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

}  // namespace iwarpscope::report
