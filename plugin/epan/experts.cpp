// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/experts.h"

#include <algorithm>
#include <string>
#include <vector>

namespace iwarpscope::plugin {
namespace {

using findings::Rule;
using findings::Severity;

/// Data to which epan keeps pointers. Lives as long as the program.
struct RegisteredExperts {
  std::vector<expert_field> fields;
  std::vector<std::string> names, summaries;
  std::vector<ei_register_info> infos;
};
RegisteredExperts& registered_experts() {
  static RegisteredExperts r;
  return r;
}

int severity(const Rule& rule) noexcept {
  switch (rule.severity) {
    case Severity::error: return PI_ERROR;
    case Severity::warning: return PI_WARN;
    case Severity::note: break;
  }
  return PI_NOTE;
}

int group(const Rule& rule) noexcept {
  using enum findings::FindingId;
  if (rule.id == mpa_crc_mismatch || rule.id == mpa_crc_not_judged || rule.id == mpa_crc_mismatch_reaction ||
      rule.id == mpa_crc_not_computed) {
    return PI_CHECKSUM;
  }
  const std::string_view family = rule.code.substr(0, 2);
  if (family == "TC") return PI_SEQUENCE;
  if (family == "SX") return PI_SECURITY;
  if (family == "CA") return PI_ASSUMPTION;
  if (family == "QP") return PI_RESPONSE_CODE;
  return PI_PROTOCOL;
}

}  // namespace

void register_experts(int protocol) {
  RegisteredExperts& r = registered_experts();
  const auto rules = findings::rules();
  r.fields.assign(rules.size(), expert_field(EI_INIT));
  for (const Rule& rule : rules) {
    std::string name = "iwarp.finding." + std::string(rule.name);
    std::replace(name.begin(), name.end(), '-', '_');
    r.names.push_back(std::move(name));
    r.summaries.push_back(std::string(rule.code) + ": " + std::string(rule.what));
  }
  for (std::size_t i = 0; i < rules.size(); ++i) {
    r.infos.push_back(
        {&r.fields[i], {r.names[i].c_str(), group(rules[i]), severity(rules[i]), r.summaries[i].c_str(), EXPFILL}});
  }
  expert_register_field_array(expert_register_protocol(protocol), r.infos.data(), static_cast<int>(r.infos.size()));
}

void add_expert(packet_info* pinfo, proto_item* item, findings::FindingId id, const char* text) {
  expert_add_info_format(pinfo, item, &registered_experts().fields[static_cast<std::size_t>(id)], "%s", text);
}

}  // namespace iwarpscope::plugin
