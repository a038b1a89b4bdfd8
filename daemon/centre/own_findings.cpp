// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/own_findings.h"

namespace iwarpscope::centre {
namespace {

/// The JSON as docs/json-report.md has it; find_v1() adds what the database knows.
constexpr const char* kFind = R"(
  SELECT iwarpscope.find_v1($1, $2::smallint, to_timestamp($3), nullif($4, '')::inet, nullif($6, '')::inet, $8::bigint, nullif($9, ''),
    jsonb_build_object('code', $10, 'severity', $11, 'about', $12, 'text', $13, 'reference', $14, 'direction', NULL, 'index', NULL,
      'frame', NULL, 'frames', '[]'::jsonb, 'time', $3::text || '.000000000', 'offset', NULL, 'seen', NULL, 'expected', NULL,
      'a', CASE WHEN $4 <> '' THEN jsonb_build_object('address', $4, 'port', $5) END,
      'b', CASE WHEN $6 <> '' THEN jsonb_build_object('address', $6, 'port', $7) END)))";

}  // namespace

Asked<void> store(Connection& database, const OwnFinding& finding) {
  const findings::Rule& rule = findings::rule(finding.rule);
  Parameters values;
  values.add(rule.name).add(static_cast<std::int64_t>(rule.severity) + 1).add(finding.seconds);
  for (const OwnFinding::End* end : {&finding.a, &finding.b})
    values.add(std::string_view{end->address}).add(std::int64_t{end->port});
  values.add(finding.qp);
  values.add(storable(finding.community_id)).add(rule.code);
  values.add(findings::name(rule.severity))
      .add(findings::name(rule.about))
      .add(storable(finding.text))
      .add(rule.reference);
  if (const auto stored = database.run(kFind, values); !stored) return tl::unexpected(stored.error());
  return {};
}

}  // namespace iwarpscope::centre
