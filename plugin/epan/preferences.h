// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The options in Wireshark's preferences.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

struct Preferences {
  Preference port_shim = true;             ///< look for an MPA Request on ports of other protocols
  Preference upper_layers = true;          ///< pass payload to other dissectors
  Preference info_column = true;           ///< write into the Info column
  Preference emulation = true;             ///< check placement, STags and atomics
  Preference separate_interfaces = false;  ///< each sees a network of its own
  range_t* shim_ports = nullptr;           ///< which ports
  unsigned keep_mebioctets = 512;          ///< of reassembled FPDUs and messages
  unsigned largest_untaken_kibioctets = 16;
};

/// `changed` is called after a change of any option.
void register_preferences(int protocol, void (*changed)());
[[nodiscard]] const Preferences& preferences() noexcept;
[[nodiscard]] SessionOptions session_options() noexcept;

}  // namespace iwarpscope::plugin
