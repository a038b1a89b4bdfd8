// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The values in the sentences of the verdict catalogue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "findings/catalogue.h"
#include "rdmap/opcode.h"

namespace iwarpscope::verdict {

/// The name of a value in a sentence: `{frame}` is Arg::frame. Other names come from the record
/// (kWordNames) or from other arguments: `{peer}` is the end that is not `{who}`; `{rule_what}` and `{rule_next}` are
/// texts of `{rule}`.
enum class Arg : std::uint8_t {
  who,           ///< Direction: the end that the sentence is about
  breaker,       ///< Direction: the end that broke `rule`
  frame,         ///< FrameNumber: of the event that the sentence is about
  of_frame,      ///< FrameNumber: of what came before it
  waited,        ///< Nanoseconds
  rule,          ///< FindingId
  what,          ///< text: part of a sentence
  advice,        ///< text: what to do about it
  opcode,        ///< Opcode
  request_kind,  ///< text: "Read Request", "Atomic Request"
  msn,           ///< number
  amount,        ///< Amount
  qp,            ///< number
  revision,      ///< number
  old_revision,  ///< number
  of_request,    ///< number or text: what the Request has
  of_reply,      ///< number or text: what the Reply has
  stag,          ///< text: 0x%08x
  to,            ///< text: 0x%016x
  crc,           ///< text: what is wrong with a CRC field
  length,        ///< number: a ULPDU_Length
  banner,        ///< text: the first octets of another program's answer, escaped
};

inline constexpr auto kArgNames = std::to_array<std::string_view>(
    {"who",      "breaker",      "frame", "of_frame", "waited", "rule",     "what",         "advice",
     "opcode",   "request_kind", "msn",   "amount",   "qp",     "revision", "old_revision", "of_request",
     "of_reply", "stag",         "to",    "crc",      "length", "banner"});
static_assert(kArgNames.size() == static_cast<std::size_t>(Arg::banner) + 1);

/// Words that depend on the record only: the ends, and the terms of the layer below DDP.
inline constexpr auto kWordNames = std::to_array<std::string_view>({
    "initiator",       // "the Initiator 10.0.0.1:4791"
    "responder",       //
    "closed_first",    // "first by the Initiator 10.0.0.1:4791 in frame 9", "by both ends at about the same time (...)"
    "has_waited",      // "has waited", "had waited"
    "breaker_role",    // "the Initiator", "A": of `breaker`, without its address
    "asked",           // "the MPA Request of frame 4 (revision 1)"
    "connection",      // "connection", "session"
    "request",         // "MPA Request", "Session Initiate"
    "a_request",       // "an MPA Request", "a Session Initiate"
    "reply",           // "MPA Reply", "Session Accept"
    "reject",          // "MPA Reply", "Session Reject"
    "fpdu",            // "FPDU", "DDP segment"
    "transport",       // "TCP", "SCTP"
    "transport_name",  // "tcp", "sctp"
    "reset",           // "reset the connection", "aborted the association"
    "a_reset",         // "a reset", "an ABORT"
    "is_open",         // "is open", "was open"
    "at_the_end",      // "", " when the capture ended"
    "peer",            // the end that `who` is not
    "rule_what",       // of `rule`
    "rule_next",       //
});

struct Nanoseconds {
  std::int64_t ns = 0;
};
/// "3 octets".
struct Amount {
  std::uint64_t count = 0;
  std::string_view unit;  ///< in the singular; static storage
};
/// One of the kinds below. `fixed` text is of static storage; `made` text has values of this queue pair in it.
class Value {
 public:
  enum class Kind : std::uint8_t { end, frame, time, rule, opcode, number, amount, fixed, made };
  // Implicit, so that a diagnosis lists its arguments as {name, value}.
  // NOLINTBEGIN(google-explicit-constructor)
  Value(Direction end) noexcept : kind_(Kind::end), number_(index(end)) {}
  Value(FrameNumber frame) noexcept : kind_(Kind::frame), number_(frame.value) {}
  Value(Nanoseconds time) noexcept : kind_(Kind::time), number_(static_cast<std::uint64_t>(time.ns)) {}
  Value(findings::FindingId rule) noexcept : kind_(Kind::rule), number_(static_cast<std::uint64_t>(rule)) {}
  Value(rdmap::Opcode opcode) noexcept : kind_(Kind::opcode), number_(static_cast<std::uint64_t>(opcode)) {}
  Value(std::uint64_t number) noexcept : kind_(Kind::number), number_(number) {}
  Value(Amount amount) noexcept : kind_(Kind::amount), number_(amount.count), fixed_(amount.unit) {}
  Value(std::string_view text) noexcept : kind_(Kind::fixed), fixed_(text) {}
  Value(std::string text) noexcept : kind_(Kind::made), made_(std::move(text)) {}
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  // Preconditions: of that kind.
  [[nodiscard]] Direction end() const noexcept { return static_cast<Direction>(number_); }
  [[nodiscard]] Nanoseconds time() const noexcept { return {static_cast<std::int64_t>(number_)}; }
  [[nodiscard]] findings::FindingId rule() const noexcept { return static_cast<findings::FindingId>(number_); }
  [[nodiscard]] rdmap::Opcode opcode() const noexcept { return static_cast<rdmap::Opcode>(number_); }
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }  ///< of a frame, an amount, too
  [[nodiscard]] std::string_view text() const noexcept {                   ///< the unit of an amount, too
    return kind_ == Kind::made ? std::string_view(made_) : fixed_;
  }

 private:
  Kind kind_;
  std::uint64_t number_ = 0;
  std::string_view fixed_;
  std::string made_;
};

struct Argument {
  Arg name;
  Value value;
};

}  // namespace iwarpscope::verdict
