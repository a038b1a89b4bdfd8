// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/sandbox.h"

namespace iwarpscope::service {

tl::expected<Sandboxed, std::string> enter_sandbox(const SandboxOptions& options) {
  if (auto changed = become(options.identity); !changed) return tl::unexpected(changed.error());
  Sandboxed result;
  if (options.mode == SandboxMode::off) return result;
  restrict_files(options, result);
  restrict_calls(options, result);
  return result;
}

}  // namespace iwarpscope::service
