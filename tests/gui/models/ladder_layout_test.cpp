// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Positions of a ladder's parts, and their texts.
#include "models/ladder/ladder_layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "gui/models/ladder_samples.h"
#include "models/ladder/ladder_text.h"

namespace iwarpscope::gui::ladder_layout_test {
namespace {

using findings::FindingId;
using qp::TransportEventKind;
using testing::ElementsAre;
using testing::HasSubstr;

/// Twenty messages, of which the first `loaded` are loaded.
struct Ladder {
  explicit Ladder(std::vector<qp::MessageRecord> all) : messages(std::move(all)) {
    index.add({.from = 0, .messages = messages});
    question.height = 200;
    question.row = 20;
    question.end = messages.size();
    question.at = [this](std::uint64_t row) { return row < absent_from ? &messages[index.place(row)] : nullptr; };
    question.index = &index;
    question.findings = &findings;
    question.events = &events;
  }
  std::vector<qp::MessageRecord> messages;
  std::uint64_t absent_from = 1'000'000'000;
  LadderIndex index;
  LadderFindings findings;
  std::vector<qp::TransportEvent> events;
  LadderQuestion question;
};

/// In frame 13, where no message of B begins.
live::FindingView of_no_row(FindingId id) {
  live::FindingView view = ladder_finding(id, 13);
  view.finding.direction = Direction::b_to_a;
  return view;
}

TEST(LadderLayout, RowsAreThoseThatAreSeen) {
  Ladder ladder(ladder_with_read(20, 99, 99));
  ladder.question.top = 30;
  ladder.absent_from = 10;
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.rows.size(), 11u) << "the first and the last in part";
  EXPECT_EQ(scene.rows[0].place, 1u);
  EXPECT_EQ(scene.rows[0].y, 0);
  EXPECT_EQ(scene.rows[1].y, 20);
  EXPECT_EQ(scene.rows[0].time, "+0.000011000");
  EXPECT_EQ(scene.rows[0].delta, "1.00 us");
  EXPECT_THAT(scene.rows[0].label.toStdString(), HasSubstr("Send, 64 octets, MSN 2"));
  EXPECT_EQ(scene.rows[9].message, nullptr) << "place 10 is not loaded";
  EXPECT_TRUE(scene.rows[9].label.isEmpty());
  EXPECT_EQ(place_at(ladder.question, 0), 1u);
  EXPECT_EQ(place_at(ladder.question, 11), 2u);
  EXPECT_EQ(place_at(ladder.question, 1e9), 19u);
  EXPECT_EQ(place_at(ladder.question, -1e9), 0u);
}

TEST(LadderLayout, OfNothingIsNothing) {
  Ladder ladder({});
  const LadderScene scene = lay_out(ladder.question);
  EXPECT_TRUE(scene.rows.empty() && scene.bands.empty() && scene.marks.empty());
}

TEST(LadderLayout, ABracketTiesRequestAndResponse) {
  Ladder ladder(ladder_with_read(20, 2, 6));
  LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_EQ(scene.brackets[0].from, 50);
  EXPECT_EQ(scene.brackets[0].to, 130);
  EXPECT_EQ(scene.brackets[0].latency, "2.50 us");
  EXPECT_EQ(scene.brackets[0].direction, Direction::a_to_b);

  ladder.question.top = 80;  // place 4 is the first
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u) << "the response alone is seen";
  EXPECT_FALSE(scene.brackets[0].from_seen);
  EXPECT_TRUE(scene.brackets[0].to_seen);

  ladder.question.height = 30;  // places 4 and 5
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u) << "it passes by";
  EXPECT_FALSE(scene.brackets[0].from_seen || scene.brackets[0].to_seen);

  ladder.question.top = 0;
  ladder.question.height = 60;  // places 0 to 2
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_TRUE(scene.brackets[0].from_seen);
  EXPECT_FALSE(scene.brackets[0].to_seen);
}

TEST(LadderLayout, ARequestWithoutResponseSaysSo) {
  Ladder ladder(ladder_with_read(5, 2, 99));
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_FALSE(scene.brackets[0].answered);
  EXPECT_THAT(ladder_details(ladder.messages[2], {}).toStdString(), HasSubstr("No response was seen."));
}

TEST(LadderLayout, AResponseThatTheCaptureHasFirstHasNoLatency) {
  auto messages = ladder_with_read(20, 6, 2);
  messages[2].detail = qp::ReadResponseDetail{.request_index = messages[6].index};
  std::get<qp::ReadRequestDetail>(messages[6].detail).response =
      qp::ResponseLink{.index = 0, .first_octet_ns = -4000, .last_octet_ns = -4000};
  Ladder ladder(messages);
  LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_EQ(scene.brackets[0].from, 130);
  EXPECT_EQ(scene.brackets[0].to, 50) << "it goes up";
  EXPECT_EQ(scene.brackets[0].latency, "captured before its Request");
  const std::string details = ladder_details(ladder.messages[6], {}).toStdString();
  EXPECT_THAT(details, HasSubstr("captured before this Request"));
  EXPECT_THAT(details, testing::Not(HasSubstr("-4")));

  ladder.question.top = 80;  // only the request is visible
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_TRUE(scene.brackets[0].from_seen);
  EXPECT_FALSE(scene.brackets[0].to_seen);
  EXPECT_LT(scene.brackets[0].to, 0) << "its response is above";

  ladder.question.top = 0;
  ladder.question.height = 80;  // only the response
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_FALSE(scene.brackets[0].from_seen);
  EXPECT_GT(scene.brackets[0].from, 80);
}

TEST(LadderLayout, NoTimeIsNegative) {
  auto messages = ladder_with_read(5, 1, 3);
  std::get<qp::ReadRequestDetail>(messages[1].detail).response =
      qp::ResponseLink{.index = 0, .first_octet_ns = -500, .last_octet_ns = -100};
  messages[2].first_time = TimePoint{5'000};  // the clock went back
  messages[4].delivered_time = TimePoint{1'000};
  Ladder ladder(messages);
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 1u);
  EXPECT_EQ(scene.brackets[0].latency, "the clock went back");
  EXPECT_EQ(scene.rows[2].delta, "the clock went back");
  EXPECT_FALSE(scene.rows[4].apart);
  for (const LadderRow& row : scene.rows) {
    for (const QString& text : {row.delta, row.waited, ladder_details(*row.message, {})}) {
      EXPECT_THAT(text.toStdString(), testing::Not(testing::ContainsRegex("-[0-9]")));
    }
  }
}

TEST(LadderLayout, AMessageThatATerminateRefusedLooksSo) {
  auto messages = ladder_with_read(4, 99, 99);  // of A, indexes 0 to 3
  qp::TerminateDetail terminate;
  terminate.name = "DDP Tagged Buffer Error: Invalid STag";
  terminate.names = {Direction::a_to_b, 2};
  messages.push_back(ladder_message(Direction::b_to_a, 0, 14, rdmap::Opcode::terminate));
  messages.back().detail = terminate;
  Ladder ladder(messages);
  std::vector<bool> refused;
  for (const LadderRow& row : lay_out(ladder.question).rows) refused.push_back(row.refused);
  EXPECT_THAT(refused, ElementsAre(false, false, true, true, false));
  const StreamEnd* end = ladder.index.end_of(Direction::a_to_b);
  ASSERT_NE(end, nullptr);
  const std::string details = ladder_details(ladder.messages[2], {}, end).toStdString();
  EXPECT_THAT(details, HasSubstr("Refused: the receiver ended the stream with the Terminate in frame 14"));
  EXPECT_THAT(details, HasSubstr("Invalid STag"));
  EXPECT_THAT(details, testing::Not(HasSubstr("Delivered")));
  EXPECT_THAT(ladder_details(ladder.messages[3], {}, end).toStdString(), HasSubstr("Not placed"));
  EXPECT_THAT(ladder_details(ladder.messages[1], {}, end).toStdString(), HasSubstr("Delivered"));
}

TEST(LadderLayout, BracketsThatOverlapHaveLanesOfTheirOwn) {
  auto messages = ladder_with_read(10, 1, 5);
  qp::ReadRequestDetail second;
  second.response = qp::ResponseLink{.index = 1};
  messages[2].detail = second;
  messages[7] = ladder_message(Direction::b_to_a, 1, 17, rdmap::Opcode::rdma_read_response);
  messages[7].detail = qp::ReadResponseDetail{.request_index = 2};
  Ladder ladder(messages);
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.brackets.size(), 2u);
  EXPECT_NE(scene.brackets[0].lane, scene.brackets[1].lane);
}

TEST(LadderLayout, EventsLieBeforeTheMessageWhoseFrameIsNotBeforeThem) {
  Ladder ladder(ladder_with_read(5, 99, 99));  // frames 10 to 14
  ladder.events = {ladder_event(TransportEventKind::retransmission, 12, 100),
                   ladder_event(TransportEventKind::retransmission, 12, 50),
                   ladder_event(TransportEventKind::capture_gap, 99, 7)};
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.marks.size(), 2u);
  EXPECT_EQ(scene.marks[0].y, 40);
  EXPECT_EQ(scene.marks[0].event, TransportEventKind::retransmission);
  EXPECT_THAT(joined(scene.marks[0].text).toStdString(), HasSubstr("2 × retransmission, 150 octets, from frame 12"));
  EXPECT_EQ(scene.marks[1].y, 100) << "after all messages";
  EXPECT_THAT(joined(scene.marks[1].text).toStdString(), HasSubstr("capture gap, 7 octets, frame 99"));
}

TEST(LadderLayout, FindingsMarkTheirMessageOrLieBetween) {
  Ladder ladder(ladder_with_read(5, 99, 99));
  ladder.findings.set({ladder_finding(FindingId::mpa_crc_mismatch, 11, 1), of_no_row(FindingId::mpa_crc_off)});
  ladder.findings.locate(ladder.index, true);
  const LadderScene scene = lay_out(ladder.question);
  EXPECT_EQ(scene.rows[1].severity, findings::Severity::error);
  EXPECT_EQ(joined(scene.rows[1].findings), "E MF-04");
  EXPECT_FALSE(scene.rows[3].severity);
  ASSERT_EQ(scene.marks.size(), 1u);
  EXPECT_EQ(scene.marks[0].y, 60);
  EXPECT_THAT(joined(scene.marks[0].text).toStdString(), HasSubstr("MS-37"));
}

TEST(LadderLayout, FindingsOfOnePlaceBeginWithTheWorstAndHaveTheirOwnSeverity) {
  Ladder ladder(ladder_with_read(5, 99, 99));
  ladder.findings.set({of_no_row(FindingId::mpa_crc_off), of_no_row(FindingId::mpa_crc_mismatch)});
  ladder.findings.locate(ladder.index, true);
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.marks.size(), 2u);
  EXPECT_EQ(joined(scene.marks[0].text), "E MF-04; N MS-37");
  EXPECT_NE(scene.marks[1].severity, findings::Severity::error);
  EXPECT_EQ(scene.marks[0].text[0].severity, findings::Severity::error);
  EXPECT_EQ(scene.marks[0].text[1].severity, findings::Severity::note) << "no note in the colour of errors";
}

TEST(LadderLayout, TheRowOfTheWorstFindingIsMarkedAsIt) {
  Ladder ladder(ladder_with_read(5, 99, 99));
  ladder.findings.set({ladder_finding(FindingId::mpa_pad_not_zero, 11, 1),
                       ladder_finding(FindingId::mpa_crc_mismatch, 12, 2),
                       ladder_finding(FindingId::mpa_crc_mismatch, 13, 3)});
  ladder.findings.locate(ladder.index, true);
  const LadderScene scene = lay_out(ladder.question);
  EXPECT_FALSE(scene.rows[1].worst);
  EXPECT_TRUE(scene.rows[2].worst) << "the earliest of the highest severity";
  EXPECT_FALSE(scene.rows[3].worst);
  EXPECT_EQ(scene.rows[2].finding, 1u);
  ladder.findings.set({ladder_finding(FindingId::mpa_pad_not_zero, 11, 1)});
  ladder.findings.locate(ladder.index, true);
  EXPECT_FALSE(lay_out(ladder.question).rows[1].worst) << "a note is no trouble";
}

TEST(LadderLayout, StartupAndEndAreRows) {
  Ladder ladder(ladder_with_read(3, 99, 99));  // frames 10 to 12
  using Kind = LadderLife::Kind;
  ladder.index.set_life(
      {{Kind::syn, Direction::a_to_b, FrameNumber{1}, TimePoint{1000}, QStringLiteral("TCP SYN")},
       {Kind::reset, Direction::b_to_a, FrameNumber{90}, TimePoint{90'000}, QStringLiteral("TCP RST")}});
  ladder.question.end = 5;
  ladder.question.rtr = FrameNumber{10};
  ladder.findings.set({ladder_finding(FindingId::tcp_connection_reset, 90)});
  ladder.findings.locate(ladder.index, true);
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.rows.size(), 5u);
  EXPECT_EQ(scene.rows[0].label, "TCP SYN");
  EXPECT_EQ(scene.rows[0].message, nullptr);
  EXPECT_TRUE(scene.rows[1].label.startsWith(QStringLiteral("RTR: "))) << scene.rows[1].label.toStdString();
  EXPECT_EQ(scene.rows[1].delta, "9.00 us");
  ASSERT_NE(scene.rows[4].life, nullptr);
  EXPECT_EQ(scene.rows[4].life->kind, Kind::reset);
  EXPECT_TRUE(scene.rows[4].severity);
  EXPECT_TRUE(scene.marks.empty()) << "the finding is on its row";
}

TEST(LadderLife, AnUnfinishedFpduAndWhatCameBeforeTheRequestHaveRows) {
  qp::QpRecord record;
  record.summary.banner = {{FrameNumber{4}, TimePoint{4000}}, "SSH-2.0-OpenSSH_"};
  qp::DirectionSummary& end = record.summary.directions[0];
  end.inside_fpdu = {FrameNumber{8}, 212, 1400, TimePoint{8000}};
  end.fin = {FrameNumber{8}, TimePoint{8000}};
  const std::vector<LadderLife> life = life_of(record, true, {});
  ASSERT_EQ(life.size(), 3u);
  EXPECT_EQ(life[0].direction, Direction::b_to_a);
  EXPECT_EQ(life[0].frame, FrameNumber{4});
  EXPECT_EQ(life[0].label.toStdString(), "Before the MPA Request: SSH-2.0-OpenSSH_");
  EXPECT_EQ(life[1].frame, FrameNumber{8});
  EXPECT_EQ(life[1].label.toStdString(), "FPDU, not finished, ULPDU_Length 1,400, 212 octets captured");
  EXPECT_TRUE(life[1].is_last()) << "messages that begin in its frame come before it";
  EXPECT_EQ(life[2].label.toStdString(), "TCP FIN");
  end.inside_fpdu->ulpdu_length = 0;
  EXPECT_EQ(life_of(record, true, {})[1].label.toStdString(), "FPDU, not finished, 212 octets captured");
}

TEST(LadderLayout, RetransmissionsAndWaitsAreShownOnRequestGapsAlways) {
  auto messages = ladder_with_read(2, 99, 99);
  messages[1].first_time = messages[1].placed_time = messages[1].delivered_time = TimePoint{9'000'000'000};
  Ladder ladder(messages);
  ladder.events = {ladder_event(TransportEventKind::retransmission, 11, 100),
                   ladder_event(TransportEventKind::capture_gap, 11, 7)};
  EXPECT_EQ(lay_out(ladder.question).marks.size(), 2u);
  EXPECT_EQ(lay_out(ladder.question).quiet.size(), 1u);
  ladder.question.with_transport = false;
  ASSERT_EQ(lay_out(ladder.question).marks.size(), 1u);
  EXPECT_EQ(lay_out(ladder.question).marks[0].event, TransportEventKind::capture_gap);
  EXPECT_TRUE(lay_out(ladder.question).quiet.empty());
}

TEST(LadderLayout, BracketsAndMarksOutsideTheRangeAreDimmed) {
  Ladder ladder(ladder_with_read(20, 2, 4));  // 12 us to 14.5 us
  ladder.findings.set({of_no_row(FindingId::mpa_crc_off)});
  ladder.findings.locate(ladder.index, true);
  for (const auto& [from, to, is_dim] : {std::tuple{14'000, 15'000, false}, std::tuple{16'000, 17'000, true}}) {
    ladder.question.range = TimeRange{TimePoint{from}, TimePoint{to}};
    const LadderScene scene = lay_out(ladder.question);
    ASSERT_EQ(scene.brackets.size(), 1u);
    EXPECT_EQ(scene.brackets[0].dimmed, is_dim) << from;
    ASSERT_EQ(scene.marks.size(), 1u);
    EXPECT_TRUE(scene.marks[0].dimmed) << "it has the time 0";
  }
  ladder.question.range.reset();
  EXPECT_FALSE(lay_out(ladder.question).marks[0].dimmed);
}

TEST(LadderLayout, ALongTimeWithoutAMessageSaysSo) {
  auto messages = ladder_with_read(5, 99, 99);
  for (std::size_t i = 3; i < messages.size(); ++i) {
    messages[i].first_time.ns += 2'000'000'000;
    messages[i].placed_time = messages[i].delivered_time = messages[i].first_time;
  }
  Ladder ladder(messages);
  LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.quiet.size(), 1u);
  EXPECT_EQ(scene.quiet[0].y, 60);
  EXPECT_EQ(scene.quiet[0].text, "no message for 2.00 s");
  ladder.question.last = TimePoint{22'000'014'000};
  scene = lay_out(ladder.question);
  ASSERT_EQ(scene.quiet.size(), 2u) << "to the end of the queue pair, too";
  EXPECT_EQ(scene.quiet[1].y, 100);
  EXPECT_EQ(scene.quiet[1].text, "no message for 20.0 s");
}

/// Two messages after each other, every other second, except for a pause of twelve seconds before row 20.
std::vector<qp::MessageRecord> in_pairs(std::size_t count) {
  auto messages = ladder_with_read(count, 99'999, 99'999);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const auto pair = static_cast<std::int64_t>(i / 2) + (i >= 20 ? 5 : 0);
    messages[i].first_time = TimePoint{pair * 2'000'000'000 + static_cast<std::int64_t>(i % 2) * 5000};
    messages[i].placed_time = messages[i].delivered_time = messages[i].first_time;
  }
  return messages;
}

TEST(LadderLayout, WhatOftenRestsIsMarkedWhereItRestsLonger) {
  Ladder ladder(in_pairs(40));
  ladder.question.height = 40 * 20;
  ladder.question.last = TimePoint{ladder.messages.back().first_time.ns + 3'000'000'000};
  const LadderScene scene = lay_out(ladder.question);
  ASSERT_EQ(scene.quiet.size(), 1u) << "not each pair, nor the end";
  EXPECT_EQ(scene.quiet[0].y, 20 * 20);
  EXPECT_EQ(scene.quiet[0].text, "no message for 12.0 s");
}

TEST(LadderLayout, OfFewMessagesEachLongTimeIsMarked) {
  Ladder ladder(in_pairs(5));
  EXPECT_EQ(lay_out(ladder.question).quiet.size(), 2u);
}

TEST(LadderLayout, WhatLiesOutsideTheRangeIsDimmed) {
  Ladder ladder(ladder_with_read(5, 99, 99));  // 10 us to 14 us
  ladder.messages[0].delivered_time = TimePoint{12'000};
  ladder.question.range = TimeRange{TimePoint{12'000}, TimePoint{13'000}};
  const LadderScene scene = lay_out(ladder.question);
  std::vector<bool> dimmed;
  for (const LadderRow& row : scene.rows) dimmed.push_back(row.dimmed);
  EXPECT_THAT(dimmed, ElementsAre(false, true, false, true, true));
  EXPECT_TRUE(scene.rows[0].apart);
  EXPECT_EQ(scene.rows[0].waited, "2.00 us");
  EXPECT_THAT(ladder_details(ladder.messages[0], {}).toStdString(), HasSubstr("it waited 2.00 us for earlier octets"));
}

TEST(LadderLayout, ManyMessagesBecomeBands) {
  auto messages = ladder_with_read(1000, 9999, 9999);
  for (std::size_t i = 500; i < 1000; ++i) messages[i].length = 0;
  Ladder ladder(messages);
  ladder.question.row = 0.2;
  ladder.question.band = 4;  // twenty messages
  ladder.findings.set({ladder_finding(FindingId::mpa_crc_mismatch, 0, 700)});
  ladder.findings.locate(ladder.index, true);
  ladder.events = {ladder_event(TransportEventKind::capture_gap, 10 + 315, 7)};
  ladder.question.at = [](std::uint64_t) -> const qp::MessageRecord* {
    ADD_FAILURE() << "no message must be loaded";
    return nullptr;
  };
  const LadderScene scene = lay_out(ladder.question);
  EXPECT_TRUE(scene.rows.empty());
  ASSERT_EQ(scene.bands.size(), 50u);
  EXPECT_EQ(scene.bands[0].share[1], 0);
  EXPECT_GT(scene.bands[0].share[0], scene.bands[40].share[0]);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(scene.bands[i].severity.has_value(), i == 35) << i;
    EXPECT_EQ(scene.bands[i].gap, i == 15) << i;
  }
}

TEST(LadderLayout, ZoomStaysWithinItsBounds) {
  EXPECT_GT(zoomed(20, 1, 1, 100), 20);
  EXPECT_LT(zoomed(20, -1, 1, 100), 20);
  EXPECT_EQ(zoomed(20, 50, 1, 100), 100);
  EXPECT_EQ(zoomed(20, -50, 1, 100), 1);
  EXPECT_EQ(zoomed(20, 0, 300, 100), 100) << "one message is not taller than a row may be";
}

TEST(LadderText, OctetsAreThoseOfTheUpperLayer) {
  auto message = ladder_message(Direction::b_to_a, 0, 9, rdmap::Opcode::terminate);
  message.length = 20;
  EXPECT_THAT(ladder_details(message, {}).toStdString(), HasSubstr("RDMAP header of 20 octets"));
  message.opcode = rdmap::Opcode::immediate;
  EXPECT_EQ(ladder_label(message), "Immediate Data, MSN 1");
  message.opcode = rdmap::Opcode::send;
  EXPECT_EQ(ladder_label(message), "Send, 20 octets, MSN 1");
  EXPECT_THAT(ladder_details(message, {}).toStdString(), HasSubstr("Send, 20 octets"));
}

TEST(LadderText, AFindingIsInTheFrameOfItsMessage) {
  const auto terminate = ladder_message(Direction::b_to_a, 0, 9, rdmap::Opcode::terminate);
  auto finding = ladder_finding(FindingId::rdmap_terminate_sent, 9);
  finding.finding.frames = {FrameNumber{8}};
  finding.began = TimePoint{8000};
  EXPECT_THAT(ladder_finding_details(finding, terminate).toStdString(), HasSubstr("QP-02 in frame 9"));
  finding.finding.frame = FrameNumber{500};
  EXPECT_THAT(ladder_finding_details(finding, terminate).toStdString(), HasSubstr("QP-02 in frame 8"));
}

TEST(LadderText, EveryOpcodeHasASection) {
  for (std::size_t i = 0; i < rdmap::kOpcodes; ++i) {
    const auto opcode = static_cast<rdmap::Opcode>(i);
    EXPECT_THAT(ladder_reference(opcode).toStdString(), testing::StartsWith("RFC ")) << rdmap::name(opcode);
    const auto message = ladder_message(Direction::b_to_a, 3, 17, opcode);
    EXPECT_THAT(ladder_details(message, {}).toStdString(), HasSubstr(std::string(rdmap::title(opcode))));
  }
}

}  // namespace
}  // namespace iwarpscope::gui::ladder_layout_test
