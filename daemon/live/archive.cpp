// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/archive.h"

#include <fmt/format.h>

#include "findings/catalogue.h"

namespace iwarpscope::live {

std::string mistake_in(const ArchiveQuery& query) {
  using Kind = RecordKind;
  if (query.kind == Kind::summaries && query.community_id) return "Summaries have no Community ID.";
  if (query.kind == Kind::heartbeats && (query.host || query.community_id))
    return "Heartbeats have no host and no Community ID.";
  if ((query.rule || query.at_least) && query.kind != Kind::findings)
    return "Rule and severity apply only to findings.";
  if (query.outcome && query.kind != Kind::qps && query.kind != Kind::operations)
    return "Findings, states, heartbeats and summaries have no outcome; only queue pairs and operations have one.";
  if (query.rule && findings::find_rule(*query.rule) == nullptr)
    return fmt::format("Unknown rule \"{}\".", *query.rule);
  return {};
}

}  // namespace iwarpscope::live
