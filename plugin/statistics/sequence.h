// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's flow graphs. Their header is not installed for plugins; 4.0 to 4.6 export the functions.
#pragma once

#include "epan/wireshark.h"

namespace iwarpscope::plugin {

/// An arrow of a graph: Wireshark's seq_analysis_item_t. 4.6 has one more member at its end; Wireshark allocates the
/// objects.
struct SequenceItem {
  std::uint32_t frame_number;
  address src_addr;
  std::uint16_t port_src;
  address dst_addr;
  std::uint16_t port_dst;
  char* frame_label;  ///< from g_malloc(); ownership is passed on
  char* time_str;
  char* comment;  ///< as frame_label
  std::uint16_t conv_num;
  unsigned fg_color;
  unsigned bg_color;
  Claim has_color_filter;
  Claim display;
  unsigned src_node;
  unsigned dst_node;
  std::uint16_t line_style;
  int info_type;
  void* info_ptr;
};
static_assert(sizeof(void*) != 8 ||
              (offsetof(SequenceItem, frame_label) == 72 && offsetof(SequenceItem, comment) == 88));

/// The beginning of Wireshark's seq_analysis_info_t.
struct SequenceInfo {
  const char* name;
  Claim any_addr;
  int nconv;
  GQueue* items;
};
static_assert(sizeof(void*) != 8 || offsetof(SequenceInfo, items) == 16);

extern "C" {
// Six parameters: the function is Wireshark's.
void register_seq_analysis(const char* name, const char* ui_name, int proto_id, const char* tap_listener,
                           unsigned tap_flags, tap_packet_cb tap_func);
/// An item with the packet's number and addresses; null: the packet has none.
SequenceItem* sequence_analysis_create_sai_with_addresses(packet_info* pinfo, SequenceInfo* info);
}

}  // namespace iwarpscope::plugin
