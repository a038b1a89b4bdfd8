// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One line for each RDMA message in the report for people.
#include <fmt/format.h>

#include <variant>

#include "base/wording.h"
#include "rdmap/headers.h"
#include "rdmap/terminate.h"
#include "report/human.h"
#include "report/text_parts.h"
#include "report/utf8.h"

namespace iwarpscope::report {
namespace {

std::string response_text(const std::optional<qp::ResponseLink>& link) {
  if (!link) return ", no response seen";
  return fmt::format(", answered by #{} in {} (first octet after {})", link->index, human_duration(link->last_octet_ns),
                     human_duration(link->first_octet_ns));
}

/// The operation that a record names, in words.
std::string_view operation_text(std::string_view name) noexcept {
  for (const rdmap::AOpCode code : {rdmap::AOpCode::fetch_add, rdmap::AOpCode::swap, rdmap::AOpCode::cmp_swap}) {
    if (name == rdmap::name(code)) return rdmap::title(code);
  }
  return rdmap::title(rdmap::AOpCode::unknown);
}

/// How far a Terminate was from what RFC 5040 §4.8 draws; starts with "; " or is empty.
std::string_view dialect_text(std::string_view name) noexcept {
  if (name == rdmap::name(rdmap::TerminateDialect::siw_le)) return "; its bits in the order of Linux siw";
  if (name == rdmap::name(rdmap::TerminateDialect::cxgb4)) return "; without the headers it should carry, as of cxgb4";
  return {};
}

/// What the opcode's own header says; starts with ", " or is empty.
struct DetailText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(const qp::ReadRequestDetail& d) const {
    return fmt::format(", reads {} from STag {} TO {} into STag {} TO {}{}", human_octets(d.size),
                       stag_text(d.source_stag), to_text(d.source_to), stag_text(d.sink_stag), to_text(d.sink_to),
                       response_text(d.response));
  }
  std::string operator()(const qp::ReadResponseDetail& d) const {
    return d.request_index ? fmt::format(", answers #{}", *d.request_index) : ", answers no request that was seen";
  }
  std::string operator()(const qp::AtomicRequestDetail& d) const {
    return fmt::format(
        ", {} at STag {} TO {}, identifier {}, data 0x{:016x} mask 0x{:016x} compare 0x{:016x} mask "
        "0x{:016x}{}",
        operation_text(d.operation), stag_text(d.remote_stag), to_text(d.remote_to), d.request_id, d.data, d.mask,
        d.compare, d.compare_mask, response_text(d.response));
  }
  std::string operator()(const qp::AtomicResponseDetail& d) const {
    return fmt::format(", identifier {}, original 0x{:016x}{}", d.request_id, d.original,
                       d.request_index ? fmt::format(", answers #{}", *d.request_index)
                                       : std::string{", answers no request that was seen"});
  }
  std::string operator()(const qp::ImmediateDetail& d) const { return fmt::format(", data 0x{:016x}", d.data); }
  std::string operator()(const qp::TerminateDetail& d) const {
    std::string text = fmt::format(", {} ({}/{}/{:02x}{})", to_printable(d.name), d.layer, d.error_type, d.error_code,
                                   dialect_text(d.dialect));
    if (d.names) text += fmt::format(", names {} #{}", direction_text(d.names->direction), d.names->index);
    return text;
  }
};

std::string address_text(const qp::MessageRecord& record) {
  if (record.tagged) return fmt::format("STag {} TO {}", stag_text(record.stag), to_text(record.to));
  std::string text = fmt::format("{} MSN {}", queue_text(record.qn), record.msn.value);
  if (record.invalidate_stag) text += fmt::format(", invalidates STag {}", stag_text(*record.invalidate_stag));
  return text;
}

std::string frames_text(const qp::MessageRecord& record) {
  return record.first_frame == record.last_frame
             ? fmt::format("frame {}", record.first_frame.value)
             : fmt::format("frames {}-{}", record.first_frame.value, record.last_frame.value);
}

}  // namespace

void append_message(std::string& out, const Paint& paint, const qp::MessageRecord& record) {
  out += fmt::format("{}  QP {} {} #{} {}: {}, {}, {}{}{}", time_of_day(record.first_time), record.qp,
                     direction_text(record.direction), record.index, paint.bold(rdmap::title(record.opcode)),
                     human_octets(record.length), frames_text(record), address_text(record),
                     std::visit(DetailText{}, record.detail), record.complete ? "" : ", incomplete");
  if (record.sha256) {
    out += ", SHA-256 ";
    for (const std::byte octet : *record.sha256) out += fmt::format("{:02x}", to_u8(octet));
  }
  out += '\n';
}

}  // namespace iwarpscope::report
