// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the HTML report keeps, and the functions that write its parts. Used inside report/ only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/records.h"
#include "findings/finding.h"
#include "qp/records.h"
#include "report/html.h"
#include "report/html_traffic.h"
#include "report/incidents.h"
#include "report/text_parts.h"

namespace iwarpscope::report {

/// Text from outside or of this program, made fit for HTML, also inside a quoted attribute: to_printable(), then
/// escaped.
[[nodiscard]] std::string html(std::string_view text);

struct HtmlCounts {
  std::uint32_t errors = 0, warnings = 0, notes = 0;
};

/// A queue pair of the table.
struct HtmlRow {
  qp::QpRecord record;
  HtmlCounts counts;
  std::optional<findings::FindingId> worst;
  int badness = 0;
};

/// A queue pair in detail.
struct HtmlSection {
  const HtmlRow* row = nullptr;
  std::vector<const findings::Finding*> findings;  ///< the first ones
  std::vector<qp::MessageRecord> messages;
};

/// "error", "warning", "note": the name of a class of the style sheet, too.
[[nodiscard]] std::string_view html_class(findings::Severity severity) noexcept;
[[nodiscard]] std::string_view html_class(qp::Outcome outcome, Flaw flaw) noexcept;

/// Where it began to go wrong, as far as its events, findings and messages show it.
[[nodiscard]] TimePoint html_trouble_time(const HtmlSection& section);

// Each appends whole elements.
/// Everything up to the body's first heading.
void append_html_head(std::string& out, const std::string& title, const std::string& dates);
/// The sentence, the side, the confidence, the evidence, what to check next.
/// `details`: HTML, where there is more; may be empty.
void append_html_verdict(std::string& out, const qp::VerdictRecord& verdict, const std::string& details = {});
void append_html_incidents(std::string& out, const Incidents& incidents, const std::vector<HtmlSection>& sections);
/// `rows` in the order to print; `total` queue pairs there are. Those in `sections` have a link.
void append_html_table(std::string& out, const std::vector<const HtmlRow*>& rows,
                       const std::vector<HtmlSection>& sections, std::uint64_t total);
void append_html_section(std::string& out, const HtmlSection& section);
/// Worst first. `total`: how many there are of them.
void append_html_findings(std::string& out, std::vector<const findings::Finding*> findings, std::uint64_t total);

}  // namespace iwarpscope::report
