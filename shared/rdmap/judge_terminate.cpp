// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include <string>
#include <variant>

#include "base/wording.h"
#include "ddp/header.h"
#include "rdmap/judge_detail.h"
#include "rdmap/opcode.h"

namespace iwarpscope::rdmap {
namespace {

using findings::FindingId;

constexpr std::uint32_t kTerminateQueue = 2;  // RFC 5040 §3.1

std::string error_of(const Terminate& t) {
  return fmt::format("{}/{}/{:02x}", t.layer, t.error_type, t.error_code);
}

/// RM-18. Queue and offset are rules of their own (RM-05, DD-10), and so is what follows a Terminate (RM-19).
void judge_place(const Case& c) {
  const ddp::Segment& s = c.segment;
  const bool own_rule = s.qn.value != kTerminateQueue || c.context.after_terminate;
  if ((s.msn.value == 1 || own_rule) && s.last) return;
  c.raise(FindingId::rdmap_terminate_malformed, fmt::format("MSN {}{}", s.msn.value, s.last ? "" : ", not Last"),
          "MSN 1, Last",
          fmt::format("The Terminate has MSN {} and the Last flag {}; it must have MSN 1 in one DDP segment.",
                      s.msn.value, s.last ? "set" : "clear"));
}

/// Whether the terminated message is known not to be a Read Request.
bool names_other_than_read_request(const Terminate& t) noexcept {
  if (t.ddp_header.empty()) return false;
  const bool tagged = ddp::Control{to_u8(t.ddp_header[0])}.tagged();
  return tagged || opcode_of(to_u8(t.ddp_header[1])) != Opcode::rdma_read_request;
}

/// RM-22, RM-24: the length, and the RDMA header.
void judge_length(const Case& c, const Terminate& t) {
  const std::string octets = counted(c.segment.payload_length, "octet");
  const std::string bits = fmt::format("M={:d} D={:d} R={:d}", t.m, t.d, t.r);
  if (t.r && names_other_than_read_request(t)) {
    const Opcode terminated = opcode_of(to_u8(t.ddp_header[1]));
    c.raise(FindingId::rdmap_terminate_rdma_header_unexpected, std::string{title(terminated)}, "RDMA Read Request",
            fmt::format("The Terminate announces an RDMA header while the terminated message is {}{}.",
                        title(terminated), t.fit == TerminateFit::without_rdma_header ? ", and none follows" : ""));
    if (t.fit == TerminateFit::without_rdma_header) return;
  }
  switch (t.fit) {
    case TerminateFit::exact: break;
    case TerminateFit::trailing_zeros:
      c.raise(FindingId::rdmap_terminate_trailing_zeros, octets, "",
              fmt::format("The Terminate header of {} ends with zero octets that {} does not announce.", octets, bits));
      break;
    case TerminateFit::without_rdma_header:
    case TerminateFit::too_short:
    case TerminateFit::too_long:
      c.raise(FindingId::rdmap_terminate_length_wrong, octets, "",
              fmt::format("The Terminate header has {}, which is too {} for {}.", octets,
                          t.fit == TerminateFit::too_long ? "many" : "few", bits));
      break;
  }
}

/// RM-23, RM-25, RM-26: which headers an error carries.
void judge_headers(const Case& c, const Terminate& t) {
  const std::string bits = fmt::format("M={:d} D={:d} R={:d}", t.m, t.d, t.r);
  if ((t.d && !t.m) || (t.r && !t.d)) {
    c.raise(FindingId::rdmap_terminate_flags_inconsistent, bits, "D with M, R with D",
            fmt::format("The header control bits of the Terminate are {}.", bits));
  }
  const bool belongs_to_no_message = (t.layer == 0 && t.error_type == 0) || t.layer == 2;
  if (belongs_to_no_message && t.d) {
    c.raise(FindingId::rdmap_terminate_ddp_header_unexpected, bits, "M=0 D=0 R=0",
            fmt::format("The Terminate {} carries a DDP header, and its error belongs to no message{}.", error_of(t),
                        t.layer == 2 ? " (irdma does so)" : ""));
  }
  const bool names_a_segment = t.layer == 1 && (t.error_type == 1 || t.error_type == 2);  // RFC 5041 §7.2
  if (names_a_segment && !t.d) {
    c.raise(FindingId::rdmap_terminate_ddp_header_missing, bits, "M=1 D=1",
            fmt::format("The Terminate {} reports a DDP error without the DDP header{}.", error_of(t),
                        t.dialect == TerminateDialect::cxgb4 ? " (cxgb4 never sends it)" : ""));
  }
}

}  // namespace

void judge_terminate(const Case& c) {
  judge_place(c);
  const auto parsed = Terminate::parse(c.segment.payload, c.segment.payload_length, c.context.terminate);
  const auto* const t = std::get_if<Terminate>(&parsed);
  if (t == nullptr) {
    if (!c.segment.last) return;
    c.raise(FindingId::rdmap_terminate_length_wrong, counted(c.segment.payload_length, "octet"), "4 or more",
            fmt::format("The Terminate header has {}; at least 4 are required.",
                        counted(c.segment.payload_length, "octet")));
    return;
  }
  if (t->reserved != 0) {
    c.raise(FindingId::rdmap_terminate_reserved_bits, fmt::format("0x{:04x}", t->reserved), "0",
            fmt::format("The 13 reserved bits of the Terminate header hold 0x{:04x}.", t->reserved));
  }
  if (!is_registered(t->layer, t->error_type, t->error_code)) {
    c.raise(FindingId::rdmap_terminate_code_unregistered, error_of(*t), "",
            fmt::format("The Terminate reports layer {}, error type {}, code 0x{:02x}, which is not registered.",
                        t->layer, t->error_type, t->error_code));
  }
  judge_headers(c, *t);
  if (c.segment.last) judge_length(c, *t);
}

}  // namespace iwarpscope::rdmap
