// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/event_records.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "base/read_text.h"
#include "base/wording.h"
#include "cli/client_parts.h"
#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "report/human.h"
#include "report/utf8.h"

namespace iwarpscope::cli {
namespace {

using LogRecord = nlohmann::json;

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

std::string text_of(const LogRecord& record, const char* key) {
  const auto field = record.find(key);
  return field != record.end() && field->is_string() ? field->get<std::string>() : std::string{};
}

std::uint64_t number_of(const LogRecord& record, const char* key) {
  const auto field = record.find(key);
  return field != record.end() && field->is_number_unsigned() ? field->get<std::uint64_t>() : 0;
}

/// "1700000000.000000001" as a date; another text stays as it is.
std::string shown_time(const std::string& seconds) {
  constexpr std::size_t kDecimals = 9;
  const std::size_t dot = seconds.find('.');
  if (dot == std::string::npos || seconds.size() != dot + 1 + kDecimals) return seconds;
  const auto whole = whole_number<std::uint64_t>(std::string_view(seconds).substr(0, dot));
  const auto rest = whole_number<std::uint64_t>(std::string_view(seconds).substr(dot + 1));
  if (!whole || !rest || *whole >= 9'000'000'000) return seconds;
  return report::date_time(TimePoint{static_cast<std::int64_t>(*whole * 1'000'000'000 + *rest)});
}

/// The files of an event log, oldest first.
std::vector<std::string> files_of(const std::string& path) {
  std::vector<std::string> all{path};
  for (unsigned number = 1; std::filesystem::exists(fmt::format("{}.{}", path, number)); ++number)
    all.insert(all.begin(), fmt::format("{}.{}", path, number));
  return all;
}

/// Goes through the lines of an event log.
class LogReader {
 public:
  LogReader(const ClientArguments& arguments, EventPrinter& printer, std::atomic<bool>& stop)
      : after_(record_place(arguments.after)), printer_(printer), stop_(stop), is_found_(!after_) {}

  /// Whether the log has anything of the run after which it is to begin.
  bool look_for_run(const std::vector<std::string>& files) {
    bool is_there = false;
    each_line(files, [&](const LogRecord& record, const std::string&) {
      is_there = text_of(record, "run_uuid") == after_->run_uuid;
      return !is_there;
    });
    return is_there;
  }
  void print(const std::vector<std::string>& files) {
    each_line(files, [this](const LogRecord& record, const std::string& line) { return take(record, line); });
  }
  /// A log without the run is printed from its beginning.
  void begin_anywhere() { is_found_ = true; }
  [[nodiscard]] std::uint64_t damaged() const noexcept { return damaged_; }
  [[nodiscard]] const std::string& unreadable() const noexcept { return unreadable_; }

 private:
  template <class Take>
  void each_line(const std::vector<std::string>& files, Take take) {
    damaged_ = 0;
    for (const std::string& path : files) {
      std::ifstream file(path);
      if (!file) unreadable_ = path;
      for (std::string line; !stop_ && std::getline(file, line);) {
        const LogRecord record = line.size() > kLongestLine ? LogRecord() : LogRecord::parse(line, nullptr, false);
        if (!record.is_object()) {
          ++damaged_;
        } else if (!take(record, line)) {
          return;
        }
      }
    }
  }
  /// False: no more is wanted.
  bool take(const LogRecord& record, const std::string& line) {
    const std::string run = text_of(record, "run_uuid"), kind = text_of(record, "record");
    if (run.empty()) return !is_found_ || kind == "run" || printer_.record(line);  // of an earlier version
    if (!is_found_ && run != after_->run_uuid) return true;
    if (run != run_) begin_run(run);
    const std::uint64_t sequence = number_of(record, "sequence");
    if (kind == "lost") {
      if (sequence >= from_) printer_.missing({run, sequence}, number_of(record, "count"));
      return true;
    }
    if (kind == "run") {
      // A log that begins later: what was before went with older files.
      if (is_first_ && sequence > from_) {
        printer_.missing({run, from_}, sequence - from_);
        from_ = sequence;
      }
      return true;
    }
    is_first_ = false;
    if (sequence <= from_) return true;
    from_ = sequence;
    return printer_.record(line);
  }
  void begin_run(const std::string& run) {
    if (!run_.empty()) printer_.other_run(run_, run);
    from_ = after_ && run == after_->run_uuid ? after_->sequence : 0;
    is_found_ = true;
    is_first_ = true;
    run_ = run;
  }

  const std::optional<live::RecordPlace> after_;
  EventPrinter& printer_;
  std::atomic<bool>& stop_;
  bool is_found_;
  bool is_first_ = true;    ///< nothing of this run was read
  std::string run_;         ///< UUID
  std::uint64_t from_ = 0;  ///< records of the run after this sequence are printed
  std::uint64_t damaged_ = 0;
  std::string unreadable_;
};

}  // namespace

std::optional<live::RecordPlace> record_place(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const auto sequence = whole_number<std::uint64_t>(std::string_view(text).substr(colon + 1));
  return sequence ? std::optional(live::RecordPlace{text.substr(0, colon), *sequence}) : std::nullopt;
}

bool EventPrinter::record(const std::string& json, TimePoint time) {
  if (is_json(arguments_)) {
    console_.out.write(json + "\n");
  } else {
    const LogRecord record = LogRecord::parse(json, nullptr, false);
    if (!record.is_object()) return true;
    std::string shown = shown_time(text_of(record, "time"));
    if (shown.empty()) shown = shown_time(text_of(record, "last_time"));
    if (shown.empty() && time.ns != 0) shown = report::date_time(time);
    const std::string sensor = with_sensor_ ? text_of(record, "sensor") + "  " : std::string{};
    const auto place = record_place(text_of(record, "place"));
    console_.out.write(
        report::to_printable(fmt::format("{:>8}  {:<33}  {}{}", place ? place->sequence : number_of(record, "sequence"),
                                         shown, sensor, history_words(json))) +
        "\n");
  }
  return !console_.out.has_failed() && ++printed_ != arguments_.limit;
}

void EventPrinter::missing(const live::RecordPlace& after, std::uint64_t count) {
  if (is_json(arguments_)) {
    const nlohmann::ordered_json record{
        {"record", "lost"}, {"run_uuid", after.run_uuid}, {"sequence", after.sequence}, {"count", count}};
    console_.out.write(record.dump(-1, ' ', false, LogRecord::error_handler_t::replace) + "\n");
  }
  complain(fmt::format("{} after {}:{} {} missing", counted(count, "record"), report::to_printable(after.run_uuid),
                       after.sequence, count == 1 ? "is" : "are"));
}

void EventPrinter::other_run(const std::string& ended, const std::string& now) {
  complain(fmt::format("the run {} has ended; the records of the run {} follow", report::to_printable(ended),
                       report::to_printable(now)));
}

int print_event_log(const ClientArguments& arguments, const Console& console, std::atomic<bool>& stop) {
  EventPrinter printer(arguments, console, false);
  LogReader reader(arguments, printer, stop);
  const std::vector<std::string> files = files_of(arguments.log);
  if (const auto after = record_place(arguments.after); after && !reader.look_for_run(files)) {
    printer.complain(fmt::format("the log has no record of the run {}: how many are missing is not known",
                                 report::to_printable(after->run_uuid)));
    reader.begin_anywhere();
  }
  reader.print(files);
  if (reader.damaged() != 0)
    printer.complain(fmt::format("{} of the log {} not JSON", counted(reader.damaged(), "line"),
                                 reader.damaged() == 1 ? "is" : "are"));
  if (!reader.unreadable().empty()) {
    printer.complain(report::to_printable(reader.unreadable()) + " cannot be read");
    return kExitTrouble;
  }
  return stop ? kExitInterrupted : kExitDone;
}

}  // namespace iwarpscope::cli
