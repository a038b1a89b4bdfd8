// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The state of an engine is written, and another engine goes on with it: nothing in the report may show that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "checkpoint/kit.h"
#include "report/json.h"

namespace iwarpscope::test {
namespace {

constexpr std::size_t kRoom = std::size_t{1} << 30;

/// Where one engine hands over to the next: before these frames.
std::set<std::size_t> cuts(std::size_t frames) {
  constexpr std::size_t kFew = 48;
  std::set<std::size_t> all{1, frames / 2, frames - 1, frames};
  std::mt19937 random(19);
  for (std::size_t k = 0; k < kFew; ++k) all.insert(frames <= kFew ? k : random() % frames);
  return all;
}

/// A report, and what its engines handed over.
struct Analysed {
  std::string report;
  std::size_t most_octets = 0;
  std::string fault;
};

/// With twice the room in every table.
analysis::Options roomy_options() {
  analysis::Options options = all_options();
  analysis::Limits& limits = options.limits;
  for (std::size_t* const one :
       {&limits.max_flows, &limits.max_associations, &limits.max_streams, &limits.max_qps, &limits.buffer_octets,
        &limits.model_octets, &limits.max_outstanding_requests, &limits.max_host_facts, &limits.tcp.max_buffered_octets,
        &limits.tcp.max_buffered_chunks, &limits.mpa.max_search_octets, &limits.net.max_fragment_octets,
        &limits.net.max_datagrams})
    *one *= 2;
  return options;
}

/// `later`: of all engines but the first.
Analysed run(const std::vector<net::Frame>& frames, const std::set<std::size_t>& cuts,
             const analysis::Options& later = all_options()) {
  Analysed result;
  report::JsonObserver observer([&](std::string_view piece) { result.report += piece; }, {});
  auto engine = std::make_unique<analysis::Engine>(all_options(), observer);
  for (std::size_t k = 0; k <= frames.size(); ++k) {
    if (cuts.contains(k)) {
      Archive writer(kRoom);
      engine->archive(writer);
      auto next = std::make_unique<analysis::Engine>(later, observer);
      Archive reader(writer.written(), next->words());
      next->archive(reader);
      result.most_octets = std::max(result.most_octets, writer.size());
      if (!reader.is_complete()) {
        result.fault = fmt::format("before frame {}: {} of {} octets are left", k + 1, reader.size(), writer.size());
        return result;
      }
      engine = std::move(next);
    }
    if (k < frames.size()) engine->feed(frames[k]);
  }
  analysis::CaptureInfo info;
  info.file = "sample";
  engine->conclude(info);
  return result;
}

/// The first line that differs, of both.
std::string difference(std::string_view one, std::string_view other) {
  const auto [a, b] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto line = [](std::string_view text, std::size_t at) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return std::string(text.substr(begin, text.find('\n', at) - begin));
  };
  const auto at = static_cast<std::size_t>(a - one.begin());
  return fmt::format("at octet {}:\n  one engine: {}\n  several:    {}", at, line(one, at), line(other, at));
}

TEST(HandedOver, TheReportOfEachSampleIsThatOfOneEngine) {
  std::size_t samples = 0;
  for (const Capture& capture : captures()) {
    if (capture.frames.empty()) continue;
    ++samples;
    const Analysed whole = run(capture.frames, {});
    const Analysed parts = run(capture.frames, cuts(capture.frames.size()));
    EXPECT_EQ(parts.fault, "") << capture.path;
    if (!parts.fault.empty() || whole.report == parts.report) continue;
    ADD_FAILURE() << capture.path << ' ' << difference(whole.report, parts.report);
  }
  EXPECT_GT(samples, 100U);
}

TEST(HandedOver, HigherLimitsOfTheNextEngineDoNotShow) {
  for (const Capture& capture : captures()) {
    if (capture.frames.empty()) continue;
    const Analysed whole = run(capture.frames, {});
    const Analysed parts = run(capture.frames, {capture.frames.size() / 3, capture.frames.size() / 2}, roomy_options());
    EXPECT_EQ(parts.fault, "") << capture.path;
    EXPECT_TRUE(whole.report == parts.report) << capture.path << ' ' << difference(whole.report, parts.report);
  }
}

TEST(HandedOver, WhatDoesNotFitLeavesTheEngineAsItWas) {
  constexpr std::size_t kParts = 16;
  for (const Capture& capture : captures()) {
    if (capture.frames.empty()) continue;
    struct : analysis::Observer {
    } ignored;
    analysis::Engine engine(all_options(), ignored);
    for (std::size_t k = 0; k < capture.frames.size() / 2 + 1; ++k) engine.feed(capture.frames[k]);
    Archive before(kRoom);
    engine.archive(before);
    const std::vector<std::byte> octets = before.take_written();
    for (std::size_t part = 1; part < kParts; ++part) {
      Archive small(octets.size() * part / kParts);
      engine.archive(small);
      EXPECT_TRUE(small.has_failed());
    }
    Archive after(kRoom);
    engine.archive(after);
    EXPECT_TRUE(std::ranges::equal(after.written(), octets)) << capture.path;
  }
}

TEST(HandedOver, TheLayoutIsThatOfEachEngine) {
  const ArchiveLayout once = layout_of_engine(), again = layout_of_engine();
  EXPECT_EQ(once.value(), again.value());
  EXPECT_EQ(once.members(), again.members());
  // All that the state of 16 shards may have, which no capture has at once: of TCP and SCTP, models, findings.
  EXPECT_GT(once.members(), 16U * 1000);
}

}  // namespace
}  // namespace iwarpscope::test
