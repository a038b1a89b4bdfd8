// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Linux siw is named for too large FPDUs only where it may have sent them: its startup frames announce them.
#include <gtest/gtest.h>

#include <string>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using findings::FindingId;
using synth::Connection;
using synth::Side;

constexpr std::uint8_t kGsoBit = 0x08;
constexpr std::size_t kAboveMaximum = 65'154;  // ULPDU octets; siw was seen to send them

void large_fpdus(Connection& c) {
  c.limit_mulpdu(Side::initiator, kAboveMaximum);
  for (int i = 0; i < 9; ++i) c.send(Side::initiator, 20'000);
  c.send(Side::initiator, kAboveMaximum - 18);
  c.close();
}

Report with_reserved(std::uint8_t request, std::uint8_t reply) {
  using Kind = synth::wire::StartupFrame::Kind;
  Connection c;
  c.connect();
  c.startup({.kind = Kind::request, .reserved = request}, {.kind = Kind::reply, .reserved = reply});
  large_fpdus(c);
  return analyze(c.frames());
}

/// Whether the two findings about size, which must be there, name siw.
void expect_named(const Report& report, bool named) {
  for (const FindingId id : {FindingId::mpa_ulpdu_length_invalid, FindingId::mpa_ulpdu_above_mulpdu}) {
    const findings::Finding* f = report.find(id);
    ASSERT_NE(f, nullptr) << findings::rule(id).code << ": " << report.codes();
    EXPECT_EQ(f->text.find("Linux siw") != std::string::npos, named) << f->text;
  }
}

TEST(SiwGso, IsNamedWhenEitherStartupFrameHasItsBit) {
  expect_named(with_reserved(kGsoBit, 0), true);
  expect_named(with_reserved(0, kGsoBit), true);
}

TEST(SiwGso, IsNotNamedWhenNeitherStartupFrameHasItsBit) {
  expect_named(with_reserved(0, 0), false);
  expect_named(with_reserved(0x07, 0x04), false);
}

TEST(SiwGso, IsNamedWhenTheReplyWasNotCaptured) {
  Connection c;
  c.capture_only(Side::initiator);
  c.connect();
  c.startup();
  large_fpdus(c);
  const Report report = analyze(c.frames());
  const findings::Finding* f = report.find(FindingId::mpa_ulpdu_length_invalid);
  ASSERT_NE(f, nullptr) << report.codes();
  EXPECT_NE(f->text.find("Linux siw"), std::string::npos) << f->text;
}

}  // namespace
}  // namespace iwarpscope::test
