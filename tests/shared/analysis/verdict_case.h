// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts of connections and the verdicts that are due on them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "support/analysis.h"
#include "synth/connection.h"
#include "synth/frame.h"
#include "verdict/judge.h"

namespace iwarpscope::test {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;
using synth::Connection;
using synth::Effect;
using synth::kI;
using synth::kR;
using synth::kSecond;
using synth::Side;
using synth::Startup;
using synth::wire::ReadRequest;

/// Another connection's handshake: the capture goes on for so long.
inline synth::Frames goes_on(Connection& c, std::int64_t ns) {
  synth::ConnectionOptions options;
  options.initiator.port = 50123;
  Connection other(options);
  other.wait(c.now_ns() - other.now_ns() + ns);
  other.connect();
  return synth::merge({c.frames(), other.frames()});
}

/// The Initiator's last octets are not acknowledged, perhaps although they were sent again; then 30 s of silence.
inline synth::Frames never_acknowledged(bool sent_again) {
  synth::ConnectionOptions options;
  options.responder.ack_every = 0;
  Connection c(options);
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
  c.acknowledge(kI);
  if (sent_again) c.channel(kI, Effect::retransmit, {.delay = 0});
  c.send(kI, 1000);
  return goes_on(c, 30 * kSecond);
}

struct Case {
  std::string name;
  std::function<synth::Frames()> traffic;
  Outcome outcome;
  Blame blame;
  Confidence confidence;
  std::vector<std::string> says;  ///< parts of the text
  std::string advises = {};       ///< part of `next`
};
inline void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// A script on one connection whose capture goes on for `after` at its end.
inline std::function<synth::Frames()> script(std::function<void(Connection&)> act, std::int64_t after = 0) {
  return [act = std::move(act), after] {
    Connection c;
    c.connect();
    act(c);
    return after == 0 ? c.frames() : goes_on(c, after);
  };
}

/// Rev 2 with these depths.
inline Startup enhanced(std::uint16_t ird, std::uint16_t ord, std::uint16_t reply_ird, std::uint16_t reply_ord) {
  Startup s;
  s.revision = 2;
  s.request_enhanced = synth::wire::EnhancedData{.ird = ird, .ord = ord};
  s.reply_enhanced = synth::wire::EnhancedData{.ird = reply_ird, .ord = reply_ord};
  return s;
}

inline const auto kCaseName = [](const auto& info) { return info.param.name; };

inline void expect_verdict(const Case& expected, const analysis::CaptureInfo& info = {}) {
  const Report report = analyze(expected.traffic(), {.messages = true}, info);
  ASSERT_FALSE(report.qps.empty());
  const auto& record = report.qps.back();
  ASSERT_TRUE(record.verdict);
  const qp::VerdictRecord& v = *record.verdict;
  EXPECT_EQ(name(v.outcome), name(expected.outcome)) << v.text;
  EXPECT_EQ(name(v.blame), name(expected.blame)) << v.text;
  EXPECT_EQ(name(v.confidence), name(expected.confidence)) << v.text;
  for (const std::string& part : expected.says)
    EXPECT_NE(v.text.find(part), std::string::npos) << part << "\n" << v.text;
  if (!expected.advises.empty()) {
    EXPECT_NE(v.next.find(expected.advises), std::string::npos) << v.next << "\n" << v.text;
  }
  EXPECT_TRUE(std::is_sorted(v.evidence.begin(), v.evidence.end()));
  for (const FrameNumber frame : v.evidence) EXPECT_NE(frame.value, 0u);
}

}  // namespace iwarpscope::test
