// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ordinary traffic in every way of cutting, with and without markers and CRC: what the tests of it share.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {

using synth::Connection;
using synth::kI;
using synth::kR;
using synth::Packing;
using synth::Side;

/// How FPDUs are written and cut.
struct Form {
  Packing packing;
  bool markers;
  bool crc;
};

inline std::string name_of(const testing::TestParamInfo<Form>& info) {
  const char* packing = info.param.packing == Packing::packed      ? "Packed"
                        : info.param.packing == Packing::crc_alone ? "CrcAlone"
                                                                   : "Aligned";
  return fmt::format("{}{}{}", packing, info.param.markers ? "Markers" : "NoMarkers", info.param.crc ? "Crc" : "NoCrc");
}

inline std::vector<Form> forms() {
  std::vector<Form> all;
  for (const Packing packing : {Packing::fpdu_per_tcp_segment, Packing::packed, Packing::crc_alone}) {
    for (const bool markers : {false, true}) {
      for (const bool crc : {false, true}) all.push_back({packing, markers, crc});
    }
  }
  return all;
}

class Situation : public testing::TestWithParam<Form> {
 protected:
  [[nodiscard]] synth::Startup startup() const { return {.crc = GetParam().crc, .markers = GetParam().markers}; }
  void open(Connection& c) const {
    c.packing(GetParam().packing);
    c.connect();
    c.startup(startup());
  }
  static void messages(Connection& c, int rounds = 3) {
    for (int i = 0; i < rounds; ++i) {
      c.send(kI, 3000);
      c.write(kI, STag{0x77}, TaggedOffset{0x1000}, 8000);
      c.read(kI, {.size = 5000});
      c.send(kR, 700);
      c.read(kR, {.size = 900});
      c.write(kR, STag{0x99}, TaggedOffset{1}, 100);
    }
  }

  /// Neither end is blamed, and responses are tied only to requests with the same Data Sink.
  static Report expect_blameless(const synth::Frames& frames, const std::string& what) {
    Report report = analyze(frames);
    for (const findings::Finding& f : report.findings) {
      const findings::Rule& rule = findings::rule(f.id);
      const bool blames = rule.about == findings::About::peer && rule.severity != findings::Severity::note;
      EXPECT_FALSE(blames || rule.severity == findings::Severity::error)
          << what << ": " << rule.code << " in frame " << f.frame.value << ": " << f.text;
    }
    for (const qp::MessageRecord& response : report.messages) {
      const auto* detail = std::get_if<qp::ReadResponseDetail>(&response.detail);
      if (detail == nullptr || !detail->request_index) continue;
      for (const qp::MessageRecord& request : report.messages) {
        const auto* read = std::get_if<qp::ReadRequestDetail>(&request.detail);
        if (read == nullptr || request.qp != response.qp || request.direction == response.direction ||
            request.index != *detail->request_index) {
          continue;
        }
        EXPECT_TRUE(read->size == 0 || (read->sink_stag == response.stag && read->sink_to == response.to))
            << what << ": response " << response.index << " is tied to request " << request.index;
        EXPECT_LE(request.last_frame.value, response.first_frame.value) << what;
      }
    }
    return report;
  }
};

}  // namespace iwarpscope::test
