// The commands that ask a running daemon, against one made by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "cli/client_text.h"
#include "cli/exit_status.h"
#include "cli/watch_model.h"
#include "daemon/api/certificates.h"
#include "daemon/api/kit.h"
#include "daemon/cli/console.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/json.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::Daemon;
using api::testing::finding_view;
using api::testing::qp_view;
using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace sample = report::sample;

class Client : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(daemon.start(), ""); }
  Result ask(std::vector<std::string> words) {
    words.insert(words.begin() + 1, {"--socket", daemon.options.socket});
    return run_with(words);
  }
  static std::vector<nlohmann::json> lines(const std::string& text) {
    std::vector<nlohmann::json> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
    return out;
  }
  Daemon daemon;
};

TEST_F(Client, StatusSaysWhatIsCapturedAndLost) {
  daemon.directory.change([](live::Status& now) {
    now.interfaces = {{"eth1", "EN10MB", 10, 2048, {}, true, "adapter", {"gro", "lro"}, {"It went away once."}}};
    now.totals.losses = {1, 2, 3, 4096};
    now.totals.findings = {{"mpa.crc-mismatch", 2}};
    now.totals.qps_by_state = {{"rts", 5}, {"awaiting_first_fpdu", 1}};
    now.outputs = {{"history", false, "The disk is full.", 4, 5, 6, 7, 8}};
    now.limits = {{"queue pairs", 95, 100, 0}, {"connections", 1, 100, 0}, {"tcp chunks", 0, 4096, 7, true}};
  });
  const Result result = ask({"status"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, StartsWith("iwarpscoped 1.2.3, running for"));
  EXPECT_THAT(result.out, HasSubstr("capturing from eth1"));
  EXPECT_THAT(result.out, HasSubstr("receive offloads are on (gro, lro)"));
  EXPECT_THAT(result.out, HasSubstr("It went away once."));
  EXPECT_THAT(
      result.out,
      HasSubstr("Losses      6 frames: 1 at the interface, 2 in the kernel's ring, 3 before the analysis; 4.00 KiB "
                "of TCP streams never seen"));
  EXPECT_THAT(result.out, HasSubstr("still followed: 1 awaiting first fpdu, 5 rts"));
  EXPECT_THAT(result.out, HasSubstr("2 errors, 0 warnings, 0 notes"));
  EXPECT_THAT(result.out,
              HasSubstr("history: 4 taken, 5 lost, 6 of 7 waiting, the oldest for 8.00 s; in trouble: The disk"));
  EXPECT_THAT(result.out, HasSubstr("queue pairs: 95 of 100"));
  EXPECT_THAT(result.out, HasSubstr("tcp chunks: 4096 each, 7 given up to stay within it"));
  EXPECT_THAT(result.out, Not(HasSubstr("connections")));
}

TEST_F(Client, StatusAsJsonIsOneRecord) {
  const auto records = lines(ask({"status", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["record"], "status");
  EXPECT_EQ(records[0]["version"], "1.2.3");
  EXPECT_EQ(records[0]["capturing"], true);
}

TEST_F(Client, QpsAreAnAlignedTable) {
  daemon.directory.known_qps = {qp_view(0), qp_view(12345)};
  const Result result = ask({"qps"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  std::istringstream in(result.out);
  std::string head, first, second;
  std::getline(in, head);
  std::getline(in, first);
  std::getline(in, second);
  for (const auto& [title, cell] : {std::pair{"A -> B", "10.0.0.1:45000 -> 10.0.0.2:4420"}, std::pair{"ULP", "nvme"},
                                    std::pair{"State", "closed (FIN)"}, std::pair{"Depth", "16/8"},
                                    std::pair{"Verdict", "completed"}, std::pair{"Worst", "error: mpa.crc-mismatch"}}) {
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
    report::append_json(expected, view->record);
    expected.resize(expected.size() - 2);
    expected += R"(,"losses":{"nic_frames":1,"kernel_frames":2,"queue_frames":3,"gap_octets":4}})"
                "\n";
  }
  EXPECT_EQ(ask({"qps", "--format", "json"}).out, expected);
  EXPECT_EQ(lines(ask({"qp", "3", "--format", "json"}).out).back()["losses"]["queue_frames"], 3);
}

TEST_F(Client, QpsSayWhatWasLostBesideEachVerdictAndInAll) {
  const auto well = qp_view(7), lossy = qp_view(8);
  well->losses = {};
  daemon.directory.known_qps = {well};
  EXPECT_THAT(ask({"qps"}).out, HasSubstr("completed  -     error"));
  EXPECT_THAT(ask({"qps"}).out, HasSubstr("\nLost by the capture in all: none known\n"));
  EXPECT_THAT(ask({"qps"}).out, Not(HasSubstr("Lost: ")));
  daemon.directory.known_qps = {well, lossy};
  daemon.directory.change([](live::Status& now) { now.totals.losses = {1, 20, 3, 4096}; });
  std::istringstream in(ask({"qps"}).out);
  std::string head, first, second, legend, totals;
  for (std::string* line : {&head, &first, &second, &legend, &totals}) std::getline(in, *line);
  const std::size_t at = head.find("  Lost  ") + 2;
  EXPECT_EQ(first.substr(at, 3), "-  ");
  EXPECT_EQ(second.substr(at, 20), "6 frames, 4 octets  ");
  EXPECT_THAT(legend, StartsWith("Lost: "));
  EXPECT_EQ(totals,
            "Lost by the capture in all: 24 frames: 1 at the interface, 20 in the kernel's ring, 3 before the "
            "analysis; 4.00 KiB of TCP streams never seen");
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
  EXPECT_THAT(result.out, HasSubstr("Lost by the capture while it was there: 6 frames: 1 at the interface"));
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
  view->record.story.directions[0].fin = {FrameNumber{97}, sample::after(8'000)};
  view->record.story.directions[1].rst = {FrameNumber{98}, sample::after(9'000)};
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
       {"QP 3\n  A: 10.0.0.1:45000", "22:13:19.999995001  QP 3  frame 1: first seen\n", "MPA Request of revision",
        "MPA Reply of revision",
        "QP 3 A -> B  frame 17: error mpa.crc-mismatch (MF-04): ", "QP 3 A -> B  frame 40: 1 octet never seen by the",
        "QP 3 B -> A  frame 50: 1460 octets sent again, at octet 7 of the stream\n",
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
  EXPECT_EQ(result.err, "iwarpscope: qp: there is no queue pair 99, or it ended long ago and was forgotten\n");
}

TEST_F(Client, FindingsAreLinesOrRecords) {
  daemon.directory.known_findings = {finding_view(1, sample::drops_finding()), finding_view(2, sample::crc_finding(4))};
  const Result result = ask({"findings"});
  EXPECT_THAT(result.out, HasSubstr("capture: The capture dropped 7 frames.\n"));
  EXPECT_THAT(result.out,
              HasSubstr("error    mpa.crc-mismatch (MF-04)  QP 4, A -> B, frame 17 (10.0.0.1 - 10.0.0.2): The "));
  EXPECT_THAT(ask({"findings", "--rule", "mf-04"}).out, Not(HasSubstr("dropped")));
  EXPECT_THAT(ask({"findings", "--at-least", "error"}).out, Not(HasSubstr("dropped")));
  std::string expected;
  for (const auto& view : daemon.directory.known_findings) report::append_json(expected, view->finding);
  EXPECT_EQ(ask({"findings", "--format", "json"}).out, expected);
  EXPECT_THAT(ask({"findings", "--rule", "XX-99"}).err, HasSubstr("there is no rule 'XX-99'"));
}

TEST_F(Client, FollowedFindingsEndAtTheLimit) {
  daemon.directory.known_findings = {finding_view(1, sample::crc_finding(4))};
  std::thread teller([this] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    for (std::uint64_t i = 1; i < 4; ++i) {
      daemon.directory.tell(live::FindingTold{finding_view(i, sample::crc_finding(i + 10))});
    }
  });
  const Result result = ask({"findings", "--follow", "--limit", "3"});
  teller.join();
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 3) << result.out;
  EXPECT_THAT(result.out, HasSubstr("QP 13"));
  EXPECT_THAT(result.out, Not(HasSubstr("QP 11")));  // the list had the first
}

TEST_F(Client, FollowedFindingsAreThoseOfThePeerHoweverItIsWritten) {
  const auto of = [](std::uint64_t sequence, std::uint8_t last) {
    auto view = std::make_shared<live::FindingView>(*finding_view(sequence, sample::crc_finding(sequence)));
    view->ends->first.address.octets = {};
    view->ends->first.address.octets[0] = 0xFD;
    view->ends->first.address.octets[15] = last;
    return view;
  };
  std::thread teller([&] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    for (std::uint64_t i = 1; i < 5; ++i) daemon.directory.tell(live::FindingTold{of(i, i % 2 == 0 ? 1 : 2)});
  });
  const Result result = ask({"findings", "--follow", "--limit", "2", "--peer", "FD00:0::0:1", "--rule", "mf-04"});
  teller.join();
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("QP 4"));
  EXPECT_THAT(result.out, Not(HasSubstr("QP 3")));
  EXPECT_THAT(ask({"findings", "--follow", "--peer", "nobody"}).err, HasSubstr("'nobody' is no IPv4 or IPv6 address"));
}

TEST_F(Client, FollowedFindingsEndWithTheDaemonAndThatIsTrouble) {
  std::thread stopper([this] {
    while (daemon.directory.channels().empty()) std::this_thread::yield();
    daemon.server->stop();
  });
  const Result result = ask({"findings", "--follow"});
  stopper.join();
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, StartsWith("iwarpscope: findings: "));
  EXPECT_THAT(result.err, AnyOf(HasSubstr("the daemon stops"), HasSubstr("is iwarpscoped running")));
}

TEST_F(Client, RecordNamesTheFile) {
  daemon.directory.known_qps = {qp_view(7)};
  const Result result = ask({"record", "7", "--seconds", "30", "--reason", "why not"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Recording QP 7 for 30 s"));
  EXPECT_THAT(result.out, HasSubstr("qp7.pcapng"));
  EXPECT_EQ(daemon.packets.asked_reason, "why not");
  EXPECT_EQ(lines(ask({"record", "7", "--format", "json"}).out)[0]["file"], "qp7.pcapng");
  EXPECT_EQ(ask({"record", "8"}).status, kExitTrouble);
}

TEST_F(Client, HistoryComesInPages) {
  daemon.archive.rows = 1500;
  const auto records = lines(ask({"history", "--limit", "1200", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 1200u);
  EXPECT_EQ(records.back()["n"], 301);
  EXPECT_EQ(lines(ask({"history", "--format", "json"}).out).size(), 100u);
  ask({"history", "--since", "2023-11-14T22:13:20", "--until", "2023-11-15"});
  EXPECT_EQ(daemon.archive.asked.from, TimePoint{1'700'000'000'000'000'000});
  EXPECT_EQ(daemon.archive.asked.to, TimePoint{1'700'006'400'000'000'000});
  EXPECT_THAT(ask({"history", "--since", "yesterday"}).err, HasSubstr("'yesterday' is no time"));
}

TEST_F(Client, HistorySaysWhichRunWroteIt) {
  daemon.archive.rows = 2;
  EXPECT_THAT(ask({"history"}).out, HasSubstr("UTC  run run-1  "));
  const auto records = lines(ask({"history", "--format", "json"}).out);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["run"], "run-1");
  EXPECT_EQ(records[0]["n"], 2);
  EXPECT_EQ(history_json("{}", "a\"b"), R"({"run":"a\"b"})");
  EXPECT_EQ(history_json("[1]", "r"), "[1]");
}

TEST(HistoryWords, NameTheOperationItsEndsAndWhatBecameOfIt) {
  const std::string rest = R"(,"opcode":"rdma_read_request","first_frame":12,"a":{"address":"10.0.0.1","port":4005},)"
                           R"("b":{"address":"10.0.0.2","port":5445},"outcome":"no_response_seen"})";
  EXPECT_EQ(history_words(R"({"record":"message","qp":5,"direction":"a_to_b","index":2)" + rest),
            "QP 5  10.0.0.1:4005 -> 10.0.0.2:5445  A -> B  RDMA Read Request (message 2)  frame 12  "
            "no response was seen");
  EXPECT_EQ(history_words(R"({"record":"message","qp":5,"direction":"b_to_a","index":1,"opcode":"terminate",)"
                          R"("first_frame":13,"name":"Invalid STag","a":null,"b":null,"outcome":"terminate"})"),
            "QP 5  B -> A  Terminate (message 1)  frame 13  Invalid STag");
  EXPECT_THAT(history_words(R"({"opcode":"send","outcome":"terminated"})"), HasSubstr("Send  a Terminate named it"));
}

TEST(HistoryWords, SayWhatWasLostBesideTheVerdict) {
  const auto words = [](const std::string& losses) {
    return history_words(R"({"record":"qp","qp":5,"verdict":{"class":"failed","text":"It failed."})" + losses + "}");
  };
  EXPECT_EQ(words(""), "QP 5  failed  It failed.");
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":0,"kernel_frames":0,"queue_frames":0,"gap_octets":0})"), words(""));
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":0,"kernel_frames":17,"queue_frames":0,"gap_octets":0})"),
            words("") +
                "  lost while it was there: 17 frames: 0 at the interface, 17 in the kernel's ring, 0 before "
                "the analysis");
  EXPECT_EQ(words(R"(,"losses":{"nic_frames":"x","gap_octets":-1})"), words(""));
  EXPECT_EQ(words(R"(,"losses":[1])"), words(""));
}

TEST_F(Client, WatchOnceAsJsonIsOneRecord) {
  const auto slow = qp_view(1), fast = qp_view(2), ended = qp_view(3);
  for (const auto& view : {slow, fast}) view->ended = false;
  slow->activity.octets[58] = 1000;
  slow->record.ulp = "evil\"\x1b";
  slow->record.verdict.reset();
  slow->findings.worst.reset();
  daemon.directory.known_qps = {slow, fast, ended};
  daemon.directory.change([](live::Status& now) {
    now.capture_time = sample::kStart;
    now.totals.losses.kernel = 3;
  });
  const Result result = ask({"watch", "--once", "--format", "json"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  const auto records = lines(result.out);
  ASSERT_EQ(records.size(), 1u);
  const auto& watch = records[0];
  EXPECT_EQ(watch["record"], "watch");
  EXPECT_TRUE(watch["trouble"].is_null());
  EXPECT_EQ(watch["status"]["version"], "1.2.3");
  EXPECT_EQ(watch["status"]["totals"]["losses"]["kernel_frames"], "3");  // as protobuf writes 64 bits
  ASSERT_EQ(watch["qps"].size(), 3u);
  const auto& first = watch["qps"][0];
  EXPECT_EQ(first["qp"], 2);  // by rate
  EXPECT_EQ(first["payload_octets_per_second"], 1 << 20);
  EXPECT_EQ(first["a"], (nlohmann::json{{"address", "10.0.0.1"}, {"port", 45000}}));
  EXPECT_EQ(first["worst_finding"]["code"], "MF-04");
  EXPECT_EQ(first["worst_finding"]["severity"], "error");
  EXPECT_EQ(first["verdict"], (nlohmann::json{{"class", "completed"}, {"blame", "none"}, {"confidence", "certain"}}));
  EXPECT_EQ(first["losses"]["gap_octets"], 4);
  EXPECT_EQ(first["findings"]["notes"], 3);
  EXPECT_EQ(first["ended"], false);
  EXPECT_EQ(watch["qps"][1]["qp"], 1);
  EXPECT_EQ(watch["qps"][1]["ulp"], "evil\"\x1b");
  EXPECT_TRUE(watch["qps"][1]["verdict"].is_null());
  EXPECT_TRUE(watch["qps"][1]["worst_finding"].is_null());
  EXPECT_EQ(watch["qps"][2]["ended"], true);
  const auto by_number = lines(ask({"watch", "--once", "--format", "json", "--sort", "number"}).out);
  EXPECT_EQ(by_number[0]["qps"][0]["qp"], 1);
}

TEST_F(Client, WatchOnceDoesNotCutWhatStandsAboveTheTable) {
  const std::string trouble(150, 'x');
  daemon.directory.change([&](live::Status& now) {
    now.outputs = {{"history", false, trouble, 1, 0, 0, 10, 0}, {"journal", true, "", 1, 0, 0, 10, 0}};
  });
  EXPECT_THAT(ask({"watch", "--once"}).out,
              HasSubstr("\nOutputs  history in trouble: " + trouble + "; journal well\n"));
}

TEST_F(Client, WatchOnceIsOneScreenAsText) {
  for (std::uint64_t i = 0; i < 100; ++i) {
    auto view = qp_view(i);
    view->ended = false;
    view->activity.octets[58] = static_cast<std::uint32_t>(i) << 20;
    daemon.directory.known_qps.push_back(view);
  }
  daemon.directory.change([](live::Status& now) {
    now.capture_time = sample::kStart;
    now.totals.losses.kernel = 3;
  });
  const Result result = ask({"watch", "--once"});
  EXPECT_EQ(result.status, kExitDone) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Losses   3 frames: 0 at the interface, 3 in the kernel's ring"));
  EXPECT_THAT(result.out, HasSubstr("Rate*"));
  EXPECT_LT(result.out.find("99.0 MiB/s"), result.out.find("98.0 MiB/s"));
  EXPECT_THAT(ask({"watch", "--once", "--sort", "number"}).out, HasSubstr("\n0  "));
  EXPECT_EQ(result.out.find('\x1b'), std::string::npos);
}

TEST_F(Client, WatchNeedsATerminal) {
  const Result result = ask({"watch"});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_EQ(result.err, "iwarpscope: watch: this is no terminal; --once prints one screen as text\n");
}

/// From another machine.
class ClientByTls : public ::testing::Test {
 protected:
  void SetUp() override {
    daemon.options.tcp = "127.0.0.1:0";
    daemon.options.tls = api::testing::certificates().files("server");
    ASSERT_EQ(daemon.start(), "");
    daemon.directory.known_qps = {qp_view(7)};
    daemon.directory.known_findings = {finding_view(1, sample::crc_finding(7))};
  }
  Result ask(std::vector<std::string> words, const std::string& who = "client") const {
    const api::TlsFiles files = api::testing::certificates().files(who);
    words.insert(words.begin() + 1, {"--host", "localhost:" + std::to_string(daemon.server->tcp_port()), "--ca",
                                     files.ca, "--cert", files.certificate, "--key", files.key});
    return run_with(words);
  }
  Daemon daemon;
};

TEST_F(ClientByTls, EveryCommandIsAnswered) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> all = {
      {{"status"}, "iwarpscoped 1.2.3, running for"},
      {{"qps"}, "10.0.0.1:45000 -> 10.0.0.2:4420"},
      {{"qp", "7"}, "QP 7\n  A: 10.0.0.1:45000, MPA Initiator"},
      {{"findings"}, "mpa.crc-mismatch (MF-04)  QP 7"},
      {{"findings", "--follow", "--limit", "1"}, "mpa.crc-mismatch (MF-04)  QP 7"},
      {{"watch", "--once"}, "10.0.0.1:45000 -> 10.0.0.2:4420"},
      {{"record", "7"}, "qp7.pcapng"},
      {{"history"}, "2023-11-14"}};
  for (const auto& [words, answer] : all) {
    const Result result = ask(words);
    EXPECT_EQ(result.status, kExitDone) << words[0] << ": " << result.err;
    EXPECT_THAT(result.out, HasSubstr(answer)) << words[0];
    EXPECT_EQ(result.err, "") << words[0];
  }
}

TEST_F(ClientByTls, StrangersAreToldWhatToCheck) {
  for (const char* command : {"status", "qps", "findings", "history", "watch"}) {
    const Result result = ask({command}, "stranger");
    EXPECT_EQ(result.status, kExitTrouble) << command;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_THAT(result.err, HasSubstr("do both ends accept each other's certificates")) << command;
  }
}

TEST_F(ClientByTls, PortWhereNobodyListensIsNoTroubleOfCertificates) {
  const int port = daemon.server->tcp_port();
  daemon.server.reset();
  const api::TlsFiles files = api::testing::certificates().files("client");
  const Result result = run_with({"status", "--host", "127.0.0.1:" + std::to_string(port), "--ca", files.ca, "--cert",
                                  files.certificate, "--key", files.key});
  EXPECT_EQ(result.status, kExitTrouble);
  EXPECT_THAT(result.err, HasSubstr("nobody listens there; is iwarpscoped running"));
  EXPECT_THAT(result.err, Not(HasSubstr("certificate")));
}

TEST(ClientWithoutADaemon, SaysWhatToCheck) {
  const api::testing::Folder folder;
  for (const char* command : {"status", "qps", "findings", "watch", "history"}) {
    const Result result = run_with({command, "--socket", folder.file("none")});
    EXPECT_EQ(result.status, kExitTrouble);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err,
              std::string("iwarpscope: ") + command + ": " + folder.file("none") +
                  ": there is no such socket; is iwarpscoped running, and does it listen there (--socket)?\n");
  }
  EXPECT_THAT(run_with({"status", "--host", "127.0.0.1:1"}).err, HasSubstr("--host"));
  EXPECT_EQ(run_with({"status", "--host", "h:1", "--ca", "/none/a", "--cert", "/none/b", "--key", "/none/c"}).err,
            "iwarpscope: status: /none/b: a certificate cannot be read: No such file or directory\n");
}

TEST_F(Client, SocketMayComeFromTheEnvironment) {
  ::setenv("IWARPSCOPE_SOCKET", daemon.options.socket.c_str(), 1);
  const Result result = run_with({"status"});
  ::unsetenv("IWARPSCOPE_SOCKET");
  EXPECT_EQ(result.status, kExitDone) << result.err;
}

TEST_F(Client, SocketThatIsNamedBeatsTheEnvironment) {
  const api::testing::Folder folder;
  ::setenv("IWARPSCOPE_SOCKET", folder.file("none").c_str(), 1);
  const Result named = run_with({"status", "--socket", daemon.options.socket});
  const Result other = run_with({"status"});
  ::setenv("IWARPSCOPE_SOCKET", daemon.options.socket.c_str(), 1);
  const Result missing = run_with({"status", "--socket", folder.file("none")});
  ::unsetenv("IWARPSCOPE_SOCKET");
  EXPECT_EQ(named.status, kExitDone) << named.err;
  EXPECT_EQ(other.status, kExitTrouble);
  EXPECT_EQ(missing.status, kExitTrouble);
  EXPECT_THAT(missing.err, HasSubstr(folder.file("none")));
}

TEST(ClientsHost, NeedsAPort) {
  for (const char* host : {"127.0.0.1", "sensor:", "sensor:0", "sensor:65536", ":7470", "fd00::1", "fd00::1:7470",
                           "sensor:80x", "[fd00::1]", ""}) {
    const Result result = run_with({"status", "--host", host, "--ca", "a", "--cert", "b", "--key", "c"});
    EXPECT_EQ(result.status, kExitTrouble) << host;
    EXPECT_THAT(result.err, AnyOf(HasSubstr("is no HOST:PORT"), HasSubstr("--host"))) << host;
  }
  EXPECT_THAT(run_with({"status", "--host", "[fd00::1]:7470", "--ca", "/a", "--cert", "/b", "--key", "/c"}).err,
              HasSubstr("cannot be read"));
}

TEST(ClientCommands, AreCompleted) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = run_with({"completion", shell}).out;
    for (const char* word :
         {"status", "watch", "record", "history", "at-least", "stalled", "outstanding", "socket", "timeline"}) {
      EXPECT_THAT(script, HasSubstr(word)) << shell;
    }
  }
  // Of watch itself: the other commands have it, too.
  EXPECT_THAT(run_with({"completion", "fish"}).out,
              ContainsRegex("seen_subcommand_from watch' -l format [^\n]*text json"));
  EXPECT_THAT(run_with({"watch", "--help"}).out, HasSubstr("--format"));
}

TEST(ClientManPage, NamesEveryOption) {
  std::ifstream file(IWARPSCOPE_MAN_PAGE);
  ASSERT_TRUE(file) << IWARPSCOPE_MAN_PAGE;
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  std::set<std::string> names;
  const std::regex option("--([a-z-]+)");
  for (const char* command : {"status", "qps", "qp", "findings", "watch", "record", "history"}) {
    const std::string help = run_with({command, "--help"}).out;
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) names.insert((*at)[1]);
  }
  names.erase("help");
  EXPECT_GE(names.size(), 20u);
  for (const std::string& name : names) {
    EXPECT_THAT(page, HasSubstr("\\-\\-" + std::regex_replace(name, std::regex("-"), "\\-"))) << name;
  }
}

TEST(WatchScreen, HasExactlyTheSizeOfTheTerminal) {
  WatchModel model;
  std::vector<live::QpView> views;
  for (std::uint64_t i = 0; i < 50; ++i) views.push_back(*qp_view(i));
  model.replace(views);
  for (const std::size_t rows : {0u, 1u, 2u, 7u, 8u, 24u, 100u}) {
    for (const std::size_t columns : {1u, 20u, 80u, 300u}) {
      WatchChoice choice;
      choice.first = 1000;
      const auto lines = model.screen(choice, rows, columns);
      EXPECT_EQ(lines.size(), rows);
      for (const WatchLine& line : lines) EXPECT_LE(line.text.size(), columns);
      EXPECT_LE(choice.first, 50u);
    }
  }
}

TEST(WatchScreen, SaysInWordsWhatIsWrong) {
  WatchModel model;
  v1::Status status;
  status.mutable_totals()->mutable_losses()->set_gap_octets(100);
  model.take_status(status, WatchModel::Clock::now());
  auto view = *qp_view(1);
  view.record.ulp = "evil\x1b[2J";
  model.apply(view);
  WatchChoice choice;
  auto lines = model.screen(choice, 20, 200);
  EXPECT_EQ(lines[2].text, "Losses   100 octets of TCP streams never seen");
  EXPECT_EQ(lines[2].style, WatchLine::Style::warning);
  EXPECT_THAT(lines[6].text, HasSubstr("error: mpa.crc-mismatch"));
  EXPECT_EQ(lines[6].text.find('\x1b'), std::string::npos);
  model.set_trouble("nobody listens there");
  lines = model.screen(choice, 20, 200);
  EXPECT_EQ(lines[4].text, "Not up to date: nobody listens there");
}

TEST(WatchScreen, MarksVerdictsThatLossesLimit) {
  WatchModel model;
  auto well = *qp_view(1);
  well.losses = {};
  model.apply(well);
  WatchChoice choice;
  choice.sort = WatchColumn::number;
  EXPECT_EQ(model.screen(choice, 20, 80)[4].text, "0 queue pairs open, 1 shown");
  for (const live::Losses& losses :
       {live::Losses{1, 0, 0, 0}, live::Losses{0, 1, 0, 0}, live::Losses{0, 0, 1, 0}, live::Losses{0, 0, 0, 1}}) {
    auto lossy = *qp_view(2);
    lossy.losses = losses;
    model.apply(lossy);
    const auto lines = model.screen(choice, 20, 80);
    EXPECT_EQ(lines[4].text, "0 queue pairs open, 2 shown; ! losses limit what the verdict knows");
    EXPECT_THAT(lines[6].text, EndsWith("  completed"));
    EXPECT_THAT(lines[7].text, EndsWith(" !completed"));
  }
}

TEST(WatchScreen, ShowsWhatMattersOnEveryUsualTerminal) {
  WatchModel model;
  auto view = *qp_view(123456);
  view.ended = false;
  view.activity.last_second = 5;
  model.apply(view);
  v1::Status status;
  status.set_capture_time_ns(5'000'000'000);
  model.take_status(status, WatchModel::Clock::now());
  for (const auto& [columns, ends, others] :
       {std::tuple{80u, "0.1:45000 -> 10.0.0.2:4420", 0}, std::tuple{100u, "10.0.0.1:45000 -> 10.0.0.2:4420", 1},
        std::tuple{132u, "10.0.0.1:45000 -> 10.0.0.2:4420", 3},
        std::tuple{200u, "10.0.0.1:45000 -> 10.0.0.2:4420", 3}}) {
    WatchChoice choice;
    const auto lines = model.screen(choice, 20, columns);
    for (const char* title : {"QP", "A -> B", "Rate*", "Worst finding", "Verdict"}) {
      EXPECT_THAT(lines[5].text, HasSubstr(title)) << columns;
    }
    EXPECT_THAT(lines[6].text, StartsWith("123456  "));
    EXPECT_THAT(lines[6].text, HasSubstr(ends)) << columns;
    for (const char* cell : {"error: mpa.crc-mis", "completed"}) EXPECT_THAT(lines[6].text, HasSubstr(cell)) << columns;
    int shown = 0;
    for (const char* title : {"ULP", "State", "Waiting"}) shown += lines[5].text.find(title) != std::string::npos;
    EXPECT_EQ(shown, others) << columns << ": " << lines[5].text;
    EXPECT_LE(lines[5].text.size(), columns);
  }
  WatchChoice by_ulp;
  by_ulp.sort = WatchColumn::ulp;
  EXPECT_THAT(model.screen(by_ulp, 20, 80)[5].text, HasSubstr("ULP*"));
  EXPECT_THAT(model.screen(by_ulp, 20, 80)[5].text, HasSubstr("Verdict"));
}

TEST(WatchScreen, SaysFirstWhatOutputsAreInTrouble) {
  WatchModel model;
  v1::Status status;
  const auto add = [&](const std::string& name, bool healthy, std::uint64_t lost) {
    v1::Output& output = *status.add_outputs();
    output.set_name(name);
    output.set_healthy(healthy);
    output.set_lost(lost);
    if (!healthy) output.set_trouble("The disk is full.");
  };
  add("event-log", true, 0);
  add("journal", true, 7);
  add("history", false, 0);
  model.take_status(status, WatchModel::Clock::now());
  WatchChoice choice;
  EXPECT_EQ(model.screen(choice, 20, 200)[3].text,
            "Outputs  history in trouble: The disk is full.; journal 7 lost; event-log well");
}

TEST(WatchScreen, SortsByEachColumn) {
  WatchModel model;
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto view = *qp_view(i);
    view.ended = false;
    view.record.a.port = static_cast<std::uint16_t>(100 - i);
    view.record.ulp = i == 0 ? "nvme" : i == 1 ? "iser" : "nfs";
    view.record.state = i == 1 ? qp::State::mpa_requested : i == 0 ? qp::State::rts : qp::State::error;
    view.record.story.directions[0].waiting = qp::WaitingStory{i == 1 ? 9u : i, false, {}, {}};
    if (i != 2) view.findings.worst.reset();
    view.record.verdict->outcome = i == 1 ? qp::Outcome::failed : qp::Outcome::running;
    model.apply(view);
  }
  const auto first = [&](WatchColumn column, bool reverse = false) {
    WatchChoice choice;
    choice.sort = column;
    choice.reverse = reverse;
    return model.screen(choice, 20, 200)[6].text.substr(0, 1);
  };
  EXPECT_EQ(first(WatchColumn::number), "0");
  EXPECT_EQ(first(WatchColumn::number, true), "2");
  EXPECT_EQ(first(WatchColumn::ends), "2");
  EXPECT_EQ(first(WatchColumn::ulp), "1");
  EXPECT_EQ(first(WatchColumn::state), "1");
  EXPECT_EQ(first(WatchColumn::outstanding), "1");
  EXPECT_EQ(first(WatchColumn::finding), "2");
  EXPECT_EQ(first(WatchColumn::verdict), "1");
}

}  // namespace
}  // namespace iwarpscope::cli::testing
