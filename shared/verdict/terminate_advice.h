// What the errors that a Terminate can name usually come from, and what to check next.
#pragma once

#include <cstdint>
#include <string_view>

#include "findings/catalogue.h"
#include "rdmap/terminate.h"

namespace iwarpscope::verdict {

/// Who most often causes an error that a Terminate names.
enum class Culprit : std::uint8_t {
  named,       ///< the side whose message the Terminate names
  terminator,  ///< the side that sent the Terminate
  either,      ///< the two disagree about something that neither shows on the wire
  path,        ///< octets were damaged between them
};

struct TerminateAdvice {
  Culprit culprit = Culprit::either;
  std::string_view cause;  ///< half a sentence: "the STag was never registered, or was invalidated before"
  std::string_view next;   ///< what to check, one or two sentences
};

/// Advice on (layer, error type, error code) as the registry has them; the dialect tells whose Terminate it is, as the
/// codes differ in places. Static storage. Sources: RFC 5040 §4.8, RFC 5041 §7, RFC 5044 §8, RFC 6581 §8,
/// RFC 7306 §8, and what Linux' siw, cxgb4 and irdma drivers send.
[[nodiscard]] TerminateAdvice advice(std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code,
                                     rdmap::TerminateDialect dialect) noexcept;

/// True when the breach of this rule is what a receiver reports by (layer, error type, error code). An error inside the
/// sender of the Terminate has no such rule. Sources: as of advice(); RFC 7306 §8.2.
[[nodiscard]] bool is_cause(findings::FindingId id, std::uint8_t layer, std::uint8_t error_type,
                            std::uint8_t error_code) noexcept;

}  // namespace iwarpscope::verdict
