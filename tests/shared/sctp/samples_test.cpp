// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The synthesiser's associations, decoded from their frames: what each rule's samples raise, and what the good ones
// hand up.
#include <algorithm>
#include <set>
#include <stdexcept>
#include <variant>

#include "kit.h"
#include "net/decoder.h"
#include "sctp/association_table.h"
#include "synth/samples.h"

namespace iwarpscope::sctp::test {
namespace {

/// A sample, through decoder and table.
struct Reported {
  explicit Reported(const synth::Sample& sample) : Reported(sample.make(sample.name)) {}
  explicit Reported(const synth::Frames& frames) {
    tcp::Limits limits;
    BufferBudget budget(8 << 20);
    net::Decoder decoder;
    AssociationTable table({}, limits, budget, sink);
    net::Frame frame;
    for (const synth::Frame& each : frames) {
      frame.number = FrameNumber{frame.number.value + 1};
      frame.time = TimePoint{each.time_ns};
      frame.link = static_cast<net::LinkType>(each.link_type);
      frame.original_length = each.original_length;
      frame.octets = each.octets;
      const auto decoded = decoder.decode(frame);
      if (const auto* packet = std::get_if<net::SctpPacket>(&decoded)) table.feed(*packet);
    }
    table.finish(frame.number, frame.time);
    statistics = table.statistics();
  }
  /// The codes that were raised, each once, without those about the capture, and about the path.
  [[nodiscard]] std::set<std::string> codes() const {
    std::set<std::string> all;
    for (const auto& f : sink.findings()) {
      const auto& rule = findings::rule(f.id);
      if (rule.about == findings::About::peer) all.emplace(rule.code);
    }
    return all;
  }
  /// Messages and how often something was missing, in both directions of all sessions.
  [[nodiscard]] std::size_t count(std::string_view word) const {
    std::size_t n = 0;
    for (const auto& session : sink.sessions) {
      for (const std::string& line : session->lines) n += line.find(word) != std::string::npos ? 1U : 0U;
    }
    return n;
  }
  KeepingAssociations sink;
  TableStatistics statistics;
};

std::string joined(const std::set<std::string>& codes) {
  std::string text;
  for (const std::string& code : codes) text += (text.empty() ? "" : " ") + code;
  return text;
}

std::string test_name(const ::testing::TestParamInfo<synth::Sample>& info) {
  std::string name;
  for (const char c : info.param.name) {
    if (c == '.') name += "_rule";
    name += c == '-' || c == '.' ? '_' : c;
  }
  return name;
}

class SctpSample : public ::testing::TestWithParam<synth::Sample> {};

TEST_P(SctpSample, RaisesItsRuleAndNoOther) {
  const Reported reported(GetParam());
  const std::string& name = GetParam().name;
  const bool is_rule = name.starts_with("sctp.") && !name.ends_with("-nearly");
  std::string expected;
  if (is_rule) {
    const auto* rule = findings::find_rule(name);
    ASSERT_NE(rule, nullptr);
    if (rule->about == findings::About::peer) expected = rule->code;
  }
  std::set<std::string> codes = reported.codes();
  if (expected != "SC-25") codes.erase("SC-25");  // an ABORT is no fault
  EXPECT_EQ(joined(codes), expected) << GetParam().what;
  for (const auto& session : reported.sink.sessions) {
    ASSERT_FALSE(session->lines.empty());
    EXPECT_TRUE(session->lines.back().starts_with("whole ended")) << session->text();
  }
}

synth::Frames frames_of(std::string_view name) {
  const auto all = synth::sctp_samples();
  const auto sample = std::ranges::find_if(all, [name](const auto& s) { return s.name == name; });
  if (sample == all.end()) throw std::runtime_error("no such sample");
  return sample->make(sample->name);
}

/// One port of the mirror is late: all that 10.0.0.`last` sent comes later.
synth::Frames with_one_end_late(synth::Frames frames, unsigned last, std::int64_t by_ns) {
  constexpr std::size_t kLastOfSource = 14 + 12 + 3;  // Ethernet, then the source of IPv4
  for (synth::Frame& frame : frames) {
    if (frame.octets[kLastOfSource] == static_cast<std::byte>(last)) frame.time_ns += by_ns;
  }
  std::ranges::stable_sort(frames, {}, &synth::Frame::time_ns);
  return frames;
}

// The Initiate comes before the INIT ACK, so nothing else shows that this is DDP.
TEST(SctpSamples, TooMuchPrivateDataIsReadBeforeTheInitAck) {
  const Reported reported(with_one_end_late(frames_of("sctp.private-data-too-long"), 2, 100'000));
  EXPECT_EQ(joined(reported.codes()), "SC-06");
  EXPECT_EQ(reported.count("missing"), 0u);
}

// The next association on the same ports is there before the end of the one before it.
TEST(SctpSamples, WhereOneEndIsLateBothAssociationsOnTheSamePortsAreWhole) {
  const synth::Frames frames = frames_of("sctp-ports-reused");
  const Reported whole(frames);
  for (const unsigned late : {1U, 2U}) {
    for (const std::int64_t by_ns : {15'000, 35'000, 100'000, 200'000, 1'000'000, 10'000'000}) {
      const Reported reported(with_one_end_late(frames, late, by_ns));
      EXPECT_EQ(reported.sink.codes(), whole.sink.codes()) << late << " by " << by_ns;
      EXPECT_EQ(reported.sink.sessions.size(), whole.sink.sessions.size());
      EXPECT_EQ(reported.count("segment"), whole.count("segment"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SctpSample, ::testing::ValuesIn(synth::sctp_samples()), test_name);

}  // namespace
}  // namespace iwarpscope::sctp::test
