// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The end of one run of the analysis, and what it leaves to the next one.
#include <algorithm>
#include <chrono>
#include <utility>

#include "base/archive.h"
#include "live/analysis.h"
#include "live/packed_state.h"

namespace iwarpscope::live {
namespace {

// How long full outputs are waited for, in all, when a live capture ends. What finds no room after that is counted.
constexpr std::chrono::milliseconds kWaitAtEnd{3000};

/// The daemon may stop without having anything to say of it, if it is open.
bool is_well(const qp::QpRecord& record) noexcept {
  return !record.verdict || record.verdict->outcome == qp::Outcome::running ||
         record.verdict->outcome == qp::Outcome::unknown;
}

}  // namespace

std::uint64_t state_layout() {
  // Grows when state of the same layout gets another meaning.
  constexpr std::uint64_t kMeaning = 1;
  struct : analysis::Observer {
  } ignored;
  analysis::Options few;
  few.limits.max_flows = few.limits.max_qps = 64;
  analysis::Engine core(few, ignored);
  ArchiveLayout layout;
  iwarpscope::Archive archive(layout, core.words());
  core.archive(archive);
  ResumedFindings findings;
  archive(findings);
  layout.add(kMeaning);
  return layout.value();
}

std::unique_ptr<analysis::Engine> Watch::Analysis::make_core() {
  analysis::Options options = options_.analysis;
  options.outages = &coverage_.outages();
  analysis::Observer& observer = *this;
  auto core = std::make_unique<analysis::Engine>(options, observer);
  if (options_.resumed == nullptr) return core;
  const auto state = unpacked(*options_.resumed, kMostUnpacked * options_.most_handed_over);
  iwarpscope::Archive archive(state ? Octets{*state} : Octets{}, core->words());
  core->archive(archive);
  archive(resumed_findings_);
  if (archive.is_complete()) {
    core->begin_next_run();
    return core;
  }
  resume_failed_ = true;
  resumed_findings_.clear();
  return std::make_unique<analysis::Engine>(options, observer);
}

void Watch::Analysis::resume() {
  if (!core_.clock().first_time()) return;
  frames_before_ = core_.clock().last_frame().value;
  decoded_before_ = core_.decoded();
  const TimePoint last = core_.clock().last_time();
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  // What passed meanwhile is not known of any connection: a drop of the capture's ring is no different.
  coverage_.was_away(last, TimePoint{now.count()});
  // Time went on since the last frame.
  const std::chrono::nanoseconds away{std::max<std::int64_t>(elapsed_ns(last, TimePoint{now.count()}), 0)};
  fed_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(away);
  retired_ = last;
  for (const std::uint64_t number : core_.numbers()) {
    RecentRecords::QpEntry& entry = records_.open(number, {});
    if (const auto findings = resumed_findings_.find(number); findings != resumed_findings_.end()) {
      entry.findings = findings->second;
    }
    Tally::continued(entry, core_.look(number, span()));
    opened_.push_back(number);
    ++continued_;
  }
  resumed_findings_.clear();
}

bool Watch::Analysis::is_over(const qp::QpRecord& record) noexcept {
  const auto& [a, b] = record.summary.directions;
  return a.rst.happened() || b.rst.happened() || (a.fin.happened() && b.fin.happened());
}

void Watch::Analysis::conclude() {
  concluding_ = true;
  wait_until_ = Clock::now() + kWaitAtEnd;
  hand_over_until_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(options_.hand_over_time);
  read_intake();
  std::vector<std::uint64_t> going;  // in order
  if (account_.is_replay() || options_.report_open) {
    core_.conclude(account_.capture_info(), span());
  } else {
    std::size_t ended = 0, not_well = 0;
    const auto goes_on = [&](const qp::QpRecord& record) {
      const bool over = is_over(record);
      if (over || !is_well(record)) {
        if (++(over ? ended : not_well) <= options_.last_records) return false;
        ++(over ? ended_unreported_ : unreported_);
      }
      going.push_back(record.qp);
      return true;
    };
    going_on_ = core_.suspend(account_.capture_info(), span(), goes_on, options_.hand_over != nullptr);
    going_on_ -= unreported_ + ended_unreported_;
  }
  tell_found();
  if (core_.clock().first_time()) summarize(core_.clock().now(), true);
  if (!account_.is_replay() && options_.hand_over) hand_over(going);
  ended_ = true;
  publish();
  hub_.close();
  if (options_.on_end) options_.on_end();
}

void Watch::Analysis::hand_over(const std::vector<std::uint64_t>& going) {
  HandedOver facts;
  facts.until = hand_over_until_;
  facts.last_frame = core_.clock().last_time();
  for (const std::uint64_t number : core_.numbers()) {
    if (!std::ranges::binary_search(going, number)) core_.forget(number);
  }
  facts.state = state(facts);
  facts.qps = facts.state.empty() ? 0 : core_.followed();
  if (facts.state.empty()) facts.left_out += core_.followed();
  facts.is_late = facts.state.empty() && Clock::now() >= hand_over_until_;
  options_.hand_over(std::move(facts));
}

std::optional<std::vector<std::byte>> Watch::Analysis::state_that_fits() {
  Packer packer(options_.most_handed_over);
  iwarpscope::Archive archive(kMostUnpacked * options_.most_handed_over,
                              [&](Octets piece) { return Clock::now() < hand_over_until_ && packer.add(piece); });
  core_.archive(archive);
  ResumedFindings findings;
  for (const std::uint64_t number : core_.numbers()) {
    const RecentRecords::QpEntry* const entry = records_.find(number);
    if (entry != nullptr && entry->findings.worst) findings.emplace(number, entry->findings);
  }
  archive(findings);
  archive.flush();
  return archive.has_failed() ? std::nullopt : packer.finish();
}

/// If not everything fits, connections without a queue pair are left out, then the largest queue pairs.
std::vector<std::byte> Watch::Analysis::state(HandedOver& facts) {
  if (auto all = state_that_fits()) return std::move(*all);
  if (Clock::now() >= hand_over_until_) return {};
  core_.forget_other_flows();
  std::vector<std::pair<std::size_t, std::uint64_t>> sizes;
  std::size_t total = 0;
  for (const std::uint64_t number : core_.numbers()) {
    sizes.emplace_back(core_.archived_octets(number), number);
    total += sizes.back().first;
  }
  std::ranges::sort(sizes);
  // The rest of the state takes something as well: each attempt has to be clearly smaller than the one before.
  std::size_t most = std::min(total, kMostUnpacked * options_.most_handed_over) / 16 * 15;
  for (; Clock::now() < hand_over_until_; most = most / 4 * 3) {
    for (; !sizes.empty() && total > most; sizes.pop_back()) {
      total -= sizes.back().first;
      core_.forget(sizes.back().second);
      ++facts.left_out;
    }
    core_.forget_other_flows();
    if (auto some = state_that_fits()) return std::move(*some);
    if (sizes.empty()) break;
  }
  return {};
}

}  // namespace iwarpscope::live
