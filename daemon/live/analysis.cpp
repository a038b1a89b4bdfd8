// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/analysis.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "live/clock_view.h"

namespace iwarpscope::live {
namespace {

using std::chrono::milliseconds;

// The maximum delay before findings are reported.
constexpr milliseconds kSettleEvery{20};
constexpr milliseconds kTickEvery{250};
constexpr milliseconds kCountEvery{1000};
constexpr std::int64_t kRetireEveryNs = 1'000'000'000;
// On an interface that is silent, frames of this age may still come: from the kernel's ring, from another interface.
constexpr std::int64_t kLateNs = 1'000'000'000;
// Queue pairs visited from one tick to the next: at most a quarter of the time.
constexpr std::size_t kMostVisits = 2000;
// How long the frames are left alone between rounds of work beside them (Effort): they have half of the time while the
// analysis keeps up, and nine tenths when it does not.
constexpr milliseconds kWorkEvery{5};
constexpr milliseconds kWorkEveryWhenLate{50};
constexpr double kLateSeconds = 0.1;

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Time alone makes no queue pair end.
bool comes_by_a_segment(std::string_view outcome) noexcept {
  return outcome == qp::name(qp::Outcome::completed) || outcome == qp::name(qp::Outcome::refused) ||
         outcome == qp::name(qp::Outcome::failed);
}

}  // namespace

Watch::Analysis::Analysis(const WatchOptions& options, capture::Intake& intake)
    : options_(options),
      intake_(intake),
      hub_(options.shared_octets),
      mailbox_([this] { intake_.wake(); }),
      records_(options.memory),
      engine_(make_core()),
      core_(*engine_),
      summaries_(options_.summaries != nullptr ? options_.summaries_ns : 0),
      rounds_(options_.round_ns) {
  status_.version = options_.version;
  status_.started = TimePoint{now_ns()};
  options_.resumed.reset();
  resume();
  read_interfaces();  // a client may ask before run()
  publish();
}

void Watch::Analysis::run(bool linger) {
  intake_.start();
  read_interfaces();
  throughput_.set_span(account_.is_replay() ? Throughput::Span::whole : Throughput::Span::recent);
  publish();
  {
    std::optional<engine::Pipeline> pipeline;
    pipeline.emplace(core_, std::max(1u, options_.workers));
    settled_ = ticked_ = Clock::now();
    bool more = true;
    while (more) {
      const bool stopping = stop_.load(std::memory_order_acquire);
      if (stopping) intake_.stop();
      const capture::Intake::Given given = intake_.next(stopping || has_work() ? milliseconds{0} : kSettleEvery);
      more =
          given.state != capture::Intake::State::ended && !(stopping && given.state == capture::Intake::State::nothing);
      if (given.state == capture::Intake::State::frames) feed(*pipeline, given);
      const bool idle = given.state != capture::Intake::State::frames;
      if (idle && more) let_time_pass(*pipeline);
      if (idle) lag_seconds_ = 0;
      const Clock::time_point now = Clock::now();
      if (idle || may_work(now) || now - settled_ >= kSettleEvery) {
        settle(*pipeline, idle);
        if (has_changes_.load(std::memory_order_acquire)) take_changes(pipeline);
      }
    }
    settle(*pipeline, true);
  }
  conclude();
  while (linger && !stop_.load(std::memory_order_acquire)) {
    mailbox_.wait_and_answer(milliseconds{20});
  }
  mailbox_.close();
}

void Watch::Analysis::stop() noexcept {
  stop_.store(true, std::memory_order_release);
  intake_.wake();
}

void Watch::Analysis::change(const WatchChanges& changes) {
  {
    const std::lock_guard lock(mutex_);
    changes_ = changes;
  }
  has_changes_.store(true, std::memory_order_release);
  intake_.wake();
}

void Watch::Analysis::take_changes(std::optional<engine::Pipeline>& pipeline) {
  std::optional<WatchChanges> changes;
  {
    const std::lock_guard lock(mutex_);
    has_changes_.store(false, std::memory_order_release);
    changes = std::exchange(changes_, std::nullopt);
  }
  if (!changes) return;
  options_.retire.closed_ns = changes->retire.closed_ns;
  if (!account_.is_replay()) options_.retire.idle_ns = changes->retire.idle_ns;
  records_.change(changes->memory);
  if (changes->origin) options_.origin = changes->origin;
  // The shards, which have all that is followed, are the core's and not the threads'.
  if (std::exchange(options_.workers, changes->workers) != changes->workers)
    pipeline.emplace(core_, std::max(1u, changes->workers));
}

void Watch::Analysis::feed(engine::Pipeline& pipeline, const capture::Intake::Given& given) {
  pipeline.next_batch(given.storage);
  if (options_.tap != nullptr) options_.tap->batch(given.storage);
  const auto by_interface = [](const net::Frame& a, const net::Frame& b) { return a.interface < b.interface; };
  const auto last = std::max_element(given.frames.begin(), given.frames.end(), by_interface);
  if (last != given.frames.end() && last->interface >= interfaces_.size()) read_interfaces();  // a file names a new one
  for (net::Frame frame : given.frames) {
    frame.number.value += frames_before_;
    retire_by_capture_time(pipeline, given, frame.time);
    frame_times_.see(frame.number, frame.time, frame.interface);
    analysis::DecodedFrame decoded = core_.decode(frame);
    if (options_.tap != nullptr) options_.tap->frame(frame, analysis::flow_hash_of(decoded.packet));
    pipeline.add(std::move(decoded));
  }
  if (!account_.is_replay()) clock_steps_.look(core_.clock().last_time());
  fed_ = Clock::now();
  lag_seconds_ = static_cast<double>(now_ns() - core_.clock().last_time().ns) * 1e-9;
}

void Watch::Analysis::settle(engine::Pipeline& pipeline, bool idle) {
  pipeline.drain();
  tell_found();
  summaries_.settle(records_);
  const Clock::time_point now = Clock::now();
  if (now - ticked_ >= kTickEvery) {
    ticked_ = now;
    tick();
  }
  if (idle || may_work(Clock::now())) {
    work();
    worked_ = Clock::now();
  }
  settled_ = Clock::now();
}

bool Watch::Analysis::has_work() const noexcept {
  return mailbox_.has_questions() || (visits_ != 0 && (has_changed_qps() || rounds_.is_under_way()));
}

bool Watch::Analysis::may_work(Clock::time_point now) const noexcept {
  const milliseconds every = lag_seconds_ > kLateSeconds ? kWorkEveryWhenLate : kWorkEvery;
  return has_work() && now - worked_ >= every;
}

void Watch::Analysis::work() {
  effort_.round([this] {
    mailbox_.answer_part();
    if (visits_ != 0 && has_changed_qps()) effort_.part([this](Slice& slice) { return visit_changed(slice); });
    if (visits_ != 0 && rounds_.is_under_way()) effort_.part([this](Slice& slice) { return go_round(slice); });
    return has_work();
  });
}

void Watch::Analysis::tick() {
  read_intake();
  for (const std::uint64_t number : std::exchange(over_, {})) {
    if (RecentRecords::QpEntry* const entry = records_.find(number))
      entry->losses_at_end = std::make_unique<Losses>(account_.losses());
  }
  visits_ = kMostVisits;
  changed_.insert(changed_.end(), raised_.begin(), raised_.end());
  raised_.clear();
  if (unread_shards_ == 0) unread_shards_ = static_cast<std::uint32_t>(analysis::kShards);
  rounds_.begin(core_.clock());
  publish();
}

void Watch::Analysis::read_interfaces() {
  account_.read(intake_);
  interfaces_ = account_.numbered(options_.tap_groups);
}

void Watch::Analysis::read_intake() {
  read_interfaces();
  if (account_.is_replay()) return;  // what a file lacks it does not know when
  const std::int64_t since_ns = std::chrono::nanoseconds(Clock::now() - fed_).count();
  coverage_.look(account_.counters(), core_.clock().first_time(), TimePoint{core_.clock().last_time().ns + since_ns});
}

void Watch::Analysis::retire_by_capture_time(engine::Pipeline& pipeline, const capture::Intake::Given& given,
                                             TimePoint time) {
  if (!retired_) {
    retired_ = time;
    if (summaries_.is_on()) (void)summaries_.is_due(time);  // their first interval begins with the first frame
  }
  if (std::abs(elapsed_ns(*retired_, time)) < kRetireEveryNs) return;
  if (!account_.is_replay()) clock_steps_.look(time);
  core_.pass_time(time);
  retire_at(pipeline, time);
  pipeline.next_batch(given.storage);
}

/// On a wire that falls silent queue pairs end, too.
void Watch::Analysis::let_time_pass(engine::Pipeline& pipeline) {
  if (account_.is_replay() || !core_.clock().first_time()) return;
  const std::int64_t silent_ns = std::chrono::nanoseconds(Clock::now() - fed_).count() - kLateNs;
  if (silent_ns <= 0) return;
  const TimePoint time{core_.clock().last_time().ns + silent_ns};
  core_.pass_time(time);
  pipeline.pass_time(core_.clock().last_frame(), time);
  if (elapsed_ns(*retired_, time) >= kRetireEveryNs) retire_at(pipeline, time);
}

void Watch::Analysis::retire_at(engine::Pipeline& pipeline, TimePoint time) {
  retired_ = time;
  pipeline.drain();
  tell_found();
  retire();
  summarize(time);
}

void Watch::Analysis::summarize(TimePoint time, bool is_last) {
  if (!summaries_.is_on()) return;
  summaries_.settle(records_);
  if (!summaries_.is_due(time) && !is_last) return;
  IntervalEnd end{time, account_.losses(), {}};
  end.losses.gap_octets = tally_.totals().losses.gap_octets;
  end.losses.gap_messages = tally_.totals().losses.gap_messages;
  end.name = [this](std::uint32_t tap_group) {
    RecordName name;
    name.origin = options_.origin;
    for (const NumberedInterface& one : interfaces_) {
      if (one.number == tap_group) name.tap_group = one.tap_group;
    }
    return name;
  };
  options_.summaries->add(summaries_.finish(end));
}

void Watch::Analysis::retire() {
  analysis::RetireLimits limits = options_.retire;
  if (clock_steps_.none_is_idle()) limits.idle_ns = std::numeric_limits<std::int64_t>::max();
  core_.retire(limits, span());
  tell_found();
}

void Watch::Analysis::numbered(analysis::QpPlace, std::uint64_t qp) {
  records_.open(qp, account_.losses());
  opened_.push_back(qp);
  tally_.opened();
}

void Watch::Analysis::message(const qp::MessageRecord& record) {
  tally_.message(record);
  summaries_.message(record);
  const TimePoint start = core_.clock().start().value_or(record.placed_time);
  if (throughput_.is_empty()) throughput_.add(start, 0);
  // The clock of the first frame may have been wrong.
  const bool is_of_first = record.placed_time == core_.clock().first_time();
  throughput_.add(is_of_first ? start : record.placed_time,
                  rdmap::traits(record.opcode).has_payload ? record.length : 0);
  MessagePtr message = records_.message(record);
  if (hub_.wants_messages()) hub_.tell(MessageReported{std::move(message)});
}

/// Reported when the pipeline is drained, because a shard has the queue pair.
void Watch::Analysis::finding(const findings::Finding& finding) {
  found_.push_back(finding);
}

void Watch::Analysis::tell_found() {
  for (const std::uint64_t number : std::exchange(opened_, {})) {
    RecentRecords::QpEntry* const entry = records_.find(number);
    if (entry == nullptr || !core_.has(number)) continue;
    QpViewPtr view = visit(number, *entry);
    entry->reported = view->record.last_time;
    if (hub_.wants_changes()) hub_.tell(QpOpened{std::move(view)});
  }
  for (const findings::Finding& finding : std::exchange(found_, {})) {
    RecentRecords::QpEntry* const entry = finding.qp ? records_.find(*finding.qp) : nullptr;
    const FrameNumber first = finding.frames.empty() ? finding.frame : finding.frames.front();
    tally_.finding(finding.id);
    if (!passes(finding, entry)) {
      records_.count(finding.id, entry);
      continue;
    }
    std::optional<std::uint32_t> interface = frame_times_.interface(finding.frame);
    if (!interface && finding.frame.value != 0 && entry != nullptr) interface = entry->interface;
    FindingPtr reported = records_.finding(finding, entry, {frame_times_.at(first), name_on(interface)});
    // The last report lacks this one.
    if (entry != nullptr && std::exchange(entry->reported, RecentRecords::kNotReported) != RecentRecords::kNotReported)
      raised_.push_back(*finding.qp);
    if (options_.on_finding) {
      const QpViewPtr whose = entry != nullptr ? view(*finding.qp) : nullptr;
      options_.on_finding(*reported, whose.get());
    }
    std::vector<FailedOperation> failed;
    if (entry != nullptr && finding.id == findings::FindingId::rdmap_terminate_sent) failed = failed_of(*entry, false);
    tell_patiently(FindingReported{std::move(reported), std::move(failed)});
  }
}

bool Watch::Analysis::passes(const findings::Finding& finding, const RecentRecords::QpEntry* whose) const {
  if (options_.gate == nullptr) return true;
  return options_.gate->passes(finding, whose != nullptr && whose->ends ? &*whose->ends : nullptr);
}

/// The last record of a queue pair. Its last findings are reported before it.
void Watch::Analysis::qp(const qp::QpRecord& record) {
  tell_found();
  RecentRecords::QpEntry* const entry = records_.find(record.qp);
  if (entry == nullptr) return;
  summaries_.visited(*entry, record);
  tally_.ended(*entry, record);
  summaries_.ended(*entry);
  ++entry->version;
  if (const auto interface = frame_times_.interface(record.last_frame)) entry->interface = interface;
  QpViewPtr view = make_view(record, *entry, records_.next_record());
  std::vector<FailedOperation> failed;
  if (may_have_failed(record)) failed = failed_of(*entry, true);
  records_.ended(view);
  tell_patiently(QpEnded{std::move(view), std::move(failed)});
}

/// Reports while the pipeline is drained. It answers requests meanwhile, because an awaited output may have one.
void Watch::Analysis::tell_patiently(const Event& event) {
  const auto may_wait = [this] { return account_.is_replay() || (concluding_ && Clock::now() < wait_until_); };
  while (may_wait() && hub_.is_waited_for()) mailbox_.wait_and_answer(milliseconds{1});
  hub_.tell(event);
}

std::vector<FailedOperation> Watch::Analysis::failed_of(const RecentRecords::QpEntry& entry, bool ended) const {
  if (entry.messages.items == nullptr || !hub_.wants_failed_operations()) return {};
  return failed_operations(*entry.messages.items, ended);
}

/// For a record that is decided by a frame of this interface.
RecordName Watch::Analysis::name_on(std::optional<std::uint32_t> interface) const {
  RecordName name;
  name.origin = options_.origin;
  if (interface && *interface < interfaces_.size()) {
    name.interface = interfaces_[*interface].name;
    name.tap_group = interfaces_[*interface].tap_group;
  }
  return name;
}

QpViewPtr Watch::Analysis::make_view(qp::QpRecord record, const RecentRecords::QpEntry& entry,
                                     std::uint64_t sequence) const {
  auto view = std::make_shared<QpView>();
  view->record = std::move(record);
  view->name = name_on(entry.interface);
  view->name.sequence = sequence;
  view->findings = entry.findings;
  if (entry.activity != nullptr) view->activity = *entry.activity;
  const Losses& until = entry.losses_at_end != nullptr ? *entry.losses_at_end : account_.losses();
  view->losses.nic = until.nic - entry.losses.nic;
  view->losses.kernel = until.kernel - entry.losses.kernel;
  view->losses.queue = until.queue - entry.losses.queue;
  view->losses.gap_octets = entry.traffic.counters[&qp::DirectionRecord::capture_gap_octets];
  view->losses.gap_messages = entry.traffic.counters[&qp::DirectionRecord::capture_gap_messages];
  view->flow = entry.flow;
  view->ended = sequence != 0;
  view->continued = entry.continued;
  view->version = entry.version;
  return view;
}

verdict::CaptureSpan Watch::Analysis::span() const noexcept {
  return {core_.clock().now(), account_.is_replay() && account_.losses().frames() != 0, !concluding_,
          &coverage_.outages()};
}

QpViewPtr Watch::Analysis::visit(std::uint64_t number, RecentRecords::QpEntry& entry) {
  qp::QpRecord record = core_.look(number, span());
  if (is_over(record) && entry.losses_at_end == nullptr) over_.push_back(number);
  entry.flow = core_.flow_hash(number);
  entry.over_sctp = record.sctp_stream.has_value();
  if (const auto interface = frame_times_.interface(record.last_frame)) entry.interface = interface;
  ++entry.version;
  summaries_.visited(entry, record);
  tally_.update(entry, record);
  records_.changed(entry);
  return make_view(std::move(record), entry);
}

/// The queue pair is unchanged since the last visit, but it may be stalled by now.
void Watch::Analysis::look_in_passing(const qp::QpRecord& record) {
  RecentRecords::QpEntry* const entry = records_.find(record.qp);
  if (entry == nullptr || !record.verdict || entry->outcome == name(record.verdict->outcome)) return;
  summaries_.visited(*entry, record);
  tally_.update(*entry, record);
  records_.changed(*entry);
  ++entry->version;
  if (hub_.wants_changes()) hub_.tell(QpChanged{make_view(record, *entry)});
}

/// One shard after another, from one tick to the next or, when they are many, to a later one. Queue pairs without a
/// change, of which there may be very many, take no time.
bool Watch::Analysis::visit_changed(Slice& slice) {
  while (visits_ != 0 && !slice.is_used_up() && has_changed_qps()) {
    if (changed_.empty()) {
      const auto shard = static_cast<std::uint32_t>(analysis::kShards) - unread_shards_--;
      const std::vector<std::uint64_t> fed = core_.take_fed(shard);
      changed_.assign(fed.begin(), fed.end());
      continue;
    }
    const std::uint64_t number = changed_.front();
    changed_.pop_front();
    slice.spend(1);
    RecentRecords::QpEntry* const entry = records_.find(number);
    if (entry == nullptr || entry->ended != nullptr || !core_.has(number) || core_.last_time(number) == entry->reported)
      continue;
    QpViewPtr view = visit(number, *entry);
    slice.spend(Slice::kView);
    --visits_;
    entry->reported = view->record.last_time;
    if (hub_.wants_changes()) hub_.tell(QpChanged{std::move(view)});
  }
  return has_changed_qps();
}

/// True: the round is complete.
bool Watch::Analysis::go_round(Slice& slice) {
  const auto look = [this](const qp::QpRecord& record) { look_in_passing(record); };
  const bool complete = rounds_.go(records_, core_, span(), look, {visits_, slice});
  if (complete) tell_found();
  return complete;
}

QpViewPtr Watch::Analysis::view(std::uint64_t number) {
  RecentRecords::QpEntry* const entry = records_.find(number);
  if (entry == nullptr) return nullptr;
  if (entry->ended != nullptr) return entry->ended;
  return core_.has(number) ? visit(number, *entry) : nullptr;
}

bool Watch::Analysis::add_qps(const QpFilter& filter, std::size_t most, QpPage& page, Slice& slice) {
  for (auto it = records_.qps().lower_bound(*page.next); it != records_.qps().end(); ++it) {
    page.next = it->first;
    if (page.qps.size() == most) return true;
    if (slice.is_used_up()) return false;
    slice.spend(1);
    if (!may_match(filter, it->first, it->second)) continue;
    QpViewPtr one = view(it->first);
    slice.spend(Slice::kView);
    if (one != nullptr && filter.matches(*one)) page.qps.push_back(std::move(one));
  }
  page.next.reset();
  return true;
}

bool Watch::Analysis::may_match(const QpFilter& filter, std::uint64_t number,
                                const RecentRecords::QpEntry& entry) const {
  if (entry.ended != nullptr) return filter.matches(*entry.ended);
  if (entry.ends && !filter.matches_ends(entry.ends->first, entry.ends->second)) return false;
  if (filter.at_least && (!entry.findings.worst || findings::rule(*entry.findings.worst).severity < *filter.at_least)) {
    return false;
  }
  // The state changes with a segment; what runs may be stalled by now without one.
  if ((!filter.state && !filter.outcome) || !core_.has(number) || core_.last_time(number) != entry.reported)
    return true;
  if (filter.state && entry.state && *entry.state != *filter.state) return false;
  return !filter.outcome || !entry.outcome || *entry.outcome == *filter.outcome || !comes_by_a_segment(*filter.outcome);
}

std::vector<LimitView> Watch::Analysis::limits(const analysis::ShardStatistics& all) const {
  std::vector<LimitView> views = records_.limits();
  const auto add = [&](const char* table, std::uint64_t entries, std::uint64_t limit, std::uint64_t evicted) {
    views.push_back({table, entries, limit, evicted});
  };
  const auto add_each = [&](const char* table, std::uint64_t limit, std::uint64_t evicted) {
    views.push_back({table, 0, limit, evicted, true});
  };
  const analysis::Limits most = analysis::in_force(options_.analysis.limits);
  const net::Statistics& net = core_.decoded();
  add("qps", core_.followed(), most.max_qps, all.qps_refused);
  add("flows", all.flows, most.max_flows, all.flows_evicted);
  add("associations", all.associations, most.max_associations, all.associations_evicted);
  add("sctp-streams", all.streams, most.max_streams, all.streams_refused);
  add("models", all.model_octets, most.model_octets, all.model_evictions);
  add("buffers", all.buffered_octets, most.buffer_octets, all.met.all_octets);
  add_each("tcp-buffer", most.tcp.max_buffered_octets, all.met.direction_octets);
  add_each("tcp-chunks", most.tcp.max_buffered_chunks, all.met.direction_chunks);
  add_each("search", most.mpa.max_search_octets, all.met.search);
  add_each("searched", most.mpa.max_searched_octets, all.met.searched);
  add_each("outstanding-requests", most.max_outstanding_requests, all.requests_discarded);
  add_each("findings-per-rule", most.findings_per_rule, all.suppressed_findings);
  add("fragments", net.fragment_octets, most.net.max_fragment_octets,
      net.fragments_over_limit - net.fragments_over_datagrams);
  add("fragmented-datagrams", net.fragmented_datagrams, most.net.max_datagrams, net.fragments_over_datagrams);
  add_each("encapsulations", most.net.max_encapsulations, net.too_deep);
  add("host-facts", core_.surroundings().size(), core_.surroundings().room(), core_.surroundings().discarded());
  if (summaries_.is_on()) views.push_back(summaries_.limit());
  return views;
}

void Watch::Analysis::publish() {
  Status s;
  s.version = options_.version;
  s.origin = options_.origin;
  s.numbered_interfaces = interfaces_;
  s.replay_progress = intake_.progress();
  s.replay_cut = ended_ && account_.is_cut();
  s.capturing = !ended_;
  s.ended = ended_;
  s.going_on = going_on_;
  s.unreported = unreported_;
  s.ended_unreported = ended_unreported_;
  s.continued = continued_;
  s.not_continued = options_.qps_before - std::min(options_.qps_before, continued_);
  s.resume_failed = resume_failed_;
  s.resume_refused = resume_failed_ ? "damaged" : options_.refused;
  s.interfaces = account_.interfaces();
  if (!account_.is_replay()) {
    for (std::size_t i = 0; i < s.interfaces.size() && i < interfaces_.size(); ++i)
      s.interfaces[i].tap_group = interfaces_[i].tap_group;
  }
  s.replay = account_.is_replay();
  if (!account_.is_replay() && !s.interfaces.empty()) {
    s.capturing =
        s.capturing && std::any_of(s.interfaces.begin(), s.interfaces.end(), [](const auto& i) { return i.up; });
    s.analysis_lag_seconds = lag_seconds_;
  }
  const net::Statistics& net = core_.decoded();
  const Losses& lost = account_.losses();
  s.totals = tally_.totals();
  s.totals.frames = net.frames - decoded_before_.frames;
  s.totals.octets = net.octets - decoded_before_.octets;
  s.totals.losses.nic = lost.nic;
  s.totals.losses.kernel = lost.kernel;
  s.totals.losses.queue = lost.queue;
  s.totals.cut_frames = net.truncated_frames - decoded_before_.truncated_frames;
  s.totals.undecoded_frames = net.unsupported_link - decoded_before_.unsupported_link;
  s.totals.refused = core_.surroundings().refused();
  if (ended_) s.totals.unanswered = core_.surroundings().unanswered();
  s.read_latency = tally_.reads();
  s.atomic_latency = tally_.atomics();
  s.handshake = tally_.handshakes();
  if (const auto start = core_.clock().start()) {
    s.capture_time = core_.clock().now();
    throughput_.add(*start, 0);
    throughput_.add(*s.capture_time, 0);
  }
  s.throughput = throughput_.view();
  // It takes a look at every queue pair.
  if (ended_ || Clock::now() - counted_ >= kCountEvery) {
    counted_ = Clock::now();
    statistics_ = core_.quick_statistics();
  }
  const analysis::ShardStatistics& all = statistics_;
  s.totals.findings_suppressed = all.suppressed_findings;
  if (options_.gate != nullptr) s.totals.findings_withheld = options_.gate->withheld();
  s.limits = limits(all);
  s.effort = effort_.counts();
  const std::lock_guard lock(mutex_);
  s.started = status_.started;
  status_ = std::move(s);
}

Status Watch::Analysis::status() const {
  Status s;
  {
    const std::lock_guard lock(mutex_);
    s = status_;
  }
  s.records = records_.records();
  s.shared_octets = hub_.shared_octets();
  if (options_.outputs) s.outputs = options_.outputs();
  if (options_.configuration) s.configuration = options_.configuration();
  s.clock = clock_view();
  return s;
}

}  // namespace iwarpscope::live
