// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The plugin's entry point: the symbols that Wireshark looks for in the module.
#include "epan/capture.h"
#include "epan/experts.h"
#include "epan/fields.h"
#include "epan/frame_tree.h"
#include "epan/preferences.h"
#include "epan/takeover.h"
#include "epan/taps.h"
#include "epan/trees.h"
#include "statistics/statistics.h"

namespace {

using namespace iwarpscope::plugin;

int protocol_id = -1;

void register_protocol() {
  protocol_id = proto_register_protocol("iWARP (MPA, DDP, RDMAP), by iwarpscope", "iWARP", "iwarp");
  register_fields(protocol_id);
  register_subtrees();
  register_experts(protocol_id);
  register_preferences(protocol_id, &apply_port_shim);
  register_capture();
  register_tap_of_frames();
  register_takeover(protocol_id);
  register_statistics(protocol_id);
}

void hand_off() {
  register_frame_tree(protocol_id);
  hand_off_takeover();
  // Hand-offs of other protocols may come later, and preferences may assign their ports to them again.
  register_init_routine(&apply_port_shim);
}

}  // namespace

// Constants have internal linkage in C++ unless they were declared extern before.
#define IWARPSCOPE_EXPORT extern "C" __attribute__((visibility("default")))
IWARPSCOPE_EXPORT const char plugin_version[];
IWARPSCOPE_EXPORT const int plugin_want_major;
IWARPSCOPE_EXPORT const int plugin_want_minor;
const char plugin_version[] = IWARPSCOPE_VERSION;
const int plugin_want_major = WIRESHARK_VERSION_MAJOR;
const int plugin_want_minor = WIRESHARK_VERSION_MINOR;

IWARPSCOPE_EXPORT void plugin_register() {
  static proto_plugin plugin;
  plugin.register_protoinfo = &register_protocol;
  plugin.register_handoff = &hand_off;
  proto_register_plugin(&plugin);
}

/// The type of the module for Wireshark 4.2 and later: a dissector.
IWARPSCOPE_EXPORT std::uint32_t plugin_describe() {
#ifdef WS_PLUGIN_DESC_DISSECTOR
  return WS_PLUGIN_DESC_DISSECTOR | WS_PLUGIN_DESC_TAP_LISTENER;
#else
  return 0;
#endif
}
