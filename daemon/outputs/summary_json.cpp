// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/summary_json.h"

#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/json.h"

namespace iwarpscope::outputs {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::string text_or_null(std::string_view text) {
  return text.empty() ? "null" : report::json_string(text);
}

void append_row(std::string& out, const live::SummaryRow& row) {
  const bool has_end = row.size_class + std::size_t{1} < live::kSizeClasses;
  fmt::format_to(std::back_inserter(out),
                 R"({{"ulp":{},"opcode":{},"size_class":{},"size_from":{},"size_below":{},"requester":"{}",)"
                 R"("messages":{},"payload_octets":{},"failures":{},"latency":)",
                 text_or_null(row.ulp), text_or_null(row.opcode), row.size_class,
                 live::size_class_begin(row.size_class),
                 has_end ? std::to_string(live::size_class_begin(row.size_class + std::size_t{1})) : "null",
                 row.asked_by_b ? 'b' : 'a', row.messages, row.payload_octets, row.failures);
  if (row.latency == nullptr) {
    out += "null}";
    return;
  }
  fmt::format_to(std::back_inserter(out), R"({{"counts":[{}],"total":{},"sum_seconds":{}}}}})",
                 fmt::join(row.latency->counts, ","), row.latency->total, row.latency->sum_seconds);
}

}  // namespace

std::string summary_json(const live::Summary& summary) {
  std::string out = fmt::format(
      R"({{"record":"summary","from":"{}.{:09}","to":"{}.{:09}","seconds":{},"complete":{},"a":{},"b":{},"rows":[)",
      summary.from.ns / kSecond, summary.from.ns % kSecond, summary.to.ns / kSecond, summary.to.ns % kSecond,
      (summary.to.ns - summary.from.ns) / kSecond, summary.complete,
      summary.ends ? report::json_string(summary.ends->first.text()) : "null",
      summary.ends ? report::json_string(summary.ends->second.text()) : "null");
  for (const live::SummaryRow& row : summary.rows) {
    append_row(out, row);
    out += ',';
  }
  if (!summary.rows.empty()) out.pop_back();
  out += "],";
  if (!summary.ends) {
    const live::Losses& lost = summary.losses;
    fmt::format_to(std::back_inserter(out),
                   R"("pairs":{},"lost":{{"nic":{},"kernel":{},"queue":{},"gap_octets":{},"gap_messages":{}}},)",
                   summary.pairs, lost.nic, lost.kernel, lost.queue, lost.gap_octets, lost.gap_messages);
  }
  live::append_members(out, summary.name);
  return out + "}";
}

}  // namespace iwarpscope::outputs
