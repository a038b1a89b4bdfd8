// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records as an analysis would give them, made by hand.
#pragma once

#include <string>
#include <string_view>

#include "analysis/records.h"
#include "findings/finding.h"
#include "qp/records.h"

namespace iwarpscope::report::sample {

inline constexpr TimePoint kStart{1'700'000'000'000'000'001};

[[nodiscard]] constexpr TimePoint after(std::int64_t ns) noexcept {
  return TimePoint{kStart.ns + ns};
}

/// Octets whose values are first, first + 1, ...
[[nodiscard]] inline std::vector<std::byte> counting(std::size_t n, unsigned first = 0) {
  std::vector<std::byte> octets(n);
  for (std::size_t i = 0; i < n; ++i) octets[i] = static_cast<std::byte>(first + i);
  return octets;
}

[[nodiscard]] inline net::Endpoint end(std::uint32_t address, std::uint16_t port) {
  return {net::IpAddress::v4(address), port};
}

/// An untagged message of one DDP segment, complete.
[[nodiscard]] inline qp::MessageRecord message(rdmap::Opcode opcode, std::uint32_t qn = 0) {
  qp::MessageRecord record;
  record.qp = 3;
  record.direction = Direction::a_to_b;
  record.index = 12;
  record.opcode = opcode;
  record.first_frame = FrameNumber{21};
  record.last_frame = FrameNumber{22};
  record.first_time = after(0);
  record.placed_time = after(1000);
  record.delivered_time = after(2000);
  record.ddp_segments = 1;
  record.length = 64;
  record.complete = true;
  record.qn = QueueNumber{qn};
  record.msn = MessageSequence{13};
  return record;
}

[[nodiscard]] inline findings::Finding crc_finding(std::uint64_t qp = 0, std::uint64_t frame = 17) {
  findings::Finding finding;
  finding.id = findings::FindingId::mpa_crc_mismatch;
  finding.qp = qp;
  finding.direction = Direction::a_to_b;
  finding.message = 4;
  finding.frame = FrameNumber{frame};
  finding.frames = {FrameNumber{16}, FrameNumber{frame}};
  finding.time = after(1'234);
  finding.offset = kStreamOrigin + 40;
  finding.seen = "0x00000001";
  finding.expected = "0xdeadbeef";
  finding.text = "The CRC is 0x00000001; the octets give 0xdeadbeef.";
  return finding;
}

/// A rule of this severity, whatever the catalogue says of any one rule; not that of crc_finding().
[[nodiscard]] inline findings::FindingId rule_of(findings::Severity severity) {
  for (const findings::Rule& rule : findings::rules()) {
    if (rule.severity == severity && rule.id != findings::FindingId::mpa_crc_mismatch) return rule.id;
  }
  return findings::FindingId::mpa_crc_mismatch;
}

/// A warning that speaks of no queue pair and no frame.
[[nodiscard]] inline findings::Finding drops_finding() {
  findings::Finding finding;
  finding.id = findings::FindingId::capture_interface_drops;
  finding.text = "The capture dropped 7 frames.";
  return finding;
}

[[nodiscard]] inline analysis::CaptureRecord capture() {
  analysis::CaptureRecord record;
  record.info.file = "a.pcapng";
  record.info.file_format = "pcapng";
  record.info.interfaces = {{"EN10MB", 262144, std::nullopt}};
  record.frames = 100;
  record.octets = 12'345;
  record.first_time = after(0);
  record.last_time = after(1'500'000'000);
  return record;
}

[[nodiscard]] inline analysis::SummaryRecord summary(std::uint64_t qps) {
  analysis::SummaryRecord record;
  record.qps = qps;
  return record;
}

[[nodiscard]] inline mpa::StartupFrame startup_frame(bool reply) {
  mpa::StartupFrame frame;
  frame.frame = FrameNumber{reply ? 6u : 4u};
  frame.reply_key = reply;
  frame.time = TimePoint{reply ? 1'700'000'000'001'500'000 : 1'700'000'000'000'000'000};
  frame.crc = true;
  frame.enhanced_flag = true;
  frame.revision = 2;
  frame.private_data_length = 7;
  frame.private_data = counting(3, 0x61);
  frame.enhanced = mpa::EnhancedData{.ird = 16,
                                     .ord = static_cast<std::uint16_t>(reply ? 8 : 0x3FFF),
                                     .peer_to_peer = true,
                                     .rtr_send = false,
                                     .rtr_write = true,
                                     .rtr_read = !reply};
  return frame;
}

/// A queue pair that started, moved data and was closed.
[[nodiscard]] inline qp::QpRecord queue_pair(std::uint64_t number = 0) {
  qp::QpRecord record;
  record.qp = number;
  record.a = end(0x0A000001, 45000);
  record.b = end(0x0A000002, 4420);
  record.roles = qp::Roles::mpa;
  record.state = qp::State::closed;
  record.first_frame = FrameNumber{1};
  record.last_frame = FrameNumber{99};
  record.first_time = after(0);
  record.last_time = after(1'200'000'000);
  record.closed_by = "fin";
  record.startup = qp::StartupRecord{startup_frame(false), startup_frame(true), qp::RtrRecord{"write", FrameNumber{8}}};
  record.crc_in_use = true;
  record.markers = {false, false};
  record.read_depth = {std::uint16_t{16}, std::uint16_t{8}};
  record.rdmap_version = std::uint8_t{1};
  record.ddp_version = std::uint8_t{1};
  record.ulp = "nvme";
  qp::DirectionRecord& a_to_b = record.directions[0];
  a_to_b.tcp_segments = 50;
  a_to_b.stream_octets = 9000;
  a_to_b.retransmitted_octets = 1460;
  a_to_b.out_of_order_segments = 2;
  a_to_b.sequence = qp::SequenceRecord{4'000'000'000u, 4'000'000'001u, 9000, 4'000'009'001u, false, std::nullopt};
  a_to_b.loss_traces.sent_again = {{1460, 1460}};
  a_to_b.fpdus = 40;
  a_to_b.crc_ok = 40;
  a_to_b.ddp_segments = 40;
  a_to_b.messages[static_cast<std::size_t>(rdmap::Opcode::send)] = 10;
  a_to_b.payload_octets[static_cast<std::size_t>(rdmap::Opcode::send)] = 5120;
  a_to_b.messages[static_cast<std::size_t>(rdmap::Opcode::rdma_read_request)] = 3;
  a_to_b.max_outstanding_reads = 2;
  qp::DirectionRecord& b_to_a = record.directions[1];
  b_to_a.tcp_segments = 30;
  b_to_a.messages[static_cast<std::size_t>(rdmap::Opcode::rdma_read_response)] = 3;
  b_to_a.payload_octets[static_cast<std::size_t>(rdmap::Opcode::rdma_read_response)] = 3 << 20;
  b_to_a.incomplete_messages = 1;
  return record;
}

}  // namespace iwarpscope::report::sample
