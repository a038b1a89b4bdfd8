#include "statistics/command_line.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include "epan/capture.h"
#include "epan/taps.h"

namespace iwarpscope::plugin {
namespace {

/// A statistic that was asked for. Destroyed when Wireshark removes the tap listener.
struct Asked {
  const WrittenStatistic* statistic;
  Selection selection;
};

void note(Selection& selection, const Tapped& tapped) {
  if (tapped.item.kind == Item::Kind::finding) {
    selection.findings.insert(tapped.item.index);
    if (const auto& qp = tapped.session->finding(tapped.item.index).qp) selection.qps.insert(*qp);
  } else if (tapped.connection->qp) {
    selection.qps.insert(*tapped.connection->qp);
  }
}

tap_packet_status packet(void* data, packet_info*, epan_dissect_t*, const void* tapped, tap_flags_t) noexcept {
  Selection& selection = static_cast<Asked*>(data)->selection;
  if (selection.everything) return TAP_PACKET_DONT_REDRAW;
  try {
    note(selection, *static_cast<const Tapped*>(tapped));
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

void reset(void* data) noexcept {
  Selection& selection = static_cast<Asked*>(data)->selection;
  selection.qps.clear();
  selection.findings.clear();
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
  GString* const error = register_tap_listener("iwarp", asked, filter, TL_REQUIRES_NOTHING, &reset, &packet, &draw, &finish);
  if (error != nullptr) {
    // As tshark's own statistics do.
    std::fprintf(stderr, "tshark: Couldn't register %s tap: %s\n", statistic.name, error->str);
    std::exit(1);
  }
  return static_cast<Result>(true);
}

template <class Result>
Result forward(const char* argument, void* data) {
  const char* const* const names = static_cast<const char* const*>(data);
  char* const meant = g_strconcat(names[1], argument + std::strlen(names[0]), nullptr);
  process_stat_cmd_arg(meant);  // queued behind this one
  g_free(meant);
  return static_cast<Result>(true);
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
  static stat_tap_ui ui{REGISTER_STAT_GROUP_GENERIC, nullptr, nullptr, &start<Started>, 0, nullptr};
  ui.cli_string = statistic.name;  // what is kept of it
  register_stat_tap_ui(&ui, const_cast<WrittenStatistic*>(&statistic));
}

void register_alias(const char* alias, const char* name) {
  static const char* names[2];
  names[0] = alias;
  names[1] = name;
  static stat_tap_ui ui{REGISTER_STAT_GROUP_GENERIC, nullptr, nullptr, &forward<Started>, 0, nullptr};
  ui.cli_string = alias;
  register_stat_tap_ui(&ui, names);
}

}  // namespace iwarpscope::plugin
