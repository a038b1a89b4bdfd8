// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of queue pairs in the report for people.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/human.h"
#include "report/qp_words.h"
#include "report/text_parts.h"

namespace iwarpscope::report {
namespace {

/// How A and B were distinguished: nothing after the ends when MPA showed it.
std::string_view roles_mark(qp::Roles roles) noexcept {
  switch (roles) {
    case qp::Roles::mpa: return "";
    case qp::Roles::tcp: return " *";
    case qp::Roles::address: return " ?";
  }
  return "";
}

std::string lost_cell(const qp::QpRecord& record) {
  const Gaps gaps = gaps_of(record);
  return gaps.any() ? gap_text(gaps.octets, gaps.messages) : "-";
}

double seconds_of(const qp::QpRecord& record) noexcept {
  return static_cast<double>(elapsed_ns(record.first_time, record.last_time)) / 1e9;
}

/// ULP payload of both directions, by the time between the first and the last frame.
std::string rate_cell(const QpRow& row) {
  const auto& [a, b] = row.record.directions;
  const double seconds = seconds_of(row.record);
  const std::uint64_t octets = payload_octets(a) + payload_octets(b);
  if (octets == 0 || seconds <= 0) return "-";
  return human_rate(static_cast<double>(octets) / seconds);
}

std::string retransmitted_cell(const QpRow& row) {
  const auto& [a, b] = row.record.directions;
  const std::uint64_t again = a.retransmitted_octets + b.retransmitted_octets;
  if (again == 0) return "-";
  return percent(static_cast<double>(again), static_cast<double>(a.stream_octets + b.stream_octets));
}

/// How long a message waited at most for octets before it.
std::string held_cell(const QpRow& row) {
  const auto& [a, b] = row.record.directions;
  const std::int64_t most = std::max(a.head_of_line.largest_ns, b.head_of_line.largest_ns);
  return most == 0 ? "-" : human_duration(most);
}

/// Reads only: their limit is negotiated.
std::string at_limit_cell(const QpRow& row) {
  std::int64_t longest = 0;
  for (const qp::DirectionRecord& d : row.record.directions) {
    if (d.read_credit) longest = std::max(longest, d.read_credit->reads.at_limit_ns);
  }
  return longest == 0 ? "-" : human_duration(longest);
}

std::string latency_cell(const QpRow& row) {
  if (!row.latency) return "-";
  return fmt::format("{} / {}", human_duration(row.latency->p50), human_duration(row.latency->p99));
}

/// One column. The last one is not padded.
struct Column {
  std::string_view title;
  std::string (*cell)(const QpRow& row);
  bool may_be_left_out = false;  ///< when all cells are "-"
  int first_dropped = 0;         ///< where the line is too long: the lowest number first; 0: never
  bool if_there_is_room = false;
};
constexpr auto kColumns = std::to_array<Column>({
    {"QP", [](const QpRow& row) { return fmt::format("{}", row.record.qp); }},
    {"A -> B",
     [](const QpRow& row) {
       const qp::QpRecord& r = row.record;
       return fmt::format("{} -> {}{}{}", r.a.text(), r.b.text(), roles_mark(r.roles), stream_mark(r));
     }},
    {"Outcome",
     [](const QpRow& row) { return std::string{row.record.verdict ? qp::name(row.record.verdict->outcome) : "-"}; },
     true, 10},
    {"ULP", [](const QpRow& row) { return std::string{row.record.ulp.value_or("-")}; }, true, 4},
    {"Began", [](const QpRow& row) { return std::string{row.record.joined_midstream ? "mid-stream" : "startup"}; },
     false, 3},
    {"State", [](const QpRow& row) { return state_text(row.record); }, false, 9},
    {"CRC", [](const QpRow& row) { return crc_cell(row.record); }, false, 5},
    {"Mkr", [](const QpRow& row) { return markers_cell(row.record); }, false, 2},
    {"Depth", [](const QpRow& row) { return depth_cell(row.record); }, false, 1},
    {"A->B messages", [](const QpRow& row) { return messages_cell(row.record.directions[0]); }, false, 8},
    {"B->A messages", [](const QpRow& row) { return messages_cell(row.record.directions[1]); }, false, 7},
    {"Lost", [](const QpRow& row) { return lost_cell(row.record); }, true, 6},
    {"Duration",
     [](const QpRow& row) { return human_duration(elapsed_ns(row.record.first_time, row.record.last_time)); }, false, 0,
     true},
    {"Rate", rate_cell, true, 0, true},
    {"Sent again", retransmitted_cell, true, 0, true},
    {"Held back", held_cell, true, 0, true},
    {"p50 / p99", latency_cell, true, 0, true},
    {"At limit", at_limit_cell, true, 0, true},
    {"Worst finding",
     [](const QpRow& row) { return row.worst ? std::string{findings::rule(*row.worst).name} : "none"; }},
});
constexpr std::size_t kEnds = 1;
using Cells = std::array<std::string, kColumns.size()>;
using Widths = std::array<std::size_t, kColumns.size()>;  ///< 0: the column is left out

Cells cells(const QpRow& row) {
  Cells all;
  for (std::size_t i = 0; i < kColumns.size(); ++i) all[i] = kColumns[i].cell(row);
  return all;
}
Cells head() {
  Cells all;
  for (std::size_t i = 0; i < kColumns.size(); ++i) all[i] = kColumns[i].title;
  return all;
}

std::size_t line_width(const Widths& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths) sum += width == 0 ? 0 : width + 2;
  return sum - 2;
}

/// A table and the columns of it that fit into a line.
class Layout {
 public:
  Layout(std::vector<Cells> table, const std::vector<QpRow>& rows, std::size_t columns)
      : table_(std::move(table)), columns_(columns) {
    for (std::size_t i = 0; i < kColumns.size(); ++i) wanted_[i] = wanted_width(i);
    widths_ = wanted_;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      if (kColumns[i].if_there_is_room) widths_[i] = 0;
    }
    constexpr int kLastDropped = 10;
    // The names of rules are long: their codes say as much to "iwarpscope explain".
    constexpr int kRatherThanNames = 4;
    drop_to_fit(kRatherThanNames);
    if (!fits()) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].worst) table_[i].back() = findings::rule(*rows[i].worst).code;
      }
      widths_.back() = wanted_width(kColumns.size() - 1);
      drop_to_fit(kLastDropped);
    }
    if (!fits()) split_ends();
    if (splits_ends_) drop_to_fit(kLastDropped);
    add_with_room();
  }
  [[nodiscard]] const std::vector<Cells>& table() const noexcept { return table_; }
  [[nodiscard]] const Widths& widths() const noexcept { return widths_; }
  [[nodiscard]] bool splits_ends() const noexcept { return splits_ends_; }
  /// The titles of the columns that did not fit.
  [[nodiscard]] std::string dropped() const {
    std::string text;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      if (widths_[i] != 0 || wanted_[i] == 0 || kColumns[i].if_there_is_room) continue;
      text += fmt::format("{}{}", text.empty() ? "" : ", ", kColumns[i].title);
    }
    return text;
  }

 private:
  [[nodiscard]] bool fits() const { return line_width(widths_) <= columns_; }
  [[nodiscard]] std::size_t wanted_width(std::size_t i) const {
    const auto is_blank = [i](const Cells& line) { return line[i] == "-"; };
    if (kColumns[i].may_be_left_out && std::all_of(table_.begin(), table_.end(), is_blank)) return 0;
    std::size_t width = kColumns[i].title.size();
    for (const Cells& line : table_) width = std::max(width, line[i].size());
    return width;
  }
  void drop_to_fit(int last) {
    for (int turn = 1; turn <= last && !fits(); ++turn) {
      for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (kColumns[i].first_dropped == turn) widths_[i] = 0;
      }
    }
    // A wide column may have made room for narrow ones.
    for (int turn = last; turn > 0; --turn) {
      for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (kColumns[i].first_dropped != turn || widths_[i] != 0) continue;
        widths_[i] = wanted_[i];
        if (!fits()) widths_[i] = 0;
      }
    }
  }
  void split_ends() {
    splits_ends_ = true;
    widths_[kEnds] = kColumns[kEnds].title.size();
    for (const Cells& line : table_) {
      const std::size_t at = line[kEnds].find(" -> ");
      widths_[kEnds] = std::max({widths_[kEnds], at + 3, line[kEnds].size() - at - 4});
    }
  }
  void add_with_room() {
    if (!dropped().empty()) return;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      if (!kColumns[i].if_there_is_room || wanted_[i] == 0) continue;
      widths_[i] = wanted_[i];
      if (!fits()) widths_[i] = 0;
    }
  }

  std::vector<Cells> table_;
  std::size_t columns_;
  Widths wanted_{}, widths_{};
  bool splits_ends_ = false;
};

void append_line(std::string& out, const Cells& line, const Layout& layout, const std::string& last) {
  const Widths& widths = layout.widths();
  const bool is_split = layout.splits_ends() && line[kEnds] != kColumns[kEnds].title;
  const std::size_t at = is_split ? line[kEnds].find(" -> ") : std::string::npos;
  for (std::size_t i = 0; i + 1 < kColumns.size(); ++i) {
    if (widths[i] == 0) continue;
    out += fmt::format("{:<{}}  ", is_split && i == kEnds ? line[i].substr(0, at + 3) : line[i], widths[i]);
  }
  out += last + "\n";
  if (is_split) out += std::string(widths[0] + 2, ' ') + line[kEnds].substr(at + 4) + "\n";
}

/// What the marks in the table mean, where they are used.
void append_legend(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, const Layout& layout) {
  const auto any = [&](auto&& has) { return std::any_of(rows.begin(), rows.end(), has); };
  const auto shows = [&](char mark) {
    return std::any_of(layout.table().begin(), layout.table().end(), [&](const Cells& cells) {
      for (std::size_t i = 0; i < kColumns.size(); ++i) {
        if (layout.widths()[i] != 0 && cells[i].find(mark) != std::string::npos) return true;
      }
      return false;
    });
  };
  constexpr std::size_t kMark = 3;
  const auto line = [&](std::string_view text) {
    const bool has_mark = text.substr(1, 2) == "  ";
    const std::string_view mark = text.substr(0, has_mark ? kMark : 0);
    const std::string whole = wrapped(mark, std::string(kMark, ' '), text.substr(mark.size()), paint.width());
    out += paint.dim(whole.substr(0, whole.size() - 1)) + "\n";
  };
  if (any([](const QpRow& r) { return r.record.roles == qp::Roles::tcp; })) {
    line("*  A sent the TCP SYN; which end is the MPA Initiator was not seen");
  }
  if (any([](const QpRow& r) { return r.record.roles == qp::Roles::address; })) {
    line("?  the capture does not show which end opened the connection: A has the lower address and port");
  }
  if (shows('~')) line(kInferredLegend);
  if (shows('+')) line(kAtLeastLegend);
  if (const std::string dropped = layout.dropped(); !dropped.empty()) {
    line(fmt::format("Not shown for lack of room: {}; --qp N has all of it", dropped));
  } else {
    line("Mkr: markers, A to B/B to A if they differ; Depth: RDMA Reads that A/B may have outstanding");
  }
}

}  // namespace

void append_table(std::string& out, const Paint& paint, const std::vector<QpRow>& rows, std::uint64_t total) {
  if (rows.empty()) return;
  std::vector<Cells> table;
  std::transform(rows.begin(), rows.end(), std::back_inserter(table), cells);
  const Layout layout(std::move(table), rows, paint.columns());
  out +=
      paint.bold(total > rows.size()
                     ? fmt::format("{}, the worst and busiest {} of them:", counted(total, "queue pair"), rows.size())
                     : counted(total, "queue pair")) +
      "\n";
  append_line(out, head(), layout, std::string{kColumns.back().title});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::optional<findings::FindingId> worst = rows[i].worst;
    const std::string& last = layout.table()[i].back();
    append_line(out, layout.table()[i], layout,
                worst ? paint.severity(findings::rule(*worst).severity, last) : paint.good("none"));
  }
  if (total > rows.size()) {
    out += wrapped("", "",
                   fmt::format("{} not shown; --qp N shows one in detail, --format json all of them",
                               counted(total - rows.size(), "queue pair")),
                   paint.width());
  }
  append_legend(out, paint, rows, layout);
}

}  // namespace iwarpscope::report
