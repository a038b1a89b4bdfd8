// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/join_command.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cli/exit_status.h"
#include "cli/output_file.h"
#include "cli/reading_only.h"
#include "join/join.h"
#include "report/joined.h"

namespace iwarpscope::cli {
namespace {

/// Frames of several taps are put into one order by their times where their clocks differ by this at most: mirrored
/// ports are merged with as much skew. Ours.
constexpr std::int64_t kMergedNs = 10'000'000;

/// Keeps the queue pairs of one capture with their findings.
class Collector final : public analysis::Observer {
 public:
  explicit Collector(std::size_t tap) : tap_(tap) {}

  void finding(const findings::Finding& finding) override {
    if (finding.qp) findings_.push_back(finding);
  }
  void capture(const analysis::CaptureRecord& record) override {
    frames_ = record.frames;
    for (const analysis::InterfaceInfo& i : record.info.interfaces)
      has_drops_ = has_drops_ || i.dropped.value_or(0) != 0;
  }
  void qp(const qp::QpRecord& record) override { views_.push_back({tap_, record, {}}); }

  [[nodiscard]] std::uint64_t frames() const noexcept { return frames_; }
  [[nodiscard]] bool has_drops() const noexcept { return has_drops_; }
  /// Call once, last.
  [[nodiscard]] std::vector<join::View> take() {
    std::unordered_map<std::uint64_t, join::View*> by_qp;
    for (join::View& view : views_) by_qp.emplace(view.record.qp, &view);
    for (findings::Finding& f : findings_) {
      if (const auto of = by_qp.find(*f.qp); of != by_qp.end()) of->second->findings.push_back(std::move(f));
    }
    return std::move(views_);
  }

 private:
  std::size_t tap_;
  std::vector<join::View> views_;
  std::vector<findings::Finding> findings_;
  std::uint64_t frames_ = 0;
  bool has_drops_ = false;
};

/// The name of a file without folders and without what follows its first dot.
std::string position_of(const std::string& file) {
  const std::string name = file.substr(file.rfind('/') + 1);
  const std::string stem = name.substr(0, name.find('.'));
  return stem.empty() ? file : stem;
}

class Joining {
 public:
  Joining(const JoinArguments& arguments, const Console& console, const Engine& engine, std::atomic<bool>& stop)
      : arguments_(arguments), console_(console), engine_(engine), stop_(stop), filter_(looked_up(arguments.filter)) {}

  int run() {
    for (const std::string& tap : arguments_.taps) name(tap);
    if (const std::string* twice = repeated_name()) {
      console_.complain("join: two taps are named " + *twice + "; give names with NAME=FILE");
      return kExitTrouble;
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (const int status = read_tap(i); status != kExitDone) return status;
    }
    if (can_merge()) {
      if (const int status = read_together(); status != kExitDone) return status;
    }
    write();
    return kExitDone;
  }

 private:
  void name(const std::string& tap) {
    const std::size_t equals = tap.find('=');
    const bool is_named = equals != std::string::npos && equals != 0;
    files_.push_back(is_named ? tap.substr(equals + 1) : tap);
    taps_.push_back({is_named ? tap.substr(0, equals) : position_of(tap), arguments_.clock_bound_ns, false});
  }

  [[nodiscard]] const std::string* repeated_name() const {
    for (std::size_t i = 0; i < taps_.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        if (taps_[i].position == taps_[k].position) return &taps_[i].position;
      }
    }
    return nullptr;
  }

  [[nodiscard]] engine::Request request(const std::string& file) const {
    engine::Request request;
    request.file = file;
    request.filter = arguments_.filter;
    request.prepared = filter_;
    request.stop = &stop_;
    return request;
  }

  int analyze(const engine::Request& request, Collector& collector) {
    const auto outcome = engine_(request, collector);
    if (!outcome) {
      console_.complain(outcome.error());
      return kExitTrouble;
    }
    for (const std::string& line : {outcome->truncated, outcome->damaged}) {
      if (!line.empty()) console_.complain(line);
    }
    return outcome->interrupted || stop_ ? kExitInterrupted : kExitDone;
  }

  int read_tap(std::size_t i) {
    Collector collector(i);
    engine::Request its = request(files_[i]);
    if (i == 0) its.before_opening = reading_only(files_, arguments_.output);
    if (const int status = analyze(its, collector); status != kExitDone) return status;
    taps_[i].has_drops = collector.has_drops();
    std::vector<join::View> views = collector.take();
    records_.push_back({files_[i], collector.frames(), views.size()});
    std::move(views.begin(), views.end(), std::back_inserter(views_));
    return kExitDone;
  }

  [[nodiscard]] bool can_merge() const {
    const bool is_readable_again = std::find(files_.begin(), files_.end(), "-") == files_.end();
    const bool is_bound = arguments_.clock_bound_ns && 2 * *arguments_.clock_bound_ns <= kMergedNs;
    return files_.size() > 1 && is_readable_again && is_bound;
  }

  int read_together() {
    engine::Request all = request(files_.front());
    all.merged.assign(files_.begin() + 1, files_.end());
    Collector collector(files_.size());
    const int status = analyze(all, collector);
    together_ = collector.take();
    return status;
  }

  void write() {
    const std::vector<join::JoinedConnection> all = join::join({taps_, views_, together_});
    if (!arguments_.json) {
      console_.out.write(report::joined_text(all, {taps_, records_, arguments_.notes, !together_.empty()}));
      return;
    }
    std::string text;
    for (std::size_t i = 0; i < taps_.size(); ++i) report::append_json(text, taps_[i], records_[i]);
    for (std::size_t i = 0; i < all.size(); ++i) report::append_json(text, all[i], i, taps_);
    console_.out.write(text);
  }

  const JoinArguments& arguments_;
  const Console& console_;
  const Engine& engine_;
  std::atomic<bool>& stop_;
  const std::optional<capture::Filter> filter_;
  std::vector<std::string> files_;  ///< by tap
  std::vector<join::Tap> taps_;
  std::vector<report::TapRecord> records_;
  std::vector<join::View> views_, together_;
};

}  // namespace

int run_join(const JoinArguments& arguments, const Console& console, const Engine& engine, std::atomic<bool>& stop) {
  if (arguments.output.empty()) return Joining(arguments, console, engine, stop).run();
  auto file = OutputFile::open(arguments.output);
  if (!file) {
    console.complain(file.error());
    return kExitTrouble;
  }
  const int status = Joining(arguments, Console{(*file)->output(), console.err}, engine, stop).run();
  if (status != kExitDone) return status;
  const std::string trouble = (*file)->commit();
  if (trouble.empty()) return status;
  console.complain(trouble);
  return kExitTrouble;
}

}  // namespace iwarpscope::cli
