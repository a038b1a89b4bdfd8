// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/payload_cut.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <variant>

#include "base/crc32c.h"
#include "base/octets.h"
#include "ddp/header.h"
#include "mpa/marker.h"
#include "mpa/startup_frame_view.h"
#include "mpa/ulpdu_header.h"
#include "rdmap/headers.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"
#include "sctp/chunk.h"
#include "sctp/control.h"
#include "sctp/session.h"

namespace iwarpscope::analysis {
namespace {

/// Four octets, DDP Segment Length, DDP header, RDMA header. Source: RFC 5040 §4.8.
constexpr std::size_t kMostTerminate = rdmap::Terminate::kOctets + 2 + ddp::DdpUntaggedHeader::kOctets + 28;

/// Octets of the RDMAP header after the DDP header; what follows is ULP payload, as Immediate Data is.
std::size_t rdmap_octets(std::uint8_t control) noexcept {
  const rdmap::Opcode opcode = rdmap::opcode_of(control);
  if (opcode == rdmap::Opcode::terminate) return kMostTerminate;
  return rdmap::kind(opcode) == rdmap::Kind::immediate ? 0 : rdmap::header_octets(opcode);
}

/// FPDUs in a row from the start of a TCP segment's payload. The walk shows whether they are FPDUs at all.
struct FpduWalk {
  std::size_t kept = 0;    ///< leading octets without ULP payload
  bool has_cut = false;    ///< ULP payload follows them
  bool is_proved = false;  ///< they are FPDUs
};

FpduWalk walk_fpdus(Octets payload, std::size_t length) noexcept {
  FpduWalk walk;
  std::size_t at = 0;
  while (at < payload.size()) {
    const Octets rest = payload.subspan(at);
    mpa::UlpduHeader header;
    if (mpa::test_header(rest, std::nullopt, header) != mpa::HeaderLikelihood::plausible) break;
    const std::size_t headers =
        header.header_octets + (header.offset == 0 || header.tagged ? rdmap_octets(header.opcode) : 0);
    const std::size_t kept = mpa::kUlpduLengthOctets + std::min<std::size_t>(headers, header.ulpdu_length);
    const std::size_t whole = mpa::unmarked_layout(header.ulpdu_length).raw;
    const bool has_payload = headers < header.ulpdu_length;
    if (!walk.has_cut) walk.kept = at + std::min(has_payload ? kept : whole, rest.size());
    walk.has_cut = walk.has_cut || has_payload;
    at += whole;
    if (at > payload.size()) break;
    walk.is_proved = walk.is_proved || crc32c(rest.first(whole - mpa::kCrcOctets)) ==
                                           load_le<std::uint32_t>(rest.subspan(whole - mpa::kCrcOctets));
  }
  walk.is_proved = walk.is_proved || at == length;
  return walk;
}

/// Leading octets of a TCP segment's payload of `length` octets that may remain.
std::size_t tcp_octets(Octets payload, std::size_t length) noexcept {
  const auto view = mpa::StartupFrameView::parse(payload);
  if (const auto* frame = std::get_if<mpa::StartupFrameView>(&view)) {
    const bool is_startup = std::equal(frame->key().begin(), frame->key().end(), mpa::kRequestKey.begin()) ||
                            std::equal(frame->key().begin(), frame->key().end(), mpa::kReplyKey.begin());
    if (is_startup) {
      const std::size_t enhanced = frame->enhanced_flag() ? mpa::EnhancedDataView::kOctets : 0;
      const std::size_t data = frame->private_data_length();
      const std::size_t kept = mpa::StartupFrameView::kOctets + std::min(enhanced, data);
      return std::min(kept, payload.size());
    }
  }
  const FpduWalk walk = walk_fpdus(payload, length);
  return walk.is_proved ? walk.kept : 0;
}

/// Leading octets of a DATA or I-DATA chunk with `header` octets of its own that may remain.
std::size_t chunk_octets(Octets chunk, std::size_t header, std::uint32_t ppid, bool begins) noexcept {
  std::size_t kept = header;
  if (begins && ppid == sctp::kControlPpid) {
    const auto code = sctp::read_code(chunk.subspan(std::min(chunk.size(), header + sctp::UserMessage::kOctets)));
    kept += sctp::UserMessage::kOctets + sctp::ControlHeader::kOctets;
    if (code && sctp::is_enhanced(*code)) kept += mpa::EnhancedDataView::kOctets;
  }
  const std::size_t segment = header + sctp::UserMessage::kOctets;
  if (begins && ppid == sctp::kSegmentPpid && chunk.size() > segment + 1) {
    const ddp::Control control{to_u8(chunk[segment])};
    kept = segment + ddp::header_octets(control) + rdmap_octets(to_u8(chunk[segment + 1]));
  }
  return std::min(kept, chunk.size());
}

/// Leading octets of an SCTP packet's chunks that may remain: up to the first one with payload, or that is malformed.
std::size_t sctp_octets(Octets captured, std::size_t length) noexcept {
  sctp::ChunkWalk walk(captured, length);
  std::size_t end = 0;
  while (const auto chunk = walk.next()) {
    const Octets octets = chunk->octets;
    const auto at = static_cast<std::size_t>(octets.data() - captured.data());
    const auto data = sctp::DataHeader::parse(octets);
    const auto* its = std::get_if<sctp::DataHeader>(&data);
    std::size_t kept = octets.size();
    if (chunk->type == sctp::chunk_type::data && its != nullptr) {
      kept = chunk_octets(octets, sctp::DataHeader::kOctets, its->ppid(), its->begins());
    } else if (chunk->type == sctp::chunk_type::i_data) {
      kept = std::min(sctp::InterleavedHeader::kOctets, octets.size());
    }
    if (kept < octets.size()) return at + kept;
    end = at + octets.size();
  }
  return walk.is_malformed() ? end : captured.size();
}

/// Where `part` begins in `whole`; nothing if it lies elsewhere: in the buffer of joined fragments.
std::optional<std::size_t> place_in(Octets whole, Octets part) noexcept {
  const std::less<const std::byte*> before;
  const std::byte* const end = whole.data() + whole.size();
  if (part.data() == nullptr || before(part.data(), whole.data()) || before(end, part.data() + part.size())) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(part.data() - whole.data());
}

/// Link and IPv4 header. A longer link header leaves less of IP, never more.
std::size_t octets_up_to_ip(const net::Frame& frame) noexcept {
  const std::size_t link = frame.link == net::LinkType::ethernet ? 14 : 0;
  return std::min<std::size_t>(link + 20, frame.octets.size());
}

}  // namespace

std::size_t octets_without_payload(const net::Frame& frame, const net::Decoding& decoded) noexcept {
  if (const auto* tcp = std::get_if<net::TcpPacket>(&decoded)) {
    if (tcp->payload_length == 0) return frame.octets.size();
    const auto place = tcp->fragmented ? std::nullopt : place_in(frame.octets, tcp->payload);
    if (!place) return octets_up_to_ip(frame);
    const std::size_t kept = tcp_octets(tcp->payload, tcp->payload_length);
    return kept == tcp->payload.size() ? frame.octets.size() : *place + kept;
  }
  if (const auto* sctp = std::get_if<net::SctpPacket>(&decoded)) {
    const auto place = sctp->fragmented ? std::nullopt : place_in(frame.octets, sctp->chunks);
    if (!place) return octets_up_to_ip(frame);
    const std::size_t kept = sctp_octets(sctp->chunks, sctp->chunks_length);
    return kept == sctp->chunks.size() ? frame.octets.size() : *place + kept;
  }
  return octets_up_to_ip(frame);
}

}  // namespace iwarpscope::analysis
