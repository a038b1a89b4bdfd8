// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/command_line.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <new>
#include <system_error>

#include "epan/capture.h"
#include "epan/taps.h"
#include "statistics/payload.h"

namespace iwarpscope::plugin {
namespace {

/// A requested statistic. Destroyed when Wireshark removes the tap listener.
struct Asked {
  const WrittenStatistic* statistic;
  Selection selection;
};

void note(Selection& selection, const Tapped& tapped, const packet_info* pinfo) {
  selection.after_end = tapped.session->is_finished();
  if (tapped.item.kind == Item::Kind::finding) {
    selection.findings.insert(tapped.item.index);
    const auto& qp = tapped.session->finding(tapped.item.index).qp;
    if (qp && !is_late(*tapped.session, pinfo->num, tapped.item.index)) selection.qps.insert(*qp);
  } else if (tapped.connection->qp) {
    selection.qps.insert(*tapped.connection->qp);
  }
}

void note_traffic(Selection& selection, const Tapped& tapped, const packet_info* pinfo) {
  if (tapped.connection == nullptr || !tapped.connection->qp) return;
  const double time = nstime_to_sec(&pinfo->rel_ts);
  const auto [it, is_new] = selection.traffic.try_emplace(*tapped.connection->qp);
  Traffic& traffic = it->second;
  if (is_new) traffic.first = traffic.last = time;
  traffic.first = std::min(traffic.first, time);
  traffic.last = std::max(traffic.last, time);
  const std::size_t d = index(tapped.item.direction);
  if (is_first_in_packet(tapped, pinfo)) ++traffic.packets[d];
  traffic.octets[d] += payload_octets(tapped);
}

tap_packet_status note_packet(void* data, packet_info* pinfo, epan_dissect_t*, const void* tap, tap_flags_t) noexcept {
  Asked& asked = *static_cast<Asked*>(data);
  const Tapped& tapped = *static_cast<const Tapped*>(tap);
  try {
    if (!asked.selection.everything) note(asked.selection, tapped, pinfo);
    if (asked.statistic->traffic) note_traffic(asked.selection, tapped, pinfo);
  } catch (const std::bad_alloc&) {
    return TAP_PACKET_FAILED;
  }
  return TAP_PACKET_DONT_REDRAW;
}

void draw(void* data) noexcept {
  const Asked& asked = *static_cast<const Asked*>(data);
  const Session* const session = session_at_end();
  if (session == nullptr) return;
  try {
    const std::string text = asked.statistic->text(*session, asked.selection);
    std::fwrite(text.data(), 1, text.size(), stdout);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "tshark: %s: %s\n", asked.statistic->name, e.what());
  }
}

void clear_selection(void* data) noexcept {
  Selection& selection = static_cast<Asked*>(data)->selection;
  selection.qps.clear();
  selection.findings.clear();
  selection.traffic.clear();
}

void finish(void* data) noexcept {
  delete static_cast<Asked*>(data);
}

/// `argument`: "iwarp,qp" or "iwarp,qp,<display filter>".
template <class Result>
Result start(const char* argument, void* data) {
  const auto& statistic = *static_cast<const WrittenStatistic*>(data);
  const char* const rest = argument + std::strlen(statistic.name);
  const char* const filter = rest[0] == ',' && rest[1] != '\0' ? rest + 1 : nullptr;
  auto* const asked = new Asked{&statistic, {}};
  asked->selection.everything = filter == nullptr;
  GString* const error = register_tap_listener("iwarp", asked, filter, TL_REQUIRES_NOTHING, &clear_selection,
                                               &each<&note_packet>, &draw, &finish);
  if (error != nullptr) {
    // Like tshark's own statistics.
    std::fprintf(stderr, "tshark: Couldn't register %s tap: %s\n", statistic.name, error->str);
    std::exit(1);
  }
  return static_cast<Result>(true);
}

template <class Result>
Result forward(const char* argument, void* data) {
  const char* const* const names = static_cast<const char* const*>(data);
  char* const meant = g_strconcat(names[1], argument + std::strlen(names[0]), nullptr);
  process_stat_cmd_arg(meant);  // queued after this one
  g_free(meant);
  return static_cast<Result>(true);
}

/// Registered data lives as long as the program.
stat_tap_ui& kept_ui() {
  static std::deque<stat_tap_ui> all;
  stat_tap_ui& ui = all.emplace_back();
  ui.group = REGISTER_STAT_GROUP_GENERIC;
  return ui;
}

}  // namespace

bool is_tshark() noexcept {
  try {
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    const char* const known = g_get_prgname();
    return (!failed && program.filename().string().find("tshark") != std::string::npos) ||
           (known != nullptr && std::strcmp(known, "tshark") == 0);
  } catch (const std::exception&) {
    return false;
  }
}

void register_written(const WrittenStatistic& statistic) {
  stat_tap_ui& ui = kept_ui();
  ui.cli_string = statistic.name;
  ui.tap_init_cb = &start<Started>;
  register_stat_tap_ui(&ui, const_cast<WrittenStatistic*>(&statistic));
}

void register_alias(const char* alias, const char* name) {
  static std::deque<std::array<const char*, 2>> names;
  stat_tap_ui& ui = kept_ui();
  ui.cli_string = alias;
  ui.tap_init_cb = &forward<Started>;
  register_stat_tap_ui(&ui, names.emplace_back(std::array{alias, name}).data());
}

}  // namespace iwarpscope::plugin
