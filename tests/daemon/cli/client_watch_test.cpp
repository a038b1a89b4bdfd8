// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope watch`, against a daemon made by hand, and its screen alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/exit_status.h"
#include "cli/watch_model.h"
#include "daemon/cli/client_kit.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::cli::testing {
namespace {

using api::testing::qp_view;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
namespace sample = report::sample;

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
  EXPECT_EQ(first["verdict"], (nlohmann::json{{"id", "end.closed"},
                                              {"code", "V-30"},
                                              {"outcome", "completed"},
                                              {"class", "completed"},
                                              {"blame", "none"},
                                              {"confidence", "certain"}}));
  EXPECT_EQ(first["losses"]["gap_octets"], 4);
  EXPECT_EQ(first["losses"]["gap_messages"], 5);
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

TEST_F(Client, WatchOnceDoesNotCutWhatIsAboveTheTable) {
  const std::string trouble(150, 'x');
  daemon.directory.change([&](live::Status& now) {
    now.outputs = {{"history", false, trouble, 1, 0, 0, 10, 0}, {"journal", true, "", 1, 0, 0, 10, 0}};
  });
  EXPECT_THAT(ask({"watch", "--once"}).out, HasSubstr("\nOutputs  history failing: " + trouble + "; journal ok\n"));
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
  EXPECT_EQ(result.err,
            "iwarpscope: watch: standard input or output is not a terminal; use --once to print one screen as text\n");
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
  status.mutable_totals()->mutable_losses()->set_gap_messages(1);
  model.take_status(status, WatchModel::Clock::now());
  auto view = *qp_view(1);
  view.record.ulp = "evil\x1b[2J";
  model.apply(view);
  WatchChoice choice;
  auto lines = model.screen(choice, 20, 200);
  EXPECT_EQ(lines[2].text, "Losses   100 octets of TCP streams missing; 1 message over SCTP missing");
  EXPECT_EQ(lines[2].style, WatchLine::Style::warning);
  EXPECT_THAT(lines[6].text, HasSubstr("error: mpa.crc-mismatch"));
  EXPECT_EQ(lines[6].text.find('\x1b'), std::string::npos);
  model.set_trouble("no process listens there");
  lines = model.screen(choice, 20, 200);
  EXPECT_EQ(lines[4].text, "Not up to date: no process listens there");
}

TEST(WatchScreen, MarksVerdictsThatLossesLimit) {
  WatchModel model;
  auto well = *qp_view(1);
  well.losses = {};
  model.apply(well);
  WatchChoice choice;
  choice.sort = WatchColumn::number;
  EXPECT_EQ(model.screen(choice, 20, 80)[4].text, "0 queue pairs active, 1 shown");
  for (const live::Losses& losses : {live::Losses{1, 0, 0, 0}, live::Losses{0, 1, 0, 0}, live::Losses{0, 0, 1, 0},
                                     live::Losses{0, 0, 0, 1}, live::Losses{0, 0, 0, 0, 1}}) {
    auto lossy = *qp_view(2);
    lossy.losses = losses;
    model.apply(lossy);
    const auto lines = model.screen(choice, 20, 80);
    EXPECT_EQ(lines[4].text, "0 queue pairs active, 2 shown; !: losses limit the verdict");
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
    EXPECT_EQ(lines[6].text.find("completed V-30") != std::string::npos, columns >= 132) << columns;
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
            "Outputs  history failing: The disk is full.; journal 7 lost; event-log ok");
}

TEST(WatchScreen, SortsByEachColumn) {
  WatchModel model;
  for (std::uint64_t i = 0; i < 3; ++i) {
    auto view = *qp_view(i);
    view.ended = false;
    view.record.a.port = static_cast<std::uint16_t>(100 - i);
    view.record.ulp = i == 0 ? "nvme" : i == 1 ? "iser" : "nfs";
    view.record.state = i == 1 ? qp::State::mpa_requested : i == 0 ? qp::State::rts : qp::State::error;
    view.record.summary.directions[0].waiting = qp::UnansweredRequests{i == 1 ? 9u : i, false, {}, {}};
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
