// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/keys.h"

#include <fmt/format.h>

#include <charconv>

#include "service/key_kinds.h"
#include "service/output_kinds.h"

namespace iwarpscope::service {
namespace {

using enum Reload;

constexpr Choice<SandboxMode, 3> kSandbox{
    {{{SandboxMode::on, "on"}, {SandboxMode::log, "log"}, {SandboxMode::off, "off"}}}};
constexpr Choice<capture::Method, 2> kMethod{{{{capture::Method::ring, "ring"}, {capture::Method::xdp, "xdp"}}}};
constexpr Choice<LogLevel, 3> kLogLevel{
    {{{LogLevel::error, "error"}, {LogLevel::warning, "warning"}, {LogLevel::info, "info"}}}};

std::vector<Key> capture_keys() {
  return {
      make_key("", "sensor", applied, MEMBER(sensor), Text{},
               "The name of this sensor; all records and metrics carry it. Empty: the host's name."),
      make_key("", "sensor_uuid_file", refused, MEMBER(sensor_uuid_file), Path{true},
               "The file that keeps the UUID of this sensor, which all its records carry. The daemon makes it once. "
               "Empty: a new UUID with each start."),
      make_key("", "community_id_seed", refused, MEMBER(community_id_seed), Count{0, 65'535},
               "The seed of the Community IDs of records, the same as in other monitors of this site."),
      make_key("capture", "interfaces", refused, MEMBER(capture.interfaces), Texts{},
               "The interfaces to capture on: [\"ens1f0\", \"ens1f1\"]."),
      make_key("capture", "replay", refused, MEMBER(capture.replay), Texts{},
               "Capture files to replay instead, one after another; \"-\" is standard input."),
      make_key("capture", "replay_speed", refused, MEMBER(capture.replay_speed), Factor{},
               "1: at the speed of the capture; 2: twice as fast; 0: as fast as the analysis can read."),
      make_key("capture", "filter", applied_live, MEMBER(capture.each.filter), Text{},
               "Capture only packets that match this pcap-filter(7) expression. The kernel drops the others at almost "
               "no cost. Empty: all packets."),
      make_key("capture", "workers", refused, MEMBER(capture.each.workers), Count{1, 64},
               "Capture sockets for each interface. The connections of the interface are divided among them."),
      make_key("capture", "promiscuous", refused, MEMBER(capture.each.promiscuous), Flag{},
               "Also capture frames that are addressed to other hosts. A mirror port needs this."),
      make_key("capture", "snap_length", refused, MEMBER(capture.each.snap_length), Size{68, 262'144},
               "Octets to keep of each frame. Truncated frames cannot be checked completely."),
      make_key("capture", "ring", refused, MEMBER(capture.each.ring_octets),
               Size{std::uint64_t{1} << 20, std::uint64_t{2} << 30}, "Size of the kernel's buffer for each worker."),
      make_key(
          "capture", "method", refused, MEMBER(capture.each.method), kMethod,
          "How frames come from the kernel. \"ring\": by a ring of the kernel. \"xdp\": by AF_XDP, which costs the "
          "kernel less at high rates. The host itself then gets no frame of the interface: use it only for mirror "
          "ports. Where AF_XDP is not available, the ring is used, with a warning."),
      make_key("capture", "tap_groups", refused, MEMBER(capture.tap_groups), Texts{},
               "Interfaces that see one network, by name or, in a replayed file, by number from 0: [\"ens1f0,ens1f1\", "
               "\"ens2f0\"]. Packets of different tap groups never belong together, even with the same addresses and "
               "ports. All interfaces without a tap group are one group."),
      make_key("capture", "separate_interfaces", refused, MEMBER(capture.separate_interfaces), Flag{},
               "Each interface without a tap group sees a network of its own."),
      make_key("capture", "queue", refused, MEMBER(capture.queue_octets), Size{std::uint64_t{1} << 20},
               "Size of the buffer between capture and analysis for each worker. When it is full, frames are lost and "
               "counted."),
      make_key(
          "capture", "interface", refused, MEMBER(capture.own), InterfaceTables{},
          "Interfaces with their own options. A reload applies a changed filter alone. They need not be listed in "
          "capture.interfaces. Each table begins "
          "with the line [[capture.interface]], at the end of this section. It contains the name and any of "
          "filter, workers, promiscuous, snap_length, ring and method. Other options have the values of [capture]."),
  };
}

std::vector<Key> analysis_keys() {
  return {
      make_key("analysis", "threads", applied, MEMBER(analysis.threads), Count{1, 64}, "Number of analysis threads."),
      make_key("analysis", "emulation", refused, MEMBER(analysis.emulation), Flag{},
               "Check data placement, STags and atomics: follow the effect of the messages on both ends."),
      make_limit(
          "flows", MEMBER(analysis.limits.max_flows), Count{1}, 1,
          "TCP connections not known to be iWARP. Above this number, the connection idle for longest is discarded."),
      make_limit("associations", MEMBER(analysis.limits.max_associations), Count{1}, 1,
                 "SCTP associations, whatever they carry. Above this number, the association idle for longest is "
                 "discarded, those without DDP first."),
      make_limit("sctp_streams", MEMBER(analysis.limits.max_streams), Count{1}, 1,
                 "SCTP streams that carry DDP. Further streams are not read."),
      make_limit("queue_pairs", MEMBER(analysis.limits.max_qps), Count{1}, 1,
                 "Queue pairs followed at one time. Further queue pairs are not followed."),
      make_limit("buffers", MEMBER(analysis.limits.buffer_octets), Size{64 << 10}, 64 << 10,
                 "Memory for out-of-order TCP data and incomplete FPDUs, for all connections together."),
      make_limit("models", MEMBER(analysis.limits.model_octets), Size{64 << 10}, 64 << 10,
                 "Memory for the models of buffers, STags and advertisements, for all queue pairs together."),
      make_limit("host_facts", MEMBER(analysis.limits.max_host_facts), Count{11}, 11,
                 "Connection attempts, port mappings and refused accesses to remember, for all hosts together."),
      make_limit("outstanding_requests", MEMBER(analysis.limits.max_outstanding_requests), Count{1}, 1,
                 "Unanswered requests to remember, for each direction of a queue pair."),
      make_limit("findings_per_rule", MEMBER(analysis.limits.findings_per_rule), Count{1}, 1,
                 "Findings to report for each queue pair, direction and rule. Further findings are only counted."),
      make_limit("tcp_buffer", MEMBER(analysis.limits.tcp.max_buffered_octets), Size{4 << 10}, 4 << 10,
                 "Out-of-order TCP data, for each direction of a connection."),
      make_limit("tcp_chunks", MEMBER(analysis.limits.tcp.max_buffered_chunks), Count{1}, 1,
                 "Pieces of out-of-order TCP data, for each direction of a connection."),
      make_limit("tcp_hole", MEMBER(analysis.limits.tcp.hole_timeout_ns), Time{1'000'000}, 1'000'000,
                 "After this time, missing octets that are not acknowledged are given up. The time is packet time."),
      make_limit("search", MEMBER(analysis.limits.mpa.max_search_octets), Size{16 << 10}, 16 << 10,
                 "Octets to buffer while the next FPDU is searched for, in a stream joined mid-way or with a gap."),
      make_limit("searched", MEMBER(analysis.limits.mpa.max_searched_octets), Size{16 << 10}, 16 << 10,
                 "A stream is given up when no FPDU was found in this many octets. The maximum is 512 KiB; larger "
                 "values act as 512 KiB."),
      make_limit("fragments", MEMBER(analysis.limits.net.max_fragment_octets), Size{4 << 10}, 4 << 10,
                 "Memory for IP fragments of incomplete datagrams, in total."),
      make_limit("fragmented_datagrams", MEMBER(analysis.limits.net.max_datagrams), Count{1}, 1,
                 "Incomplete IP datagrams at one time."),
      make_limit("fragment_timeout", MEMBER(analysis.limits.net.fragment_timeout_ns), Time{1'000'000}, 1'000'000,
                 "After this time, an incomplete datagram is given up. The time is packet time."),
      make_limit("encapsulations", MEMBER(analysis.limits.net.max_encapsulations), Count{1, 64}, 1,
                 "VLAN tags, MPLS labels and tunnels in one frame."),
      make_live_limit("messages", MEMBER(analysis.memory.messages), Count{1}, 1,
                      "RDMA messages to remember for queries, for all queue pairs together."),
      make_live_limit(
          "transport_events", MEMBER(analysis.memory.transport_events), Count{1}, 1,
          "Retransmissions, capture gaps and other transport events to remember, for all queue pairs together."),
      make_live_limit("findings", MEMBER(analysis.memory.findings), Count{1}, 1, "Findings to remember."),
      make_live_limit("ended_queue_pairs", MEMBER(analysis.memory.ended_qps), Count{1}, 1,
                      "Ended queue pairs to remember."),
      make_live_limit(
          "after_end", MEMBER(analysis.retire.closed_ns), Time{1'000'000}, 1'000'000,
          "The final verdict of a queue pair is reported this long after its end, because late TCP segments can "
          "still arrive."),
      make_live_limit("idle", MEMBER(analysis.retire.idle_ns), Time{1'000'000'000}, 1'000'000'000,
                      "A queue pair without any TCP segment for this time is given up. A replay ignores this limit."),
  };
}

std::vector<Key> simulate_keys() {
  return {
      make_key(
          "simulate", "full_queue_every", refused, MEMBER(simulate.full_queue_every), Count{},
          "Treat the queue before the analysis as full for every n-th batch: the batch is lost and counted. 0: never."),
      make_key("simulate", "limits", refused, MEMBER(simulate.limits), Texts{},
               "Keys of [limits] to set to their lowest value, so that ordinary traffic reaches them: [\"flows\"]."),
  };
}

std::vector<Key> api_keys() {
  return {
      make_key("api", "socket", refused, MEMBER(api.socket), Path{true},
               "The Unix socket for iwarpscope(1) and other clients. A client that can connect has the rights that "
               "metadata, packets and control give it. Empty: no socket."),
      make_key("api", "socket_mode", refused, MEMBER(api.socket_mode), FileMode{}, "Socket file mode."),
      make_key("api", "socket_group", refused, MEMBER(api.socket_group), Text{},
               "Socket file group. If the daemon is not started as root, its user must be a member. Empty: the "
               "daemon's own group."),
      make_key("api", "tcp", refused, MEMBER(api.tcp), Text{},
               "Address and port for clients on other hosts, such as \"192.0.2.1:7470\". It needs certificate, key "
               "and client_ca. Clients need a certificate, too. Empty: no TCP."),
      make_key("api", "certificate", refused, MEMBER(api.tls.certificate), Path{true},
               "PEM file: the certificate of this host."),
      make_key("api", "key", refused, MEMBER(api.tls.key), Path{true}, "PEM file: the private key of the certificate."),
      make_key("api", "client_ca", refused, MEMBER(api.tls.ca), Path{true},
               "PEM file: the CA that signs the certificates of clients."),
      make_key("api", "client_crl", applied, MEMBER(api.tls.crl), Path{true},
               "PEM file: certificates of clients that the CA has revoked. It is read again with each reload. Empty: "
               "none is revoked."),
      make_key(
          "api", "metadata", applied, MEMBER(api.grants.metadata), Texts{},
          "The clients that may query queue pairs, with addresses and private data of startup frames, findings and "
          "history. \"*\": all clients that can connect. A client over TCP has the names in the subjectAltName of its "
          "certificate: "
          "[\"DNS:ops.example.net\", \"URI:spiffe://example/ana\", \"email:ana@example.net\", "
          "\"IP:192.0.2.9\"]. A client of the Unix socket has a user and groups: [\"user:ana\", "
          "\"group:operators\"]. On the socket, root has all rights."),
      make_key("api", "packets", applied, MEMBER(api.grants.packets), Texts{},
               "The clients that may fetch raw packets and see the octets of a frame. They hold data of other people."),
      make_key("api", "control", applied, MEMBER(api.grants.control), Texts{},
               "The clients that may start recordings, reload the configuration, end a replay, and report what they "
               "delivered, as iwarpscope-forward does."),
      make_key("api", "subscribers", refused, MEMBER(api.most_subscribers), Count{1, 100'000},
               "Maximum number of subscribers at one time."),
      make_key(
          "api", "subscriber_memory", refused, MEMBER(api.subscriber_octets), Size{std::uint64_t{1} << 20},
          "Memory for events and replies that subscribers have not read yet, for all subscribers together. When it "
          "is full, the oldest events are discarded. A subscriber that wanted them has lost them; they are "
          "counted."),
      make_key("api", "connections", refused, MEMBER(api.most_connections), Count{16, 100'000},
               "Maximum number of connections at one time, not counting those of subscribers."),
      make_key("api", "fetches", refused, MEMBER(api.most_fetches), Count{1, 64},
               "Maximum number of packet fetches at one time."),
      make_key("metrics", "address", refused, MEMBER(metrics_address), Text{},
               "Loopback address and port for Prometheus and health checks. Empty: none."),
  };
}

std::vector<Key> findings_keys() {
  return {
      make_key("findings", "thresholds", applied, MEMBER(thresholds), Texts{},
               "Findings that are counted, but not reported, as in Suricata's threshold.config: \"suppress RULE, track "
               "by_src, ip 10.0.0.0/8\" or \"threshold RULE, type limit, track by_src, count 1, seconds 60\". "
               "iwarpscope.toml(5) describes them."),
  };
}

std::vector<Key> process_keys() {
  return {
      make_key("process", "user", refused, MEMBER(process.user), Text{},
               "User to switch to after startup (when started as root). Empty: stay root."),
      make_key("process", "group", refused, MEMBER(process.group), Text{},
               "Group to switch to after startup. If user is empty, it is used only if this file sets it. Empty: the "
               "user's own group."),
      make_key("process", "sandbox", refused, MEMBER(process.sandbox), kSandbox,
               "on: block system calls and folders that the daemon does not need; log: only write such system calls to "
               "the kernel's log; off: no restriction."),
      make_key(
          "process", "report_open", refused, MEMBER(process.report_open), Flag{},
          "When the daemon stops, report queue pairs that are open and well as ended, too. Without it, they have no "
          "last record: their connections go on."),
      make_key("process", "checkpoint", refused, MEMBER(process.checkpoint), Path{true},
               "The file in which a daemon that stops leaves its open queue pairs to the next one, which goes on with "
               "them and removes it. Not for replays. Empty: connections that are open then are met in mid-stream."),
      make_key("process", "checkpoint_limit", refused, MEMBER(process.checkpoint_limit),
               Size{4 << 10, std::uint64_t{4} << 30},
               "Maximum size of the checkpoint. Above it, connections that are no queue pairs are left out first, then "
               "the largest queue pairs."),
      make_key("process", "checkpoint_time", refused, MEMBER(process.checkpoint_time_ns), Time{1'000'000},
               "Time to make and write the checkpoint. If the processor or the disk takes longer, the checkpoint is "
               "discarded, so that the daemon stops in time."),
      make_key("process", "checkpoint_age", refused, MEMBER(process.checkpoint_age_ns), Time{1'000'000'000},
               "A checkpoint that is older than this is not used."),
      make_key("process", "log_level", applied, MEMBER(process.log_level), kLogLevel,
               "Write messages of this level and above to standard error."),
  };
}

std::vector<Key> all_keys() {
  std::vector<Key> all;
  const auto add = [&all](const std::vector<Key>& part) { all.insert(all.end(), part.begin(), part.end()); };
  for (const auto& part : {capture_keys(), analysis_keys(), simulate_keys(), api_keys(), findings_keys()}) add(part);
  for (const OutputKind& kind : output_kinds()) add(kind.keys);
  add(process_keys());
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
    all += fmt::format(
        "{}{{name = {}, filter = {}, workers = {}, promiscuous = {}, snap_length = {}, ring = {}, method = {}}}",
        all.empty() ? "" : ", ", in_quotes(i.name), in_quotes(i.filter), i.workers, i.promiscuous,
        Size::text(i.snap_length), Size::text(i.ring_octets), kMethod.text(i.method));
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
  return "it must be a file mode in octal digits and quotes, such as \"0660\"";
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
  static const std::vector<Section> all = [] {
    std::vector<Section> sections{
        {"capture", "Where frames come from: interfaces, or capture files to replay."},
        {"analysis", "How frames are analysed."},
        {"limits",
         "Every table and buffer has a limit. What is discarded at a limit is counted; `iwarpscope status` shows the "
         "counts."},
        {"simulate", "For tests: reach limits on purpose."},
        {"api", "The gRPC interface that iwarpscope(1) uses."},
        {"metrics",
         "/metrics for Prometheus, /healthz (the daemon is alive), /readyz (it captures, and all outputs work)."},
    };
    sections.push_back({"findings", "Which findings are reported, by all outputs and the API."});
    for (const OutputKind& kind : output_kinds()) sections.push_back({kind.section, kind.meaning});
    sections.push_back({"process", "The daemon process."});
    return sections;
  }();
  return all;
}

}  // namespace iwarpscope::service
