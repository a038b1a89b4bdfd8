#include "epan/preferences.h"

namespace iwarpscope::plugin {
namespace {

Preferences chosen_preferences;

}  // namespace

void register_preferences(int protocol, void (*changed)()) {
  module_t* const module = prefs_register_protocol(protocol, changed);
  prefs_register_bool_preference(
      module, "port_shim", "Look for iWARP on ports of other protocols",
      "TCP ports such as 445 and 4420 belong to dissectors that never look for an MPA Request. With this, iWARP is "
      "looked for first on the ports below; everything else on them still goes to their own dissectors.",
      &chosen_preferences.port_shim);
  range_convert_str(wmem_epan_scope(), &chosen_preferences.shim_ports, "445,4420,5445", 65535);
  prefs_register_range_preference(module, "shim_ports", "Those ports",
                                  "TCP ports of other protocols on which iWARP is looked for first.",
                                  &chosen_preferences.shim_ports, 65535);
  prefs_register_bool_preference(
      module, "upper_layers", "Hand messages to upper layers",
      "Give Sends, RDMA Writes, Read Requests and Read Responses to the dissectors of SMB Direct, RPC over RDMA and "
      "others that registered for iWARP.",
      &chosen_preferences.upper_layers);
  prefs_register_bool_preference(module, "info_column", "Write into the Info column",
                                 "Say in the packet list what the FPDUs of a frame are.",
                                 &chosen_preferences.info_column);
  prefs_register_bool_preference(
      module, "emulation", "Check placement, STags and atomics",
      "Model the memory of both ends and find what cannot be right. Turn it off to save time on very large captures; "
      "the findings of these checks are missing then.",
      &chosen_preferences.emulation);
  prefs_register_uint_preference(
      module, "keep_octets", "Memory for messages put together (MiB)",
      "FPDUs that stretch over several frames and messages in several DDP segments are kept up to this size in all. "
      "Beyond it, such FPDUs are shown without their octets.",
      10, &chosen_preferences.keep_mebioctets);
  prefs_register_uint_preference(
      module, "largest_untaken", "Largest message kept that no upper layer takes (KiB)",
      "Messages in several DDP segments are put together and shown as a whole. Larger ones are given to upper layers "
      "too, but not kept when none of them takes it. Of RDMA Writes and Read Responses, which upper layers take DDP "
      "segment by DDP segment, none above this size is put together.",
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
