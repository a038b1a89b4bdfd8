// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Fields of DDP and RDMAP.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/wording.h"
#include "ddp/header.h"
#include "fields/headers.h"
#include "rdmap/headers.h"
#include "rdmap/opcode.h"
#include "rdmap/terminate.h"

namespace iwarpscope::fields {
namespace {

std::string stag_text(STag stag) {
  return fmt::format("0x{:08x}", stag.value);
}
std::string to_text(TaggedOffset to) {
  return fmt::format("0x{:016x}", to.value);
}
std::string word_text(std::uint64_t word) {
  return fmt::format("0x{:016x}", word);
}

/// The part of a DDP segment after its DDP header.
struct Body {
  Octets octets;           ///< as far as known
  std::size_t length = 0;  ///< as sent
  std::size_t at = 0;      ///< in the unit
};

void put_control(ddp::Control ddp, rdmap::Control rdmap, std::size_t at, Writer& to) {
  to.put("DDP", "T", at, 1, ddp.tagged() ? "1 (Tagged)" : "0 (Untagged)");
  to.put("DDP", "L", at, 1, ddp.last() ? "1 (Last)" : "0");
  to.put("DDP", "Reserved", at, 1, std::to_string(ddp.reserved()));
  to.put("DDP", "DV", at, 1, std::to_string(ddp.version()));
  to.put("RDMAP", "RV", at + 1, 1, std::to_string(rdmap.version()));
  to.put("RDMAP", "Reserved", at + 1, 1, std::to_string(rdmap.reserved()));
  to.put("RDMAP", "Opcode", at + 1, 1, fmt::format("{} ({})", rdmap.code(), rdmap::title(rdmap.opcode())));
}

void put_read_request(const Body& body, Writer& to) {
  const auto parsed = rdmap::ReadRequestHeader::parse(body.octets);
  const auto* header = std::get_if<rdmap::ReadRequestHeader>(&parsed);
  if (header == nullptr) return;
  to.put("RDMAP", "Sink STag", body.at, 4, stag_text(header->sink_stag()));
  to.put("RDMAP", "Sink TO", body.at + 4, 8, to_text(header->sink_to()));
  to.put("RDMAP", "RDMA Read Size", body.at + 12, 4, std::to_string(header->size()));
  to.put("RDMAP", "Source STag", body.at + 16, 4, stag_text(header->source_stag()));
  to.put("RDMAP", "Source TO", body.at + 20, 8, to_text(header->source_to()));
}

void put_atomic_request(const Body& body, Writer& to) {
  const auto parsed = rdmap::AtomicRequestHeader::parse(body.octets);
  const auto* header = std::get_if<rdmap::AtomicRequestHeader>(&parsed);
  if (header == nullptr) return;
  to.put("RDMAP", "Atomic reserved", body.at, 4, std::to_string(header->reserved()));
  to.put("RDMAP", "AOpCode", body.at + 3, 1,
         fmt::format("{} ({})", header->operation_code(), rdmap::title(header->operation())));
  to.put("RDMAP", "Request Identifier", body.at + 4, 4, std::to_string(header->request_id()));
  to.put("RDMAP", "Remote STag", body.at + 8, 4, stag_text(header->remote_stag()));
  to.put("RDMAP", "Remote TO", body.at + 12, 8, to_text(header->remote_to()));
  to.put("RDMAP", "Add or Swap Data", body.at + 20, 8, word_text(header->data()));
  to.put("RDMAP", "Add or Swap Mask", body.at + 28, 8, word_text(header->mask()));
  to.put("RDMAP", "Compare Data", body.at + 36, 8, word_text(header->compare()));
  to.put("RDMAP", "Compare Mask", body.at + 44, 8, word_text(header->compare_mask()));
}

void put_atomic_response(const Body& body, Writer& to) {
  const auto parsed = rdmap::AtomicResponseHeader::parse(body.octets);
  const auto* header = std::get_if<rdmap::AtomicResponseHeader>(&parsed);
  if (header == nullptr) return;
  to.put("RDMAP", "Original Request Identifier", body.at, 4, std::to_string(header->request_id()));
  to.put("RDMAP", "Original Remote Data Value", body.at + 4, 8, word_text(header->original()));
}

void put_immediate(const Body& body, Writer& to) {
  const auto parsed = rdmap::ImmediateData::parse(body.octets);
  const auto* data = std::get_if<rdmap::ImmediateData>(&parsed);
  if (data != nullptr) to.put("RDMAP", "Immediate Data", body.at, 8, word_text(data->value()));
}

void put_terminate(const Body& body, Writer& to) {
  const auto parsed = rdmap::Terminate::parse(body.octets, static_cast<std::uint32_t>(body.length));
  const auto* t = std::get_if<rdmap::Terminate>(&parsed);
  if (t == nullptr) return;
  const auto error = [&] { return rdmap::error_name(t->layer, t->error_type, t->error_code); };
  to.put("RDMAP", "Layer and EType", body.at, 1, fmt::format("{}/{}", t->layer, t->error_type));
  to.put("RDMAP", "Error Code", body.at + 1, 1, fmt::format("0x{:02x} ({})", t->error_code, error()));
  to.put("RDMAP", "HdrCt", body.at + 2, 1,
         fmt::format("M {}, D {}, R {}", bit_text(t->m), bit_text(t->d), bit_text(t->r)));
  to.put("RDMAP", "Terminate reserved", body.at + 2, 2, std::to_string(t->reserved));
  std::size_t at = body.at + rdmap::Terminate::kOctets;
  if (t->ddp_segment_length) {
    to.put("RDMAP", "DDP Segment Length", at, 2, std::to_string(*t->ddp_segment_length));
    at += 2;
  }
  if (!t->ddp_header.empty()) {
    to.put("RDMAP", "Terminated DDP Header", at, t->ddp_header.size(), octets_text(t->ddp_header.size()));
    at += t->ddp_header.size();
  }
  if (!t->rdmap_header.empty()) {
    to.put("RDMAP", "Terminated RDMA Header", at, t->rdmap_header.size(), octets_text(t->rdmap_header.size()));
  }
}

/// `continues`: the DDP segment is not the first one of its message, so it has no RDMAP header.
void put_body(rdmap::Opcode opcode, const Body& body, bool continues, Writer& to) {
  if (!continues) {
    switch (rdmap::kind(opcode)) {
      case rdmap::Kind::read_request: return put_read_request(body, to);
      case rdmap::Kind::atomic_request: return put_atomic_request(body, to);
      case rdmap::Kind::atomic_response: return put_atomic_response(body, to);
      case rdmap::Kind::immediate: return put_immediate(body, to);
      case rdmap::Kind::terminate: return put_terminate(body, to);
      case rdmap::Kind::write:
      case rdmap::Kind::read_response:
      case rdmap::Kind::send:
      case rdmap::Kind::unknown: break;
    }
  }
  to.put("RDMAP", "Payload", body.at, body.length, octets_text(body.length));
}

void put_tagged(Octets octets, std::size_t at, Writer& to) {
  const auto parsed = ddp::DdpTaggedHeader::parse(octets);
  const auto* header = std::get_if<ddp::DdpTaggedHeader>(&parsed);
  if (header == nullptr) return;
  to.put("DDP", "STag", at + 2, 4, stag_text(header->stag()));
  to.put("DDP", "TO", at + 6, 8, to_text(header->to()));
}

/// Returns whether the DDP segment continues a message.
bool put_untagged(Octets octets, rdmap::Opcode opcode, std::size_t at, Writer& to) {
  const auto parsed = ddp::DdpUntaggedHeader::parse(octets);
  const auto* header = std::get_if<ddp::DdpUntaggedHeader>(&parsed);
  if (header == nullptr) return false;
  const bool invalidates = rdmap::traits(opcode).invalidates;
  to.put("RDMAP", invalidates ? "Invalidate STag" : "RsvdULP", at + 2, 4, stag_text(STag{header->reserved_ulp()}));
  to.put("DDP", "QN", at + 6, 4, queue_number_text(header->qn()));
  to.put("DDP", "MSN", at + 10, 4, std::to_string(header->msn().value));
  to.put("DDP", "MO", at + 14, 4, std::to_string(header->mo().value));
  return header->mo().value != 0;
}

}  // namespace

void put_ddp(Octets octets, std::size_t length, std::size_t at, Writer& to) {
  if (octets.size() < 2) return;
  const ddp::Control ddp{to_u8(octets[0])};
  const rdmap::Control rdmap{to_u8(octets[1])};
  put_control(ddp, rdmap, at, to);
  bool continues = false;
  if (ddp.tagged()) {
    put_tagged(octets, at, to);
  } else {
    continues = put_untagged(octets, rdmap.opcode(), at, to);
  }
  const std::size_t header = ddp::header_octets(ddp);
  if (octets.size() < header || length < header) return;
  put_body(rdmap.opcode(), {octets.subspan(header), length - header, at + header}, continues, to);
}

}  // namespace iwarpscope::fields
