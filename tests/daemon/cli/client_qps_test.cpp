// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope qps` and `iwarpscope qp`, against a daemon made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/exit_status.h"
#include "daemon/cli/client_kit.h"
#include "report/json.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::finding_view;
using api::testing::qp_view;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace sample = report::sample;

TEST_F(Client, QpsAreAnAlignedTable) {
  daemon.directory.known_qps = {qp_view(0), qp_view(12345)};
  const Result result = ask({"qps"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  std::istringstream in(result.out);
  std::string head, first, second;
  std::getline(in, head);
  std::getline(in, first);
  std::getline(in, second);
  for (const auto& [title, cell] :
       {std::pair{"A -> B", "10.0.0.1:45000 -> 10.0.0.2:4420"}, std::pair{"ULP", "nvme"},
        std::pair{"State", "closed (FIN)"}, std::pair{"Depth", "16/8"}, std::pair{"Verdict", "completed V-30"},
        std::pair{"Worst", "error: mpa.crc-mismatch"}}) {
    EXPECT_EQ(first.find(cell), head.find(title)) << result.out;
    EXPECT_EQ(second.find(cell), head.find(title)) << result.out;
  }
  EXPECT_THAT(second, StartsWith("12345  "));
  EXPECT_EQ(ask({"qps", "--peer", "10.9.9.9"}).out, "No queue pairs.\n");
  EXPECT_EQ(ask({"qps", "--state", "rts"}).out, "No queue pairs.\n");
  EXPECT_EQ(ask({"qps", "--outcome", "failed"}).out, "No queue pairs.\n");
  EXPECT_EQ(ask({"qps", "--open"}).out, "No queue pairs.\n");
  EXPECT_THAT(ask({"qps", "--limit", "1"}).out, Not(HasSubstr("12345")));
}

TEST_F(Client, QpsAsJsonAreTheReportsRecords) {
  daemon.directory.known_qps = {qp_view(3), qp_view(4)};
  std::string expected;
  for (const auto& view : daemon.directory.known_qps) {
    report::append_json(expected, view->record, "");  // a daemon of an earlier version names nothing
    expected.resize(expected.size() - 2);
    expected += R"(,"losses":{"nic_frames":1,"kernel_frames":2,"queue_frames":3,"gap_octets":4,"gap_messages":5},)"
                R"("continued":false,"findings":{"errors":1,"warnings":2,"notes":3,"worst":"mpa.crc-mismatch"},)"
                R"("payload_octets":3150848,"times":{"mpa_request":"1700000000.000000000",)"
                R"("a_to_b":{"syn":null,"fin":null,"rst":null},"b_to_a":{"syn":null,"fin":null,"rst":null}},)"
                R"("sensor":null,"sensor_uuid":null,"run_uuid":null,"sequence":null,"interface":null,"tap_group":null})"
                "\n";
  }
  EXPECT_EQ(ask({"qps", "--format", "json"}).out, expected);
  EXPECT_EQ(lines(ask({"qp", "3", "--format", "json"}).out).back()["losses"]["queue_frames"], 3);
}

TEST_F(Client, QpSaysThatItWasContinued) {
  const auto one = qp_view(3);
  daemon.directory.known_qps = {one};
  EXPECT_THAT(ask({"qp", "3"}).out, Not(HasSubstr("Continued from the run before")));
  one->continued = true;
  EXPECT_THAT(ask({"qp", "3"}).out, HasSubstr("\n  Continued from the run before\n"));
  EXPECT_EQ(lines(ask({"qp", "3", "--format", "json"}).out).back()["continued"], true);
}

/// A column that says nothing would cost the width of a terminal.
TEST_F(Client, QpsHaveANarrowColumnForContinuedOnesIfThereAreAny) {
  const auto one = qp_view(3), other = qp_view(4);
  daemon.directory.known_qps = {one, other};
  std::string without_it;
  std::istringstream before(ask({"qps"}).out);
  std::getline(before, without_it);
  EXPECT_THAT(ask({"qps"}).out, Not(HasSubstr("Continued")));
  other->continued = true;
  std::istringstream in(ask({"qps"}).out);
  std::string head, first, second;
  for (std::string* line : {&head, &first, &second}) std::getline(in, *line);
  EXPECT_EQ(head.size(), without_it.size() + 3);
  const std::size_t at = head.find("  R  ");
  ASSERT_NE(at, std::string::npos) << head;
  EXPECT_EQ(first.substr(at, 5), "  -  ");
  EXPECT_EQ(second.substr(at, 5), "  c  ");
  EXPECT_THAT(ask({"qps"}).out, HasSubstr("\nR: c  Continued from the run before\n"));
}

TEST_F(Client, QpsSayWhatWasLostBesideEachVerdictAndInAll) {
  const auto well = qp_view(7), lossy = qp_view(8);
  well->losses = {};
  daemon.directory.known_qps = {well};
  EXPECT_THAT(ask({"qps"}).out, HasSubstr("completed V-30  -     error"));
  EXPECT_THAT(ask({"qps"}).out, HasSubstr("\nTotal lost by the capture: none known\n"));
  EXPECT_THAT(ask({"qps"}).out, Not(HasSubstr("Lost: ")));
  daemon.directory.known_qps = {well, lossy};
  daemon.directory.change([](live::Status& now) { now.totals.losses = {1, 20, 3, 4096}; });
  std::istringstream in(ask({"qps"}).out);
  std::string head, first, second, legend, totals;
  for (std::string* line : {&head, &first, &second, &legend, &totals}) std::getline(in, *line);
  const std::size_t at = head.find("  Lost  ") + 2;
  EXPECT_EQ(first.substr(at, 3), "-  ");
  EXPECT_THAT(second.substr(at), StartsWith("6 frames, 4 octets and 5 messages  "));
  EXPECT_THAT(legend, StartsWith("Lost: "));
  EXPECT_EQ(totals,
            "Total lost by the capture: 24 frames: 1 at the interface, 20 in the kernel's ring, 3 before the "
            "analysis; 4.00 KiB of TCP streams missing");
}

TEST_F(Client, QpIsShownAsTheReportShowsIt) {
  daemon.directory.known_qps = {qp_view(3)};
  auto request = sample::message(rdmap::Opcode::rdma_read_request, 1);
  request.detail = qp::ReadRequestDetail{STag{1}, {}, 4096, STag{2}, {}, qp::ResponseLink{0, 1000, 2000}};
  daemon.directory.known_messages = {std::make_shared<qp::MessageRecord>(request)};
  daemon.directory.known_findings = {finding_view(1, sample::crc_finding(3)), finding_view(2, sample::crc_finding(4))};
  const Result result = ask({"qp", "3", "--messages"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("QP 3\n  A: 10.0.0.1:45000, MPA Initiator"));
  EXPECT_THAT(result.out, HasSubstr("MPA startup"));
  EXPECT_THAT(result.out, HasSubstr("1 answered, 0 not"));
  EXPECT_THAT(result.out, HasSubstr("mpa.crc-mismatch (MF-04)  QP 3, A -> B, frame 17"));
  EXPECT_THAT(result.out, StartsWith("QP 3\n"));  // the heading, before findings and messages
  EXPECT_THAT(result.out, HasSubstr("Lost by the capture during its lifetime: 6 frames: 1 at the interface"));
  EXPECT_THAT(result.out, Not(HasSubstr("QP 4")));
  const auto records = lines(ask({"qp", "3", "-v", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0]["record"], "message");
  EXPECT_EQ(records[1]["record"], "finding");
  EXPECT_EQ(records[2]["record"], "qp");
}

/// A queue pair with something of each kind, in an order that its time does not have.
void fill_timeline(live::FakeDirectory& directory) {
  auto view = qp_view(3);
  view->record.first_frame = FrameNumber{1};
  view->record.first_time = sample::after(-5'000);
  view->record.last_frame = FrameNumber{98};
  view->record.last_time = sample::after(9'000);
  view->record.summary.directions[0].fin = {FrameNumber{97}, sample::after(8'000)};
  view->record.summary.directions[1].rst = {FrameNumber{98}, sample::after(9'000)};
  directory.known_qps = {view};
  auto terminate = sample::message(rdmap::Opcode::terminate, 2);
  terminate.detail = qp::TerminateDetail{};
  std::get<qp::TerminateDetail>(terminate.detail).name = "Invalid STag";
  terminate.first_frame = FrameNumber{60};
  terminate.first_time = sample::after(6'000);
  directory.known_messages = {std::make_shared<qp::MessageRecord>(terminate),
                              std::make_shared<qp::MessageRecord>(sample::message(rdmap::Opcode::send))};
  using Kind = qp::TransportEventKind;
  directory.known_events = {
      {3, Kind::retransmission, Direction::b_to_a, FrameNumber{50}, sample::after(5'000), 1460, kStreamOrigin + 7},
      {3, Kind::capture_gap, Direction::a_to_b, FrameNumber{40}, sample::after(4'000), 1, {}},
      {4, Kind::damaged, Direction::a_to_b, FrameNumber{41}, sample::after(4'100), 9, {}},
      {3, Kind::window_closed, Direction::a_to_b, FrameNumber{70}, sample::after(7'000), 0, {}}};
  directory.known_findings = {finding_view(1, sample::crc_finding(3)), finding_view(2, sample::crc_finding(4))};
}

TEST_F(Client, TimelineOfAQpIsByTime) {
  fill_timeline(daemon.directory);
  const Result result = ask({"qp", "3", "--timeline"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  std::size_t before = 0;
  for (const char* text :
       {"QP 3\n  A: 10.0.0.1:45000", "22:13:19.999995001  QP 3  frame 1: first seen\n", "MPA Request, revision",
        "MPA Reply, revision",
        "QP 3 A -> B  frame 17: error mpa.crc-mismatch (MF-04): ", "QP 3 A -> B  frame 40: 1 octet missing from the",
        "QP 3 B -> A  frame 50: 1460 octets retransmitted, at octet 7 of the stream\n",
        "frame 60: Terminate: Invalid STag", "frame 70: the receive window is closed\n",
        "QP 3 A -> B  frame 97: TCP FIN\n", "QP 3 B -> A  frame 98: TCP RST\n", "QP 3  frame 98: last seen\n"}) {
    if (std::string_view(text).starts_with("MPA Re")) {
      EXPECT_THAT(result.out, HasSubstr(text));
      continue;
    }
    const std::size_t at = result.out.find(text);
    ASSERT_NE(at, std::string::npos) << text << " is not in\n" << result.out;
    EXPECT_GE(at, before) << text;
    before = at;
  }
  EXPECT_THAT(result.out, Not(HasSubstr("QP 4")));
  EXPECT_THAT(result.out, Not(HasSubstr("wrong checksum")));
  EXPECT_THAT(result.out, Not(HasSubstr("MSN")));  // messages are asked for by another option
  EXPECT_THAT(ask({"qp", "3", "--timeline", "-v"}).out, HasSubstr("#12 Send: "));
  EXPECT_THAT(ask({"qp", "3"}).out, Not(HasSubstr("TCP FIN")));
}

TEST_F(Client, TimelineOfASessionOverSctpSpeaksOfSctp) {
  fill_timeline(daemon.directory);
  auto view = std::make_shared<live::QpView>(*daemon.directory.known_qps.front());
  qp::QpRecord& session = view->record;
  session.sctp_stream = 2;
  session.closed_by = "session_terminate";
  session.startup->request->function_code = 5;
  session.startup->request->enhanced_flag = true;
  session.startup->reply->function_code = 3;
  session.startup->reply->enhanced_flag = false;
  session.startup->reply->rejected = true;
  daemon.directory.known_qps = {view};
  daemon.directory.known_events = {
      {3, qp::TransportEventKind::capture_gap, Direction::a_to_b, FrameNumber{40}, sample::after(4'000), 0, {}}};
  const std::string out = ask({"qp", "3", "--timeline"}).out;
  EXPECT_THAT(out, HasSubstr("A -> B  frame 4: Enhanced Session Initiate"));
  EXPECT_THAT(out, HasSubstr("B -> A  frame 6: Session Reject"));
  EXPECT_THAT(out, HasSubstr("A -> B  frame 97: the sender ended its side of the session\n"));
  EXPECT_THAT(out, HasSubstr("B -> A  frame 98: the sender aborted the association\n"));
  EXPECT_THAT(out, HasSubstr("frame 40: messages missing from the capture\n"));
  EXPECT_THAT(out, HasSubstr("last seen; closed (SESSION TERMINATE)\n"));
  EXPECT_THAT(out, Not(HasSubstr("MPA Re")));
  EXPECT_THAT(out, Not(HasSubstr("TCP FIN")));
  EXPECT_THAT(out, Not(HasSubstr("TCP RST")));
  const std::string json = ask({"qp", "3", "--timeline", "--format", "json"}).out;
  EXPECT_THAT(json, HasSubstr(R"("kind":"session_initiate")"));
  EXPECT_THAT(json, HasSubstr(R"("kind":"session_reject")"));
}

TEST_F(Client, TimelineAsJsonIsOneRecordAnEvent) {
  fill_timeline(daemon.directory);
  const auto records = lines(ask({"qp", "3", "--timeline", "--format", "json"}).out);
  ASSERT_GE(records.size(), 10u);
  std::vector<std::string> kinds;
  std::uint64_t found = 0;
  for (const auto& record : records) {
    if (record["record"] == "event") kinds.push_back(record["kind"]);
    found += record["record"] == "finding" ? 1 : 0;
  }
  EXPECT_THAT(kinds,
              ::testing::IsSupersetOf({"first_frame", "mpa_request", "mpa_reply", "capture_gap", "retransmission",
                                       "terminate", "window_closed", "fin", "rst", "last_frame"}));
  EXPECT_EQ(found, 1u);
  EXPECT_EQ(records.back()["record"], "qp");
  const auto its = std::find_if(records.begin(), records.end(),
                                [](const auto& record) { return record.value("kind", "") == "retransmission"; });
  ASSERT_NE(its, records.end());
  EXPECT_EQ((*its)["direction"], "b_to_a");
  EXPECT_EQ((*its)["frame"], 50);
  EXPECT_EQ((*its)["time"], "1700000000.000005001");
  EXPECT_EQ((*its)["octets"], 1460);
  EXPECT_EQ((*its)["offset"], 7);
}

TEST_F(Client, WordsOfADaemonDoNotReachTheTerminalAsCommands) {
  auto view = qp_view(3);
  view->record.verdict->text = "It ended.\x1b[2J\x7f";
  daemon.directory.known_qps = {view};
  const Result result = ask({"qp", "3", "--timeline"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("It ended."));
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
  EXPECT_EQ(result.out.find('\x7f'), std::string::npos);
}

TEST_F(Client, QpThatThereIsNotIsTrouble) {
  const Result result = ask({"qp", "99"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: qp: queue pair 99 does not exist, or it ended long ago and was discarded\n");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
