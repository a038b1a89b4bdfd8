// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The configuration of the daemon: a TOML file as plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "analysis/options.h"
#include "analysis/shard.h"
#include "api/server.h"
#include "capture/intake.h"
#include "live/event.h"
#include "live/recent_records.h"
#include "outputs/event_log.h"
#include "outputs/history.h"
#include "outputs/journal.h"
#include "outputs/packet_ring.h"
#include "outputs/recorder.h"

namespace iwarpscope::service {

enum class LogLevel : std::uint8_t { error, warning, info };
enum class SandboxMode : std::uint8_t {
  on,
  log,  ///< unexpected system calls are written to the kernel's log, and allowed
  off,
};

struct CaptureSettings {
  std::vector<std::string> interfaces;
  std::vector<std::string> replay;  ///< files instead of interfaces; "-" is standard input
  double replay_speed = 0;
  capture::InterfaceOptions each;              ///< for every interface not in `own`; its name is not used
  std::vector<capture::InterfaceOptions> own;  ///< for single interfaces, which are in `interfaces`, too; no name twice
  std::vector<std::string> tap_groups;         ///< as capture::TapGroups::parse() takes them
  bool separate_interfaces = false;
  std::size_t queue_octets = capture::IntakeOptions{}.queue_octets;
};

struct AnalysisSettings {
  unsigned threads = 1;
  bool emulation = true;
  analysis::Limits limits;
  live::Memory memory;
  analysis::RetireLimits retire;
};

/// Limits that a test reaches on purpose.
struct SimulateSettings {
  std::uint64_t full_queue_every = 0;  ///< the queue before the analysis is full for every n-th batch; 0: never
  std::vector<std::string> limits;     ///< names of keys of [limits] to set to their lowest value
};

/// One for each output.
struct OutputSettings {
  bool enabled = true;
  std::size_t queue = live::Wanted{}.queue;  ///< length of the queue before the output
};
struct EventLogSettings : OutputSettings {
  outputs::EventLogOptions options;
};
struct JournalSettings : OutputSettings {
  findings::Severity at_least = outputs::JournalOptions{}.at_least;
  std::vector<std::string> thresholds;
};
struct HistorySettings : OutputSettings {
  outputs::HistoryOptions options;
};
struct RecorderSettings : OutputSettings {
  outputs::PacketRingOptions ring;
  outputs::RecorderOptions options;
};

struct ProcessSettings {
  std::string user = "iwarpscope";   ///< root switches to it once everything is open; empty: it stays root
  std::string group = "iwarpscope";  ///< empty: the user's own
  SandboxMode sandbox = SandboxMode::on;
  bool report_open = false;
  std::string checkpoint;                                 ///< file; empty: nothing is handed over to the next run
  std::size_t checkpoint_limit = std::size_t{256} << 20;  ///< octets
  std::int64_t checkpoint_time_ns = 6'000'000'000;        ///< to make and write it
  std::int64_t checkpoint_age_ns = 300'000'000'000;       ///< an older one is not used
  LogLevel log_level = LogLevel::info;
};

/// All settings, with their defaults. keys.h names each member.
struct Configuration {
  std::string sensor;                   ///< its name, also label of all metrics; empty: the host's name
  std::string sensor_uuid_file;         ///< empty: the UUID of the sensor is not kept
  std::uint16_t community_id_seed = 0;  ///< as net::community_id() takes it
  CaptureSettings capture;
  AnalysisSettings analysis;
  SimulateSettings simulate;
  api::ServerOptions api;
  std::string metrics_address = "127.0.0.1:9469";  ///< empty: none
  std::vector<std::string> thresholds;             ///< of all findings
  EventLogSettings event_log;
  JournalSettings journal;
  HistorySettings history;
  RecorderSettings recorder;
  ProcessSettings process;

  Configuration();
};

/// A mistake in a file. Lines and columns count from 1; 0: the whole file.
struct Mistake {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string sentence;

  [[nodiscard]] std::string text() const;  ///< "FILE:LINE:COLUMN: sentence"
};
using Mistakes = std::vector<Mistake>;

/// How deeply a file is checked.
enum class Depth : std::uint8_t {
  text,     ///< the text alone
  filters,  ///< also the filters, by libpcap, which may look up host names
  machine,  ///< also users, groups and certificates on this machine, as far as the caller may read them
};

/// The result of checking a file.
struct Examined {
  Configuration configuration;  ///< valid only without mistakes
  Mistakes mistakes;            ///< by line
  Mistakes doubts;              ///< by line: allowed, but probably not intended
  bool is_empty = false;        ///< it contains no key
};
/// Reads the text of a file named `file`. A text that is not TOML has one mistake.
[[nodiscard]] Examined examine(std::string_view text, const std::string& file, Depth depth);
/// Reads a file. A file that is not regular, too large or unreadable has one mistake.
[[nodiscard]] Examined examine_file(const std::string& file, Depth depth);

/// The same with Depth::text. Fails with all mistakes.
[[nodiscard]] tl::expected<Configuration, Mistakes> parse_configuration(std::string_view text, const std::string& file);

/// Disables all outputs that write files: for a run without a configuration file.
[[nodiscard]] Configuration without_files(Configuration configuration);

/// The options of the capture.
[[nodiscard]] capture::IntakeOptions intake_options(const Configuration& configuration);
/// The limits; those to be simulated have their lowest value.
[[nodiscard]] AnalysisSettings simulated(const Configuration& configuration);

/// A number for the values of all keys, equal for equal values: 48 bits, which a double holds.
[[nodiscard]] std::uint64_t hash_of(const Configuration& configuration);

/// The file with all keys, their meaning and their defaults.
[[nodiscard]] std::string default_file();

}  // namespace iwarpscope::service
