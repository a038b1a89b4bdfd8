// iwarpscope explain: one rule, verdict or remark in full.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"

namespace iwarpscope::cli {

/// Prints the rule, verdict (V-30) or remark (VR-01) with this name or code, in upper or lower case. Unknown:
/// complains, with the nearest ones.
[[nodiscard]] int run_explain(std::string_view name_or_code, const Console& console);

/// At most five of them, as "mpa.crc-mismatch (MF-04)", that somebody who typed `text` may have meant, the nearest
/// first; empty when none is near.
[[nodiscard]] std::vector<std::string> near_rules(std::string_view text);

}  // namespace iwarpscope::cli
