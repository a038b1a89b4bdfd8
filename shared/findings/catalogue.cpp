// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "findings/catalogue.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <string_view>

#include "findings/rules_capture.h"
#include "findings/rules_ddp.h"
#include "findings/rules_event.h"
#include "findings/rules_extension.h"
#include "findings/rules_mpa_fpdu.h"
#include "findings/rules_mpa_startup.h"
#include "findings/rules_port_mapper.h"
#include "findings/rules_rdmap.h"
#include "findings/rules_sctp.h"
#include "findings/rules_security.h"
#include "findings/rules_site.h"
#include "findings/rules_tcp.h"

namespace iwarpscope::findings {
namespace {

template <std::size_t... Sizes>
constexpr std::array<Rule, (Sizes + ...)> joined(const std::array<Rule, Sizes>&... parts) {
  std::array<Rule, (Sizes + ...)> all{};
  auto out = all.begin();
  ((out = std::copy(parts.begin(), parts.end(), out)), ...);
  return all;
}

constexpr auto kRules = joined(table::kMpaStartupRules, table::kMpaFpduRules, table::kDdpRules, table::kRdmapRules,
                               table::kExtensionRules, table::kSctpRules, table::kSecurityRules, table::kCaptureRules,
                               table::kTcpRules, table::kPortMapperRules, table::kEventRules, table::kSiteRules);

constexpr auto kFamilies = std::to_array<Family>({
    {"MS", "MPA startup"},
    {"MF", "MPA FPDUs, markers and CRC"},
    {"DD", "DDP"},
    {"RM", "RDMAP"},
    {"AT", "Atomic Operations and Immediate Data"},
    {"SC", "DDP over SCTP"},
    {"SX", "Security"},
    {"CA", "The capture"},
    {"TC", "TCP"},
    {"PM", "The port mapper"},
    {"QP", "Ended and refused connections"},
    {"SI", "A site: then against now, and several taps of one connection"},
});

constexpr bool in_enum_order() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    if (static_cast<std::size_t>(kRules[i].id) != i) return false;
  }
  return kRules.back().id == FindingId::site_damage_between_taps;
}

constexpr bool texts_complete() {
  return std::none_of(kRules.begin(), kRules.end(), [](const Rule& row) {
    return row.name.empty() || row.code.empty() || row.reference.empty() || row.what.empty() || row.why.empty() ||
           row.next.empty();
  });
}

/// By sorting: a compiler takes only so many steps.
constexpr bool unique(std::string_view Rule::*member) {
  std::array<std::string_view, kRules.size()> all;
  for (std::size_t i = 0; i < kRules.size(); ++i) all[i] = kRules[i].*member;
  std::sort(all.begin(), all.end());
  return std::adjacent_find(all.begin(), all.end()) == all.end();
}

constexpr std::size_t family_index(const Rule& row) {
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(),
                                  [&row](const Family& each) { return row.code.starts_with(each.prefix); });
  return static_cast<std::size_t>(found - kFamilies.begin());
}

constexpr bool families_follow_rules() {
  std::size_t last = 0;
  for (const Rule& row : kRules) {
    const std::size_t index = family_index(row);
    if (index >= kFamilies.size() || index < last || index > last + 1) return false;
    last = index;
  }
  return last + 1 == kFamilies.size();
}

static_assert(in_enum_order(), "a row is missing or out of the order of FindingId");
static_assert(texts_complete(), "a row has an empty text");
static_assert(unique(&Rule::name), "two rows share a name");
static_assert(unique(&Rule::code), "two rows share a code");
static_assert(families_follow_rules(), "a code has no family, or its family is split");

constexpr char lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_ignoring_case(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

std::span<const Rule> rules() noexcept {
  return kRules;
}

const Rule& rule(FindingId id) noexcept {
  const auto index = static_cast<std::size_t>(id);
  assert(index < kRules.size());
  return kRules[index];
}

const Rule* find_rule(std::string_view name_or_code) noexcept {
  const auto found = std::find_if(kRules.begin(), kRules.end(), [name_or_code](const Rule& row) {
    return same_ignoring_case(row.name, name_or_code) || same_ignoring_case(row.code, name_or_code);
  });
  return found == kRules.end() ? nullptr : &*found;
}

std::span<const Family> families() noexcept {
  return kFamilies;
}

const Family& family(const Rule& row) noexcept {
  const std::size_t index = family_index(row);
  assert(index < kFamilies.size());
  return kFamilies[index];
}

bool is_about_full_operation(const Rule& row) noexcept {
  constexpr std::array<std::string_view, 4> kPrefixes{"MF", "DD", "RM", "AT"};
  return std::find(kPrefixes.begin(), kPrefixes.end(), family(row).prefix) != kPrefixes.end();
}

bool is_refused(const Rule& row) noexcept {
  return row.about == About::peer && row.severity != Severity::note && !row.refused_with.is_empty();
}

std::string_view name(Severity severity) noexcept {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return {};
}

std::string_view name(About about) noexcept {
  switch (about) {
    case About::peer: return "peer";
    case About::path: return "path";
    case About::capture: return "capture";
  }
  return {};
}

std::string_view name(Repeat repeat) noexcept {
  switch (repeat) {
    case Repeat::each: return "each";
    case Repeat::per_direction: return "per direction";
    case Repeat::per_qp: return "per queue pair";
  }
  return {};
}

std::string_view name(Explains explains) noexcept {
  switch (explains) {
    case Explains::ending: return "ending";
    case Explains::startup: return "startup";
    case Explains::nothing: return "nothing";
  }
  return {};
}

}  // namespace iwarpscope::findings
