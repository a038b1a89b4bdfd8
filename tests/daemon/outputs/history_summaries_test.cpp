// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Summaries in the history.
#include "daemon/live/fake_directory.h"
#include "daemon/outputs/history_kit.h"

namespace iwarpscope::outputs {
namespace {

using ::testing::HasSubstr;

std::vector<live::Summary> interval(std::size_t pairs) {
  std::vector<live::Summary> all(pairs + 1);
  for (std::size_t i = 0; i < all.size(); ++i) {
    live::Summary& one = all[i];
    one.from = TimePoint{7200'000'000'000};
    one.to = TimePoint{10'800'000'000'000};
    one.complete = true;
    one.name.tap_group = "left";
    if (i == pairs) break;
    one.ends = std::pair{*net::IpAddress::parse("10.0.0.1"), *net::IpAddress::parse("10.0.0.2")};
    live::SummaryRow& row = one.rows.emplace_back();
    row.ulp = "nvme";
    row.opcode = "send";
    row.size_class = 9;
    row.messages = 5;
    row.latency = std::make_unique<live::Latencies>();
    row.latency->add(3'000'000);
  }
  all.back().pairs = pairs;
  all.back().losses.kernel = 3;
  return all;
}

struct HistoryWithSummaries : HistoryOf {
  std::shared_ptr<live::SummaryBox> box = std::make_shared<live::SummaryBox>();
  void start(bool forward) {
    history.reset();
    options.forward = forward;
    history = std::make_unique<History>(options, kRun, HistorySurroundings{nullptr, nullptr, box});
  }
};

TEST_F(HistoryWithSummaries, AreStoredAsRecords) {
  start(true);
  box->add(interval(1));
  history->tend();
  const auto found = rows({.kind = Kind::summaries});
  ASSERT_EQ(found.size(), 2U);
  const auto whole = nlohmann::json::parse(found[0].json), pair = nlohmann::json::parse(found[1].json);
  EXPECT_EQ(whole["record"], "summary");
  EXPECT_EQ(whole["from"], "7200.000000000");
  EXPECT_EQ(whole["seconds"], 3600);
  EXPECT_EQ(whole["complete"], true);
  EXPECT_EQ(whole["pairs"], 1);
  EXPECT_EQ(whole["lost"]["kernel"], 3);
  EXPECT_TRUE(whole["a"].is_null());
  EXPECT_EQ(pair["a"], "10.0.0.1");
  EXPECT_EQ(pair["tap_group"], "left");
  const auto& row = pair["rows"][0];
  EXPECT_EQ(row["size_from"], 4 << 20);
  EXPECT_TRUE(row["size_below"].is_null());
  EXPECT_EQ(row["requester"], "a");
  EXPECT_EQ(row["latency"]["counts"].size(), live::Latencies::kBuckets);
  EXPECT_EQ(row["latency"]["counts"][12], 1);
  EXPECT_EQ(rows({.kind = Kind::summaries, .host = "10.0.0.2"}).size(), 1U);
}

TEST_F(HistoryWithSummaries, AreReadForward) {
  start(true);
  box->add(interval(3));
  history->finish();
  const auto page = HistoryArchive(options.path).tail({})->next(100);
  ASSERT_TRUE(page);
  ASSERT_EQ(page->records.size(), 4U);
  EXPECT_EQ(page->records[0].kind, live::RecordKind::summaries);
  EXPECT_EQ(page->records[0].a, "10.0.0.1");
  EXPECT_EQ(page->records[0].tap_group, "left");
  EXPECT_EQ(page->records[0].time.ns, 7200'000'000'000);
  EXPECT_EQ(page->records[3].a, "");
}

TEST_F(HistoryWithSummaries, AreNotStoredWithoutForward) {
  start(false);
  box->add(interval(1));
  history->tend();
  EXPECT_TRUE(rows({.kind = Kind::summaries}).empty());
}

TEST_F(HistoryWithSummaries, GoBeforeFindings) {
  options.most_octets = 1'500'000;
  start(true);
  store({finding(1, 1)});
  for (int i = 0; i < 12; ++i) {
    box->add(interval(400));
    history->tend();
  }
  history->tend();
  EXPECT_LT(rows({.kind = Kind::summaries, .most = 10'000}).size(), 12U * 401);
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1U);
}

TEST_F(HistoryWithSummaries, AFileOfVersion4IsBroughtUpToDate) {
  start(true);
  store({finding(1, 1)});
  history->finish();
  history.reset();
  sql(options.path, "DROP TABLE summaries; PRAGMA user_version=4");
  EXPECT_TRUE(rows({.kind = Kind::summaries}).empty());  // before a daemon brings it up to date
  start(true);
  box->add(interval(1));
  history->tend();
  EXPECT_EQ(history->trouble(), "");
  EXPECT_EQ(rows({.kind = Kind::summaries}).size(), 2U);
  EXPECT_EQ(rows({.kind = Kind::findings}).size(), 1U);
}

}  // namespace
}  // namespace iwarpscope::outputs
