// What the daemon is told to do: a TOML file as plain values.
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
#include "live/book.h"
#include "live/happening.h"
#include "outputs/event_log.h"
#include "outputs/history.h"
#include "outputs/journal.h"
#include "outputs/packet_ring.h"
#include "outputs/recorder.h"

namespace iwarpscope::service {

enum class LogLevel : std::uint8_t { error, warning, info };
enum class SandboxMode : std::uint8_t {
  on,
  log,  ///< system calls that are not expected are written to the kernel's log, and allowed
  off,
};

struct CaptureSettings {
  std::vector<std::string> interfaces;
  std::vector<std::string> replay;  ///< files instead of interfaces; "-" is standard input
  double replay_speed = 0;
  capture::InterfaceOptions each;              ///< of every interface but those of `own`; its name is not used
  std::vector<capture::InterfaceOptions> own;  ///< of single ones, which are in `interfaces`, too; no name twice
  std::size_t queue_octets = capture::IntakeOptions{}.queue_octets;
};

struct AnalysisSettings {
  unsigned threads = 1;
  bool emulation = true;
  analysis::Limits limits;
  live::Memory memory;
  analysis::RetireLimits retire;
};

/// Limits that tests and the curious have met on purpose.
struct SimulateSettings {
  std::uint64_t full_queue_every = 0;  ///< every n-th batch finds the queue before the analysis full; 0: none
  std::vector<std::string> limits;     ///< names of keys of [limits] that are as low as they can be
};

/// In each: `queue`, the happenings that wait for the output at most.
struct EventLogSettings {
  bool enabled = true;
  std::size_t queue = live::Wanted{}.queue;
  outputs::EventLogOptions options;
};
struct JournalSettings {
  bool enabled = true;
  std::size_t queue = live::Wanted{}.queue;
  findings::Severity at_least = outputs::JournalOptions{}.at_least;
};
struct HistorySettings {
  bool enabled = true;
  std::size_t queue = live::Wanted{}.queue;
  outputs::HistoryOptions options;
};
struct RecorderSettings {
  bool enabled = true;
  std::size_t queue = live::Wanted{}.queue;
  outputs::PacketRingOptions ring;
  outputs::RecorderOptions options;
};

struct ProcessSettings {
  std::string user = "iwarpscope";   ///< root becomes it once everything is open; empty: stays
  std::string group = "iwarpscope";  ///< empty: the user's own
  SandboxMode sandbox = SandboxMode::on;
  LogLevel log_level = LogLevel::info;
};

/// Everything, with what holds where a file says nothing. keys.h names each member.
struct Configuration {
  std::string sensor;  ///< the name metrics carry; empty: the host's
  CaptureSettings capture;
  AnalysisSettings analysis;
  SimulateSettings simulate;
  api::ServerOptions api;
  std::string metrics_address = "127.0.0.1:9469";  ///< empty: none
  EventLogSettings event_log;
  JournalSettings journal;
  HistorySettings history;
  RecorderSettings recorder;
  ProcessSettings process;

  Configuration();
};

/// Something wrong in a file. Lines and columns count from 1; 0: the file as a whole is meant.
struct Mistake {
  std::string file;
  std::uint32_t line = 0, column = 0;
  std::string sentence;

  [[nodiscard]] std::string text() const;  ///< "FILE:LINE:COLUMN: sentence"
};
using Mistakes = std::vector<Mistake>;

/// What a file is held against.
enum class Depth : std::uint8_t {
  text,     ///< itself
  filters,  ///< and libpcap, which may look up names of hosts
  machine,  ///< and this machine: users, groups and certificates, as far as who asks may see them
};

/// What is to be said of a file.
struct Examined {
  Configuration configuration;  ///< in force only without mistakes
  Mistakes mistakes;            ///< by line
  Mistakes doubts;              ///< by line: what may be so, but is seldom meant
  bool is_empty = false;        ///< no key is in it
};
/// Reads the text of a file that is called `file`. A text that is no TOML has one mistake.
[[nodiscard]] Examined examine(std::string_view text, const std::string& file, Depth depth);
/// Reads a file. One that is no regular file, is too large, or cannot be read has one mistake.
[[nodiscard]] Examined examine_file(const std::string& file, Depth depth);

/// The same of the text alone. Fails with all mistakes.
[[nodiscard]] tl::expected<Configuration, Mistakes> parse_configuration(std::string_view text, const std::string& file);

/// Writes no files: what a run without a configuration file is like.
[[nodiscard]] Configuration without_files(Configuration configuration);

/// What the capture is opened with.
[[nodiscard]] capture::IntakeOptions intake_options(const Configuration& configuration);
/// The limits, with those to be simulated as low as they can be.
[[nodiscard]] AnalysisSettings simulated(const Configuration& configuration);

/// The file with all keys, their meaning and what they are unless said otherwise.
[[nodiscard]] std::string default_file();

}  // namespace iwarpscope::service
