// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is read from stored records says the same as the report that they come from, and nothing in them does harm.
#include "centre/bodies.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/live/samples.h"
#include "engine/engine.h"
#include "report/json.h"

namespace iwarpscope::centre {
namespace {

using nlohmann::json;

/// All records of one kind in the reports of all samples.
const std::vector<std::string>& reported(const std::string& kind) {
  static const auto all = [] {
    std::map<std::string, std::vector<std::string>> by_kind;
    for (const std::string& file : test::samples()) {
      std::string text;
      report::JsonObserver observer([&](std::string_view some) { text += some; }, {});
      engine::Request request;
      request.file = file;
      EXPECT_TRUE(engine::analyze(request, observer)) << file;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) by_kind[json::parse(line).at("record")].push_back(line);
    }
    return by_kind;
  }();
  return all.at(kind);
}

std::string again(const live::QpView& view) {
  std::string out;
  report::append_json(out, view.record, view.name.community_id);
  return out;
}
std::string again(const live::FindingView& view) {
  std::string out;
  report::append_json(out, view.finding);
  return out;
}

TEST(Bodies, OfQueuePairsSayTheSameAgain) {
  const auto& all = reported("qp");
  ASSERT_GT(all.size(), 500u);
  for (const std::string& line : all) {
    const auto view = read_qp(line);
    ASSERT_TRUE(view) << line;
    ASSERT_EQ(json::diff(json::parse(line), json::parse(again(*view))), json::array()) << line;
  }
}

TEST(Bodies, OfFindingsSayTheSameAgain) {
  const auto& all = reported("finding");
  ASSERT_GT(all.size(), 500u);
  for (const std::string& line : all) {
    const auto view = read_finding(line);
    ASSERT_TRUE(view) << line;
    ASSERT_EQ(json::diff(json::parse(line), json::parse(again(*view))), json::array()) << line;
  }
}

TEST(Bodies, HaveTheNameOfARecord) {
  json record = json::parse(reported("qp").front());
  record.update(json{{"sensor", "rack 7"},
                     {"sensor_uuid", "11111111-2222-4333-8444-555555555555"},
                     {"run_uuid", "66666666-7777-4888-9999-aaaaaaaaaaaa"},
                     {"sequence", 17},
                     {"interface", "mirror0"},
                     {"tap_group", nullptr},
                     {"continued", true},
                     {"losses", {{"kernel_frames", 3}}}});
  auto view = read_qp(record.dump());
  ASSERT_TRUE(view);
  EXPECT_EQ(view->name.origin->sensor, "rack 7");
  EXPECT_EQ(view->name.sequence, 17u);
  EXPECT_EQ(view->name.interface, "mirror0");
  EXPECT_EQ(view->losses.kernel, 3u);
  EXPECT_TRUE(view->continued);
  EXPECT_TRUE(view->ended);
  record["sequence"] = nullptr;
  EXPECT_FALSE(read_qp(record.dump())->ended);
}

TEST(Bodies, OfOtherKindsAreNone) {
  for (const char* text : {"", "{", "[]", "null", "17", R"({"record":"message"})", R"({"record":7})", "\xff"}) {
    EXPECT_FALSE(read_qp(text)) << text;
    EXPECT_FALSE(read_finding(text)) << text;
  }
  EXPECT_TRUE(read_qp(R"({"record":"qp"})"));
  EXPECT_FALSE(read_finding(R"({"record":"finding"})"));
  EXPECT_FALSE(read_finding(R"({"record":"finding","id":"of.a-newer-version"})"));
  const std::string deep(100'000, '[');
  EXPECT_FALSE(read_qp(R"({"record":"qp","a":)" + deep + std::string(100'000, ']') + "}") == std::nullopt);
}

/// Puts each of some values in the place of each member, on all levels.
template <class Look>
void with_wrong_members(const json& whole, const json::json_pointer& at, const Look& look) {
  const json here = whole[at];
  for (const char* wrong :
       {"null", "true", "-1", "18446744073709551615", "1e300", R"("x")", R"("0xzz")", "[]", "[{}]", "{}"}) {
    json other = whole;
    other[at] = json::parse(wrong);
    look(other.dump());
  }
  if (here.is_object()) {
    for (const auto& [key, value] : here.items()) with_wrong_members(whole, at / key, look);
  } else if (here.is_array() && !here.empty()) {
    with_wrong_members(whole, at / 0, look);
  }
}

TEST(Bodies, WithMembersOfAnyTypeAreReadAndWritten) {
  std::string longest;
  for (const std::string& line : reported("qp")) {
    if (line.size() > longest.size()) longest = line;
  }
  std::size_t read = 0, all = 0;
  with_wrong_members(json::parse(longest), json::json_pointer{}, [&](const std::string& text) {
    ++all;
    const auto view = read_qp(text);
    if (!view) return;
    ++read;
    EXPECT_FALSE(again(*view).empty());
  });
  EXPECT_GT(all, 1000u);
  EXPECT_GT(read, all - 30);
  with_wrong_members(json::parse(reported("finding").front()), json::json_pointer{}, [](const std::string& text) {
    if (const auto view = read_finding(text)) EXPECT_FALSE(again(*view).empty());
  });
  for (std::size_t length = 0; length < longest.size(); length += 7) EXPECT_FALSE(read_qp(longest.substr(0, length)));
}

}  // namespace
}  // namespace iwarpscope::centre
