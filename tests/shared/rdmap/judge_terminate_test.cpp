// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The rules of one Terminate: each raised, and a near miss of it.
#include <gtest/gtest.h>

#include "support.h"

namespace iwarpscope::rdmap::test {
namespace {

using synth::wire::TerminateDialect;

const auto kSend = synth::wire::write(synth::wire::DdpUntagged{});
const auto kReadHeader = synth::wire::write(synth::wire::DdpUntagged{.rdmap_control = 0x41, .qn = QueueNumber{1}});
const auto kReadRequest = synth::wire::write(synth::wire::ReadRequest{});

Suspect terminate(const synth::Buffer& payload) {
  return {.control = rdmap_control(WireOpcode::terminate), .qn = 2, .payload = payload};
}
Suspect terminate(const synth::wire::Terminate& w) {
  return terminate(synth::wire::write(w));
}

synth::wire::Terminate ddp_error() {
  synth::wire::Terminate w{.layer = 1, .error_type = 2, .error_code = 3};
  w.ddp_length = 42;
  w.ddp_header = kSend;
  return w;
}
synth::wire::Terminate read_error() {
  synth::wire::Terminate w{.layer = 0, .error_type = 1, .error_code = 1};
  w.ddp_length = 46;
  w.ddp_header = kReadHeader;
  w.rdmap_header = kReadRequest;
  return w;
}

TEST(TerminateJudge, RightOnesInBothLayoutsAreSilent) {
  for (const auto layout : {TerminateDialect::rfc5040, TerminateDialect::siw_little_endian}) {
    for (auto w : {ddp_error(), read_error()}) {
      w.dialect = layout;
      EXPECT_EQ(judged(terminate(w)), "");
    }
  }
  EXPECT_EQ(judged(terminate(synth::hex("20020000"))), "");
  EXPECT_EQ(judged(terminate(synth::hex("00ff0000"))), "");
  EXPECT_EQ(judged(terminate(synth::hex("02020000"))), "");  // siw: CRC
}

TEST(TerminateJudge, SecondMsnOrSeveralSegmentsAreRaised) {
  Suspect s = terminate(ddp_error());
  s.msn = 2;
  EXPECT_EQ(judged(s), "RM-18");
  s = terminate(ddp_error());
  s.last = false;
  EXPECT_EQ(judged(s), "RM-18");
}

TEST(TerminateJudge, OtherQueueIsAQueueErrorAlone) {
  Suspect s = terminate(ddp_error());
  s.qn = 0;
  EXPECT_EQ(judged(s), "RM-05");
}

TEST(TerminateJudge, ReservedBitsAreRaisedInEitherLayout) {
  auto w = ddp_error();
  w.reserved = 1;
  EXPECT_EQ(judged(terminate(w)), "RM-20");
  w.reserved = 0x1000;
  EXPECT_EQ(judged(terminate(w)), "RM-20");
  EXPECT_EQ(judged(terminate(synth::hex("21020340 0040 4143 00000000 00000000 00000001 00000000"))), "RM-20");
}

TEST(TerminateJudge, UnregisteredErrorIsRaised) {
  auto w = ddp_error();
  w.error_code = 9;
  EXPECT_EQ(judged(terminate(w)), "RM-21");
  w = read_error();
  w.layer = 0;
  w.error_type = 2;
  w.error_code = 0;  // irdma
  EXPECT_EQ(judged(terminate(w)), "RM-21");
}

TEST(TerminateJudge, LengthThatDoesNotFitTheBitsIsRaised) {
  auto octets = synth::wire::write(ddp_error());
  octets.push_back(std::byte{1});
  EXPECT_EQ(judged(terminate(octets)), "RM-22");
  octets.resize(23);
  EXPECT_EQ(judged(terminate(octets)), "RM-22");
  octets.resize(3);
  EXPECT_EQ(judged(terminate(octets)), "RM-22");
  octets.resize(0);
  EXPECT_EQ(judged(terminate(octets)), "RM-22");
}
TEST(TerminateJudge, ZerosBehindItAreANote) {
  auto octets = synth::wire::write(ddp_error());
  octets.resize(octets.size() + 28);
  EXPECT_EQ(judged(terminate(octets)), "RM-22Z");
  EXPECT_EQ(judged(terminate(synth::hex("00000000 000000000000000000"))), "RM-22Z");
}
TEST(TerminateJudge, ReadRequestAnnouncedButNotThereIsALengthError) {
  auto w = read_error();
  w.rdmap_header.clear();
  w.r = true;
  EXPECT_EQ(judged(terminate(w)), "RM-22");
}

TEST(TerminateJudge, BitsThatContradictEachOtherAreRaised) {
  auto w = ddp_error();
  w.m = false;
  EXPECT_EQ(judged(terminate(w)), "RM-23");
  auto lone = read_error();
  lone.ddp_header.clear();
  lone.d = false;
  EXPECT_EQ(judged(terminate(lone)), "RM-23");
}

TEST(TerminateJudge, RdmaHeaderOfOtherThanAReadRequestIsRaised) {
  auto w = ddp_error();
  w.rdmap_header = kReadRequest;
  EXPECT_EQ(judged(terminate(w)), "RM-24");
  // siw: R for a Send with Invalidate, and no header after it
  EXPECT_EQ(judged(terminate(synth::hex("10090700 0040 4144 00001234 00000000 00000001 00000000"))), "RM-24");
}

TEST(TerminateJudge, DdpHeaderWithAnErrorOfNoMessageIsRaised) {
  auto w = ddp_error();
  w.layer = 2;
  w.error_type = 0;
  w.error_code = 2;
  EXPECT_EQ(judged(terminate(w)), "RM-25");
  w.layer = 0;
  EXPECT_EQ(judged(terminate(w)), "RM-25");
}

TEST(TerminateJudge, DdpErrorWithoutTheDdpHeaderIsRaised) {
  Reporter reporter;
  EXPECT_EQ(judged(terminate(synth::hex("12030000")), {}, &reporter), "RM-26");
  EXPECT_NE(reporter.findings.at(0).text.find("cxgb4"), std::string::npos);
  EXPECT_EQ(judged(terminate(synth::hex("01000000"))), "");  // an RDMA error: the RFC says "if possible"
}

TEST(TerminatePlace, SecondTerminateAndForeignQueueAreRulesOfTheirOwn) {
  Suspect s = terminate(synth::wire::Terminate{});
  s.msn = 2;
  EXPECT_EQ(judged(s), "RM-18");
  EXPECT_EQ(judged(s, {.after_terminate = true}), "");
  s.qn = 0;
  EXPECT_EQ(judged(s), "RM-05");
}
TEST(TerminatePlace, LengthOfOneInTwoPartsIsNotJudged) {
  const synth::Buffer all = synth::wire::write(ddp_error());
  Suspect s = terminate(synth::Buffer(all.begin(), all.begin() + 12));
  EXPECT_EQ(judged(s), "RM-22");
  s.last = false;
  EXPECT_EQ(judged(s), "RM-18");
}
TEST(TerminateHeaders, LocalErrorOfDdpNamesNoMessage) {
  EXPECT_EQ(judged(terminate({.layer = 1, .error_type = 0, .error_code = 0})), "");
  EXPECT_EQ(judged(terminate({.layer = 1, .error_type = 1, .error_code = 0})), "RM-26");
}

}  // namespace
}  // namespace iwarpscope::rdmap::test
