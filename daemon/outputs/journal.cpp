// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/journal.h"

// Without this every entry would name a line of this file as its origin.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/utf8.h"

namespace iwarpscope::outputs {
namespace {

int priority(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: return 3;
    case findings::Severity::warning: return 4;
    case findings::Severity::note: return 6;
  }
  return 6;
}

char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::vector<std::string> fields_of(const live::FindingView& view) {
  const findings::Finding& finding = view.finding;
  const findings::Rule& rule = findings::rule(finding.id);
  std::string whose;
  if (view.ends) whose = fmt::format("{} <-> {}: ", view.ends->first.text(), view.ends->second.text());
  std::vector<std::string> fields{
      fmt::format("MESSAGE={}{}: {}", whose, rule.code, report::to_printable(finding.text)),
      fmt::format("PRIORITY={}", priority(rule.severity)),
      fmt::format("IWARPSCOPE_RULE={}", rule.code),
      fmt::format("IWARPSCOPE_RULE_NAME={}", rule.name),
  };
  if (finding.qp) fields.push_back(fmt::format("IWARPSCOPE_QP={}", *finding.qp));
  if (view.ends) {
    fields.push_back(fmt::format("IWARPSCOPE_A={}", view.ends->first.text()));
    fields.push_back(fmt::format("IWARPSCOPE_B={}", view.ends->second.text()));
  }
  if (finding.frame.value != 0) fields.push_back(fmt::format("IWARPSCOPE_FRAME={}", finding.frame.value));
  for (const auto& [part, text] : live::named(view).parts()) {
    std::string field = fmt::format("IWARPSCOPE_{}={}", part, report::to_printable(text));
    std::transform(field.begin(), field.begin() + static_cast<std::ptrdiff_t>(field.find('=')), field.begin(),
                   to_upper);
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace

Journal::Journal(JournalOptions options) : options_(std::move(options)) {
  gate_.change(options_.thresholds);
}

live::Wanted Journal::wanted() const {
  live::Wanted wanted;
  wanted.findings = true;
  wanted.at_least = options_.at_least;
  return wanted;
}

std::string Journal::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void Journal::tell(std::string text) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(text);
}

bool Journal::send(const live::FindingView& finding) {
  std::vector<std::string> fields = fields_of(finding);
  std::vector<iovec> vectors;
  vectors.reserve(fields.size());
  for (std::string& field : fields) vectors.push_back({field.data(), field.size()});
  const int count = static_cast<int>(vectors.size());
  const int result = options_.send ? options_.send(vectors.data(), count) : sd_journal_sendv(vectors.data(), count);
  if (result < 0) {
    tell(fmt::format("The journal does not accept entries: {}.",
                     std::error_code(-result, std::generic_category()).message()));
  }
  return result >= 0;
}

std::size_t Journal::take(const std::vector<live::Event>& events) {
  // libsystemd says nothing when there is no journal.
  const bool is_there = access(options_.socket.c_str(), W_OK) == 0;
  if (!is_there) tell(fmt::format("No journal listens on {}: entries for it are lost.", options_.socket));
  std::size_t lost = 0, sent = 0;
  for (const live::Event& event : events) {
    const auto* reported = std::get_if<live::FindingReported>(&event);
    if (reported == nullptr || findings::rule(reported->finding->finding.id).severity < options_.at_least) continue;
    const live::FindingView& view = *reported->finding;
    if (!gate_.passes(view.finding, view.ends ? &*view.ends : nullptr)) continue;
    is_there&& send(*reported->finding) ? ++sent : ++lost;
  }
  if (sent != 0 && lost == 0) tell({});
  return lost;
}

}  // namespace iwarpscope::outputs
