// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of MPA: startup frames and FPDUs.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "fields/headers.h"
#include "mpa/marker.h"
#include "mpa/startup_frame_view.h"

namespace iwarpscope::fields {
namespace {

std::string crc_text(const KeptFpdu& fpdu) {
  switch (fpdu.crc) {
    case mpa::CrcVerdict::good: return fmt::format("0x{:08x} (right)", fpdu.crc_seen);
    case mpa::CrcVerdict::bad: return fmt::format("0x{:08x} (wrong)", fpdu.crc_seen);
    case mpa::CrcVerdict::not_in_use: return fmt::format("0x{:08x} (not judged)", fpdu.crc_seen);
    case mpa::CrcVerdict::incomplete: break;
  }
  return "not judged: octets of this FPDU were not captured";
}

std::string whole_text(const KeptFpdu& fpdu, FrameNumber frame) {
  std::string text = octets_text(distance(fpdu.start, fpdu.end));
  if (fpdu.first_frame.value != 0 && fpdu.first_frame < frame) {
    text += fmt::format(", begins in frame {}", fpdu.first_frame.value);
  }
  if (fpdu.last_frame > frame) text += fmt::format(", ends in frame {}", fpdu.last_frame.value);
  return text;
}

/// With a wrong length, the CRC shows where the FPDU ends.
std::string length_text(const KeptFpdu& fpdu) {
  if (!fpdu.wire_length || *fpdu.wire_length == fpdu.ulpdu_length) return std::to_string(fpdu.ulpdu_length);
  return fmt::format("{} (read as {})", *fpdu.wire_length, fpdu.ulpdu_length);
}

void put_markers(const KeptFpdu& fpdu, Writer& to) {
  for (const KeptFpdu::Marker& marker : fpdu.markers) {
    if (marker.at < fpdu.start || marker.at >= fpdu.end) continue;
    const std::uint64_t at = distance(fpdu.start, marker.at);
    constexpr std::size_t kHalf = mpa::kMarkerOctets / 2;
    to.put_raw("MPA", "Marker reserved", at, kHalf, std::to_string(marker.value >> 16));
    to.put_raw("MPA", "Marker FPDUPTR", at + kHalf, kHalf, std::to_string(marker.value & 0xFFFF));
  }
}

}  // namespace

void put_fpdu(const KeptFpdu& fpdu, FrameNumber frame, Placing placing, FieldList& to) {
  placing.unit = fpdu.start;
  const auto whole = distance(fpdu.start, fpdu.end);
  Writer(to, placing).put_raw("MPA", "FPDU", 0, whole, whole_text(fpdu, frame));
  Writer(to, placing)
      .put_raw("MPA", "ULPDU_Length", distance(fpdu.start, fpdu.header), mpa::kUlpduLengthOctets, length_text(fpdu));
  // From ULPDU_Length on, with the markers after it.
  placing.at += static_cast<std::int64_t>(distance(fpdu.start, fpdu.header));
  for (const KeptFpdu::Marker& marker : fpdu.markers) {
    if (marker.at >= fpdu.header && marker.at < fpdu.end) {
      placing.markers.push_back(static_cast<std::uint32_t>(distance(fpdu.header, marker.at)));
    }
  }
  const std::uint64_t rest = distance(fpdu.header, fpdu.end);
  Writer inside(to, placing);
  put_ddp(fpdu.head, fpdu.ulpdu_length, mpa::kUlpduLengthOctets, inside);
  const std::uint32_t pad = mpa::unmarked_layout(fpdu.ulpdu_length).pad;
  inside.put("MPA", "PAD", mpa::kUlpduLengthOctets + fpdu.ulpdu_length, pad, octets_text(pad));
  if (rest >= mpa::kCrcOctets) inside.put_raw("MPA", "CRC", rest - mpa::kCrcOctets, mpa::kCrcOctets, crc_text(fpdu));
  placing.at -= static_cast<std::int64_t>(distance(fpdu.start, fpdu.header));
  placing.markers.clear();
  Writer outside(to, placing);
  put_markers(fpdu, outside);
}

void put_enhanced(Octets octets, std::size_t at, Writer& to) {
  if (octets.size() < at) return;
  const auto parsed = mpa::EnhancedDataView::parse(octets.subspan(at));
  const auto* data = std::get_if<mpa::EnhancedDataView>(&parsed);
  if (data == nullptr) return;
  to.put("MPA", "A (peer-to-peer)", at, 1, bit_text(data->peer_to_peer()));
  to.put("MPA", "B (RTR by Send)", at, 1, bit_text(data->rtr_send()));
  to.put("MPA", "IRD", at, 2, std::to_string(data->ird()));
  to.put("MPA", "C (RTR by Write)", at + 2, 1, bit_text(data->rtr_write()));
  to.put("MPA", "D (RTR by Read)", at + 2, 1, bit_text(data->rtr_read()));
  to.put("MPA", "ORD", at + 2, 2, std::to_string(data->ord()));
}

void put_startup(Octets octets, bool has_enhanced_data, Writer& to) {
  const auto parsed = mpa::StartupFrameView::parse(octets);
  const auto* frame = std::get_if<mpa::StartupFrameView>(&parsed);
  if (frame == nullptr) return;
  constexpr std::size_t kFlags = mpa::kKeyOctets;
  to.put("MPA", "Key", 0, mpa::kKeyOctets, ascii_text(frame->key()));
  to.put("MPA", "M (markers)", kFlags, 1, bit_text(frame->markers()));
  to.put("MPA", "C (CRC)", kFlags, 1, bit_text(frame->crc()));
  to.put("MPA", "R (rejected)", kFlags, 1, bit_text(frame->rejected()));
  to.put("MPA", "S (enhanced)", kFlags, 1, bit_text(frame->enhanced_flag()));
  to.put("MPA", "Reserved", kFlags, 1, std::to_string(frame->reserved()));
  to.put("MPA", "Rev", kFlags + 1, 1, std::to_string(frame->revision()));
  to.put("MPA", "PD_Length", kFlags + 2, 2, std::to_string(frame->private_data_length()));
  std::size_t at = mpa::StartupFrameView::kOctets;
  const std::size_t end = at + std::min(frame->private_data_length(), mpa::kMaxPrivateData);
  if (has_enhanced_data) {
    put_enhanced(octets, at, to);
    at += mpa::EnhancedDataView::kOctets;
  }
  if (at < end) to.put("MPA", "Private Data", at, end - at, octets_text(end - at));
}

}  // namespace iwarpscope::fields
