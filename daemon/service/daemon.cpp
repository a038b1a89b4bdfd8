// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/daemon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "api/server.h"
#include "base/wording.h"
#include "capture/thread_name.h"
#include "live/watch.h"
#include "metrics/exposer.h"
#include "outputs/history.h"
#include "outputs/packet_ring.h"
#include "outputs/recorder.h"
#include "outputs/run.h"
#include "service/api_view.h"
#include "service/checkpoint_file.h"
#include "service/daemon_parts.h"
#include "service/lookout.h"
#include "service/outlets.h"
#include "service/output_kinds.h"
#include "service/reload.h"
#include "service/sandbox.h"
#include "service/sensor_uuid.h"
#include "service/supervisor.h"

namespace iwarpscope::service {
namespace {

using Result = tl::expected<void, std::string>;

// How often rules about hosts and listeners are evaluated in a live capture.
constexpr std::int64_t kRoundNs = 60'000'000'000;
constexpr int kLookEveryMs = 1000;
constexpr unsigned kStatusEvery = 10;  // looks

sigset_t our_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, signal);
  return set;
}

class Daemon {
 public:
  Daemon(DaemonOptions options, Log& log)
      : options_(std::move(options)),
        now_(options_.configuration),
        log_(log),
        run_(outputs::make_run(options_.version)),
        lookout_(log_, options_.exit_at_end) {
    name_sensor();
    facts_.in_force(sensor_name(now_), hash_of(now_), 0);
  }

  Result run() {
    if (Result opened = open(); !opened) return opened;
    start_analysis();
    if (Result served = serve(); !served) {
      stop();
      leave_to_the_kernel();
      return tl::unexpected(with_user(served.error()));
    }
    notify_ready(status_line());
    log_.info(now_.capture.replay.empty() ? fmt::format("Capturing on {}.", fmt::join(now_.capture.interfaces, ", "))
                                          : fmt::format("Replaying {}.", fmt::join(now_.capture.replay, ", ")));
    wait_for_end();
    stop();
    const std::vector<capture::IntakeCounters> counters = intake_->counters();
    lookout_.end(outlets_.views(), counters);
    leave_to_the_kernel();
    const bool is_whole =
        std::all_of(counters.begin(), counters.end(), [](const auto& one) { return one.unread_files == 0; });
    if (options_.exit_at_end && !is_whole)
      return tl::unexpected(std::string{"Some files could not be replayed completely."});
    return {};
  }

 private:
  /// Does everything that needs privileges, and then drops them.
  Result open();
  Result enter();
  void start_analysis();
  /// Reads what the run before left, and arranges that this one leaves something.
  void use_checkpoint(live::WatchOptions& options);
  void hand_over(live::HandedOver all);
  /// The process ends: to free 200 000 queue pairs one by one takes a busy machine seconds.
  void leave_to_the_kernel() { [[maybe_unused]] static const live::Watch* const left = watch_.release(); }
  void tell_continued();
  Result serve();
  void wait_for_end();
  void look();
  void stop();
  [[nodiscard]] metrics::Snapshot snapshot();
  [[nodiscard]] std::string with_user(const std::string& sentence) const;
  tl::expected<std::string, std::string> reload();
  /// The name of the sensor, from now on.
  void name_sensor() { run_.origin.sensor = sensor_name(now_); }
  /// What is in force now, for capture and analysis.
  void change_running();
  /// Empty, or a sentence that begins with a space.
  std::string renew_access();
  [[nodiscard]] SandboxOptions sandbox_options() const;
  [[nodiscard]] std::string status_line();

  const DaemonOptions options_;
  Configuration now_;  ///< changed by reload(), under reloading_
  std::mutex reloading_;
  Log& log_;
  outputs::Run run_;
  const Descriptor ended_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};    ///< readable: the analysis has ended
  const Descriptor looking_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};  ///< readable: look() has something to do

  std::unique_ptr<capture::Intake> intake_;
  std::unique_ptr<outputs::PacketRing> ring_;
  Outlets outlets_;
  live::ThresholdGate gate_;
  std::unique_ptr<live::Watch> watch_;
  std::unique_ptr<outputs::Recorder> recorder_;
  std::unique_ptr<outputs::HistoryArchive> archive_;
  std::thread analysis_;
  std::atomic<bool> analysis_ended_ = false;
  std::unique_ptr<metrics::Exposer> exposer_;
  std::unique_ptr<api::Server> server_;
  std::atomic<api::Server*> serving_ = nullptr;  ///< server_, for other threads; it outlives exposer_
  std::unique_ptr<Watchdog> watchdog_;

  Lookout lookout_;
  unsigned looks_ = 0;
  ConfigurationFacts facts_;
  CheckpointKey checkpoint_key_;
  CheckpointHeader resumed_;           ///< of the checkpoint that this run goes on with, or refused
  std::string user_;                   ///< the user that the daemon runs as
  std::vector<std::string> writable_;  ///< folders in which it can create files; empty: the sandbox is off
};

Result Daemon::open() {
  auto intake = capture::Intake::open(intake_options(now_));
  if (!intake) return tl::unexpected(intake.error().text());
  intake_ = std::move(*intake);
  return enter();
}

SandboxOptions Daemon::sandbox_options() const {
  SandboxOptions sandbox;
  sandbox.identity = {now_.process.user, now_.process.group, {}};
  sandbox.mode = now_.process.sandbox;
  if (!now_.api.socket_group.empty()) sandbox.identity.groups.push_back(now_.api.socket_group);
  for (const OutputKind& kind : output_kinds()) {
    if (!kind.settings_of(now_).enabled || kind.written.path == nullptr) continue;
    const std::string path = kind.written.path(now_);
    sandbox.writable.push_back(kind.written.is_folder ? path : folder_of(path));
  }
  if (!now_.api.socket.empty()) sandbox.writable.push_back(folder_of(now_.api.socket));
  if (now_.capture.replay.empty() && !now_.process.checkpoint.empty())
    sandbox.writable.push_back(folder_of(now_.process.checkpoint));
  if (!now_.sensor_uuid_file.empty()) sandbox.writable.push_back(folder_of(now_.sensor_uuid_file));
  if (!options_.file.empty()) sandbox.readable.push_back(folder_of(options_.file));
  for (const std::string& file : {now_.api.tls.certificate, now_.api.tls.key, now_.api.tls.ca, now_.api.tls.crl}) {
    // The folder, because a renewed certificate is another file.
    if (!file.empty()) sandbox.readable.push_back(folder_of(file));
  }
  for (const std::string& file : now_.capture.replay) {
    if (file != "-") sandbox.readable.push_back(file);
  }
  return sandbox;
}

Result Daemon::enter() {
  const std::string journal = outputs::JournalOptions{}.socket;
  if (now_.journal.enabled && access(journal.c_str(), F_OK) != 0) {
    log_.info(fmt::format("No journal on this machine ({} does not exist): findings are not sent to it.", journal));
    now_.journal.enabled = false;
  }
  if (options_.file.empty() && geteuid() == 0 && !now_.process.user.empty() && !has_user(now_.process.user)) {
    log_.warning(
        fmt::format("The user \"{}\" does not exist, and no configuration file names another one: the daemon stays "
                    "root, without any capability.",
                    now_.process.user));
    now_.process.user.clear();
    now_.process.group.clear();
  }
  const SandboxOptions sandbox = sandbox_options();
  for (const std::string& folder : sandbox.writable) {
    // An output that cannot write reports this itself, and continues when it can.
    if (auto made = make_folder(folder, sandbox.identity.user, sandbox.identity.group); !made)
      log_.warning(made.error());
  }
  user_ = geteuid() == 0 && !sandbox.identity.user.empty() ? sandbox.identity.user : name_of_user();
  outlets_.run_as(user_);
  if (sandbox.mode != SandboxMode::off) writable_ = sandbox.writable;
  const auto entered = enter_sandbox(sandbox);
  if (!entered) return tl::unexpected(entered.error());
  for (const std::string& warning : entered->warnings) log_.warning(warning);
  if (sandbox.mode == SandboxMode::off) log_.warning("The sandbox is off (process.sandbox).");
  SensorUuid sensor = keep_sensor_uuid(now_.sensor_uuid_file);
  if (!sensor.trouble.empty()) log_.error(with_user(sensor.trouble));
  run_.origin.sensor_uuid = std::move(sensor.uuid);
  run_.origin.community_id_seed = now_.community_id_seed;
  if (now_.history.enabled && outputs::HistoryLock::is_taken(now_.history.options.path)) {
    return tl::unexpected(
        fmt::format("{}: another daemon writes this history; stop that daemon, or set history.path to another file.",
                    now_.history.options.path));
  }
  return {};
}

void Daemon::start_analysis() {
  const AnalysisSettings analysis = simulated(now_);
  live::WatchOptions options;
  options.analysis.limits = analysis.limits;
  options.analysis.emulation = analysis.emulation;
  options.analysis.messages = true;
  options.analysis.transport = true;
  options.retire = analysis.retire;
  options.memory = analysis.memory;
  options.shared_octets = now_.api.subscriber_octets / 2;
  options.workers = analysis.threads;
  options.version = options_.version;
  options.origin = std::make_shared<const live::Origin>(run_.origin);
  options.tap_groups = intake_options(now_).tap_groups;
  options.report_open = now_.process.report_open;
  if (now_.capture.replay.empty()) {
    options.round_ns = kRoundNs;
  } else {
    // In a file, an idle day cannot be distinguished from a clock that was set. A replay reports what `analyze`
    // reports.
    options.round_ns = 0;
    options.retire.idle_ns = std::numeric_limits<std::int64_t>::max();
  }
  gate_.change(now_.thresholds);
  options.gate = &gate_;
  if (now_.history.enabled && now_.history.options.forward) {
    options.summaries_ns = now_.history.options.summaries.count();
    options.summaries = outlets_.summaries();
  }
  options.outputs = [this] { return outlets_.views(); };
  options.configuration = [this] { return facts_.get(); };
  options.on_end = [this] { static_cast<void>(eventfd_write(looking_.get(), 1)); };
  if (now_.recorder.enabled) {
    ring_ = std::make_unique<outputs::PacketRing>(now_.recorder.ring);
    options.tap = ring_.get();
  }
  use_checkpoint(options);
  watch_ = std::make_unique<live::Watch>(options, *intake_);
  options.resumed.reset();
  tell_continued();
  if (ring_) {
    now_.recorder.options.application = "iwarpscoped " + options_.version;
    recorder_ = std::make_unique<outputs::Recorder>(now_.recorder.options, *ring_, *watch_);
  }
  // All outputs are ready before the first frame.
  outlets_.start(now_, run_, *watch_, recorder_.get());
  const bool linger = !now_.capture.replay.empty() && !options_.exit_at_end;
  analysis_ = std::thread([this, linger] {
    capture::name_thread("analysis");
    watch_->run(linger);
    analysis_ended_ = true;
    static_cast<void>(eventfd_write(ended_.get(), 1));
  });
}

void Daemon::use_checkpoint(live::WatchOptions& options) {
  const ProcessSettings& process = now_.process;
  if (!now_.capture.replay.empty() || process.checkpoint.empty() || process.report_open) return;
  checkpoint_key_ = checkpoint_key(now_, live::state_layout(), run_.origin.sensor_uuid);
  const TimePoint now = outputs::now();
  ReadCheckpoint read = take_checkpoint(process.checkpoint, checkpoint_key_, process.checkpoint_limit,
                                        TimePoint{now.ns - process.checkpoint_age_ns}, now);
  resumed_ = read.header;
  if (!read.refused.empty())
    log_.warning(fmt::format("The checkpoint {} is not used: {}. {} of the run before {} met in mid-stream.",
                             process.checkpoint, read.refused,
                             resumed_.qps == 0 ? "The connections" : counted(resumed_.qps, "queue pair"),
                             resumed_.qps == 1 ? "is" : "are"));
  options.resumed = std::move(read.state);
  options.refused = std::move(read.reason);
  options.qps_before = resumed_.qps + resumed_.left_out;
  options.most_handed_over = process.checkpoint_limit;
  options.hand_over_time = std::chrono::nanoseconds{process.checkpoint_time_ns};
  options.hand_over = [this](live::HandedOver all) { hand_over(std::move(all)); };
}

void Daemon::tell_continued() {
  const live::Status status = watch_->status();
  if (status.resume_failed)
    log_.warning(
        fmt::format("The checkpoint {} is not used: its state is damaged. {} of the run before {} met in "
                    "mid-stream.",
                    now_.process.checkpoint, counted(resumed_.qps, "queue pair"), resumed_.qps == 1 ? "is" : "are"));
  if (status.continued != 0 || resumed_.left_out != 0)
    log_.info(fmt::format("{} of the run before {} on in this one; {} did not fit into the checkpoint.",
                          counted(status.continued, "queue pair"), status.continued == 1 ? "goes" : "go",
                          resumed_.left_out));
}

void Daemon::hand_over(live::HandedOver all) {
  CheckpointHeader header{checkpoint_key_, run_.origin.run_uuid, outputs::now(), all.last_frame, all.qps, all.left_out};
  std::string trouble;
  if (all.is_late) {
    trouble = "the machine is too busy to make it in time (checkpoint_time)";
  } else if (all.state.empty()) {
    trouble = "checkpoint_limit is too small";
  } else {
    trouble = write_checkpoint(now_.process.checkpoint, std::move(header), std::move(all.state), all.until);
  }
  if (!trouble.empty()) {
    log_.error(
        with_user(fmt::format("The checkpoint {} cannot be written: {}. The next run meets open connections in "
                              "mid-stream.",
                              now_.process.checkpoint, trouble)));
  }
}

Result Daemon::serve() {
  if (!now_.metrics_address.empty()) {
    auto exposer = metrics::Exposer::start(now_.metrics_address, [this] { return snapshot(); });
    if (!exposer) return tl::unexpected(exposer.error());
    exposer_ = std::move(*exposer);
  }
  if (now_.history.enabled) archive_ = std::make_unique<outputs::HistoryArchive>(now_.history.options.path);
  if (!now_.api.socket.empty() || !now_.api.tcp.empty()) {
    const std::lock_guard lock(reloading_);  // clients may ask for a reload at once
    api::EndReplay end_replay;
    if (!now_.capture.replay.empty()) end_replay = [this] { intake_->stop(); };
    auto server = api::Server::start(
        now_.api, {*watch_, recorder_.get(), archive_.get(), [this] { return reload(); }, end_replay,
                   [this](const std::string& sentence) { log_.warning(sentence); },
                   [this](const std::string& sentence) { log_.audit(sentence); }, outlets_.forwarding()});
    if (!server) return tl::unexpected(server.error());
    server_ = std::move(*server);
    serving_ = server_.get();
  }
  watchdog_ = std::make_unique<Watchdog>([this] { return analysis_ended_ || watch_->qp(0).has_value(); });
  return {};
}

metrics::Snapshot Daemon::snapshot() {
  metrics::Snapshot now{watch_->status(), facts_.sensor(), {}};
  if (api::Server* const server = serving_) now.api = api_view(*server, now.status);
  return now;
}

void Daemon::wait_for_end() {
  const sigset_t set = our_signals();
  const Descriptor signals(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  while (true) {
    std::array<pollfd, 3> events{{{signals.get(), POLLIN, 0}, {ended_.get(), POLLIN, 0}, {looking_.get(), POLLIN, 0}}};
    const int count = poll(events.data(), events.size(), kLookEveryMs);
    eventfd_t asked = 0;
    if (count == 0 || eventfd_read(looking_.get(), &asked) == 0) look();
    if (events[1].revents != 0) return;
    signalfd_siginfo signal{};
    while (read(signals.get(), &signal, sizeof signal) == sizeof signal) {
      if (signal.ssi_signo != SIGHUP) {
        log_.info(fmt::format("Stopping ({}).", signal.ssi_signo == SIGTERM ? "SIGTERM" : "SIGINT"));
        return;
      }
      notify_reloading();
      const auto done = reload();
      if (done) {
        log_.info(*done);
      } else {
        log_.error(done.error());
      }
      notify_ready(status_line());
    }
  }
}

void Daemon::look() {
  lookout_.look(watch_->status(), intake_->counters());
  if (++looks_ % kStatusEvery == 0) notify_status(status_line());
}

std::string Daemon::with_user(const std::string& sentence) const {
  return with_user_of(sentence, user_);
}

std::string Daemon::status_line() {
  const live::Status status = watch_->status();
  std::uint64_t active = 0, troubled = 0;
  for (const auto& [state, count] : status.totals.qps_by_state) active += count;
  for (const live::OutputView& o : status.outputs) troubled += o.healthy ? 0 : 1;
  return fmt::format("{}: {} frames analysed, {} lost; {} queue pairs; {}",
                     status.capturing ? "Capturing" : "Not capturing", status.totals.frames,
                     status.totals.losses.frames(), active,
                     troubled == 0 ? std::string("all outputs work") : fmt::format("{} outputs failing", troubled));
}

void Daemon::stop() {
  notify_stopping();
  watchdog_.reset();
  // The capture ends first: outputs receive the last records and may still query them.
  intake_->stop();
  const auto is_over = [this] {
    return analysis_ended_ || (!now_.capture.replay.empty() && !watch_->status().capturing);
  };
  while (!is_over()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  const live::Status last = watch_->status();
  if (last.unreported != 0)
    log_.warning(fmt::format("Of the queue pairs that are open and not well, {} {} no last record: it takes too long.",
                             last.unreported, last.unreported == 1 ? "has" : "have"));
  if (last.ended_unreported != 0)
    log_.warning(fmt::format("Of the queue pairs that ended last, {} {} no last record yet: it takes too long. {}",
                             last.ended_unreported, last.ended_unreported == 1 ? "has" : "have",
                             now_.process.checkpoint.empty() ? "They get none, as there is no checkpoint."
                                                             : "The next run writes the rest."));
  if (const std::uint64_t open = last.going_on; open != 0)
    log_.info(fmt::format("{} open and well: {} reported as ended.",
                          open == 1 ? "1 queue pair is" : fmt::format("{} queue pairs are", open),
                          open == 1 ? "it is not" : "they are not"));
  outlets_.stop();
  if (recorder_) recorder_->stop();
  watch_->stop();
  analysis_.join();
  if (server_) server_->stop();
  exposer_.reset();
  server_.reset();
}

void Daemon::change_running() {
  for (const capture::InterfaceOptions& each : intake_options(now_).interfaces)
    intake_->set_filter(each.name, each.filter);
  const AnalysisSettings analysis = simulated(now_);
  watch_->change(
      {analysis.retire, analysis.memory, analysis.threads, std::make_shared<const live::Origin>(run_.origin)});
}

std::string Daemon::renew_access() {
  if (!server_) return {};
  const auto renewed = server_->reload(now_.api.grants, now_.api.tls);
  if (renewed) return {};
  return fmt::format(" The API keeps its old certificates: {}.", renewed.error());
}

tl::expected<std::string, std::string> Daemon::reload() {
  const std::lock_guard lock(reloading_);
  if (options_.file.empty()) {
    outlets_.reload(now_, now_);
    return "Files were reopened; there is no configuration file to read." + renew_access();
  }
  Examined read = examine_file(options_.file, Depth::filters);
  if (!read.mistakes.empty()) {
    std::string all = "The configuration is not changed:";
    for (const Mistake& mistake : read.mistakes) all += " " + mistake.text();
    facts_.mistaken(all);
    all += renew_access();
    return tl::unexpected(std::move(all));
  }
  for (const Mistake& doubt : read.doubts) log_.warning(doubt.text());
  if (options_.overrides) options_.overrides(read.configuration);
  Reloaded all = reloaded(options_.configuration, now_, read.configuration, writable_);
  log_.set_level(all.next.process.log_level);
  if (all.next.thresholds != now_.thresholds) gate_.change(all.next.thresholds);
  outlets_.reload(now_, all.next);
  now_ = std::move(all.next);
  name_sensor();
  change_running();
  facts_.in_force(sensor_name(now_), hash_of(now_), all.restarts.size());
  const std::string kept = renew_access();
  for (const std::string& name : all.restarts) {
    log_.warning(fmt::format("{} is not changed: it needs a restart.", name));
  }
  std::string said = all.applied.empty()
                         ? "Files were reopened; the configuration did not change."
                         : fmt::format("Files were reopened; applied: {}.", fmt::join(all.applied, ", "));
  if (!all.restarts.empty()) said += fmt::format(" Applied only after a restart: {}.", fmt::join(all.restarts, ", "));
  if (read.is_empty) said += fmt::format(" {} contains no keys: all keys have their defaults.", options_.file);
  return said + kept;
}

}  // namespace

void block_signals() {
  const sigset_t set = our_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

tl::expected<void, std::string> run_daemon(DaemonOptions options, Log& log) {
  Daemon daemon(std::move(options), log);
  return daemon.run();
}

}  // namespace iwarpscope::service
