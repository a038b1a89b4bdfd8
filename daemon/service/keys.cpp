#include "service/keys.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "service/key_kinds.h"

namespace iwarpscope::service {
namespace {

using enum Reload;
using findings::Severity;

constexpr Choice<Severity, 3> kSeverity{
    {{{Severity::note, "note"}, {Severity::warning, "warning"}, {Severity::error, "error"}}}};
/// A severity, or none at all.
struct SeverityOrNone {
  static Refusal put(std::optional<Severity>& to, const Value& value) {
    const auto* const given = std::get_if<std::string>(&value);
    if (given != nullptr && *given == "none") {
      to.reset();
      return {};
    }
    Severity severity{};
    if (auto refusal = kSeverity.put(severity, value)) return *refusal + ", or \"none\"";
    to = severity;
    return {};
  }
  static std::string text(const std::optional<Severity>& value) {
    return value ? kSeverity.text(*value) : in_quotes("none");
  }
};
/// Of a file that grows: a smaller one would hold next to nothing, or not be kept to.
constexpr Size kSizeOrNone{.least = std::uint64_t{1} << 20, .or_none = true};
constexpr Choice<SandboxMode, 3> kSandbox{
    {{{SandboxMode::on, "on"}, {SandboxMode::log, "log"}, {SandboxMode::off, "off"}}}};
constexpr Choice<LogLevel, 3> kLogLevel{
    {{{LogLevel::error, "error"}, {LogLevel::warning, "warning"}, {LogLevel::info, "info"}}}};

#define MEMBER(path) ([](auto& c) -> auto& { return c.path; })

std::vector<Key> capture_keys() {
  return {
      make_key("", "sensor", refused, MEMBER(sensor), Text{},
               "The name of this sensor, which all metrics carry. Empty: the host's."),
      make_key("capture", "interfaces", refused, MEMBER(capture.interfaces), Texts{},
               "The interfaces to watch: [\"ens1f0\", \"ens1f1\"]."),
      make_key("capture", "replay", refused, MEMBER(capture.replay), Texts{},
               "Capture files to read instead, one after another; \"-\" is standard input."),
      make_key("capture", "replay_speed", refused, MEMBER(capture.replay_speed), Factor{},
               "1: as fast as they were captured; 2: twice as fast; 0: as fast as they can be analysed."),
      make_key(
          "capture", "filter", refused, MEMBER(capture.each.filter), Text{},
          "Packets that are captured, as pcap-filter(7) has it; what it keeps out costs nearly nothing. Empty: all."),
      make_key("capture", "workers", refused, MEMBER(capture.each.workers), Count{1, 64},
               "Capture sockets for each interface, which share its traffic by connection."),
      make_key("capture", "promiscuous", refused, MEMBER(capture.each.promiscuous), Flag{},
               "Capture frames that are for others, too: what a mirror port carries."),
      make_key("capture", "snap_length", refused, MEMBER(capture.each.snap_length), Size{68, 262'144},
               "So much of each frame is kept. Cut frames cannot be judged in full."),
      make_key("capture", "ring", refused, MEMBER(capture.each.ring_octets),
               Size{std::uint64_t{1} << 20, std::uint64_t{2} << 30}, "The kernel's buffer for each worker."),
      make_key(
          "capture", "queue", refused, MEMBER(capture.queue_octets), Size{std::uint64_t{1} << 20},
          "The buffer between capture and analysis for each worker. When it is full, frames are lost and counted."),
      make_key("capture", "interface", refused, MEMBER(capture.own), InterfaceTables{},
               "Interfaces with options of their own, whether they are named above or not. Each begins with the line "
               "[[capture.interface]], at the end of this section; then come its name and any of filter, workers, "
               "promiscuous, snap_length and ring. What it leaves out is as above."),
  };
}

std::vector<Key> analysis_keys() {
  return {
      make_key("analysis", "threads", refused, MEMBER(analysis.threads), Count{1, 64}, "Threads that analyse."),
      make_key("analysis", "emulation", refused, MEMBER(analysis.emulation), Flag{},
               "Check placement, STags and atomics: follow what the ends do with the messages."),
      make_limit("flows", MEMBER(analysis.limits.max_flows), Count{1}, 1,
                 "TCP connections that are not known to be iWARP; the one idle for longest is forgotten."),
      make_limit(
          "associations", MEMBER(analysis.limits.max_associations), Count{1}, 1,
          "SCTP associations, whatever they carry; the one idle for longest is forgotten, one without DDP first."),
      make_limit("sctp_streams", MEMBER(analysis.limits.max_streams), Count{1}, 1,
                 "Streams of SCTP associations that carry DDP; further ones are not read."),
      make_limit("queue_pairs", MEMBER(analysis.limits.max_qps), Count{1}, 1,
                 "Queue pairs that are followed at one time; further ones are not."),
      make_limit("buffers", MEMBER(analysis.limits.buffer_octets), Size{64 << 10}, 64 << 10,
                 "TCP data out of order and unfinished FPDUs, of all connections together."),
      make_limit("models", MEMBER(analysis.limits.model_octets), Size{64 << 10}, 64 << 10,
                 "What is remembered of memory, STags and announcements, of all queue pairs together."),
      make_limit("host_facts", MEMBER(analysis.limits.max_host_facts), Count{11}, 11,
                 "Openings, port mappings and refused accesses that are remembered by host, beside queue pairs."),
      make_limit("outstanding_requests", MEMBER(analysis.limits.max_outstanding_requests), Count{1}, 1,
                 "Requests without an answer that are remembered, for each direction of a queue pair."),
      make_limit("findings_per_rule", MEMBER(analysis.limits.findings_per_rule), Count{1}, 1,
                 "Findings that are told of each queue pair, direction and rule; all are counted."),
      make_limit("tcp_buffer", MEMBER(analysis.limits.tcp.max_buffered_octets), Size{4 << 10}, 4 << 10,
                 "TCP data out of order, for each direction of a connection."),
      make_limit("tcp_chunks", MEMBER(analysis.limits.tcp.max_buffered_chunks), Count{1}, 1,
                 "Pieces of TCP data out of order, for each direction of a connection."),
      make_limit("tcp_hole", MEMBER(analysis.limits.tcp.hole_timeout_ns), Time{1'000'000}, 1'000'000,
                 "Octets that are missing and that nobody acknowledges are given up after this packet time."),
      make_limit("search", MEMBER(analysis.limits.mpa.max_search_octets), Size{16 << 10}, 16 << 10,
                 "Octets held while the next FPDU is searched for in a stream that was joined or has a gap."),
      make_limit("searched", MEMBER(analysis.limits.mpa.max_searched_octets), Size{16 << 10}, 16 << 10,
                 "A stream in which no FPDU was found after so much is given up; more than 512 KiB is as 512 KiB."),
      make_limit("fragments", MEMBER(analysis.limits.net.max_fragment_octets), Size{4 << 10}, 4 << 10,
                 "IP fragments of incomplete datagrams, in all."),
      make_limit("fragmented_datagrams", MEMBER(analysis.limits.net.max_datagrams), Count{1}, 1,
                 "IP datagrams that are incomplete at one time."),
      make_limit("fragment_timeout", MEMBER(analysis.limits.net.fragment_timeout_ns), Time{1'000'000}, 1'000'000,
                 "An incomplete datagram is given up after this packet time."),
      make_limit("encapsulations", MEMBER(analysis.limits.net.max_encapsulations), Count{1, 64}, 1,
                 "Tags, labels and tunnels in one frame."),
      make_limit("messages", MEMBER(analysis.memory.messages), Count{1}, 1,
                 "RDMA messages that are remembered for questions, of all queue pairs together."),
      make_limit("transport_events", MEMBER(analysis.memory.transport_events), Count{1}, 1,
                 "Retransmissions, capture gaps and the like that are remembered, of all queue pairs together."),
      make_limit("findings", MEMBER(analysis.memory.findings), Count{1}, 1, "Findings that are remembered."),
      make_limit("ended_queue_pairs", MEMBER(analysis.memory.ended_qps), Count{1}, 1,
                 "Queue pairs that ended and are remembered."),
      make_limit("after_end", MEMBER(analysis.retire.closed_ns), Time{1'000'000}, 1'000'000,
                 "A queue pair is told and judged so long after its end: late TCP segments may still come."),
      make_limit("idle", MEMBER(analysis.retire.idle_ns), Time{1'000'000'000}, 1'000'000'000,
                 "A queue pair without any TCP segment is given up after this time; none is in a replay."),
      make_key("simulate", "full_queue_every", refused, MEMBER(simulate.full_queue_every), Count{},
               "Every n-th batch finds the queue before the analysis full, and is lost and counted; 0: none."),
      make_key("simulate", "limits", refused, MEMBER(simulate.limits), Texts{},
               "Keys of [limits] that are as low as they can be, so that ordinary traffic meets them: [\"flows\"]."),
  };
}

std::vector<Key> api_keys() {
  return {
      make_key("api", "socket", refused, MEMBER(api.socket), Path{true},
               "The Unix socket for iwarpscope(1) and others. Whoever may connect may ask everything. Empty: none."),
      make_key("api", "socket_mode", refused, MEMBER(api.socket_mode), FileMode{}, "Its rights."),
      make_key("api", "socket_group", refused, MEMBER(api.socket_group), Text{},
               "Its group; unless root starts the daemon, its user has to be a member. Empty: the daemon's own."),
      make_key(
          "api", "tcp", refused, MEMBER(api.tcp), Text{},
          "Address and port for clients on other hosts, such as \"192.0.2.1:7470\"; needs all three files below, and "
          "clients need a certificate, too. Empty: none."),
      make_key("api", "certificate", refused, MEMBER(api.tls.certificate), Path{true},
               "PEM file: this host's certificate."),
      make_key("api", "key", refused, MEMBER(api.tls.key), Path{true}, "PEM file: its key."),
      make_key("api", "client_ca", refused, MEMBER(api.tls.ca), Path{true},
               "PEM file: who signs the clients' certificates."),
      make_key("api", "subscribers", refused, MEMBER(api.most_subscribers), Count{1, 100'000},
               "Subscribers at one time."),
      make_key("api", "connections", refused, MEMBER(api.most_connections), Count{16, 100'000},
               "Connections at one time, beside those of subscribers."),
      make_key("api", "fetches", refused, MEMBER(api.most_fetches), Count{1, 64}, "Fetches of packets at one time."),
      make_key("metrics", "address", refused, MEMBER(metrics_address), Text{},
               "Address and port for Prometheus and health checks; of this host only. Empty: none."),
  };
}

std::vector<Key> output_keys() {
  return {
      make_key("event_log", "enabled", refused, MEMBER(event_log.enabled), Flag{}, "Write it."),
      make_key("event_log", "path", applied, MEMBER(event_log.options.path), Path{},
               "The file. One outside of the folders that were the daemon's at its start takes a restart."),
      make_key("event_log", "rotate", applied, MEMBER(event_log.options.rotate_octets), kSizeOrNone,
               "It is set aside when it is as large as this; 0 B: never."),
      make_key("event_log", "keep", applied, MEMBER(event_log.options.keep), Count{0, 1000},
               "Files that were set aside."),
      make_key("event_log", "at_least", refused, MEMBER(event_log.options.at_least), kSeverity,
               "Findings of this severity and higher ones."),
      make_key("event_log", "queue_pairs", refused, MEMBER(event_log.options.queue_pairs), Flag{},
               "A record of each queue pair that ended."),
      make_key("event_log", "queue", refused, MEMBER(event_log.queue), Count{1, 1'000'000},
               "Records that wait for it at most; what finds no room is lost to it, and counted."),
      make_key("journal", "enabled", refused, MEMBER(journal.enabled), Flag{}, "Tell it."),
      make_key("journal", "at_least", refused, MEMBER(journal.at_least), kSeverity,
               "Findings of this severity and higher ones."),
      make_key("journal", "queue", refused, MEMBER(journal.queue), Count{1, 1'000'000},
               "Records that wait for it at most; what finds no room is lost to it, and counted."),
      make_key("history", "enabled", refused, MEMBER(history.enabled), Flag{}, "Keep it."),
      make_key("history", "path", refused, MEMBER(history.options.path), Path{},
               "The database, an SQLite file. One daemon writes it: the lock is on PATH.lock beside it."),
      make_key("history", "keep", applied, MEMBER(history.options.keep), Time{0, 3'600'000'000'000},
               "For how long; 0 s: for ever."),
      make_key("history", "size", applied, MEMBER(history.options.most_octets), kSizeOrNone,
               "The oldest are removed, once a minute, when the file has grown beyond this; 0 B: never."),
      make_key("history", "at_least", refused, MEMBER(history.options.at_least), kSeverity,
               "Findings of this severity and higher ones."),
      make_key("history", "queue", refused, MEMBER(history.queue), Count{1, 1'000'000},
               "Records that wait for it at most; what finds no room is lost to it, and counted."),
      make_key("recorder", "enabled", refused, MEMBER(recorder.enabled), Flag{},
               "Keep raw packets in memory, to record and to fetch."),
      make_key("recorder", "folder", refused, MEMBER(recorder.options.folder.path), Path{}, "Where recordings go."),
      make_key("recorder", "ring", refused, MEMBER(recorder.ring.most_octets), Size{std::uint64_t{1} << 20},
               "Raw packets in memory; the oldest make room."),
      make_key("recorder", "at_least", applied, MEMBER(recorder.options.at_least), SeverityOrNone{},
               "Findings of this severity and higher ones start a recording of their queue pair; \"none\": no severity "
               "does."),
      make_key("recorder", "rules", applied, MEMBER(recorder.options.rules), Texts{},
               "Rules, by id or code (\"MF-04\"), whose findings do so whatever their severity."),
      make_key("recorder", "not_rules", applied, MEMBER(recorder.options.not_rules), Texts{},
               "Rules whose findings never do."),
      make_key("recorder", "before", applied, MEMBER(recorder.options.before), Time{0, 1'000'000'000},
               "A recording begins so long before the finding, as far as the packets are still in memory and fill at "
               "most half of file_size."),
      make_key("recorder", "after", applied, MEMBER(recorder.options.after), Time{0, 1'000'000'000},
               "And goes on for so long after it."),
      make_key("recorder", "longest", applied, MEMBER(recorder.options.longest), Time{1'000'000'000, 1'000'000'000},
               "Of one recording, however many findings prolong it."),
      make_key("recorder", "pause", applied, MEMBER(recorder.options.pause), Time{0, 1'000'000'000},
               "A queue pair is not recorded again for a finding so soon after it was for one."),
      make_key("recorder", "file_size", applied, MEMBER(recorder.options.most_file_octets), Size{64 << 10},
               "Of one recording."),
      make_key("recorder", "at_once", applied, MEMBER(recorder.options.most_at_once), Count{1, 256},
               "Recordings that are being written at one time."),
      make_key("recorder", "files", applied, MEMBER(recorder.options.folder.most_files), Count{1},
               "Recordings; the oldest are removed, as with the next two."),
      make_key("recorder", "size", applied, MEMBER(recorder.options.folder.most_octets), Size{64 << 10},
               "Of all recordings together."),
      make_key("recorder", "keep", applied, MEMBER(recorder.options.folder.keep), Time{0, 3'600'000'000'000},
               "For how long; 0 s: for ever."),
      make_key("recorder", "queue", refused, MEMBER(recorder.queue), Count{1, 1'000'000},
               "Records that wait for it at most; what finds no room is lost to it, and counted."),
  };
}

std::vector<Key> process_keys() {
  return {
      make_key("process", "user", refused, MEMBER(process.user), Text{},
               "Whom the daemon becomes when it was started by root and everything is open. Empty: it stays root."),
      make_key("process", "group", refused, MEMBER(process.group), Text{},
               "With this group; where user is empty, only a group that is named here. Empty: the user's own."),
      make_key(
          "process", "sandbox", refused, MEMBER(process.sandbox), kSandbox,
          "on: system calls and folders that it does not need are closed to it; log: calls are only written to the "
          "kernel's log; off."),
      make_key("process", "log_level", applied, MEMBER(process.log_level), kLogLevel,
               "What is said on standard error: this and more important things."),
  };
}

#undef MEMBER

std::vector<Key> all_keys() {
  std::vector<Key> all;
  for (auto part : {capture_keys(), analysis_keys(), api_keys(), output_keys(), process_keys()}) {
    all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
  }
  return all;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      all += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      all += c;
    }
  }
  return all + '"';
}

std::string Texts::text(const std::vector<std::string>& value) {
  std::string all;
  for (const std::string& one : value) all += (all.empty() ? "" : ", ") + in_quotes(one);
  return "[" + all + "]";
}

std::string InterfaceTables::text(const std::vector<capture::InterfaceOptions>& value) {
  std::string all;
  for (const capture::InterfaceOptions& i : value) {
    all += fmt::format("{}{{name = {}, filter = {}, workers = {}, promiscuous = {}, snap_length = {}, ring = {}}}",
                       all.empty() ? "" : ", ", in_quotes(i.name), in_quotes(i.filter), i.workers, i.promiscuous,
                       Size::text(i.snap_length), Size::text(i.ring_octets));
  }
  return "[" + all + "]";
}

std::string Factor::text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

Refusal FileMode::put(unsigned& to, const Value& value) {
  if (const auto* const given = std::get_if<std::string>(&value)) {
    unsigned mode = 0;
    const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), mode, 8);
    if (error == std::errc() && end == given->data() + given->size() && mode <= 0777) {
      to = mode;
      return {};
    }
  }
  return "it must be the rights of a file in octal digits and quotes, such as \"0660\"";
}
std::string FileMode::text(unsigned mode) {
  return in_quotes(fmt::format("{:04o}", mode));
}

std::string Key::full_name() const {
  return section.empty() ? std::string(name) : fmt::format("{}.{}", section, name);
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = all_keys();
  return all;
}

const std::vector<Section>& sections() {
  static const std::vector<Section> all{
      {"capture", "Where frames come from: interfaces, or files that are replayed."},
      {"analysis", "How they are analysed."},
      {"limits", "Every table and buffer has a limit; what it costs is counted and shown by `iwarpscope status`."},
      {"simulate", "For tests: limits that are met on purpose."},
      {"api", "The gRPC interface that iwarpscope(1) speaks."},
      {"metrics", "/metrics for Prometheus, /healthz (the daemon lives), /readyz (it captures, and all outputs work)."},
      {"event_log", "Findings and ended queue pairs as JSON Lines. SIGHUP opens the file anew."},
      {"journal", "Findings in the systemd journal."},
      {"history", "Findings, ended queue pairs and failed operations, for `iwarpscope history`."},
      {"recorder", "Raw packets of the recent past, and recordings of them as pcapng files."},
      {"process", "The daemon itself."},
  };
  return all;
}

}  // namespace iwarpscope::service
