// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-synth: writes scripted iWARP traffic as capture files. The same arguments give the same octets.
#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "synth/fault.h"
#include "synth/load.h"
#include "synth/samples.h"
#include "synth/script.h"

namespace {

using namespace iwarpscope::synth;

struct FileArguments {
  std::string path;
  std::string format;
  bool big_endian = false;
  bool microseconds = false;

  void add_to(CLI::App& command) {
    command.add_option("-o,--output", path, "The file to write")->required();
    command.add_option("--format", format, "pcapng or pcap")->check(CLI::IsMember({"pcapng", "pcap"}));
    command.add_flag("--big-endian", big_endian, "Big-endian file");
    command.add_flag("--microseconds", microseconds, "Time stamps in microseconds");
  }
  [[nodiscard]] FileOptions options(FileOptions o = {}) const {
    if (!format.empty()) o.format = format == "pcap" ? FileFormat::pcap : FileFormat::pcapng;
    if (big_endian) o.byte_order = std::endian::big;
    if (microseconds) o.nanoseconds = false;
    return o;
  }
};

template <class Generate>
void to_file(const FileArguments& file, Generate generate) {
  FileSink out(file.path, file.options());
  generate([&out](Frame&& frame) { out.add(frame); });
  out.close();
}

struct Arguments {
  FileArguments file;
  BulkOptions bulk;
  SmallOptions small;
  MixtureOptions mixture;
  std::vector<std::string> sizes{"64"};
  std::vector<std::string> opcodes{"send"};
  std::vector<std::string> mix{"send", "write", "read"};
  std::string markers = "none";
  std::string transport = "tcp";
  unsigned streams = 1;
  bool unaligned = false;
  std::uint64_t count = 0;
  std::string sample;
  std::string all;
  std::string script = "-";
  std::vector<std::string> lines;
};

void add_carrying(CLI::App& command, Arguments& a) {
  command.add_option("--transport", a.transport, "tcp or sctp")->check(CLI::IsMember({"tcp", "sctp"}));
  command.add_option("--streams", a.streams, "Streams of each SCTP association, with one session each")
      ->check(CLI::Range(1, 65535));
}

/// Throws std::invalid_argument if the request needs the other transport.
Carrying carrying(const CLI::App& command, const Arguments& a) {
  const bool sctp = a.transport == "sctp";
  const auto said = [&](const char* option) { return command.count(option) != 0; };
  if (!sctp && said("--streams")) throw std::invalid_argument("--streams needs --transport sctp");
  if (sctp && (said("--markers") || said("--crc"))) {
    throw std::invalid_argument("Markers and the CRC of MPA need --transport tcp");
  }
  return {sctp, a.streams};
}

void add_bulk(CLI::App& app, Arguments& a) {
  CLI::App* c = app.add_subcommand("bulk", "A few connections with large messages");
  c->add_option("--octets", a.bulk.octets, "Minimum octets of frames (500M)")->transform(CLI::AsSizeValue(true));
  c->add_option("--mtu", a.bulk.mtu, "IP packet size")->check(CLI::Range(576, 65000));
  c->add_option("--mix", a.mix, "Message types, alternating")
      ->delimiter(',')
      ->check(CLI::IsMember({"send", "write", "read"}));
  c->add_flag("--crc,!--no-crc", a.bulk.crc, "CRC in use (the default)");
  c->add_option("--markers", a.markers, "none or both directions")->check(CLI::IsMember({"none", "both"}));
  c->add_option("--connections", a.bulk.connections, "Connections")->check(CLI::Range(1, 30000));
  c->add_option("--message", a.bulk.message_octets, "Octets of a message")->transform(CLI::AsSizeValue(false));
  c->add_option("--seed", a.bulk.seed, "Seed of the payload");
  add_carrying(*c, a);
  a.file.add_to(*c);
  c->callback([&a, c] {
    a.bulk.carrying = carrying(*c, a);
    a.bulk.markers = a.markers == "both";
    a.bulk.mix.clear();
    for (const std::string& kind : a.mix) {
      a.bulk.mix.push_back(kind == "send" ? Bulk::send : kind == "write" ? Bulk::write : Bulk::read);
    }
    to_file(a.file, [&](const FrameSink& sink) { bulk(a.bulk, sink); });
  });
}

void add_small(CLI::App& app, Arguments& a) {
  CLI::App* c = app.add_subcommand("small", "Small Sends, several FPDUs in a TCP segment");
  c->add_option("--octets", a.small.octets, "Minimum octets of frames (100M)")->transform(CLI::AsSizeValue(true));
  c->add_option("--message", a.small.message_octets, "Octets of a message")->check(CLI::Range(0, 1000));
  c->add_flag("--unaligned", a.unaligned, "Fill TCP segments to the MSS; FPDUs cross their borders");
  c->add_flag("--crc,!--no-crc", a.small.crc, "CRC in use (the default)");
  c->add_option("--markers", a.markers, "none or both directions")->check(CLI::IsMember({"none", "both"}));
  add_carrying(*c, a);
  a.file.add_to(*c);
  c->callback([&a, c] {
    a.small.carrying = carrying(*c, a);
    a.small.aligned = !a.unaligned;
    a.small.markers = a.markers == "both";
    to_file(a.file, [&](const FrameSink& sink) { small(a.small, sink); });
  });
}

/// A decimal number of at most 9 digits. Throws std::invalid_argument.
std::uint32_t number(std::string_view text, const std::string& entry) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.size() > 9) {
    throw std::invalid_argument("'" + entry + "' has no valid number");
  }
  return value;
}

/// "ENTRY" or "ENTRY:WEIGHT". Throws std::invalid_argument.
std::pair<std::string, unsigned> weighted(const std::string& entry) {
  const std::size_t colon = entry.find(':');
  if (colon == std::string::npos) return {entry, 1};
  const std::uint32_t weight = number(std::string_view{entry}.substr(colon + 1), entry);
  if (weight == 0) throw std::invalid_argument("'" + entry + "' has the weight 0");
  return {entry.substr(0, colon), weight};
}

/// "SIZE", "LOW-HIGH", with or without ":WEIGHT". Throws std::invalid_argument.
SizeRange size_range(const std::string& entry) {
  const auto [range, weight] = weighted(entry);
  const std::size_t dash = range.find('-');
  const std::uint32_t low = number(std::string_view{range}.substr(0, dash), entry);
  const std::uint32_t high = dash == std::string::npos ? low : number(std::string_view{range}.substr(dash + 1), entry);
  if (low > high || high > 0x100000) throw std::invalid_argument("'" + entry + "' is not a range up to 1048576");
  return {low, high, weight};
}

OpcodeWeight opcode_weight(const std::string& entry) {
  static const std::map<std::string, MixedOpcode> names = {
      {"send", MixedOpcode::send}, {"send-se", MixedOpcode::send_se}, {"write", MixedOpcode::write},
      {"read", MixedOpcode::read}, {"atomic", MixedOpcode::atomic},   {"immediate", MixedOpcode::immediate}};
  const auto [name, weight] = weighted(entry);
  const auto found = names.find(name);
  if (found == names.end()) throw std::invalid_argument("'" + entry + "' is not an opcode");
  return {found->second, weight};
}

void add_mixture(CLI::App& app, Arguments& a) {
  CLI::App* c = app.add_subcommand("mixture", "Messages with sizes and opcodes drawn from distributions");
  c->add_option("--octets", a.mixture.octets, "Minimum octets of frames (100M)")->transform(CLI::AsSizeValue(true));
  c->add_option("--mtu", a.mixture.mtu, "IP packet size")->check(CLI::Range(576, 65000));
  c->add_option("--sizes", a.sizes, "Octets of messages, each with its weight: 64:50,1024-8192:30,65536:20")
      ->delimiter(',');
  c->add_option("--opcodes", a.opcodes,
                "Opcodes, each with its weight: send:6,write:3,read:1. Also send-se, atomic, immediate")
      ->delimiter(',');
  c->add_flag("--packed", a.mixture.packed, "Fill TCP segments to the MSS; otherwise each has one FPDU");
  c->add_flag("--crc,!--no-crc", a.mixture.crc, "CRC in use (the default)");
  c->add_option("--markers", a.markers, "none or both directions")->check(CLI::IsMember({"none", "both"}));
  c->add_option("--connections", a.mixture.connections, "Connections")->check(CLI::Range(1, 30000));
  c->add_option("--seed", a.mixture.seed, "Seed of the draws and of the payload");
  a.file.add_to(*c);
  c->callback([&a] {
    a.mixture.markers = a.markers == "both";
    a.mixture.sizes.clear();
    a.mixture.opcodes.clear();
    for (const std::string& entry : a.sizes) a.mixture.sizes.push_back(size_range(entry));
    for (const std::string& entry : a.opcodes) a.mixture.opcodes.push_back(opcode_weight(entry));
    to_file(a.file, [&](const FrameSink& sink) { mixture(a.mixture, sink); });
  });
}

void add_counted(CLI::App& app, Arguments& a, const char* name, const char* what,
                 void (*generate)(std::uint64_t, const FrameSink&)) {
  CLI::App* c = app.add_subcommand(name, what);
  c->add_option("count", a.count, "Number")->required()->transform(CLI::AsSizeValue(true));
  a.file.add_to(*c);
  c->callback([&a, generate] { to_file(a.file, [&](const FrameSink& sink) { generate(a.count, sink); }); });
}

void add_samples(CLI::App& app, Arguments& a) {
  CLI::App* list = app.add_subcommand("list", "The folder and name of each sample");
  list->callback([] {
    for (const Sample& s : samples()) {
      std::printf("%-9s %-34s %s\n", s.folder.c_str(), s.name.c_str(), s.what.c_str());
    }
  });
  CLI::App* one = app.add_subcommand("sample", "One sample");
  one->add_option("name", a.sample, "Name of the sample, as in `list`")->required();
  a.file.add_to(*one);
  one->callback([&a] {
    const Sample& s = sample(a.sample);
    save(s.make(s.name), a.file.path, a.file.options(s.file));
  });
  CLI::App* all = app.add_subcommand("samples", "All samples, each in a file FOLDER/NAME.pcapng or FOLDER/NAME.pcap");
  all->add_option("directory", a.all, "Output folder")->required()->check(CLI::ExistingDirectory);
  all->callback([&a] {
    for (const Sample& s : samples()) {
      const char* suffix = s.file.format == FileFormat::pcap ? ".pcap" : ".pcapng";
      std::filesystem::create_directories(a.all + "/" + s.folder);
      save(s.make(s.name), a.all + "/" + s.folder + "/" + s.name + suffix, s.file);
    }
  });
}

/// The contents of a file, or of standard input. Throws std::runtime_error.
std::string read_script(const std::string& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(path, std::ios::binary);
  std::string text;
  try {
    text.assign(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {  // a directory
    in.setstate(std::ios_base::badbit);
  }
  if (!in.is_open() || in.bad()) throw std::runtime_error(path + ": cannot be read");
  return text;
}

void add_script(CLI::App& app, Arguments& a) {
  CLI::App* c = app.add_subcommand("script", "A connection from a script");
  c->add_option("file", a.script, "The script file; - is standard input (default)");
  c->add_option("-e,--execute", a.lines, "A script line, instead of a file; can be repeated")->allow_extra_args(false);
  a.file.add_to(*c);
  c->footer(
      "A script has one command per line; ';' separates commands, '#' begins a comment. SIDE is a (Initiator) or b\n"
      "(Responder); N is decimal or 0x...; TIME is 2s, 5ms, 10us or 7ns; PAYLOAD is a number of octets, hex=...\n"
      "or text=\"...\". Example:\n\n"
      "  iwarpscope-synth script -o x.pcapng -e 'connect; startup rev=2 markers p2p rtr=read ird=8 ord=8' \\\n"
      "    -e 'send a 1000; fault crc-mismatch; write b stag=0x10 to=0x1000 5000; close'\n\n" +
      script_help());
  c->callback([&a, c] {
    if (!a.lines.empty() && c->count("file") != 0) throw std::invalid_argument("a file or -e, not both");
    std::string text;
    for (const std::string& line : a.lines) text += line + "\n";
    const std::string name = a.lines.empty() ? a.script == "-" ? "standard input" : a.script : "-e";
    save(play(a.lines.empty() ? read_script(a.script) : text, name), a.file.path, a.file.options());
  });
  CLI::App* faults_command = app.add_subcommand("faults", "The names of all faults");
  faults_command->callback([] {
    for (const NamedFault& f : faults()) {
      std::printf("%-26s %s\n", std::string(f.name).c_str(), std::string(f.what).c_str());
    }
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Writes scripted iWARP traffic as capture files."};
  app.require_subcommand(1);
  Arguments a;
  add_bulk(app, a);
  add_small(app, a);
  add_mixture(app, a);
  add_counted(app, a, "idle-qps", "QPs with one Send in each direction that stay open", idle_qps);
  add_counted(app, a, "plain-connections", "TCP connections that are not iWARP", plain_connections);
  add_counted(app, a, "syn-flood", "SYNs from random addresses", syn_flood);
  add_counted(app, a, "fragments", "tiny IP fragments of datagrams that are never complete", tiny_fragments);
  add_counted(app, a, "garbage-markers", "octets that look like Markers and FPDU headers", garbage_markers);
  add_counted(app, a, "scattered-writes", "RDMA Writes of one octet, each to a different place", scattered_writes);
  add_counted(app, a, "unanswered-atomics", "FetchAdds to different words, without responses", unanswered_atomics);
  add_samples(app, a);
  add_script(app, a);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "iwarpscope-synth: %s\n", error.what());
    return 2;
  }
  return 0;
}
