// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/rdmap.h"

namespace iwarpscope::synth::wire {

Buffer write(const ReadRequest& header) {
  Writer w;
  w.u32(header.sink_stag.value).u64(header.sink_to.value).u32(header.size);
  return w.u32(header.source_stag.value).u64(header.source_to.value).take();
}

Buffer write(const Terminate& header) {
  const bool bare = header.dialect == TerminateDialect::bare;
  const bool m = header.m.value_or(!bare && header.ddp_length.has_value());
  const bool d = header.d.value_or(!bare && !header.ddp_header.empty());
  const bool r = header.r.value_or(!bare && !header.rdmap_header.empty());
  Writer w;
  if (header.dialect == TerminateDialect::siw_little_endian) {
    w.u8((header.error_type & 0xFU) << 4 | (header.layer & 0xFU)).u8(header.error_code);
    w.u8((m ? 1U : 0U) | (d ? 2U : 0U) | (r ? 4U : 0U)).u8(0);
  } else {
    w.u8((header.layer & 0xFU) << 4 | (header.error_type & 0xFU)).u8(header.error_code);
    w.u16((m ? 0x8000U : 0U) | (d ? 0x4000U : 0U) | (r ? 0x2000U : 0U) | (header.reserved & 0x1FFFU));
  }
  if (bare) return w.take();
  if (header.ddp_length) w.u16(*header.ddp_length);
  return w.octets(header.ddp_header).octets(header.rdmap_header).take();
}

Buffer write(const AtomicRequest& header) {
  Writer w;
  w.u32(header.reserved << 4 | (static_cast<std::uint32_t>(header.operation) & 0xFU)).u32(header.request_id);
  w.u32(header.remote_stag.value).u64(header.remote_to.value);
  return w.u64(header.data).u64(header.mask).u64(header.compare).u64(header.compare_mask).take();
}

Buffer write(const AtomicResponse& header) {
  return Writer().u32(header.request_id).u64(header.original).take();
}

Buffer write_immediate(std::uint64_t value) {
  return Writer().u64(value).take();
}

std::uint64_t apply(const AtomicRequest& request, std::uint64_t original) {
  switch (request.operation) {
    case AtomicOperation::swap: return request.data;
    case AtomicOperation::cmp_swap: {
      const bool equal = ((request.compare ^ original) & request.compare_mask) == 0;
      return equal ? (original & ~request.mask) | (request.data & request.mask) : original;
    }
    case AtomicOperation::fetch_add: break;
  }
  std::uint64_t result = 0;
  std::uint64_t carry = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t sum = carry + (original >> bit & 1) + (request.data >> bit & 1);
    result |= (sum & 1) << bit;
    carry = (request.mask >> bit & 1) != 0 ? 0 : sum >> 1;
  }
  return result;
}

}  // namespace iwarpscope::synth::wire
