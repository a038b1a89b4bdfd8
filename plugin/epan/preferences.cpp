// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/preferences.h"

namespace iwarpscope::plugin {
namespace {

Preferences chosen_preferences;

}  // namespace

void register_preferences(int protocol, void (*changed)()) {
  module_t* const module = prefs_register_protocol(protocol, changed);
  prefs_register_bool_preference(module, "port_shim", "Look for iWARP on ports of other protocols",
                                 "TCP ports such as 445 and 4420 belong to dissectors that do not look for an MPA "
                                 "Request. If this is on, iwarpscope looks for iWARP first on the ports below. All "
                                 "other traffic on these ports still goes to their own dissectors.",
                                 &chosen_preferences.port_shim);
  range_convert_str(wmem_epan_scope(), &chosen_preferences.shim_ports, "445,4420,5445", 65535);
  prefs_register_range_preference(module, "shim_ports", "Ports of other protocols",
                                  "TCP ports of other protocols on which iwarpscope looks for iWARP first.",
                                  &chosen_preferences.shim_ports, 65535);
  prefs_register_bool_preference(module, "upper_layers", "Pass messages to upper layers",
                                 "Pass Sends, RDMA Writes, Read Requests and Read Responses to the dissectors of SMB "
                                 "Direct, RPC over RDMA and other protocols that registered for iWARP.",
                                 &chosen_preferences.upper_layers);
  prefs_register_bool_preference(module, "info_column", "Write into the Info column",
                                 "Describe the FPDUs of a frame in the packet list.", &chosen_preferences.info_column);
  prefs_register_bool_preference(module, "emulation", "Check placement, STags and atomics",
                                 "Model the memory of both ends and find results that cannot be right. Turn this off "
                                 "to save time on very large captures. The findings of these checks are then missing.",
                                 &chosen_preferences.emulation);
  prefs_register_bool_preference(module, "separate_interfaces", "Each interface sees a network of its own",
                                 "Packets of different interfaces of the capture never belong together, even with the "
                                 "same addresses and ports. Leave this off if several interfaces see one network, such "
                                 "as two ports of a switch, or one port for each direction.",
                                 &chosen_preferences.separate_interfaces);
  prefs_register_uint_preference(module, "keep_octets", "Memory for reassembled messages (MiB)",
                                 "Total size of the FPDUs in several frames and of the messages in several DDP "
                                 "segments that are kept. Above this size, such FPDUs are shown without their octets.",
                                 10, &chosen_preferences.keep_mebioctets);
  prefs_register_uint_preference(
      module, "largest_untaken", "Largest message kept without an upper layer (KiB)",
      "Messages in several DDP segments are reassembled. Larger messages are also passed to upper layers, but are not "
      "kept if no upper layer accepts them. Upper layers get RDMA Writes and Read Responses one DDP segment at a time; "
      "above this size they are not reassembled.",
      10, &chosen_preferences.largest_untaken_kibioctets);
}

const Preferences& preferences() noexcept {
  return chosen_preferences;
}

SessionOptions session_options() noexcept {
  SessionOptions options;
  options.emulation = chosen_preferences.emulation;
  options.keep_octets = std::size_t{chosen_preferences.keep_mebioctets} << 20;
  options.largest_untaken = std::size_t{chosen_preferences.largest_untaken_kibioctets} << 10;
  return options;
}

}  // namespace iwarpscope::plugin
