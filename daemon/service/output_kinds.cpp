// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/output_kinds.h"

#include "outputs/event_log.h"
#include "outputs/history.h"
#include "outputs/journal.h"
#include "service/key_kinds.h"

namespace iwarpscope::service {
namespace {

using enum Reload;
using SinkPtr = std::unique_ptr<outputs::Sink>;

std::vector<Key> event_log_keys() {
  return {
      make_key("event_log", "path", applied, MEMBER(event_log.options.path), Path{},
               "The file. A path outside the folders that the daemon could write to at its start needs a restart."),
      make_key("event_log", "rotate", applied, MEMBER(event_log.options.rotate_octets), kSizeOrNone,
               "Rotate the file when it reaches this size. 0 B: never."),
      make_key("event_log", "keep", applied, MEMBER(event_log.options.keep), Count{0, 1000},
               "Number of rotated files to keep."),
      make_key("event_log", "at_least", refused, MEMBER(event_log.options.at_least), kSeverity,
               "Record findings of this severity and above."),
      make_key("event_log", "queue_pairs", refused, MEMBER(event_log.options.queue_pairs), Flag{},
               "Also write a record for each ended queue pair."),
  };
}

std::vector<Key> journal_keys() {
  return {
      make_key("journal", "at_least", refused, MEMBER(journal.at_least), kSeverity,
               "Record findings of this severity and above."),
      make_key("journal", "thresholds", applied, MEMBER(journal.thresholds), Texts{},
               "The same as findings.thresholds, for the journal alone."),
  };
}

std::vector<Key> history_keys() {
  return {
      make_key("history", "path", refused, MEMBER(history.options.path), Path{},
               "The SQLite database file. Only one daemon can write it; the lock file is PATH.lock."),
      make_key("history", "keep", applied, MEMBER(history.options.keep), Time{0, 3'600'000'000'000},
               "Remove records older than this. 0 s: keep them forever."),
      make_key("history", "size", applied, MEMBER(history.options.most_octets), kSizeOrNone,
               "When the file is larger than this, the oldest records are removed, once a minute: states first, then "
               "heartbeats, summaries, failed operations, findings and queue pairs. 0 B: no limit."),
      make_key("history", "at_least", refused, MEMBER(history.options.at_least), kSeverity,
               "Record findings of this severity and above."),
      make_key("history", "forward", refused, MEMBER(history.options.forward), Flag{},
               "iwarpscope-forward delivers the records to a centre. Then states of open queue pairs and heartbeats of "
               "the daemon are recorded, too, and `iwarpscope status` shows how far the delivery is. PATH.reserve "
               "takes 8 MiB "
               "beside the file: room to delete states when the disk is full."),
      make_key("history", "states", applied, MEMBER(history.options.states), Time{0, 1'000'000'000},
               "With forward: record the state of each open queue pair that changed once in this time. 0 s: never."),
      make_key("history", "heartbeats", applied, MEMBER(history.options.heartbeats), Time{0, 1'000'000'000},
               "With forward: record the state of the daemon once in this time. 0 s: never."),
      make_key("history", "summaries", refused, MEMBER(history.options.summaries), PartOfHour{},
               "With forward: record once in this time, which must divide an hour, what passed between each two hosts, "
               "by upper layer, opcode and size: messages, octets, failures, latency. A centre compares it with the "
               "weeks before. 0 s: never."),
      make_key("history", "keep_states", applied, MEMBER(history.options.keep_states), Time{0, 3'600'000'000'000},
               "Remove states and heartbeats older than this. 0 s: keep them as long as records."),
  };
}

std::vector<Key> recorder_keys() {
  return {
      make_key("recorder", "folder", refused, MEMBER(recorder.options.folder.path), Path{},
               "The folder for recordings."),
      make_key("recorder", "ring", refused, MEMBER(recorder.ring.most_octets), Size{std::uint64_t{1} << 20},
               "Memory for raw packets. The oldest packets are overwritten."),
      make_key("recorder", "payload", refused, MEMBER(recorder.ring.payload), Flag{},
               "Keep ULP payload and private data, which belong to other people. false: only headers are kept in "
               "memory, recorded and given to clients; what follows the first payload in a frame is cut off."),
      make_key("recorder", "at_least", applied, MEMBER(recorder.options.at_least), SeverityOrNone{},
               "Findings of this severity and above start a recording of their queue pair. \"none\": no severity "
               "starts one."),
      make_key("recorder", "rules", applied, MEMBER(recorder.options.rules), Texts{},
               "Rules, by id or code (\"MF-04\"), whose findings start a recording at any severity."),
      make_key("recorder", "not_rules", applied, MEMBER(recorder.options.not_rules), Texts{},
               "Rules whose findings never start a recording."),
      make_key("recorder", "before", applied, MEMBER(recorder.options.before), Time{0, 1'000'000'000},
               "A recording includes the packets of this time before the finding, if they are still in memory. They "
               "fill at most half of file_size."),
      make_key("recorder", "after", applied, MEMBER(recorder.options.after), Time{0, 1'000'000'000},
               "A recording continues for this time after the finding."),
      make_key("recorder", "longest", applied, MEMBER(recorder.options.longest), Time{1'000'000'000, 1'000'000'000},
               "Maximum duration of one recording, even if more findings extend it."),
      make_key("recorder", "pause", applied, MEMBER(recorder.options.pause), Time{0, 1'000'000'000},
               "After a recording for a finding, this time passes before findings start another one for the same queue "
               "pair."),
      make_key("recorder", "file_size", applied, MEMBER(recorder.options.most_file_octets), Size{64 << 10},
               "Maximum size of one recording."),
      make_key("recorder", "at_once", applied, MEMBER(recorder.options.most_at_once), Count{1, 256},
               "Maximum number of recordings that are written at one time."),
      make_key("recorder", "per_rule", applied, MEMBER(recorder.options.quotas.per_rule), Count{},
               "Findings of one rule start at most this many recordings within quota_time. 0: no limit."),
      make_key("recorder", "per_pair", applied, MEMBER(recorder.options.quotas.per_pair), Count{},
               "Findings between two hosts start at most this many recordings within quota_time; those for less severe "
               "findings do not count. 0: no limit."),
      make_key("recorder", "quota_time", applied, MEMBER(recorder.options.quotas.time),
               Time{1'000'000'000, 1'000'000'000}, "The time for per_rule and per_pair."),
      make_key(
          "recorder", "files", applied, MEMBER(recorder.options.folder.most_files), Count{1},
          "Maximum number of recordings. Above it, and above size, one is removed of the rule and the pair of hosts "
          "that have the most. The first one of each rule is kept longest."),
      make_key("recorder", "size", applied, MEMBER(recorder.options.folder.most_octets), Size{64 << 10},
               "Maximum size of all recordings together."),
      make_key("recorder", "keep", applied, MEMBER(recorder.options.folder.keep), Time{0, 3'600'000'000'000},
               "Remove recordings older than this. 0 s: keep them forever."),
  };
}

SinkPtr make_event_log(const Configuration& c, const outputs::Run& run, const outputs::HistorySurroundings&) {
  return std::make_unique<outputs::EventLog>(c.event_log.options, run);
}
SinkPtr make_journal(const Configuration& c, const outputs::Run&, const outputs::HistorySurroundings&) {
  outputs::JournalOptions options;
  options.at_least = c.journal.at_least;
  options.thresholds = c.journal.thresholds;
  return std::make_unique<outputs::Journal>(options);
}
SinkPtr make_history(const Configuration& c, const outputs::Run& run, const outputs::HistorySurroundings& around) {
  return std::make_unique<outputs::History>(c.history.options, run, around);
}

/// `member`: its settings. Keys that all outputs have are first and last.
// Six parameters: the columns of a table with a row for each kind.
template <auto member>
OutputKind kind(std::string_view section, std::string_view meaning, std::string_view enables,
                const std::vector<Key>& own, Written written, OutputKind::Make* make) {
  std::vector<Key> keys{make_key(
      section, "enabled", refused, [](auto& c) -> auto& { return (c.*member).enabled; }, Flag{}, enables)};
  keys.insert(keys.end(), own.begin(), own.end());
  keys.push_back(make_key(
      section, "queue", refused, [](auto& c) -> auto& { return (c.*member).queue; }, Count{1, 1'000'000},
      "Queue length. Records that do not fit are dropped and counted."));
  return {section,
          meaning,
          std::move(keys),
          written,
          [](Configuration& c) -> OutputSettings& { return c.*member; },
          [](const Configuration& c) -> const OutputSettings& { return c.*member; },
          make};
}

}  // namespace

const std::vector<OutputKind>& output_kinds() {
  static const std::vector<OutputKind> all{
      kind<&Configuration::event_log>(
          "event_log", "Findings and ended queue pairs as JSON Lines. SIGHUP reopens the file.",
          "Enable the event log.", event_log_keys(),
          {"path", [](const Configuration& c) { return c.event_log.options.path; }}, make_event_log),
      kind<&Configuration::journal>(
          "journal", "Findings in the systemd journal.",
          "Enable the journal output. It is off where no journal runs when the daemon starts.", journal_keys(), {},
          make_journal),
      kind<&Configuration::history>(
          "history", "Findings, ended queue pairs and failed operations, for `iwarpscope history`.",
          "Enable the history.", history_keys(),
          {"path", [](const Configuration& c) { return c.history.options.path; }}, make_history),
      kind<&Configuration::recorder>(
          "recorder", "Recent raw packets in memory, and recordings of them as pcapng files.",
          "Keep raw packets in memory, for recordings and for packet fetches.", recorder_keys(),
          {"folder", [](const Configuration& c) { return c.recorder.options.folder.path; }, true}, nullptr),
  };
  return all;
}

}  // namespace iwarpscope::service
