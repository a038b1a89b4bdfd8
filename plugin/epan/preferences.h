// What a user may choose in Wireshark's preferences.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

struct Preferences {
  Preference port_shim = true;     ///< look for an MPA Request on ports that others claim
  Preference upper_layers = true;  ///< hand payload to other dissectors
  Preference info_column = true;   ///< write into the Info column
  Preference emulation = true;     ///< check placement, STags and atomics
  range_t* shim_ports = nullptr;   ///< which ports
  unsigned keep_mebioctets = 512;  ///< of FPDUs and messages put together
  unsigned largest_untaken_kibioctets = 16;
};

/// `changed` is called after any of them changed.
void register_preferences(int protocol, void (*changed)());
[[nodiscard]] const Preferences& preferences() noexcept;
[[nodiscard]] SessionOptions session_options() noexcept;

}  // namespace iwarpscope::plugin
