// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// When a centre is asked about its site, and which of its sensors stand out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "models/site/sensor_table.h"
#include "models/site/site_model.h"

namespace iwarpscope::gui::site_model_test {
namespace {

using testing::HasSubstr;

/// A centre that answers when the test says so.
struct Asked {
  std::vector<std::pair<SiteQuestion, Session::Then<SitePtr>>> questions;
  SiteModel model{[this](const SiteQuestion& question, QObject*, Session::Then<SitePtr> then) {
    questions.emplace_back(question, std::move(then));
  }};

  void answer() { questions.back().second(std::make_shared<const v1::Site>()); }
  void refuse() { questions.back().second(tl::unexpected(api::Failure{api::Failure::Kind::refused, "It is away."})); }
};

TEST(SiteModel, IsAskedOnlyWhileItIsWatchedAndOnceAtATime) {
  Asked at;
  EXPECT_TRUE(at.questions.empty());
  at.model.set_watched(true);
  at.model.ask_now();
  EXPECT_EQ(at.questions.size(), 1u);
  at.answer();
  EXPECT_TRUE(at.model.answered_at());
  at.model.set_watched(false);
  at.model.set_watched(true);
  EXPECT_EQ(at.questions.size(), 1u) << "its answer is new enough";
  at.model.ask_now();
  EXPECT_EQ(at.questions.size(), 2u);
}

TEST(SiteModel, TheAnswerToAnEarlierQuestionIsNotShown) {
  Asked at;
  at.model.set_watched(true);
  const SiteQuestion other{.days = 30, .buckets = 30};
  at.model.set_question(other);
  EXPECT_EQ(at.questions.size(), 1u);
  at.answer();
  EXPECT_FALSE(at.model.site());
  ASSERT_EQ(at.questions.size(), 2u);
  EXPECT_EQ(at.questions.back().first, other);
  at.answer();
  EXPECT_TRUE(at.model.site());
  EXPECT_EQ(at.model.answered(), other);
}

TEST(SiteModel, WhatIsKnownRemainsWhenThereIsNoAnswer) {
  Asked at;
  at.model.set_watched(true);
  at.answer();
  const SitePtr before = at.model.site();
  at.model.ask_now();
  at.refuse();
  EXPECT_EQ(at.model.site(), before);
  EXPECT_EQ(at.model.trouble(), QStringLiteral("It is away."));
  at.model.ask_now();
  at.answer();
  EXPECT_TRUE(at.model.trouble().isEmpty());
}

v1::SensorStatus& add(v1::Status& status, const char* name, const char* version, const char* hash) {
  v1::SensorStatus& sensor = *status.add_sensors();
  sensor.set_name(name);
  sensor.set_heartbeat_time_ns(1);
  sensor.set_version(version);
  sensor.mutable_configuration()->set_hash(hash);
  return sensor;
}

std::string cell(const SensorTable& table, int row, int column, int role = Qt::DisplayRole) {
  return table.index(row, column).data(role).toString().toStdString();
}

TEST(SensorTable, WhatDiffersFromMostIsMarked) {
  v1::Status status;
  add(status, "c", "1.0.0", "aa");
  add(status, "b", "1.0.0", "aa");
  add(status, "d", "0.9.0", "bb");
  SensorTable table;
  table.show(status);
  EXPECT_EQ(cell(table, 0, SensorTable::kName), "d");
  EXPECT_EQ(cell(table, 0, SensorTable::kVersion), "▲ 0.9.0");
  EXPECT_EQ(cell(table, 0, SensorTable::kConfiguration), "▲ bb");
  EXPECT_THAT(cell(table, 0, SensorTable::kState, Qt::ToolTipRole), HasSubstr("most sensors have 1.0.0"));
  EXPECT_EQ(cell(table, 1, SensorTable::kName), "b");
  EXPECT_EQ(cell(table, 1, SensorTable::kState), "✓ OK");
  EXPECT_EQ(table.noted(), 1u);
}

TEST(SensorTable, WhereNoneHasTheMajorityThatIsSaidOnce) {
  v1::Status status;
  add(status, "a", "1.0.0", "aa");
  add(status, "b", "1.1.0", "aa");
  SensorTable table;
  table.show(status);
  EXPECT_EQ(cell(table, 0, SensorTable::kVersion), "1.0.0");
  EXPECT_EQ(cell(table, 1, SensorTable::kVersion), "1.1.0");
  EXPECT_EQ(table.differences(), QStringList{QStringLiteral("2 versions")});
  EXPECT_EQ(table.noted(), 0u);
  EXPECT_EQ(cell(table, 1, SensorTable::kConfiguration), "aa");
}

TEST(SensorTable, OneThatHasSaidNothingYetDiffersFromNone) {
  v1::Status status;
  add(status, "a", "1.0.0", "aa");
  v1::SensorStatus& quiet = *status.add_sensors();
  quiet.set_name("q");
  quiet.set_silent(true);
  quiet.set_expired(3);
  SensorTable table;
  table.show(status);
  EXPECT_EQ(cell(table, 0, SensorTable::kName), "q") << "the silent one is on top";
  EXPECT_EQ(cell(table, 0, SensorTable::kVersion), "not known");
  EXPECT_EQ(cell(table, 0, SensorTable::kWaiting), "✗ 3 discarded");
  EXPECT_EQ(cell(table, 0, SensorTable::kDelivered), "never");
  EXPECT_EQ(table.silent(), 1u);
}

}  // namespace
}  // namespace iwarpscope::gui::site_model_test
