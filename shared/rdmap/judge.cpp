// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/judge.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <variant>

#include "base/wording.h"
#include "ddp/header.h"
#include "rdmap/headers.h"
#include "rdmap/judge_detail.h"
#include "rdmap/opcode.h"

namespace iwarpscope::rdmap {
namespace {

using findings::FindingId;

/// RM-01, AT-16: RV is what was settled, equals DV, and where it may be 0 there are no extensions.
void judge_version(const Case& c, Control control, const OpcodeTraits& op) {
  const std::uint8_t rv = control.version();
  const std::uint8_t dv = ddp::Control{c.segment.ddp_control}.version();
  const std::uint8_t settled = c.context.rdmac.value_or(false) ? 0 : 1;
  if (c.context.rdmac && rv != settled) {
    c.raise(FindingId::rdmap_version_wrong, fmt::format("{}", rv), fmt::format("{}", settled),
            fmt::format("The RDMAP version is {}; the startup determined {}.", rv, settled));
  } else if (rv > 1) {
    c.raise(FindingId::rdmap_version_wrong, fmt::format("{}", rv), "0 or 1",
            fmt::format("The RDMAP version is {}; only 0 and 1 are defined.", rv));
  } else if (!c.context.rdmac && dv <= 1 && rv != dv) {
    c.raise(FindingId::rdmap_version_wrong, fmt::format("{}", rv), fmt::format("{}", dv),
            fmt::format("The RDMAP version is {} while the DDP version of the same DDP segment is {}.", rv, dv));
  } else if (op.is_extension && rv == 0) {
    c.raise(FindingId::rdmap_extension_version_wrong, fmt::format("{}", rv), "1",
            fmt::format("{} has RDMAP version {}; the extension exists in version 1 only.", op.title, rv));
  }
}

/// RM-02, RM-03.
void judge_control(const Case& c, Control control) {
  if (control.reserved() != 0) {
    c.raise(FindingId::rdmap_reserved_bits, fmt::format("{}", control.reserved()), "0",
            fmt::format("The two reserved bits of the RDMAP control octet 0x{:02x} hold {}.", control.octet,
                        control.reserved()));
  }
  if (control.opcode() != Opcode::unknown) return;
  if (control.code() == 15) {
    c.raise(FindingId::rdmap_opcode_experimental, "15", "0 to 11", "The RDMAP opcode is 15, reserved for experiments.");
  } else {
    c.raise(FindingId::rdmap_opcode_unassigned, fmt::format("{}", control.code()), "0 to 11",
            fmt::format("The RDMAP opcode is {}, which is not assigned.", control.code()));
  }
}

constexpr std::uint32_t kLastQueue = 3;

/// Queues of the first draft of RFC 7306.
bool is_draft_queue(Opcode opcode, QueueNumber qn) noexcept {
  return qn.value == 1 && (opcode == Opcode::immediate_se || opcode == Opcode::atomic_response);
}

/// RM-04, RM-05, AT-17: the buffer model and the queue fit the opcode.
void judge_model(const Case& c, const OpcodeTraits& op) {
  const ddp::Segment& s = c.segment;
  if (!op.tagged) return;
  if (s.tagged != *op.tagged) {
    c.raise(FindingId::rdmap_buffer_model_wrong, s.tagged ? "tagged" : "untagged", *op.tagged ? "tagged" : "untagged",
            fmt::format("{} is sent {}.", op.title, s.tagged ? "tagged" : "untagged"));
    return;
  }
  if (s.tagged || s.qn == *op.qn || s.qn.value > kLastQueue) return;  // an unknown queue is DD-05
  const bool draft = is_draft_queue(op.opcode, s.qn);
  c.raise(draft ? FindingId::rdmap_extension_draft_queue : FindingId::rdmap_queue_wrong, fmt::format("{}", s.qn.value),
          fmt::format("{}", op.qn->value),
          fmt::format("{} is sent on {} and belongs on {}{}.", op.title, queue_text(s.qn), queue_text(*op.qn),
                      draft ? ", except in the first draft of RFC 7306" : ""));
}

/// RM-06, RM-40.
void judge_invalidate(const Case& c, const OpcodeTraits& op) {
  const ddp::Segment& s = c.segment;
  if (s.tagged || op.opcode == Opcode::unknown || op.tagged.value_or(false)) return;
  if (op.invalidates && s.reserved_ulp == 0) {
    c.raise(FindingId::rdmap_invalidate_stag_zero, "0x00000000", "",
            fmt::format("{} ({} MSN {}) invalidates the STag 0.", op.title, queue_text(s.qn), s.msn.value));
  } else if (!op.invalidates && s.reserved_ulp != 0) {
    c.raise(FindingId::rdmap_invalidate_stag_not_zero, fmt::format("0x{:08x}", s.reserved_ulp), "0x00000000",
            fmt::format("The Invalidate STag field of {} ({} MSN {}) holds 0x{:08x}.", op.title, queue_text(s.qn),
                        s.msn.value, s.reserved_ulp));
  }
}

/// RM-07, AT-01..AT-03: a message of a fixed size in one DDP segment. True when it has it, so that it can be read.
bool judge_size(const Case& c, const OpcodeTraits& op, FindingId id) {
  const ddp::Segment& s = c.segment;
  if (s.last && s.payload_length == op.header_octets) return true;
  c.raise(id, fmt::format("{} octets{}", s.payload_length, s.last ? "" : ", more follow"),
          fmt::format("{} octets", op.header_octets),
          fmt::format("{} ({} MSN {}) has {}{}; it must have {} in one DDP segment.", op.title, queue_text(s.qn),
                      s.msn.value, counted(s.payload_length, "octet"), s.last ? "" : " and does not end with them",
                      op.header_octets));
  return false;
}

/// AT-02, AT-10.
void judge_atomic_response(const Case& c, const OpcodeTraits& op) {
  const ddp::Segment& s = c.segment;
  if (s.qn == *op.qn && s.expected_msn && s.msn != *s.expected_msn) {
    c.raise(FindingId::rdmap_atomic_response_msn_wrong, fmt::format("{}", s.msn.value),
            fmt::format("{}", s.expected_msn->value),
            fmt::format("The Atomic Response has MSN {} on {}; {} comes next.", s.msn.value, queue_text(*op.qn),
                        s.expected_msn->value));
  }
  (void)judge_size(c, op, FindingId::rdmap_atomic_response_size);
}

bool wraps(std::uint64_t to, std::uint64_t octets) noexcept {
  return octets != 0 && to + (octets - 1) < to;
}

/// RM-07, RM-08.
void judge_read_request(const Case& c, const OpcodeTraits& op) {
  if (!judge_size(c, op, FindingId::rdmap_read_request_malformed)) return;
  const auto parsed = ReadRequestHeader::parse(c.segment.payload);
  const auto* const read = std::get_if<ReadRequestHeader>(&parsed);
  if (read == nullptr) return;
  const auto judge_wrap = [&](std::string_view which, TaggedOffset to) {
    if (!wraps(to.value, read->size())) return;
    c.raise(FindingId::rdmap_read_request_to_wraps, fmt::format("0x{:016x}", to.value), "",
            fmt::format("The {} TO 0x{:016x} plus the {} of this RDMA Read Request exceeds 64 bits.", which, to.value,
                        counted(read->size(), "octet")));
  };
  judge_wrap("source", read->source_to());
  judge_wrap("sink", read->sink_to());
}

/// AT-01, AT-04..AT-07.
void judge_atomic_request(const Case& c, const OpcodeTraits& op) {
  if (!judge_size(c, op, FindingId::rdmap_atomic_request_size)) return;
  const auto parsed = AtomicRequestHeader::parse(c.segment.payload);
  const auto* const request = std::get_if<AtomicRequestHeader>(&parsed);
  if (request == nullptr) return;
  const std::uint8_t code = request->operation_code();
  if (code != 0 && code != 2) {
    c.raise(FindingId::rdmap_atomic_operation_unknown, fmt::format("{}", code), "0 or 2",
            fmt::format("The atomic operation code of Atomic Request {} is {}{}.", request->request_id(), code,
                        code == 1 ? " (Swap in the first draft of RFC 7306)" : ""));
  }
  if (request->reserved() != 0) {
    c.raise(FindingId::rdmap_atomic_reserved_bits, fmt::format("0x{:07x}", request->reserved()), "0",
            fmt::format("The 28 reserved bits of Atomic Request {} hold 0x{:07x}.", request->request_id(),
                        request->reserved()));
  }
  if (request->operation() == AOpCode::fetch_add &&
      (request->compare() != 0 || request->compare_mask() != ~std::uint64_t{0})) {
    c.raise(FindingId::rdmap_atomic_fetchadd_compare,
            fmt::format("0x{:016x}/0x{:016x}", request->compare(), request->compare_mask()),
            "0x0000000000000000/0xffffffffffffffff",
            fmt::format("FetchAdd of Atomic Request {} has Compare Data 0x{:016x} and Compare Mask 0x{:016x}.",
                        request->request_id(), request->compare(), request->compare_mask()));
  }
  if (request->remote_to().value % 8 != 0) {
    c.raise(FindingId::rdmap_atomic_misaligned, fmt::format("0x{:016x}", request->remote_to().value), "",
            fmt::format("The TO 0x{:016x} of Atomic Request {} is not a multiple of 8.", request->remote_to().value,
                        request->request_id()));
  }
}

}  // namespace

void judge(const ddp::Segment& segment, Direction direction, const JudgeContext& context,
           findings::Reporter& reporter) {
  if (!segment.first_of_message || !segment.carrier.intact) return;
  const Case c{segment, direction, context, reporter};
  const Control control{segment.rdmap_control};
  const OpcodeTraits& op = traits(control.opcode());
  judge_version(c, control, op);
  judge_control(c, control);
  judge_model(c, op);
  judge_invalidate(c, op);

  // The start of the message shows sizes. Where the MO says that it is elsewhere, the rules of DDP have spoken.
  const bool starts = segment.starts_message && (segment.tagged || segment.mo.value == 0);
  if (!starts || segment.tagged != op.tagged.value_or(segment.tagged)) return;
  switch (op.kind) {
    case Kind::read_request: judge_read_request(c, op); break;
    case Kind::atomic_request: judge_atomic_request(c, op); break;
    case Kind::atomic_response: judge_atomic_response(c, op); break;
    case Kind::immediate: judge_size(c, op, FindingId::rdmap_immediate_size); break;
    case Kind::terminate: judge_terminate(c); break;
    case Kind::write:
    case Kind::read_response:
    case Kind::send:
    case Kind::unknown: break;
  }
}

}  // namespace iwarpscope::rdmap
