// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts that are played over real associations.
#pragma once

#include <cstdint>
#include <string_view>

#include "sctp_vm/player.h"

namespace iwarpscope::sctp_vm {

struct Script {
  std::string_view name;
  void (*play)(Player& player);
  bool nagle = false;
};

/// Throws std::invalid_argument if no script has this name.
[[nodiscard]] const Script& script(std::string_view name);

}  // namespace iwarpscope::sctp_vm
