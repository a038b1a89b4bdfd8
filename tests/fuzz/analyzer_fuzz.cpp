// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the whole analyser and both reports on a capture file, or on a mutation of one. Input: pcap or pcapng; other
// input is read as frames of {u8 milliseconds, u16 length, octets} of Ethernet.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "analysis/analyzer.h"
#include "capture/parser.h"
#include "fuzz/script.h"
#include "report/json.h"
#include "report/text.h"

using namespace iwarpscope;

namespace {

struct Counter final : analysis::Observer {
  std::uint64_t messages = 0, findings = 0, captures = 0, qps = 0, summaries = 0;
  FrameNumber last;
  std::string text;
  analysis::SummaryRecord counted;

  void message(const qp::MessageRecord& r) override {
    ++messages;
    text.clear();
    report::append_json(text, r);
  }
  void finding(const findings::Finding& f) override {
    ++findings;
    fuzz::require(f.frame >= last, "findings come in the order of the frames that decided them");
    last = f.frame;
    text.clear();
    report::append_json(text, f);
  }
  void capture(const analysis::CaptureRecord& r) override {
    ++captures;
    text.clear();
    report::append_json(text, r);
  }
  void qp(const qp::QpRecord& r) override {
    fuzz::require(r.qp == qps++, "queue pairs come by number");
    text.clear();
    report::append_json(text, r);
  }
  void summary(const analysis::SummaryRecord& r) override {
    ++summaries;
    counted = r;
    text.clear();
    report::append_json(text, r);
  }
};

/// Writes the correct checksum into a TCP segment that is complete in `octets`, so that mutations are not rejected by
/// it.
void mend_checksum(const net::TcpPacket& p, std::vector<std::byte>& octets) {
  const std::byte* const header = p.tcp_header.data();
  if (p.truncated() || header < octets.data() || header + 20 > octets.data() + octets.size()) return;
  std::byte* const field = octets.data() + (header - octets.data()) + 16;
  field[0] = field[1] = std::byte{0};
  // If the checksum field is zero, the verdict alone does not give the sum: it is searched by definition.
  std::uint64_t sum = 6 + p.tcp_header.size() + p.payload_length;
  std::size_t at = 0;
  const auto add = [&](Octets o) {
    for (const std::byte octet : o) sum += std::uint64_t{to_u8(octet)} << (at++ % 2 == 0 ? 8 : 0);
  };
  const auto add_address = [&](const net::IpAddress& a) {
    add(std::as_bytes(std::span(a.octets)).subspan(a.is_v4() ? 12 : 0));
  };
  add_address(p.source.address);
  add_address(p.destination.address);
  add(p.tcp_header);
  add(p.payload);
  while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
  const auto value = static_cast<std::uint16_t>(~sum);
  field[0] = static_cast<std::byte>(value >> 8);
  field[1] = static_cast<std::byte>(value);
}

/// The same for the CRC32c of an SCTP packet. Source: RFC 9260 §3.1, App. A.
void mend_checksum(const net::SctpPacket& p, std::vector<std::byte>& octets) {
  constexpr std::ptrdiff_t kField = 8, kOctets = 4;
  const std::byte* const header = p.common_header.data();
  if (p.truncated() || header < octets.data() || header + kField + kOctets > octets.data() + octets.size()) return;
  std::byte* const field = octets.data() + (header - octets.data()) + kField;
  const std::uint32_t crc = net::crc32c(p);
  for (std::ptrdiff_t n = 0; n < kOctets; ++n) field[n] = static_cast<std::byte>(crc >> (8 * n));
}

std::vector<net::Frame> read(Octets input) {
  std::vector<net::Frame> frames;
  const auto parser = capture::make_parser(input);
  if (parser == nullptr) {
    fuzz::Script script(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    net::Frame frame;
    frame.link = net::LinkType::ethernet;
    while (!script.is_at_end()) {
      frame.number = FrameNumber{frame.number.value + 1};
      frame.time.ns += std::int64_t{script.u8()} * 1'000'000;
      frame.octets = script.octets(script.u16());
      frame.original_length = static_cast<std::uint32_t>(frame.octets.size());
      frames.push_back(frame);
    }
    return frames;
  }
  capture::CaptureInfo info;
  for (std::size_t at = 0;;) {
    const capture::Progress progress = parser->parse(input.subspan(at), frames, frames.size() + 64, info);
    fuzz::require(progress.consumed <= input.size() - at, "the parser takes what there is");
    at += progress.consumed;
    if (!progress.cause.empty() || progress.consumed == 0 || progress.need > input.size() - at) return frames;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Octets input = std::as_bytes(std::span(data, size));
  // The sum of the input selects whether wrong checksums stay: both types of captures are tested.
  std::uint32_t sum = 0;
  for (const std::byte o : input.first(std::min<std::size_t>(size, 64))) sum += to_u8(o);
  const bool mend = sum % 4 != 0;

  analysis::Options options{.messages = true, .digest = true};
  options.limits.max_flows = 64;
  options.limits.max_qps = 64;
  options.limits.buffer_octets = 1 << 20;
  options.limits.max_outstanding_requests = 16;
  options.limits.findings_per_rule = 10;
  Counter counter;
  std::size_t printed = 0;
  report::TextObserver text([&](std::string_view t) { printed += t.size(); }, {.messages = true, .color = true});
  net::Decoder decoder;
  analysis::Analyzer analyzer(options, counter), for_people(options, text);
  for (net::Frame frame : read(input)) {
    std::vector<std::byte> copy(frame.octets.begin(), frame.octets.end());
    frame.octets = copy;
    if (mend) {
      const auto decoded = decoder.decode(frame);
      if (const auto* packet = std::get_if<net::TcpPacket>(&decoded)) mend_checksum(*packet, copy);
      if (const auto* packet = std::get_if<net::SctpPacket>(&decoded)) mend_checksum(*packet, copy);
    }
    analyzer.feed(frame);
    if (size < 4096) for_people.feed(frame);
  }
  analyzer.finish({});
  for_people.finish({});
  fuzz::require(counter.captures == 1 && counter.summaries == 1, "one capture record and one summary");
  fuzz::require(counter.counted.qps == counter.qps, "the summary counts the queue pairs");
  fuzz::require(counter.counted.messages == counter.messages, "the summary counts the messages");
  const analysis::SummaryRecord& s = counter.counted;
  fuzz::require(s.errors + s.warnings + s.notes == counter.findings, "the summary counts the findings");
  fuzz::require(printed != 0, "the text report says something");
  return 0;
}
