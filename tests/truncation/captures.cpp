// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "truncation/captures.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "analysis/analyzer.h"
#include "capture/parser.h"
#include "capture/source.h"
#include "net/decoder.h"
#include "report/human.h"

namespace iwarpscope::test {
namespace {

constexpr std::size_t kShown = 40;

constexpr auto kOtherNames = std::to_array<OtherName>({
    {"made/faults/fault-ddp-version-0", "DD-02 RM-01",
     "without the Reply version 0 is no error by itself, the change is"},
    {"made/faults/fault-marker-missing", "MF-04",
     "without the startup a marker that is not there is an FPDU that ends early"},
    {"made/faults/fault-marker-unwanted", "MF-06",
     "without the startup the marker that is there shows that markers are in use"},
    {"made/faults/fault-mo-wrap", "DD-11 DD-13",
     "with the wrong MO cut off only the next DDP segment shows that it was wrong"},
    {"made/rules/mpa.crc-not-computed", "MF-04", "of one FPDU alone a CRC field of 0 may as well be damage"},
    {"made/network/retransmission-changed", "MF-04", "when only the changed octets were captured"},
    {"made/rules/capture.copies-differ", "MF-04",
     "when the copy with the sound octets was not captured, or comes second"},
    {"made/network/ports-reused", "MF-06", "when nothing of the second connection's startup was captured"},
    {"made/rules/ddp.offset-decreases", "DD-17",
     "what is missing hides which DDP segment came first: the offsets do not continue either way"},
    {"made/rules/ddp.segment-after-terminate", "RM-19",
     "without its first DDP segment the rest is a message of its own"},
    {"made/rules/rdmap.responses-out-of-order", "AT-11",
     "the octets missing before may have held the older Response; then this one has no request"},
    {"made/startup/both-request", "MS-03", "which of the two came second is a matter of the order at the tap"},
    {"made/rules/sctp.both-sent-initiate", "SC-19 QP-04",
     "which of the two came second is a matter of the order at the tap"},
});

bool ends_with_any(const std::string& name, std::initializer_list<std::string_view> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view e) { return name.ends_with(e); });
}

std::vector<std::byte> read_all(const std::string& path) {
  auto source = capture::open_source(path);
  if (!source) return {};
  std::vector<std::byte> octets;
  for (;;) {
    const std::size_t at = octets.size();
    octets.resize(at + (std::size_t{1} << 20));
    const auto count = (*source)->read(std::span(octets).subspan(at));
    octets.resize(at + count.value_or(0));
    if (count.value_or(0) == 0) return octets;
  }
}

std::vector<Capture> load() {
  const std::filesystem::path root = IWARPSCOPE_SAMPLES;
  std::vector<Capture> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string name = entry.path().string();
    if (!ends_with_any(name, {".pcap", ".pcapng", ".pcap.gz", ".pcapng.gz", ".pcap.zst", ".pcapng.zst"})) continue;
    Capture& c = all.emplace_back();
    c.path = std::filesystem::relative(entry.path(), root).string();
    c.full_path = name;
    c.compressed = ends_with_any(name, {".gz", ".zst"});
    c.file = read_all(name);
  }
  std::sort(all.begin(), all.end(), [](const Capture& x, const Capture& y) { return x.path < y.path; });
  for (Capture& c : all) c.frames = parse(c.file);
  return all;
}

/// Stores what an Outcome needs; ends of queue pairs are known only with their records, which come after the findings.
struct Collector final : analysis::Observer {
  struct Found {
    std::int64_t qp;
    bool has_direction;
    Direction direction;
    std::string what, text;
  };
  std::vector<Found> errors, messages, incomplete;
  std::vector<std::array<std::string, 2>> ends;

  void finding(const findings::Finding& f) override {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity != findings::Severity::error) return;
    const auto qp = f.qp ? static_cast<std::int64_t>(*f.qp) : -1;
    errors.push_back({qp, f.direction.has_value(), f.direction.value_or(Direction::a_to_b), std::string(rule.code),
                      fmt::format("frame {}: {}", f.frame.value, f.text)});
  }
  void message(const qp::MessageRecord& m) override {
    std::string place(rdmap::name(m.opcode));
    if (!m.tagged) {
      place += fmt::format(" qn {} msn {}", m.qn.value, m.msn.value);
    } else if (m.length != 0) {  // otherwise STag and TO have no meaning. Source: RFC 5041 §5.2.
      place += fmt::format(" stag {:08x} to {:x}", m.stag.value, m.to.value);
    }
    std::string content = fmt::format(" length {} ", m.length);
    if (m.sha256) {
      for (const std::byte o : *m.sha256) content += fmt::format("{:02x}", to_u8(o));
    }
    auto& list = m.complete ? messages : incomplete;
    list.push_back({static_cast<std::int64_t>(m.qp), true, m.direction, std::move(place), std::move(content)});
  }
  void qp(const qp::QpRecord& r) override { ends.push_back({r.a.text(), r.b.text()}); }
  [[nodiscard]] std::string sender(const Found& f) const {
    if (f.qp < 0) return "capture";
    const auto& both = ends.at(static_cast<std::size_t>(f.qp));
    if (!f.has_direction) return std::min(both[0], both[1]) + " " + std::max(both[0], both[1]);
    return both[index(f.direction)];
  }
};

}  // namespace

const std::vector<Capture>& captures() {
  static const std::vector<Capture> all = load();
  return all;
}

std::vector<net::Frame> parse(Octets file) {
  std::vector<net::Frame> frames;
  const auto parser = capture::make_parser(file);
  capture::CaptureInfo info;
  std::size_t at = 0;
  while (parser != nullptr) {
    const capture::Progress progress = parser->parse(file.subspan(at), frames, frames.size() + 1024, info);
    at += progress.consumed;
    const bool stuck = progress.consumed == 0 || progress.need > file.size() - at;
    if (!progress.cause.empty() || stuck) break;
  }
  return frames;
}

bool is_other_name(std::string_view sample, std::string_view code) {
  return std::any_of(kOtherNames.begin(), kOtherNames.end(), [&](const OtherName& o) {
    return sample.starts_with(o.path) && o.codes.find(code) != std::string_view::npos;
  });
}

std::vector<bool> from_low(const std::vector<net::Frame>& frames) {
  net::Decoder decoder(net::DecoderLimits{});
  std::vector<bool> low;
  for (const net::Frame& frame : frames) {
    const auto decoded = decoder.decode(frame);
    const auto* packet = std::get_if<net::TcpPacket>(&decoded);
    const auto* sctp = std::get_if<net::SctpPacket>(&decoded);
    low.push_back(packet != nullptr ? packet->source < packet->destination
                                    : sctp != nullptr && sctp->source < sctp->destination);
  }
  return low;
}

bool exhaustive() {
  return std::getenv("IWARPSCOPE_EXHAUSTIVE") != nullptr;
}

Outcome outcome(const std::vector<net::Frame>& frames, const Wanted& wanted) {
  Collector found;
  {
    analysis::Analyzer analyzer({.messages = wanted.messages, .digest = wanted.messages}, found);
    std::uint64_t number = 0;
    for (net::Frame frame : frames) {
      frame.number = FrameNumber{++number};
      analyzer.feed(frame);
    }
    analyzer.finish({});
  }
  Outcome out;
  out.qps = found.ends.size();
  for (const auto& f : found.errors) {
    ++out.errors[{f.what, found.sender(f)}];
    out.texts.push_back(f.what + " by " + found.sender(f) + " " + f.text);
  }
  for (const auto& m : found.messages) out.messages.insert(found.sender(m) + " " + m.what + m.text);
  for (const auto& m : found.incomplete) out.incomplete.insert(found.sender(m) + " " + m.what + " ");
  return out;
}

Comparison::Comparison(const Capture& capture, const Wanted& wanted)
    : capture_(capture), wanted_(wanted), whole_(outcome(capture.frames, wanted)) {}

void Comparison::expect_nothing_new(const std::vector<net::Frame>& frames, const std::string& change) {
  Faults::all().count_run();
  const Outcome part = outcome(frames, wanted_);
  for (const auto& [error, count] : part.errors) {
    const auto it = whole_.errors.find(error);
    if (it != whole_.errors.end() && it->second >= count) continue;
    if (is_other_name(capture_.path, error.first)) continue;
    std::string line = fmt::format("{} {}: {} of {} {} times, in the whole {}", capture_.path, change, error.first,
                                   error.second, count, it == whole_.errors.end() ? 0 : it->second);
    for (const std::string& text : part.texts) {
      if (text.starts_with(error.first + " by " + error.second)) line += "\n      " + text;
    }
    Faults::all().add(std::move(line));
  }
  // The first packet seen decides which of its addresses names an end.
  if (capture_.path.find("/sctp-multihomed") != std::string::npos) return;
  // If sessions overlap, the order at the tap separates them. If the directions of an association are in different
  // VLANs, its INIT, INIT ACK and SACKs show whether they belong together: without those, each direction may be a
  // separate one.
  const bool overlaps =
      capture_.path.find("/sctp.both-sent-initiate") != std::string::npos ||
      capture_.path.find("/sctp.stream-reused-early") != std::string::npos ||
      capture_.path.find("/sctp-two-tenants") != std::string::npos ||
      capture_.path.find("/sctp-vlan-by-direction") != std::string::npos ||
      // Its Responder's SYN comes after the Initiator's FIN; without the Request it may belong to another connection.
      capture_.path.find("/one-side-late") != std::string::npos;
  // If one direction comes late and the packets that acknowledge the start or end of a session are missing, it is not
  // known whether a message without a SACK belongs to the previous session: it gets its own queue pair. So each session
  // of the sample may be reported twice.
  const bool is_skewed = capture_.path.starts_with("made/sctp/sctp-answers-late") ||
                         capture_.path.starts_with("made/sctp/sctp-requests-late") ||
                         capture_.path.starts_with("made/sctp/sctp-late-and-missed");
  if (part.qps > whole_.qps + (overlaps ? 1 : is_skewed ? 2 : 0)) {
    Faults::all().add(fmt::format("{} {}: {} QPs, in the whole {}", capture_.path, change, part.qps, whole_.qps));
  }
  // After a fault, the whole may have lost FPDUs that are found if the fault is not captured.
  // FPDUs without CRC that the payload quotes are messages where what comes before them was not captured.
  const bool faulty = capture_.path.find("/fault-") != std::string::npos || !whole_.errors.empty() ||
                      capture_.path.find("/fpdus-quoted-after-loss") != std::string::npos;
  if (faulty) return;
  std::vector<std::string> made_up;
  std::set_difference(part.messages.begin(), part.messages.end(), whole_.messages.begin(), whole_.messages.end(),
                      std::back_inserter(made_up));
  for (const std::string& m : made_up) {
    const std::string place = m.substr(0, m.find("length "));
    if (whole_.incomplete.contains(place)) continue;
    Faults::all().add(fmt::format("{} {}: a message that the whole has not: {}", capture_.path, change, m));
  }
}

Faults& Faults::all() {
  static Faults faults;
  return faults;
}

void Faults::add(std::string line) {
  ++total_;
  if (lines_.size() < kShown || exhaustive()) lines_.push_back(std::move(line));
}

void Faults::settle(std::uint64_t least) {
  EXPECT_FALSE(captures().empty()) << "no captures below " << IWARPSCOPE_SAMPLES;
  EXPECT_GE(runs_, least);
  std::string shown;
  for (const std::string& line : lines_) shown += "  " + line + "\n";
  EXPECT_EQ(total_, 0u) << "of " << runs_ << " analyses:\n" << shown;
  lines_.clear();
  total_ = runs_ = 0;
}

}  // namespace iwarpscope::test
