// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// -z iwarp,ops,tree: messages by opcode and by queue pair, and the units that carried them.
#include <cstdio>
#include <exception>
#include <limits>
#include <map>

#include "epan/crc_words.h"
#include "epan/trees.h"
#include "statistics/command_line.h"
#include "statistics/payload.h"
#include "statistics/registrations.h"

// After Wireshark's own types.
#include <epan/stats_tree.h>

namespace iwarpscope::plugin {
namespace {

#ifdef STATS_TREE_MENU_SEPARATOR
constexpr const char* kTitle = "iWARP" STATS_TREE_MENU_SEPARATOR "Operations";
#else
constexpr const char* kTitle = "iWARP/Operations";
#endif

constexpr const char* kMessages = "RDMA messages";
constexpr const char* kPayload = "Payload octets";
constexpr const char* kPayloadMib = "Payload MiB (octets above 2^31)";
constexpr const char* kByQp = "RDMA messages by queue pair";
constexpr const char* kLengths = "Length of messages with a captured end";
constexpr const char* kSegments = "DDP segments (payload octets)";
constexpr const char* kFpdus = "FPDUs (ULPDU octets)";
constexpr const char* kStartup = "MPA startup frames";
constexpr const char* kControl = "Session control messages over SCTP";

/// The numbers of the top nodes. They are created in the same order in every tree.
struct Nodes {
  int messages = 0, payload = 0, by_qp = 0, lengths = 0, segments = 0, fpdus = 0, startup = 0;
};
Nodes nodes;

/// Octets of one tree's messages: the tree's own counters have 32 bits.
struct Sums {
  std::array<std::uint64_t, rdmap::kOpcodes> octets{};
  std::uint64_t all = 0;
};
std::map<const stats_tree*, Sums> sums;

constexpr int kMost = std::numeric_limits<int>::max();

int clamped(std::uint64_t value) noexcept {
  return value < static_cast<std::uint64_t>(kMost) ? static_cast<int>(value) : kMost;
}

int top(stats_tree* tree, const char* title, bool values) {
  const int node = stats_tree_create_node(tree, title, 0, STAT_DT_INT, true);
  if (values) stat_node_set_flags(tree, title, 0, true, ST_FLG_AVERAGE);
  return node;
}

void init(stats_tree* tree) noexcept {
  try {
    sums[tree] = {};
  } catch (const std::exception&) {
    return;
  }
  nodes.messages = top(tree, kMessages, false);
  nodes.payload = top(tree, kPayload, false);
  nodes.by_qp = top(tree, kByQp, false);
  nodes.lengths = top(tree, kLengths, true);
  nodes.segments = top(tree, kSegments, true);
  nodes.fpdus = top(tree, kFpdus, true);
  nodes.startup = top(tree, kStartup, false);
}

void cleanup(stats_tree* tree) noexcept {
  sums.erase(tree);
}

/// Counts one in the child of `parent` with this name, with a value for averages.
void count(stats_tree* tree, int parent, const char* child, bool children, std::uint64_t value) {
  stat_node_set_flags(tree, child, parent, children, ST_FLG_AVERAGE);
  avg_stat_node_add_value_int(tree, child, parent, children, clamped(value));
}

void set_octets(stats_tree* tree, const char* name, std::uint64_t octets) {
  set_stat_node(tree, name, nodes.payload, false, clamped(octets));
  if (octets <= static_cast<std::uint64_t>(kMost)) return;
  const int mib = stats_tree_create_node_by_pname(tree, kPayloadMib, STAT_TREE_ROOT, STAT_DT_INT, true);
  set_stat_node(tree, name, mib, false, clamped(octets >> 20));
}

/// At its first DDP segment: its end may be missing.
void count_message(stats_tree* tree, const Tapped& tapped) {
  const char* const opcode = rdmap::title(tapped.message->opcode).data();
  tick_stat_node(tree, kMessages, 0, true);
  tick_stat_node(tree, opcode, nodes.messages, false);
  char name[64];
  std::snprintf(name, sizeof name, "QP %llu, %s", static_cast<unsigned long long>(tapped.connection->qp.value_or(0)),
                tapped.item.direction == Direction::a_to_b ? "A to B" : "B to A");
  tick_stat_node(tree, kByQp, 0, true);
  tick_stat_node(tree, name, nodes.by_qp, true);
  tick_stat_node(tree, opcode, stats_tree_parent_id_by_name(tree, name), false);
}

void count_length(stats_tree* tree, const MessageEntry& message) {
  if (!rdmap::traits(message.opcode).has_payload) return;
  count(tree, 0, kLengths, true, message.length);
  count(tree, nodes.lengths, rdmap::title(message.opcode).data(), false, message.length);
}

void count_payload(stats_tree* tree, rdmap::Opcode opcode, std::uint32_t payload) {
  const auto found = sums.find(tree);
  if (found == sums.end() || payload == 0) return;
  std::uint64_t& octets = found->second.octets[static_cast<std::size_t>(opcode)];
  octets += payload;
  found->second.all += payload;
  set_stat_node(tree, kPayload, 0, true, clamped(found->second.all));
  set_octets(tree, rdmap::title(opcode).data(), octets);
}

void count_fpdu(stats_tree* tree, const Tapped& tapped) {
  const FpduEntry& fpdu = *tapped.fpdu;
  if (!tapped.connection->over_sctp) {  // SCTP has no FPDUs
    count(tree, 0, kFpdus, true, fpdu.ulpdu_length);
    char crc[64];
    std::snprintf(crc, sizeof crc, "CRC %s", crc_words(fpdu.crc).data());
    count(tree, nodes.fpdus, crc, false, fpdu.ulpdu_length);
  }
  if (tapped.message == nullptr) return;
  const std::uint32_t payload = payload_octets(tapped);
  count(tree, 0, kSegments, true, payload);
  count(tree, nodes.segments, tapped.message->tagged ? "Tagged" : "Untagged", false, payload);
  count_payload(tree, tapped.message->opcode, payload);
  if (tapped.message->first_fpdu == tapped.item.index) count_message(tree, tapped);
  if (tapped.fpdu->ends_message) count_length(tree, *tapped.message);
}

void count_startup(stats_tree* tree, packet_info* pinfo, const StartupFrameEntry& entry) {
  if (!entry.control) {
    tick_stat_node(tree, kStartup, 0, true);
    tick_stat_node(tree, entry.frame.reply_key ? "MPA Reply" : "MPA Request", nodes.startup, false);
    return;
  }
  const int node = tick_stat_node(tree, kControl, 0, true);
  tick_stat_node(tree, control_words(pinfo, *entry.control), node, false);
}

tap_packet_status count_packet(stats_tree* tree, packet_info* pinfo, epan_dissect_t*, const void* data, tap_flags_t) {
  const Tapped& tapped = *static_cast<const Tapped*>(data);
  switch (tapped.item.kind) {
    case Item::Kind::startup:
      count_startup(tree, pinfo, tapped.connection->startup[tapped.item.index]);
      return TAP_PACKET_REDRAW;
    case Item::Kind::fpdu: count_fpdu(tree, tapped); return TAP_PACKET_REDRAW;
    case Item::Kind::finding: break;
  }
  return TAP_PACKET_DONT_REDRAW;
}

}  // namespace

void register_operations() {
  // Wireshark uses the text before the first comma as a tree's name. Its window opens no tree for -z.
  stats_tree_register_plugin("iwarp", "iwarp_ops", kTitle, 0, &each<&count_packet, stats_tree>, &init, &cleanup);
  if (is_tshark()) register_alias("iwarp,ops,tree", "iwarp_ops,tree");
}

}  // namespace iwarpscope::plugin
