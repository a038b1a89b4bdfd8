// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/wrong_field.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "rules/scenario.h"
#include "shared/fields/frame_text.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Connection;
using synth::kI;

/// "MPA CRC 0x01020304 (wrong)": the field that the finding of this rule marks; empty: none.
std::string marked(const synth::Frames& frames, FindingId id) {
  const Report report = analyze(frames);
  const findings::Finding* const finding = report.find(id);
  if (finding == nullptr) return "no such finding: " + report.codes();
  const auto frame = read_frame(frames, finding->frame.value);
  if (!frame) return "no such frame";
  const auto wrong = fields::wrong_field(frame->fields, *finding, true);
  if (!wrong) return {};
  const fields::Field& field = frame->fields.fields[*wrong];
  EXPECT_TRUE(finding->seen.empty() || id == FindingId::mpa_crc_mismatch || field.value.starts_with(finding->seen))
      << field.value << " for " << finding->seen;
  return std::string{field.layer} + " " + std::string{field.name};
}

void open(Connection& c) {
  c.connect();
  c.startup();
  c.send(kI, 10);
}

TEST(WrongField, CrcMismatchMarksTheCrc) {
  Connection c;
  open(c);
  c.fault("crc-mismatch");
  c.send(kI, 40);
  c.send(kI, 40);
  EXPECT_EQ(marked(c.frames(), FindingId::mpa_crc_mismatch), "MPA CRC");
}

TEST(WrongField, IsThatOfTheFpduAtTheOffset) {
  Connection c;
  open(c);
  c.packing(synth::Packing::packed);
  c.send(kI, 40);
  c.fault("msn-skipped");
  c.send(kI, 40);
  c.send(kI, 40);
  c.flush();
  const synth::Frames frames = c.frames();
  const Report report = analyze(frames);
  const findings::Finding* const finding = report.find(FindingId::ddp_msn_out_of_sequence);
  ASSERT_NE(finding, nullptr) << report.codes();
  const auto frame = read_frame(frames, finding->frame.value);
  ASSERT_TRUE(frame);
  ASSERT_GT(std::ranges::count(frame->fields.fields, "MSN", &fields::Field::name), 1);
  const auto wrong = fields::wrong_field(frame->fields, *finding, true);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(frame->fields.fields[*wrong].unit, finding->offset);
  EXPECT_EQ(frame->fields.fields[*wrong].value, finding->seen);
}

TEST(WrongField, RuleAboutNoFieldMarksNone) {
  EXPECT_TRUE(fields::field_of(FindingId::mpa_startup_slow).name.empty());
  Connection c;
  open(c);
  const auto frame = read_frame(c.frames(), 4);
  ASSERT_TRUE(frame);
  findings::Finding finding;
  finding.id = FindingId::mpa_startup_slow;
  EXPECT_FALSE(fields::wrong_field(frame->fields, finding, true));
}

/// The frames that show a finding: those of its evidence, and the one that decided it.
std::vector<FrameNumber> frames_of_finding(const findings::Finding& finding) {
  std::vector<FrameNumber> all(finding.frames.begin(), finding.frames.end());
  all.push_back(finding.frame);
  return all;
}

TEST(WrongField, EveryRuleAboutAFieldMarksItInItsSample) {
  // The octets that break them are in no FPDU or startup frame of which the reader knows the fields.
  const std::set<std::string_view> without{"MS-03", "MF-01", "MF-14", "MF-15", "SX-02"};
  std::map<FindingId, bool> marks;
  for (const Scenario& scenario : scenarios()) {
    if (fields::field_of(scenario.id).name.empty()) continue;
    const Traffic traffic = scenario.raise();
    const Report report = analyze(traffic.frames, traffic.options, traffic.info);
    bool& is_marked = marks[scenario.id];
    for (const findings::Finding& finding : report.findings) {
      if (is_marked || finding.id != scenario.id) continue;
      for (const FrameNumber number : frames_of_finding(finding)) {
        const auto frame = read_frame(traffic.frames, number.value);
        is_marked = is_marked || (frame && fields::wrong_field(frame->fields, finding, true));
      }
    }
  }
  EXPECT_GT(marks.size(), 150u);
  for (const auto& [id, is_marked] : marks) {
    const std::string_view code = findings::rule(id).code;
    EXPECT_EQ(is_marked, !without.contains(code)) << code << ": " << fields::field_of(id).name;
  }
}

TEST(WrongField, RefusedMessageMarksItsStagOrTo) {
  findings::Finding terminate;
  terminate.id = FindingId::rdmap_terminate_sent;
  fields::FieldList list;
  list.fields = {{.layer = "DDP", .name = "STag", .value = "0x00000001"},
                 {.layer = "DDP", .name = "TO", .value = "0x0000000000000000"},
                 {.layer = "RDMAP", .name = "Sink STag", .value = "0x00000003"}};
  const auto refused = [&](const char* error) {
    terminate.seen = error;
    return fields::refused_field(list, terminate);
  };
  EXPECT_EQ(refused("1/1/00"), 0u);
  EXPECT_EQ(refused("0/1/01"), 1u);
  EXPECT_EQ(refused("2/0/02"), std::nullopt) << "a wrong CRC";
  list.fields.push_back({.layer = "RDMAP", .name = "Source STag", .value = "0x00000004"});
  EXPECT_EQ(refused("0/1/00"), 3u) << "the memory that is read";
  list.fields.push_back({.layer = "RDMAP", .name = "Source STag", .value = "0x00000005"});
  EXPECT_EQ(refused("0/1/00"), std::nullopt) << "either can be meant";
}

TEST(WrongField, OnlyAClosedWindowIsMarked) {
  findings::Finding closed;
  closed.id = FindingId::tcp_zero_window;
  closed.seen = "1";
  fields::FieldList list;
  list.fields = {{.layer = "TCP", .name = "Flags", .value = "0x10: ACK"},
                 {.layer = "TCP", .name = "Window", .value = "0"}};
  EXPECT_EQ(fields::wrong_field(list, closed, true), 1u);
  list.fields[1].value = "100";
  EXPECT_EQ(fields::wrong_field(list, closed, true), std::nullopt);
  list.fields[1].value = "0";
  list.fields[0].value = "0x14: RST, ACK";
  EXPECT_EQ(fields::wrong_field(list, closed, true), std::nullopt);
}

TEST(WrongField, FieldThatIsNotInTheFrameIsNotMarked) {
  Connection c;
  open(c);
  const auto syn = read_frame(c.frames(), 1);
  ASSERT_TRUE(syn);
  findings::Finding finding;
  finding.id = FindingId::mpa_crc_mismatch;
  EXPECT_FALSE(fields::wrong_field(syn->fields, finding, true));
}

}  // namespace
}  // namespace iwarpscope::test
