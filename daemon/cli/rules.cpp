// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cli/exit_status.h"
#include "findings/catalogue.h"
#include "report/json.h"

namespace iwarpscope::cli {
namespace {

std::string table() {
  std::size_t widest = 0;
  for (const findings::Rule& rule : findings::rules()) widest = std::max(widest, rule.name.size());
  std::string out;
  const findings::Family* family = nullptr;
  for (const findings::Rule& rule : findings::rules()) {
    if (&findings::family(rule) != family) {
      out += fmt::format("{}{}\n", family == nullptr ? "" : "\n", findings::family(rule).title);
      family = &findings::family(rule);
    }
    out += fmt::format("  {:<6}  {:<{}}  {:<7}  {:<7}  {}\n", rule.code, rule.name, widest,
                       findings::name(rule.severity), findings::name(rule.about), rule.reference);
  }
  return out;
}

}  // namespace

int run_rules(Format format, const Console& console) {
  std::string out;
  if (format == Format::json) {
    for (const findings::Rule& rule : findings::rules()) report::append_json(out, rule);
  } else {
    out = table();
  }
  console.out.write(out);
  return kExitDone;
}

}  // namespace iwarpscope::cli
