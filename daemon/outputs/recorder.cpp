#include "outputs/recorder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "outputs/recording_file.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostRequests = 1024;  ///< that wait for the recorder's thread
constexpr std::size_t kMostEnded = 65'536;   ///< queue pairs of which it is known when they were recorded last
constexpr auto kLook = 100ms;                ///< how often the ring is looked at

std::int64_t nanoseconds(std::chrono::seconds seconds) {
  return std::chrono::nanoseconds(seconds).count();
}

std::set<std::string_view> names_of(const std::vector<std::string>& rules) {
  std::set<std::string_view> names;
  for (const std::string& one : rules) {
    if (const findings::Rule* rule = findings::find_rule(one)) names.insert(rule->name);
  }
  return names;
}

}  // namespace

/// What it records by. Changed as a whole.
struct Recorder::Settings {
  explicit Settings(RecorderOptions its_options)
      : options(std::move(its_options)),
        folder(options.folder),
        rules(names_of(options.rules)),
        not_rules(names_of(options.not_rules)) {}

  [[nodiscard]] bool is_wanted(const findings::Rule& rule) const {
    if (not_rules.count(rule.name) != 0) return false;
    return rules.count(rule.name) != 0 || (options.at_least && rule.severity >= *options.at_least);
  }

  const RecorderOptions options;
  const RecordingsFolder folder;
  const std::set<std::string_view> rules, not_rules;  ///< names; static storage
};

/// What is to be recorded.
struct Recorder::Request {
  std::uint64_t qp = 0;
  std::uint64_t flow = 0;
  TimePoint at;                       ///< the finding's, or the newest packet's
  std::chrono::seconds after{};       ///< from then on
  FrameNumber frame{};                ///< the finding's; 0: it was asked for
  std::optional<TimePoint> earliest;  ///< of the packets before; empty: as the settings say
  std::string comment, reason;
  std::unique_ptr<RecordingFile> file;  ///< of one that was asked for
  std::string name;
};

/// A recording that is being written.
class Recorder::Active {
 public:
  Active(std::unique_ptr<RecordingFile> its_file, const Request& request)
      : flow(request.flow), from(request.at), until(request.at), file_(std::move(its_file)) {}

  [[nodiscard]] RecordingFile& file() { return *file_; }

  /// More is to be in it.
  void prolong(const Request& request, std::chrono::seconds longest) {
    ++wishes;
    if (request.frame.value != 0) file_->comment(request.frame, request.comment);
    const TimePoint wanted{request.at.ns + nanoseconds(request.after)};
    until = std::min(std::max(until, wanted), TimePoint{from.ns + nanoseconds(longest)});
    after = std::max(after, request.after);
  }
  /// Nothing more belongs into it: the capture's clock is past its end, or went back; or nothing comes any more.
  [[nodiscard]] bool is_over(TimePoint newest, Clock::time_point last_packet) const {
    const auto now = Clock::now();
    if (file_->is_full() || newest >= until) return true;
    if (newest.ns < from.ns - nanoseconds(1s) && now - begun >= after) return true;
    return now - begun >= after && now - last_packet >= after;
  }

  std::uint64_t flow;
  const TimePoint from;
  TimePoint until;
  std::chrono::seconds after{};
  const Clock::time_point begun = Clock::now();
  std::uint64_t missed = 0;
  std::uint64_t wishes = 0;  ///< findings and requests it is for
  std::string trouble;       ///< not empty: it cannot be written

 private:
  std::unique_ptr<RecordingFile> file_;
};

Recorder::Recorder(RecorderOptions options, const PacketRing& ring, live::Directory& directory)
    : ring_(ring),
      directory_(directory),
      application_(options.application),
      settings_(std::make_shared<const Settings>(std::move(options))),
      trouble_(settings_->folder.prepare()) {
  settings_->folder.retire();
  thread_ = std::thread([this] { run(); });
}

Recorder::~Recorder() {
  stop();
}

void Recorder::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

Recorder::Counts Recorder::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string Recorder::trouble() const {
  const std::lock_guard lock(mutex_);
  const bool is_recent = failed_ && Clock::now() - *failed_ < settings_->options.trouble_for;
  const bool is_over = works_again_ && !is_recent;
  return is_over ? std::string{} : trouble_;
}

/// A recording could not be written, and what it was for is lost. Under mutex_.
void Recorder::failed(std::string trouble, std::uint64_t lost) {
  ++counts_.failed;
  counts_.lost += lost;
  trouble_ = std::move(trouble);
  failed_ = Clock::now();
  works_again_ = false;
}

/// Whether a recording could be written again: with a file that nobody sees.
void Recorder::try_again() {
  const auto by = settings();
  if (Clock::now() - tried_ < by->options.try_again_every) return;
  tried_ = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty() || works_again_) return;
  }
  if (!by->folder.make().empty()) return;
  const auto file = new_file(by->folder.name_for(now(), 0, "try"), *by, {});
  if (!file->open().empty() || !file->try_out().empty()) return;
  const std::lock_guard lock(mutex_);
  works_again_ = true;
}

std::shared_ptr<const Recorder::Settings> Recorder::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

void Recorder::change(RecorderOptions options) {
  options.folder.path = settings()->options.folder.path;
  auto next = std::make_shared<const Settings>(std::move(options));
  const std::lock_guard lock(mutex_);
  settings_ = std::move(next);
}

void Recorder::told(const live::FindingView& view) {
  const findings::Finding& finding = view.finding;
  if (!finding.qp || finding.frame.value == 0 || view.flow == 0) return;
  const auto by = settings();
  if (!by->is_wanted(findings::rule(finding.id))) return;
  Request request;
  request.qp = *finding.qp;
  request.flow = view.flow;
  request.at = finding.time;
  request.after = by->options.after;
  request.frame = finding.frame;
  request.comment = comment_of(finding);
  request.reason = findings::rule(finding.id).code;
  const std::lock_guard lock(mutex_);
  if (stopping_ || requests_.size() >= kMostRequests) {
    ++counts_.lost;
    return;
  }
  requests_.push_back(std::move(request));
  changed_.notify_all();
}

live::Packets::Answer<std::string> Recorder::record(std::uint64_t qp, const std::string& reason, unsigned seconds) {
  const auto known = directory_.qp(qp);
  if (!known) return tl::unexpected(known.error());
  if (!*known) return tl::unexpected(fmt::format("There is no queue pair {}.", qp));
  const auto by = settings();
  const RecorderOptions& options = by->options;
  Request request;
  request.qp = qp;
  request.flow = (*known)->flow;
  request.at = ring_.counts().newest;
  request.after = seconds == 0 ? options.after : std::min(std::chrono::seconds{seconds}, options.longest);
  request.reason = reason;
  if ((*known)->ended) {  // nothing more comes: what the ring has of it
    const qp::QpRecord& record = (*known)->record;
    if (!has_packets(request.flow, record.first_time, record.last_time)) {
      return tl::unexpected(fmt::format("Queue pair {} has ended, and none of its packets is kept any more.", qp));
    }
    request.earliest = record.first_time;
    request.at = record.last_time;
    request.after = {};
  }
  auto names = interface_names();
  const std::lock_guard lock(mutex_);
  if (stopping_) return tl::unexpected(std::string{"The daemon stops; nothing is recorded any more."});
  if (const auto its = shown_.find(qp); its != shown_.end()) {
    request.name = its->second.file;
  } else if (shown_.size() >= options.most_at_once || requests_.size() >= kMostRequests) {
    return tl::unexpected(fmt::format("{} recordings are being written, and there may not be more.", shown_.size()));
  } else {
    if (request.at.ns == 0) request.at = now();
    request.name = by->folder.name_for(request.at, qp, reason);
    request.file = new_file(request.name, *by, std::move(names));
    if (std::string trouble = request.file->open(); !trouble.empty()) return tl::unexpected(std::move(trouble));
    shown_[qp] = {request.name, qp, reason, request.at, 0, 0, false};
  }
  std::string name = request.name;
  requests_.push_back(std::move(request));
  changed_.notify_all();
  return name;
}

std::unique_ptr<RecordingFile> Recorder::new_file(const std::string& name, const Settings& by,
                                                  PcapngWriter::InterfaceName names) const {
  return std::make_unique<RecordingFile>(by.folder.path(name), by.options.most_file_octets,
                                         PcapngWriter(application_, std::move(names)));
}

/// Makes the file of a recording for a finding. False: it is not to be recorded now.
bool Recorder::make_file(Request& request, const Settings& by) {
  const auto last = ended_.find(request.qp);
  const bool is_paused = last != ended_.end() && Clock::now() - last->second < by.options.pause;
  auto names = is_paused ? PcapngWriter::InterfaceName{} : interface_names();
  const std::lock_guard lock(mutex_);
  if (is_paused || shown_.size() >= by.options.most_at_once) {
    ++(is_paused ? counts_.paused : counts_.not_begun);
    return false;
  }
  request.name = by.folder.name_for(request.at, request.qp, request.reason);
  request.file = new_file(request.name, by, std::move(names));
  if (std::string trouble = request.file->open(); !trouble.empty()) {
    failed(std::move(trouble), 1);
    return false;
  }
  shown_[request.qp] = {request.name, request.qp, request.reason, request.at, 0, 0, false};
  return true;
}

/// What the ring holds of the flow from the wanted time on; follow() does the rest.
void Recorder::fill(Active& active, TimePoint earliest) const {
  (void)ring_.read(ring_.counts().first, [&](std::uint64_t place, std::span<const RingEntry> entries) {
    for (const RingEntry& entry : entries) {
      if (place++ >= next_ || !active.trouble.empty()) return false;
      if (entry.flow == active.flow && entry.frame.time >= earliest && entry.frame.time <= active.until) {
        active.trouble = active.file().append(entry.frame);
      }
    }
    return true;
  });
}

/// Prolongs the recording of the queue pair, or begins one.
void Recorder::begin(Request& request) {
  const auto by = settings();
  if (const auto its = active_.find(request.qp); its != active_.end()) {
    its->second->prolong(request, by->options.longest);
    return;
  }
  if (!request.file) {
    {
      const std::lock_guard lock(mutex_);
      if (shown_.count(request.qp) != 0) {  // one that was asked for waits behind this finding
        if (!stopping_) requests_.push_back(std::move(request));
        return;
      }
    }
    if (!make_file(request, *by)) return;
  }
  auto active = std::make_unique<Active>(std::move(request.file), request);
  active->prolong(request, by->options.longest);
  fill(*active, request.earliest.value_or(TimePoint{request.at.ns - nanoseconds(by->options.before)}));
  active_.emplace(request.qp, std::move(active));
  const std::lock_guard lock(mutex_);
  ++counts_.begun;
}

/// Gives new packets to the recordings they belong to.
void Recorder::follow() {
  std::uint64_t missed = 0;
  if (active_.empty()) {
    next_ = ring_.counts().next;
    return;
  }
  std::map<std::uint64_t, Active*> by_flow;
  for (auto& [qp, active] : active_) by_flow.emplace(active->flow, active.get());
  next_ = ring_.read(
      next_,
      [&](std::uint64_t, std::span<const RingEntry> entries) {
        for (const RingEntry& entry : entries) {
          if (entry.flow == 0) continue;
          const auto its = by_flow.find(entry.flow);
          if (its == by_flow.end() || entry.frame.time > its->second->until || !its->second->trouble.empty()) continue;
          its->second->trouble = its->second->file().append(entry.frame);
        }
        return true;
      },
      &missed);
  for (auto& [qp, active] : active_) {
    active->missed += missed;
    if (active->trouble.empty()) active->trouble = active->file().keep_up();
  }
  const std::lock_guard lock(mutex_);
  counts_.missed += missed;
  for (auto& [qp, active] : active_) {
    live::Recording& shown = shown_[qp];
    shown.frames = active->file().frames();
    shown.octets = active->file().octets();
  }
}

/// Completes the recordings that are over, or all of them.
void Recorder::complete(bool all) {
  bool any = false;
  for (auto its = active_.begin(); its != active_.end();) {
    Active& active = *its->second;
    if (!all && active.trouble.empty() && !active.is_over(ring_.counts().newest, last_packet_)) {
      ++its;
      continue;
    }
    const bool is_written = active.trouble.empty();
    std::string trouble = is_written ? active.file().complete(active.missed) : active.trouble;
    if (ended_.size() >= kMostEnded) ended_.clear();
    ended_[its->first] = Clock::now();
    any = true;
    {
      const std::lock_guard lock(mutex_);
      if (trouble.empty()) {
        ++counts_.complete;
        works_again_ = true;
      } else {
        failed(std::move(trouble), active.wishes);
      }
      shown_.erase(its->first);
    }
    its = active_.erase(its);
  }
  if (any) settings()->folder.retire();
}

void Recorder::run() {
  next_ = ring_.counts().next;
  for (bool stopping = false; !stopping;) {
    std::deque<Request> requests;
    {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLook, [&] { return stopping_ || !requests_.empty(); });
      requests.swap(requests_);
      stopping = stopping_;
    }
    const std::uint64_t before = next_;
    // What prolongs a recording does so before the packets that came with it are looked at.
    const auto begins = std::stable_partition(requests.begin(), requests.end(),
                                              [&](const Request& request) { return active_.count(request.qp) != 0; });
    std::for_each(requests.begin(), begins, [&](Request& request) { begin(request); });
    follow();
    std::for_each(begins, requests.end(), [&](Request& request) { begin(request); });
    if (begins != requests.end()) follow();
    if (next_ != before) last_packet_ = Clock::now();
    complete(stopping);
    if (!stopping) try_again();
  }
}

std::vector<live::Recording> Recorder::recordings() {
  std::vector<live::Recording> all = settings()->folder.list();
  const std::lock_guard lock(mutex_);
  for (const auto& [qp, recording] : shown_) all.push_back(recording);
  return all;
}

live::Wanted RecorderSink::wanted() const {
  live::Wanted wanted;
  wanted.findings = true;  // whatever their severity: which are recorded may change
  return wanted;
}

std::size_t RecorderSink::take(const std::vector<live::Happening>& happenings) {
  for (const live::Happening& happening : happenings) {
    if (const auto* told = std::get_if<live::FindingTold>(&happening)) recorder_.told(*told->finding);
  }
  return 0;
}

std::uint64_t RecorderSink::lost_later() const noexcept {
  const Recorder::Counts counts = recorder_.counts();
  return counts.lost + counts.not_begun;
}

}  // namespace iwarpscope::outputs
