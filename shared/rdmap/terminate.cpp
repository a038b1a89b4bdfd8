// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/terminate.h"

#include <algorithm>
#include <array>
#include <variant>

#include "ddp/header.h"
#include "rdmap/headers.h"
#include "rdmap/opcode.h"

namespace iwarpscope::rdmap {
namespace {

struct Error {
  std::uint8_t layer, type, code;
  bool any_code;
  std::string_view name;
};

constexpr auto kErrors = std::to_array<Error>({
    {0, 0, 0x00, true, "Local Catastrophic Error"},
    {0, 1, 0x00, false, "Remote Protection Error: Invalid STag"},
    {0, 1, 0x01, false, "Remote Protection Error: Base or bounds violation"},
    {0, 1, 0x02, false, "Remote Protection Error: Access rights violation"},
    {0, 1, 0x03, false, "Remote Protection Error: STag not associated with RDMAP Stream"},
    {0, 1, 0x04, false, "Remote Protection Error: TO wrap"},
    {0, 1, 0x09, false, "Remote Protection Error: STag cannot be Invalidated"},
    {0, 1, 0xFF, false, "Remote Protection Error: Unspecified Error"},
    {0, 2, 0x05, false, "Remote Operation Error: Invalid RDMAP version"},
    {0, 2, 0x06, false, "Remote Operation Error: Unexpected OpCode"},
    {0, 2, 0x07, false, "Remote Operation Error: Catastrophic error, localized to RDMAP Stream"},
    {0, 2, 0x08, false, "Remote Operation Error: Catastrophic error, global"},
    {0, 2, 0x09, false, "Remote Operation Error: STag cannot be Invalidated"},
    {0, 2, 0xFF, false, "Remote Operation Error: Unspecified Error"},
    {1, 0, 0x00, false, "DDP Local Catastrophic"},
    {1, 1, 0x00, false, "DDP Tagged Buffer Error: Invalid STag"},
    {1, 1, 0x01, false, "DDP Tagged Buffer Error: Base or bounds violation"},
    {1, 1, 0x02, false, "DDP Tagged Buffer Error: STag not associated with DDP Stream"},
    {1, 1, 0x03, false, "DDP Tagged Buffer Error: TO wrap"},
    {1, 1, 0x04, false, "DDP Tagged Buffer Error: Invalid DDP version"},
    {1, 2, 0x01, false, "DDP Untagged Buffer Error: Invalid QN"},
    {1, 2, 0x02, false, "DDP Untagged Buffer Error: Invalid MSN - no buffer available"},
    {1, 2, 0x03, false, "DDP Untagged Buffer Error: Invalid MSN - MSN range is not valid"},
    {1, 2, 0x04, false, "DDP Untagged Buffer Error: Invalid MO"},
    {1, 2, 0x05, false, "DDP Untagged Buffer Error: DDP Message too long for available buffer"},
    {1, 2, 0x06, false, "DDP Untagged Buffer Error: Invalid DDP version"},
    {1, 3, 0x00, true, "DDP: Reserved for use by the LLP"},
    {2, 0, 0x01, false, "MPA Error: TCP connection closed, terminated, or lost"},
    {2, 0, 0x02, false, "MPA Error: CRC mismatch"},
    {2, 0, 0x03, false, "MPA Error: Marker and ULPDU Length field mismatch"},
    {2, 0, 0x04, false, "MPA Error: Invalid MPA Request Frame or MPA Reply Frame"},
    {2, 0, 0x05, false, "MPA Error: Local catastrophic error"},
    {2, 0, 0x06, false, "MPA Error: Insufficient IRD resources"},
    {2, 0, 0x07, false, "MPA Error: No matching RTR option"},
});

const Error* find_error(std::uint8_t layer, std::uint8_t type, std::uint8_t code) noexcept {
  const auto* const row = std::ranges::find_if(
      kErrors, [=](const Error& e) { return e.layer == layer && e.type == type && (e.any_code || e.code == code); });
  return row == kErrors.end() ? nullptr : row;
}

/// Octets that the bits announce, and what of it is there. The length field is there with any of the bits.
void read_included(Terminate& t, Octets octets, std::uint32_t length) noexcept {
  constexpr std::size_t kLengthField = 2;
  std::size_t need = Terminate::kOctets;
  if (t.m || t.d || t.r) {
    need += kLengthField;
    if (t.m && octets.size() >= need)
      t.ddp_segment_length = load_be<std::uint16_t>(octets.subspan(need - kLengthField));
  }
  if (t.d) {
    // Without its first octet the header's size is unknown; the smaller one is enough to see that it is not there.
    std::size_t size = ddp::DdpTaggedHeader::kOctets;
    if (octets.size() > need) size = ddp::header_octets(ddp::Control{to_u8(octets[need])});
    if (octets.size() >= need + size) t.ddp_header = octets.subspan(need, size);
    need += size;
  }
  const std::size_t without_rdma_header = need;
  if (t.r) {
    if (octets.size() >= need + ReadRequestHeader::kOctets) {
      t.rdmap_header = octets.subspan(need, ReadRequestHeader::kOctets);
    }
    need += ReadRequestHeader::kOctets;
  }
  if (length == need) {
    t.fit = TerminateFit::exact;
  } else if (length < need) {
    t.fit = length == without_rdma_header ? TerminateFit::without_rdma_header : TerminateFit::too_short;
  } else {
    const Octets rest = octets.subspan(std::min(need, octets.size()));
    const bool zeros = std::ranges::all_of(rest, [](std::byte o) { return o == std::byte{0}; });
    t.fit = zeros ? TerminateFit::trailing_zeros : TerminateFit::too_long;
  }
}

Terminate read_rfc5040(std::span<const std::byte, Terminate::kOctets> head, Octets octets,
                       std::uint32_t length) noexcept {
  Terminate t;
  const auto flags = load_be<std::uint8_t, 2>(head);
  t.layer = static_cast<std::uint8_t>(to_u8(head[0]) >> 4);
  t.error_type = static_cast<std::uint8_t>(to_u8(head[0]) & 0x0F);
  t.error_code = to_u8(head[1]);
  t.m = (flags & 0x80) != 0;
  t.d = (flags & 0x40) != 0;
  t.r = (flags & 0x20) != 0;
  t.reserved = static_cast<std::uint16_t>(load_be<std::uint16_t, 2>(head) & 0x1FFF);
  t.dialect = TerminateDialect::rfc5040;
  read_included(t, octets, length);
  return t;
}

Terminate read_siw_le(std::span<const std::byte, Terminate::kOctets> head, Octets octets,
                      std::uint32_t length) noexcept {
  Terminate t;
  const auto flags = load_be<std::uint8_t, 2>(head);
  t.layer = static_cast<std::uint8_t>(to_u8(head[0]) & 0x0F);
  t.error_type = static_cast<std::uint8_t>(to_u8(head[0]) >> 4);
  t.error_code = to_u8(head[1]);
  t.m = (flags & 0x01) != 0;
  t.d = (flags & 0x02) != 0;
  t.r = (flags & 0x04) != 0;
  t.reserved = static_cast<std::uint16_t>(((flags >> 3) << 8) | to_u8(head[3]));
  t.dialect = TerminateDialect::siw_le;
  read_included(t, octets, length);
  return t;
}

bool fits(const Terminate& t) noexcept {
  return t.fit == TerminateFit::exact || t.fit == TerminateFit::trailing_zeros ||
         t.fit == TerminateFit::without_rdma_header;
}
bool is_registered(const Terminate& t) noexcept {
  return find_error(t.layer, t.error_type, t.error_code) != nullptr;
}

/// Which layout it is; see Terminate::parse.
bool is_siw_le(std::uint8_t flags, const Terminate& rfc, const Terminate& siw,
               const TerminateContext& context) noexcept {
  if ((flags & 0xE0) != 0) return false;
  if ((flags & 0x07) != 0) return fits(siw) || (!fits(rfc) && is_registered(siw));
  if (context.siw_le) return true;
  if (rfc.layer == siw.layer) return false;  // the same either way
  const bool rfc_registered = is_registered(rfc);
  if (rfc_registered != is_registered(siw)) return !rfc_registered;
  const bool startup_or_message =
      rfc_registered && ((rfc.layer == 2 && siw.layer == 0) || (rfc.layer == 0 && siw.layer == 2));
  if (!startup_or_message) return false;
  constexpr std::uint8_t kNoMatchingRtr = 7;
  const bool about_rtr = context.is_rtr_type_missing && rfc.error_code == kNoMatchingRtr;
  const bool startup = about_rtr || (context.peer_has_sent.has_value() && !*context.peer_has_sent);
  return startup ? siw.layer == 2 : siw.layer == 0;
}

/// An error about a message, without the header that the RFC wants: cxgb4 never sends one. Linux siw leaves it out
/// where the DDP version is wrong, and there both layouts agree, so that value proves nothing.
bool is_bare(const Terminate& t, std::uint32_t length) noexcept {
  if (length != Terminate::kOctets || t.m || t.d || t.r || !is_registered(t)) return false;
  if (t.layer == 1) return !(t.error_type == 1 && t.error_code == 4);
  return t.layer == 0 && t.error_type != 0;
}

}  // namespace

std::string_view name(TerminateDialect dialect) noexcept {
  switch (dialect) {
    case TerminateDialect::rfc5040: return "rfc5040";
    case TerminateDialect::siw_le: return "siw-le";
    case TerminateDialect::cxgb4: return "cxgb4";
  }
  return "rfc5040";
}

Decoded<Terminate> Terminate::parse(Octets octets, std::uint32_t length, const TerminateContext& context) noexcept {
  if (octets.size() < kOctets) return Short{kOctets, octets.size()};
  const auto head = octets.first<kOctets>();
  const Terminate rfc = read_rfc5040(head, octets, length);
  const Terminate siw = read_siw_le(head, octets, length);
  if (is_siw_le(load_be<std::uint8_t, 2>(head), rfc, siw, context)) return siw;
  Terminate chosen = rfc;
  if (is_bare(chosen, length)) chosen.dialect = TerminateDialect::cxgb4;
  return chosen;
}

bool is_registered(std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code) noexcept {
  return find_error(layer, error_type, error_code) != nullptr;
}

std::string_view error_name(std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code) noexcept {
  const Error* const error = find_error(layer, error_type, error_code);
  return error == nullptr ? std::string_view{"unregistered error"} : error->name;
}

TerminatedMatch match(const Terminate& terminate, const ddp::Segment& segment) noexcept {
  const Octets quoted = terminate.ddp_header;
  if (quoted.empty() || quoted.size() != segment.header.size()) return TerminatedMatch::none;
  if (std::ranges::equal(quoted, segment.header)) return TerminatedMatch::same;

  // Linux siw rebuilds the header of a Read Request: control octets and QN are right, the MSN is the read size, and the
  // MO is how many octets were answered.
  if (segment.tagged || opcode_of(segment.rdmap_control) != Opcode::rdma_read_request) return TerminatedMatch::none;
  const auto parsed = ddp::DdpUntaggedHeader::parse(quoted);
  const auto request = ReadRequestHeader::parse(segment.payload);
  const auto* const header = std::get_if<ddp::DdpUntaggedHeader>(&parsed);
  const auto* const read = std::get_if<ReadRequestHeader>(&request);
  if (header == nullptr || read == nullptr) return TerminatedMatch::none;
  constexpr std::size_t kUpToMsn = 10;
  if (!std::ranges::equal(quoted.first(kUpToMsn), segment.header.first(kUpToMsn))) return TerminatedMatch::none;
  if (header->msn().value != read->size()) return TerminatedMatch::none;
  if (!terminate.rdmap_header.empty() && !std::ranges::equal(terminate.rdmap_header, read->octets())) {
    return TerminatedMatch::none;
  }
  return TerminatedMatch::siw_read_request;
}

bool length_matches(const Terminate& terminate, const ddp::Segment& segment) noexcept {
  if (!terminate.ddp_segment_length) return true;
  const std::uint64_t length = *terminate.ddp_segment_length;
  const std::uint64_t payload = segment.payload_length;
  const std::uint64_t rdmap_header = header_octets(opcode_of(segment.rdmap_control));
  return length == payload || length == payload + segment.header.size() ||
         (rdmap_header <= payload && length == payload - rdmap_header);
}

}  // namespace iwarpscope::rdmap
