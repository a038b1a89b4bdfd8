#include "live/analysis.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

namespace iwarpscope::live {
namespace {

using std::chrono::milliseconds;

// How long what was found waits before it is told.
constexpr milliseconds kSettleEvery{20};
constexpr milliseconds kTickEvery{250};
constexpr std::int64_t kRetireEveryNs = 1'000'000'000;
// The capture's clock and this machine's may drift apart so far between two looks.
constexpr std::int64_t kClockStepNs = 60'000'000'000;
constexpr std::chrono::hours kNobodyIdleAfterStep{1};
// Queue pairs visited in a tick: some milliseconds of work.
constexpr std::size_t kMostVisits = 2000;
// Looked at for one page of an answer.
constexpr std::size_t kMostLookedAt = 2000;

Losses sum(const std::vector<capture::IntakeCounters>& counters) noexcept {
  Losses all;
  for (const capture::IntakeCounters& c : counters) {
    all.nic += c.dropped_by_nic;
    all.kernel += c.dropped_by_kernel;
    all.queue += c.dropped_by_queue;
  }
  return all;
}

Traffic traffic_of(const qp::QpRecord& record) noexcept {
  Traffic t;
  for (const qp::DirectionRecord& d : record.directions) {
    t.tcp_segments += d.tcp_segments;
    t.stream_octets += d.stream_octets;
    t.retransmitted_octets += d.retransmitted_octets;
    t.gap_octets += d.capture_gap_octets;
    t.fpdus += d.fpdus;
    t.crc_ok += d.crc_ok;
    t.crc_bad += d.crc_bad;
    t.crc_unjudged += d.crc_unjudged;
    for (const std::uint64_t octets : d.payload_octets) t.payload_octets += octets;
  }
  return t;
}

/// Counts of a queue pair only grow; should one not, nothing is added.
std::uint64_t growth(std::uint64_t before, std::uint64_t now) noexcept {
  return now > before ? now - before : 0;
}

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Watch::Analysis::Analysis(const WatchOptions& options, capture::Intake& intake)
    : options_(options),
      intake_(intake),
      decoder_(options.analysis.limits.net),
      mailbox_([this] { intake_.wake(); }),
      book_(options.memory),
      merger_(options.analysis, *this),
      shards_(analysis::make_shards(options_.analysis)),
      judge_(shards_, merger_) {
  status_.version = options_.version;
  status_.started = TimePoint{now_ns()};
}

void Watch::Analysis::run(bool linger) {
  intake_.start();
  read_counters();
  publish();
  {
    engine::Pipeline pipeline(shards_, merger_, std::max(1u, options_.workers));
    settled_ = ticked_ = Clock::now();
    bool more = true;
    while (more) {
      const bool stopping = stop_.load(std::memory_order_acquire);
      if (stopping) intake_.stop();
      const capture::Intake::Given given = intake_.next(stopping ? milliseconds{0} : kSettleEvery);
      more =
          given.state != capture::Intake::State::ended && !(stopping && given.state == capture::Intake::State::nothing);
      if (given.state == capture::Intake::State::frames) feed(pipeline, given);
      const bool idle = given.state != capture::Intake::State::frames;
      if (idle || mailbox_.has_questions() || Clock::now() - settled_ >= kSettleEvery) settle(pipeline);
    }
    settle(pipeline);
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

void Watch::Analysis::feed(engine::Pipeline& pipeline, const capture::Intake::Given& given) {
  pipeline.next_batch(given.storage);
  if (options_.tap != nullptr) options_.tap->batch(given.storage);
  for (const net::Frame& frame : given.frames) {
    retire_by_capture_time(pipeline, given, frame.time);
    if (auto finding = clock_.see(frame)) pipeline.add({frame.number, std::nullopt, std::move(*finding)});
    const auto decoded = decoder_.decode(frame);
    surroundings_.see(decoded);
    const auto* const packet = std::get_if<net::TcpPacket>(&decoded);
    if (options_.tap != nullptr) options_.tap->frame(frame, packet != nullptr ? net::stable_hash(packet->flow()) : 0);
    if (packet != nullptr) pipeline.add(*packet);
  }
  watch_clock();
  lag_seconds_ = static_cast<double>(now_ns() - clock_.last_time().ns) * 1e-9;
}

void Watch::Analysis::settle(engine::Pipeline& pipeline) {
  pipeline.drain();
  tell_found();
  const Clock::time_point now = Clock::now();
  if (now - ticked_ >= kTickEvery) {
    ticked_ = now;
    tick();
  }
  mailbox_.answer();
  settled_ = Clock::now();
}

void Watch::Analysis::tick() {
  read_counters();
  visit_changed();
  go_round();
  publish();
}

void Watch::Analysis::retire_by_capture_time(engine::Pipeline& pipeline, const capture::Intake::Given& given,
                                             TimePoint time) {
  if (!retired_) retired_ = time;
  if (std::abs(elapsed_ns(*retired_, time)) < kRetireEveryNs) return;
  retired_ = time;
  pipeline.drain();
  tell_found();
  retire();
  pipeline.next_batch(given.storage);
}

void Watch::Analysis::retire() {
  const analysis::CaptureSpan span{clock_.last_time(), losses_.frames() != 0};
  analysis::RetireLimits limits = options_.retire;
  if (Clock::now() < idle_from_) limits.idle_ns = std::numeric_limits<std::int64_t>::max();
  static_cast<void>(analysis::retire(shards_, merger_, judge_, clock_, limits, span, surroundings_, *this));
  tell_found();
}

void Watch::Analysis::watch_clock() {
  if (is_replay_) return;
  const Clock::time_point now = Clock::now();
  const std::int64_t real = std::chrono::duration_cast<std::chrono::nanoseconds>(now - looked_at_clock_).count();
  const bool stepped =
      clock_then_.ns != 0 && std::abs(elapsed_ns(clock_then_, clock_.last_time()) - real) > kClockStepNs;
  if (stepped) idle_from_ = now + kNobodyIdleAfterStep;
  looked_at_clock_ = now;
  clock_then_ = clock_.last_time();
}

void Watch::Analysis::go_round() {
  if (options_.round_ns == 0 || !clock_.first_time()) return;
  if (round_began_.ns == 0) round_began_ = *clock_.first_time();
  if (!round_hand_) {
    if (std::abs(elapsed_ns(round_began_, clock_.last_time())) < options_.round_ns) return;
    round_hand_ = 0;
  }
  const analysis::CaptureSpan span{clock_.last_time(), losses_.frames() != 0};
  std::size_t looked = 0;
  for (auto it = book_.pages().lower_bound(*round_hand_); it != book_.pages().end(); ++it) {
    if (++looked > kMostVisits) {
      round_hand_ = it->first;
      return;
    }
    if (merger_.has(it->first)) surroundings_.see(judge_.look(it->first, span), span);
  }
  analysis::CaptureFindings findings(merger_, {clock_.last_frame(), clock_.last_time()});
  surroundings_.tell(findings, span);
  surroundings_ = {};
  round_hand_.reset();
  round_began_ = clock_.last_time();
  tell_found();
}

void Watch::Analysis::conclude() {
  read_counters();
  analysis::conclude(shards_, merger_, judge_, clock_, decoder_.statistics(), describe(), surroundings_, *this);
  tell_found();
  ended_ = true;
  publish();
  hub_.close();
}

analysis::CaptureInfo Watch::Analysis::describe() const {
  analysis::CaptureInfo info;
  for (const capture::IntakeCounters& c : counters_) {
    analysis::InterfaceInfo& i = info.interfaces.emplace_back();
    i.link_type = c.link_type;
    i.snap_length = c.snap_length;
    const std::uint64_t dropped = c.dropped_by_nic + c.dropped_by_kernel + c.dropped_by_queue;
    if (dropped != 0) i.dropped = dropped;
  }
  return info;
}

void Watch::Analysis::numbered(analysis::QpPlace, std::uint64_t qp) {
  book_.open(qp, losses_);
  opened_.push_back(qp);
  ++totals_.qps_opened;
}

void Watch::Analysis::message(const qp::MessageRecord& record) {
  ++totals_.operations[static_cast<std::size_t>(record.opcode)];
  if (rdmap::traits(record.opcode).has_payload) {
    totals_.payload_octets[static_cast<std::size_t>(record.opcode)] += record.length;
  }
  if (const auto* t = std::get_if<qp::TerminateDetail>(&record.detail)) {
    ++totals_.terminates[{t->layer, t->error_code}];
  }
  note_latency(record);
  MessagePtr message = book_.message(record);
  if (hub_.wants_messages()) hub_.tell(MessageTold{std::move(message)});
}

void Watch::Analysis::note_latency(const qp::MessageRecord& record) {
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&record.detail)) {
    if (read->response) read_latency_.add(read->response->last_octet_ns);
  } else if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&record.detail)) {
    if (atomic->response) atomic_latency_.add(atomic->response->last_octet_ns);
  }
}

/// Told when the pipeline is drained: whose it is stands in a shard.
void Watch::Analysis::finding(const findings::Finding& finding) {
  found_.push_back(finding);
}

void Watch::Analysis::tell_found() {
  for (const std::uint64_t number : std::exchange(opened_, {})) {
    Book::Page* const page = book_.find(number);
    if (page == nullptr || !merger_.has(number)) continue;
    QpViewPtr view = visit(number, *page);
    if (hub_.wants_changes()) hub_.tell(QpOpened{std::move(view)});
  }
  for (const findings::Finding& finding : std::exchange(found_, {})) {
    Book::Page* const page = finding.qp ? book_.find(*finding.qp) : nullptr;
    FindingPtr told = book_.finding(finding, page);
    ++totals_.findings[findings::rule(finding.id).name];
    if (options_.on_finding) {
      const QpViewPtr whose = page != nullptr ? view(*finding.qp) : nullptr;
      options_.on_finding(*told, whose.get());
    }
    hub_.tell(FindingTold{std::move(told)});
  }
}

/// A queue pair's last record. What was found last is told before it.
void Watch::Analysis::qp(const qp::QpRecord& record) {
  tell_found();
  Book::Page* const page = book_.find(record.qp);
  if (page == nullptr) return;
  count(*page, record);
  if (page->state) --totals_.qps_by_state[*page->state];
  page->state.reset();
  ++page->version;
  const qp::Outcome outcome = record.verdict ? record.verdict->outcome : qp::Outcome::unknown;
  ++totals_.qps_closed[name(outcome)];
  page->failed = qp::ended_badly(outcome);
  const bool started = record.directions[0].fpdus + record.directions[1].fpdus != 0;
  if (page->failed && !started) ++totals_.handshake_failures[name(outcome)];
  QpViewPtr view = make_view(record, *page, true);
  book_.ended(view);
  hub_.tell(QpEnded{std::move(view)});
}

QpViewPtr Watch::Analysis::make_view(qp::QpRecord record, const Book::Page& page, bool ended) const {
  auto view = std::make_shared<QpView>();
  view->record = std::move(record);
  view->findings = page.findings;
  if (page.activity != nullptr) view->activity = *page.activity;
  view->losses.nic = losses_.nic - page.losses.nic;
  view->losses.kernel = losses_.kernel - page.losses.kernel;
  view->losses.queue = losses_.queue - page.losses.queue;
  view->losses.gap_octets = page.traffic.gap_octets;
  view->flow = page.flow;
  view->ended = ended;
  view->version = page.version;
  return view;
}

analysis::CaptureSpan Watch::Analysis::span_of(const Book::Page& page) const noexcept {
  return {clock_.last_time(), losses_.frames() != page.losses.frames()};
}

QpViewPtr Watch::Analysis::visit(std::uint64_t number, Book::Page& page) {
  qp::QpRecord record = judge_.look(number, span_of(page));
  page.seen = record.last_time;
  const analysis::QpPlace place = merger_.place(number);
  page.flow = shards_[place.shard]->flow_hash(place.index);
  ++page.version;
  count(page, record);
  const std::string_view state = qp::name(record.state);
  if (page.state != state) {
    if (page.state) --totals_.qps_by_state[*page.state];
    ++totals_.qps_by_state[state];
    page.state = state;
  }
  return make_view(std::move(record), page, false);
}

void Watch::Analysis::count(Book::Page& page, const qp::QpRecord& record) {
  const Traffic before = page.traffic;
  const Traffic now = traffic_of(record);
  totals_.tcp_segments += growth(before.tcp_segments, now.tcp_segments);
  totals_.stream_octets += growth(before.stream_octets, now.stream_octets);
  totals_.retransmitted_octets += growth(before.retransmitted_octets, now.retransmitted_octets);
  totals_.losses.gap_octets += growth(before.gap_octets, now.gap_octets);
  totals_.fpdus += growth(before.fpdus, now.fpdus);
  totals_.crc_checked += growth(before.crc_ok + before.crc_bad, now.crc_ok + now.crc_bad);
  totals_.crc_errors += growth(before.crc_bad, now.crc_bad);
  totals_.crc_unjudged += growth(before.crc_unjudged, now.crc_unjudged);
  page.traffic = now;
  page.ends = {record.a, record.b};
  if (!page.handshake_counted && record.startup && record.startup->request && record.startup->reply) {
    page.handshake_counted = true;
    handshake_.add(elapsed_ns(record.startup->request->time, record.startup->reply->time));
  }
}

/// Those with new TCP segments, where the last visit stopped first; the others have their turn in the next tick.
void Watch::Analysis::visit_changed() {
  const auto& pages = book_.pages();
  std::vector<std::uint64_t> changed;
  const auto look = [&](auto from, auto to) {
    for (auto it = from; it != to && changed.size() < kMostVisits; ++it) {
      if (it->second.ended != nullptr || !merger_.has(it->first)) continue;
      const analysis::QpPlace place = merger_.place(it->first);
      if (shards_[place.shard]->last_time(place.index) != it->second.seen) changed.push_back(it->first);
    }
  };
  const auto start = pages.lower_bound(visit_hand_);
  look(start, pages.end());
  look(pages.begin(), start);
  for (const std::uint64_t number : changed) {
    QpViewPtr view = visit(number, *book_.find(number));
    if (hub_.wants_changes()) hub_.tell(QpChanged{std::move(view)});
  }
  visit_hand_ = changed.empty() ? 0 : changed.back() + 1;
}

QpViewPtr Watch::Analysis::view(std::uint64_t number) {
  Book::Page* const page = book_.find(number);
  if (page == nullptr) return nullptr;
  if (page->ended != nullptr) return page->ended;
  return merger_.has(number) ? visit(number, *page) : nullptr;
}

QpPage Watch::Analysis::qps(const QpFilter& filter, std::uint64_t from, std::size_t most) {
  QpPage answer;
  std::size_t looked = 0;
  std::vector<std::uint64_t> numbers;
  for (auto it = book_.pages().lower_bound(from); it != book_.pages().end(); ++it) {
    if (numbers.size() == most || ++looked > kMostLookedAt) {
      answer.next = it->first;
      break;
    }
    numbers.push_back(it->first);
  }
  for (const std::uint64_t number : numbers) {
    QpViewPtr one = view(number);
    if (one != nullptr && filter.matches(*one)) answer.qps.push_back(std::move(one));
  }
  return answer;
}

std::vector<HostRow> Watch::Analysis::hosts(bool pairs) const {
  std::map<std::pair<net::IpAddress, std::optional<net::IpAddress>>, HostRow> rows;
  const auto add = [&rows](const net::IpAddress& host, const std::optional<net::IpAddress>& peer,
                           const Book::Page& page) {
    HostRow& row = rows[{host, peer}];
    row.host = host;
    row.peer = peer;
    ++row.qps;
    if (page.ended == nullptr) ++row.active;
    if (page.failed) ++row.failed;
    row.errors += page.findings.errors;
    row.warnings += page.findings.warnings;
    row.notes += page.findings.notes;
    row.payload_octets += page.traffic.payload_octets;
  };
  for (const auto& [number, page] : book_.pages()) {
    if (!page.ends) continue;
    const net::IpAddress& a = page.ends->first.address;
    const net::IpAddress& b = page.ends->second.address;
    if (pairs) {
      add(std::min(a, b), std::max(a, b), page);
    } else {
      add(a, std::nullopt, page);
      if (a != b) add(b, std::nullopt, page);
    }
  }
  std::vector<HostRow> all;
  all.reserve(rows.size());
  for (const auto& [key, row] : rows) all.push_back(row);
  return all;
}

void Watch::Analysis::read_counters() {
  counters_ = intake_.counters();
  is_replay_ = std::any_of(counters_.begin(), counters_.end(), [](const auto& c) { return c.time_source == "file"; });
  losses_ = sum(counters_);
}

void Watch::Analysis::publish() {
  Status s;
  s.version = options_.version;
  s.replay_progress = intake_.progress();
  s.capturing = !ended_;
  for (const capture::IntakeCounters& c : counters_) {
    InterfaceView& i = s.interfaces.emplace_back();
    i.name = c.name;
    i.link_type = c.link_type;
    i.frames = c.frames;
    i.octets = c.octets;
    i.losses = {c.dropped_by_nic, c.dropped_by_kernel, c.dropped_by_queue, 0};
    i.up = c.up;
    i.time_source = c.time_source;
    i.offloads = c.offloads;
    i.warnings = c.warnings;
  }
  s.replay = is_replay_;
  if (!is_replay_ && !s.interfaces.empty()) {
    s.capturing =
        s.capturing && std::any_of(s.interfaces.begin(), s.interfaces.end(), [](const auto& i) { return i.up; });
    s.analysis_lag_seconds = lag_seconds_;
  }
  const net::Statistics& net = decoder_.statistics();
  totals_.frames = net.frames;
  totals_.octets = net.octets;
  totals_.losses = {losses_.nic, losses_.kernel, losses_.queue, totals_.losses.gap_octets};
  s.totals = totals_;
  s.read_latency = read_latency_;
  s.atomic_latency = atomic_latency_;
  s.handshake = handshake_;
  if (clock_.first_time()) s.capture_time = clock_.last_time();
  s.limits = book_.limits();
  analysis::ShardStatistics all;
  for (const auto& shard : shards_) all += shard->quick_statistics();
  s.totals.findings_suppressed = all.suppressed_findings + merger_.cross_stage().suppressed();
  s.limits.push_back({"qps", merger_.followed(), options_.analysis.limits.max_qps, all.qps_refused});
  s.limits.push_back({"flows", all.flows, options_.analysis.limits.max_flows, all.flows_evicted});
  s.limits.push_back({"models", all.model_octets, options_.analysis.limits.model_octets,
                      all.model_evictions + merger_.cross_stage().evicted()});
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
  if (options_.outputs) s.outputs = options_.outputs();
  return s;
}

}  // namespace iwarpscope::live
