// Words in a sentence that only the record decides.
#pragma once

#include <string>
#include <string_view>

#include "verdict/facts.h"

namespace iwarpscope::verdict {

/// "the Initiator 10.0.0.1:4791"; of an end whose role is not known, "A 10.0.0.1:4791".
[[nodiscard]] std::string who(const qp::QpRecord& record, Direction sender);

/// The same without its address: "the Initiator", "A".
[[nodiscard]] std::string role(const qp::QpRecord& record, Direction sender);

/// A word of kWordNames that needs no argument: "connection", "asked"... Anything else: empty.
[[nodiscard]] std::string word(const Facts& facts, std::string_view name);

}  // namespace iwarpscope::verdict
