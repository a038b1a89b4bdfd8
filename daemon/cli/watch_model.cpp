// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/watch_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/wording.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/qps_table.h"
#include "cli/watch_json.h"
#include "findings/catalogue.h"
#include "iwarpscope/v1/observer.pb.h"
#include "qp/severity_order.h"
#include "report/human.h"
#include "report/qp_words.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

using Style = WatchLine::Style;

/// Mark for losses during the lifetime of a queue pair, in the space before its verdict.
constexpr char kLossMark = '!';
constexpr std::string_view kLossLegend = "; !: losses limit the verdict";

/// Printable ASCII. Other octets become question marks, so that the width of a column is its number of octets.
std::string plain(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = c >= ' ' && c <= '~' ? c : '?';
  return out;
}

int badness(const live::QpView& view) {
  return view.findings.worst ? 1 + static_cast<int>(findings::rule(*view.findings.worst).severity) : 0;
}
int severity_order(const live::QpView& view) {
  const auto& verdict = view.record.verdict;
  return qp::severity_order(verdict ? std::optional(verdict->outcome) : std::nullopt);
}

/// The last octets of an end, which tell it from others, where there is no room for all of it.
std::string shortened(const std::string& end, std::size_t columns) {
  if (end.size() <= columns) return end;
  return columns <= 2 ? end.substr(end.size() - columns) : ".." + end.substr(end.size() - (columns - 2));
}
/// Both ends, whatever the room: "..0.1:45000 -> 10.0.0.2:4420".
std::string ends_cell(const live::QpView& view, std::size_t columns) {
  const std::string a = view.record.a.text();
  const std::string b = view.record.b.text() + report::stream_mark(view.record);
  constexpr std::string_view kArrow = " -> ";
  const std::size_t room = columns - std::min(columns, kArrow.size());
  const std::size_t for_a = std::max(room / 2, room - std::min(room, b.size()));
  const std::string its_a = shortened(a, std::min(for_a, a.size()));
  return fmt::format("{}{}{}", its_a, kArrow, shortened(b, room - std::min(room, its_a.size())));
}

/// A verdict with its code: "completed V-30". With less room it has no code.
constexpr std::size_t kWithCode = 15;

/// Below zero: l comes before r.
template <class T>
int three_way(const T& l, const T& r) {
  return l < r ? -1 : r < l ? 1 : 0;
}

using View = const live::QpView&;

/// One column. Numbers and severities are sorted with the largest first, words with the first.
struct Column {
  WatchColumn column;
  char letter;             ///< the key that sorts by it
  std::string_view word;   ///< of --sort
  std::string_view label;  ///< in the line of keys
  std::string_view title;
  std::size_t width;  ///< where there is room
  /// `room`: its width now. Longer cells are cut.
  std::string (*cell)(View view, std::int64_t now_ns, std::size_t room);
  int (*compare)(View l, View r, std::int64_t now_ns);  ///< below zero: l comes before r
};
constexpr auto kColumns = std::to_array<Column>({
    {WatchColumn::number, 'n', "number", "number", "QP", 6,
     [](View v, std::int64_t, std::size_t) { return fmt::format("{}", v.record.qp); },
     [](View l, View r, std::int64_t) { return three_way(l.record.qp, r.record.qp); }},
    {WatchColumn::sensor, 's', "sensor", "sensor", "Sensor", 12,
     [](View v, std::int64_t, std::size_t) { return sensor_cell(v); },
     [](View l, View r, std::int64_t) { return three_way(sensor_cell(l), sensor_cell(r)); }},
    {WatchColumn::ends, 'a', "ends", "ends", "A -> B", 34,
     [](View v, std::int64_t, std::size_t room) { return ends_cell(v, room); },
     [](View l, View r, std::int64_t) {
       return three_way(std::pair{l.record.a, l.record.b}, std::pair{r.record.a, r.record.b});
     }},
    {WatchColumn::ulp, 'u', "ulp", "ULP", "ULP", 10, [](View v, std::int64_t, std::size_t) { return ulp_cell(v); },
     [](View l, View r, std::int64_t) { return three_way(l.record.ulp.value_or("~"), r.record.ulp.value_or("~")); }},
    {WatchColumn::state, 't', "state", "state", "State", 14,
     [](View v, std::int64_t, std::size_t) { return state_cell(v); },
     [](View l, View r, std::int64_t) { return three_way(l.record.state, r.record.state); }},
    {WatchColumn::rate, 'r', "rate", "rate", "Rate", 10,
     [](View v, std::int64_t now_ns, std::size_t) { return rate_cell(v, now_ns); },
     [](View l, View r, std::int64_t now_ns) { return three_way(current_rate(r, now_ns), current_rate(l, now_ns)); }},
    {WatchColumn::outstanding, 'o', "outstanding", "waiting", "Waiting", 8,
     [](View v, std::int64_t, std::size_t) { return outstanding_cell(v); },
     [](View l, View r, std::int64_t) { return three_way(outstanding(r), outstanding(l)); }},
    {WatchColumn::finding, 'f', "finding", "finding", "Worst finding", 28,
     [](View v, std::int64_t, std::size_t) { return worst_cell(v); },
     [](View l, View r, std::int64_t) { return three_way(badness(r), badness(l)); }},
    {WatchColumn::verdict, 'v', "verdict", "verdict", "Verdict", 9,
     [](View v, std::int64_t, std::size_t room) { return verdict_cell(v, room >= kWithCode); },
     [](View l, View r, std::int64_t) { return three_way(severity_order(r), severity_order(l)); }},
});
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    if (kColumns[i].column != static_cast<WatchColumn>(i)) return false;
  }
  return true;
}
static_assert(is_in_order(), "rows are in the order of WatchColumn");

const Column& of(WatchColumn column) noexcept {
  return kColumns[static_cast<std::size_t>(column)];
}

/// Only a centre has sensors.
std::string keys_line(bool is_centre) {
  std::string line = "q quit  sort:";
  for (const Column& column : kColumns) {
    if (is_centre || column.column != WatchColumn::sensor) line += fmt::format(" {} {}", column.letter, column.label);
  }
  return line + "  i reverse  e ended  arrows scroll";
}

/// The order of the rows.
struct RowsBefore {
  const WatchChoice& choice;
  std::int64_t now_ns;

  bool operator()(const live::QpView* l, const live::QpView* r) const {
    const int order = of(choice.sort).compare(*l, *r, now_ns);
    if (order != 0) return choice.reverse ? order > 0 : order < 0;
    return l->record.qp < r->record.qp;
  }
};

using Widths = std::array<std::size_t, kColumns.size()>;
std::size_t& width(Widths& widths, WatchColumn column) {
  return widths[static_cast<std::size_t>(column)];
}

/// What the shown columns need, with the space between them. A column of width 0 is not shown.
std::size_t total(const Widths& widths) {
  std::size_t all = 0;
  for (const std::size_t w : widths) all += w == 0 ? 0 : w + 2;
  return all - 2;
}

/// Widths for a screen. Where there is not enough, columns that say the least are left out, but never the one that the
/// table is sorted by; both ends, the rate, the worst finding and the verdict are still there on 80 columns.
Widths widths_for(std::size_t columns, WatchColumn sort, bool is_centre) {
  constexpr std::size_t kGoodFinding = 18, kLeastFinding = 12, kGoodEnds = 31, kLeastEnds = 20, kMostMore = 60,
                        kNumberAtCentre = 13;
  Widths widths{};
  for (std::size_t i = 0; i < kColumns.size(); ++i) widths[i] = kColumns[i].width;
  if (is_centre) {
    width(widths, WatchColumn::number) = kNumberAtCentre;
  } else {
    width(widths, WatchColumn::sensor) = 0;
  }
  std::size_t &ends = width(widths, WatchColumn::ends), &finding = width(widths, WatchColumn::finding);
  ends = kGoodEnds;
  finding = kGoodFinding;
  const auto leave_out = [&](WatchColumn column) {
    if (total(widths) > columns && column != sort) width(widths, column) = 0;
  };
  for (const WatchColumn column : {WatchColumn::ulp, WatchColumn::state, WatchColumn::outstanding}) leave_out(column);
  const auto give = [&](std::size_t& from, std::size_t least) {
    if (total(widths) > columns) from -= std::min(total(widths) - columns, from - least);
  };
  give(ends, kLeastEnds);
  give(finding, kLeastFinding);
  for (const WatchColumn column : {WatchColumn::rate, WatchColumn::number}) leave_out(column);
  const auto take = [&](std::size_t& to, std::size_t most) {
    if (total(widths) < columns) to += std::min(columns - total(widths), most - to);
  };
  take(ends, std::max(ends, of(WatchColumn::ends).width));
  std::size_t& verdict = width(widths, WatchColumn::verdict);
  if (total(widths) + kWithCode - verdict <= columns) verdict = kWithCode;
  take(finding, of(WatchColumn::finding).width);
  take(ends, ends + kMostMore);
  return widths;
}

std::string join(const std::array<std::string, kColumns.size()>& cells, const Widths& widths) {
  std::string out;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    if (widths[i] == 0) continue;
    if (!out.empty()) out += "  ";
    out += fmt::format("{:<{}.{}}", plain(cells[i]), widths[i], widths[i]);
  }
  return out;
}

std::string head_line(const WatchChoice& choice, const Widths& widths) {
  std::array<std::string, kColumns.size()> cells;
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    cells[i] = kColumns[i].title;
    if (i == static_cast<std::size_t>(choice.sort)) cells[i] += choice.reverse ? "^" : "*";
  }
  return join(cells, widths);
}

WatchLine row_line(const live::QpView& view, std::int64_t now_ns, const Widths& widths) {
  const int bad = badness(view);
  const Style style = bad == 3 ? Style::error : bad == 2 ? Style::warning : view.ended ? Style::dim : Style::plain;
  std::array<std::string, kColumns.size()> cells;
  for (std::size_t i = 0; i < kColumns.size(); ++i) cells[i] = kColumns[i].cell(view, now_ns, widths[i]);
  std::string text = join(cells, widths);
  const std::size_t after_mark = widths[static_cast<std::size_t>(WatchColumn::verdict)];  // it is the last column
  if (has_losses(view) && text.size() > after_mark) text[text.size() - after_mark - 1] = kLossMark;
  return {text, style};
}

/// Failing outputs first, because the line may be cut.
std::string outputs_words(const v1::Status& status) {
  std::array<std::string, 3> words;  // failing, lost records, ok
  for (const v1::Output& output : status.outputs()) {
    const std::size_t rank = !output.healthy() ? 0 : output.lost() != 0 ? 1 : 2;
    const std::string state = rank == 0   ? "failing: " + output.trouble()
                              : rank == 1 ? fmt::format("{} lost", output.lost())
                                          : "ok";
    words[rank] += fmt::format("{}{} {}", words[rank].empty() ? "" : "; ", output.name(), state);
  }
  std::string text;
  for (const std::string& some : words) text += (text.empty() || some.empty() ? "" : "; ") + some;
  return text.empty() ? "none" : text;
}

}  // namespace

WatchColumn watch_column(std::string_view word) noexcept {
  const auto at = std::find_if(kColumns.begin(), kColumns.end(), [&](const Column& c) { return c.word == word; });
  return at == kColumns.end() ? WatchColumn::rate : at->column;
}

std::optional<WatchColumn> watch_column(char letter) noexcept {
  const auto at = std::find_if(kColumns.begin(), kColumns.end(), [&](const Column& c) { return c.letter == letter; });
  return at == kColumns.end() ? std::nullopt : std::optional(at->column);
}

std::vector<std::string> watch_words() {
  std::vector<std::string> words;
  words.reserve(kColumns.size());
  for (const Column& column : kColumns) words.emplace_back(column.word);
  return words;
}

void WatchModel::take_status(const v1::Status& status, Clock::time_point when) {
  const v1::Totals& totals = status.totals();
  const std::lock_guard lock(mutex_);
  const double seconds = std::chrono::duration<double>(when - when_).count();
  if (when_ != Clock::time_point{} && seconds > 0 && totals.frames() >= frames_ && totals.octets() >= octets_) {
    const auto per_second = [&](std::uint64_t now, std::uint64_t before) {
      return static_cast<double>(now - before) / seconds;
    };
    rates_ = fmt::format("{:.0f} frames/s, {}", per_second(totals.frames(), frames_),
                         report::human_rate(per_second(totals.octets(), octets_)));
  } else {
    rates_ = fmt::format("{}, {} so far", counted(totals.frames(), "frame"), report::human_octets(totals.octets()));
  }
  when_ = when;
  frames_ = totals.frames();
  octets_ = totals.octets();
  is_centre_ = status.centre();
  title_ = fmt::format("{} {}, {}", is_centre_ ? "iwarpscope-centre" : "iwarpscoped", status.version(),
                       capture_text(status));
  losses_ = losses_text(totals.losses());
  any_losses_ = losses_ != "none known";
  outputs_ = outputs_words(status);
  capture_time_ns_ = status.capture_time_ns();
  status_ = std::make_shared<v1::Status>(status);
  trouble_.clear();
}

void WatchModel::replace(std::vector<live::QpView> views) {
  std::map<std::uint64_t, live::QpView> all;
  for (live::QpView& view : views) {
    const std::uint64_t number = view.record.qp;
    all.insert_or_assign(number, std::move(view));
  }
  const std::lock_guard lock(mutex_);
  views_.swap(all);
  forget_some();
}

void WatchModel::apply(live::QpView view) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = view.record.qp;
  const auto known = views_.find(number);
  if (known != views_.end() && known->second.version > view.version) return;  // the list was newer
  views_.insert_or_assign(number, std::move(view));
  forget_some();
}

void WatchModel::set_trouble(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  trouble_ = sentence;
}

void WatchModel::forget_some() {
  if (views_.size() <= kMost) return;
  std::size_t too_many = views_.size() - kMost + kMost / 20;  // so that the next call has nothing to do
  for (auto i = views_.begin(); i != views_.end() && too_many != 0;) {
    if (!i->second.ended) {
      ++i;
    } else {
      i = views_.erase(i);
      --too_many;
    }
  }
  while (views_.size() > kMost) views_.erase(views_.begin());
}

std::vector<WatchLine> WatchModel::screen(WatchChoice& choice, std::size_t rows, std::size_t columns) const {
  const std::lock_guard lock(mutex_);
  std::vector<const live::QpView*> shown;
  std::size_t open = 0;
  bool any_limited = false;
  for (const auto& [number, view] : views_) {
    open += view.ended ? 0 : 1;
    if (!choice.with_ended && view.ended) continue;
    shown.push_back(&view);
    any_limited |= has_losses(view);
  }
  std::vector<WatchLine> lines = {{title_, Style::plain},
                                  {"Capture  " + rates_, Style::plain},
                                  {"Losses   " + losses_, any_losses_ ? Style::warning : Style::plain},
                                  {"Outputs  " + outputs_, Style::plain},
                                  trouble_.empty()
                                      ? WatchLine{fmt::format("{} active, {} shown{}", counted(open, "queue pair"),
                                                              shown.size(), any_limited ? kLossLegend : "")}
                                      : WatchLine{"Not up to date: " + trouble_, Style::error}};
  const auto widths = widths_for(columns, choice.sort, is_centre_);
  const std::size_t head = lines.size();
  lines.push_back({head_line(choice, widths), Style::head});
  const std::size_t space = rows > lines.size() + 1 ? rows - lines.size() - 1 : 0;
  choice.first = std::min(choice.first, shown.size() > space ? shown.size() - space : 0);
  const std::size_t last = std::min(shown.size(), choice.first + space);
  const RowsBefore before{choice, capture_time_ns_};
  std::partial_sort(shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(last), shown.end(), before);
  for (std::size_t i = choice.first; i < last; ++i) lines.push_back(row_line(*shown[i], capture_time_ns_, widths));
  lines.resize(rows == 0 ? 0 : rows - 1);
  if (rows != 0) lines.push_back({keys_line(is_centre_), Style::head});
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].text = plain(lines[i].text);
    if (i >= head || !choice.whole_head) lines[i].text.resize(std::min(lines[i].text.size(), columns));
  }
  return lines;
}

std::string WatchModel::json(const WatchChoice& choice) const {
  const std::lock_guard lock(mutex_);
  std::vector<const live::QpView*> rows;
  rows.reserve(views_.size());
  for (const auto& [number, view] : views_) {
    if (choice.with_ended || !view.ended) rows.push_back(&view);
  }
  std::sort(rows.begin(), rows.end(), RowsBefore{choice, capture_time_ns_});
  const nlohmann::json trouble = trouble_.empty() ? nlohmann::json(nullptr) : nlohmann::json(trouble_);
  std::string out = R"({"record":"watch","trouble":)";
  out += trouble.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string status = status_ ? json_line(*status_, "status") : "null\n";
  status.pop_back();
  out += R"(,"status":)" + status + R"(,"qps":[)";
  for (const live::QpView* row : rows) {
    if (row != rows.front()) out += ',';
    out += watch_row_json(*row, capture_time_ns_);
  }
  return out + "]}\n";
}

}  // namespace iwarpscope::cli
