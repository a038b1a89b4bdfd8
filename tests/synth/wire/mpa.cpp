// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/mpa.h"

#include <algorithm>

#include "synth/wire/checksum.h"

namespace iwarpscope::synth::wire {

Buffer write(const EnhancedData& data) {
  Writer w;
  w.u16((data.peer_to_peer ? 0x8000U : 0U) | (data.rtr_send ? 0x4000U : 0U) | (data.ird & 0x3FFFU));
  w.u16((data.rtr_write ? 0x8000U : 0U) | (data.rtr_read ? 0x4000U : 0U) | (data.ord & 0x3FFFU));
  return w.take();
}

Buffer write(const StartupFrame& frame) {
  Writer data;
  if (frame.enhanced) data.octets(write(*frame.enhanced));
  data.octets(frame.private_data);
  const bool enhanced = frame.enhanced_flag.value_or(frame.enhanced.has_value());
  Writer w;
  w.octets(
      frame.key.value_or(text(frame.kind == StartupFrame::Kind::request ? "MPA ID Req Frame" : "MPA ID Rep Frame")));
  w.u8((frame.markers ? 0x80U : 0U) | (frame.crc ? 0x40U : 0U) | (frame.reject ? 0x20U : 0U) | (enhanced ? 0x10U : 0U) |
       (frame.reserved & 0xFU));
  w.u8(frame.revision).u16(frame.private_data_length.value_or(static_cast<std::uint16_t>(data.size())));
  return w.octets(data.view()).take();
}

namespace {

constexpr std::uint64_t kMarkerPeriod = 512;

// Writes the octets of one FPDU and inserts a Marker wherever the position requires one.
class FpduWriter {
 public:
  FpduWriter(const FpduForm& form, std::uint64_t position, std::size_t octets) : form_(form), start_(position) {
    out_.reserve(octets + octets / 508 * 4 + 16);
  }

  void marker_if_due() {
    if (!form_.markers || (start_ + out_.size()) % kMarkerPeriod != 0 || omitted_at_ == out_.size() + 1) return;
    const bool faulty = !form_.marker_index || *form_.marker_index == markers_;
    ++markers_;
    if (faulty && form_.omit_markers) {
      omitted_at_ = out_.size() + 1;
      return;
    }
    auto pointer = static_cast<std::uint16_t>(length_at_ ? out_.size() - *length_at_ : 0);
    std::uint16_t reserved = 0;
    if (faulty) {
      pointer = static_cast<std::uint16_t>(form_.marker_pointer.value_or(pointer) ^ form_.marker_pointer_xor);
      reserved = form_.marker_reserved.value_or(0);
    }
    out_.u16(reserved).u16(pointer);
  }
  void begin_length() {
    marker_if_due();
    length_at_ = out_.size();
  }
  void octets(Octets octets) {
    while (!octets.empty()) {
      marker_if_due();
      const std::uint64_t room = form_.markers ? kMarkerPeriod - (start_ + out_.size()) % kMarkerPeriod : octets.size();
      const Octets piece = octets.first(std::min<std::size_t>(octets.size(), room));
      out_.octets(piece);
      octets = octets.subspan(piece.size());
    }
  }
  [[nodiscard]] Buffer take_with_crc() {
    marker_if_due();  // between PAD and CRC
    const std::uint32_t right = form_.crc ? crc32c(out_.view()) : 0;
    const std::uint32_t value = form_.crc_value.value_or(right) ^ form_.crc_xor;
    if (form_.crc_big_endian) {
      out_.u32(value);
    } else {
      out_.le(value, 4);
    }
    Buffer fpdu = out_.take();
    if (form_.flip_after_crc) fpdu[*form_.flip_after_crc % fpdu.size()] ^= std::byte{0x5A};
    if (length_at_) {
      fpdu[*length_at_] ^= static_cast<std::byte>(form_.length_xor >> 8);
      fpdu[*length_at_ + 1] ^= static_cast<std::byte>(form_.length_xor & 0xFF);
    }
    return fpdu;
  }

 private:
  const FpduForm& form_;
  std::uint64_t start_;
  Writer out_;
  std::optional<std::size_t> length_at_;
  unsigned markers_ = 0;
  std::size_t omitted_at_ =
      0;  // size of the output plus 1 where a marker was left out, so that it is not inserted later
};

}  // namespace

Buffer write(const FpduForm& form, Octets ulpdu, std::uint64_t position) {
  const std::size_t pad = (4 - (2 + ulpdu.size()) % 4) % 4;
  FpduWriter w(form, position, ulpdu.size());
  w.begin_length();
  Writer length;
  w.octets(length.u16(form.length.value_or(static_cast<std::uint16_t>(ulpdu.size()))).view());
  w.octets(ulpdu);
  w.octets(Writer().fill(pad, form.pad).view());
  return w.take_with_crc();
}

std::size_t mulpdu(std::size_t emss, bool markers) {
  const std::size_t overhead = 6 + (markers ? 4 * ((emss + 511) / 512) : 0) + emss % 4;
  return std::clamp<std::size_t>(emss > overhead ? emss - overhead : 0, 128, 64768);
}

}  // namespace iwarpscope::synth::wire
