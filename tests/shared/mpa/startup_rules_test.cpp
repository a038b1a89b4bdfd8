// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Each MS rule that startup frames decide: raised, and the near miss.
#include <gtest/gtest.h>

#include "shared/mpa/startup_support.h"

namespace iwarpscope::mpa::test {
namespace {

constexpr std::uint16_t kOpen = kDepthNotNegotiated;

/// What Request and Reply raise between them; both are answered with an end of the capture.
std::string raised(const Wire& req, const Wire& rep) {
  StartupBench b;
  b.feed(kA, req);
  b.feed(kB, rep);
  b.end();
  return b.codes();
}
std::string raised(synth::wire::EnhancedData req, synth::wire::EnhancedData rep) {
  return raised(request2(req), reply2(rep));
}
template <class Change>
std::string with_request(Wire req, const Wire& rep, Change change) {
  change(req);
  return raised(req, rep);
}
template <class Change>
std::string with_reply(const Wire& req, Wire rep, Change change) {
  change(rep);
  return raised(req, rep);
}

TEST(MsRules, RightFramesRaiseNothing) {
  EXPECT_EQ(raised(request(), reply()), "");
  EXPECT_EQ(raised(request2(), reply2()), "");
  Wire plain2 = request(), plain2_reply = reply();
  plain2.revision = plain2_reply.revision = 2;  // revision 2 without enhanced data is plain MPA
  EXPECT_EQ(raised(plain2, plain2_reply), "");
}

TEST(MsRules, Ms01DamagedRequestKey) {
  StartupBench b;
  Wire f = request2();
  f.key = synth::text("mPA ID Req Frame");
  b.feed(kA, f);
  EXPECT_EQ(b.startup.phase(), StartupPhase::failed);
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.codes(), "MS-01");
}

TEST(MsRules, Ms02DamagedReplyKeyThenATerminateIsMs16) {
  StartupBench b;
  Wire req = request2(), rep = reply2();
  req.crc = rep.crc = false;
  rep.key = synth::text("mPA ID Rep Frame");
  b.feed(kA, req);
  b.feed(kB, rep);
  EXPECT_EQ(b.startup.phase(), StartupPhase::failed);
  EXPECT_EQ(b.codes(), "MS-02 MS-37");
  EXPECT_EQ(b.reporter.all.front().seen, "mPA ID Rep Frame");
  const Buffer terminate = synth::hex("00164147 00000000 00000002 00000001 00000000 02040000 00000000");
  EXPECT_EQ(b.feed(kA, Octets{terminate}), 0U);
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.codes(), "MS-02 MS-16 MS-37");
}

TEST(MsRules, Ms16CloseAfterAMalformedReplyIsRight) {
  StartupBench b;
  Wire rep = reply2();
  rep.key = synth::text("mPA ID Rep Frame");
  b.feed(kA, request2());
  b.feed(kB, rep);
  b.fin(kA);
  b.fin(kB);
  EXPECT_EQ(b.codes(), "MS-02");
}

TEST(MsRules, Ms03RequestFromBothEnds) {
  StartupBench b;
  b.feed(kA, request());
  b.feed(kB, request());
  EXPECT_EQ(b.startup.phase(), StartupPhase::failed);
  b.fin(kA);
  b.fin(kB);
  EXPECT_EQ(b.codes(), "MS-03");
}

TEST(MsRules, Ms05RejectBitInARequest) {
  EXPECT_EQ(with_request(request(), reply(), [](Wire& f) { f.reject = true; }), "MS-05");
}

TEST(MsRules, Ms06ReservedBitsInEitherFrame) {
  const auto set = [](Wire& f) { f.reserved = 8; };
  EXPECT_EQ(with_request(request2(), reply2(), set), "MS-06");
  EXPECT_EQ(with_reply(request2(), reply2(), set), "MS-06");
}

TEST(MsRules, Ms07UnknownRevision) {
  EXPECT_EQ(with_request(request2(), reply2(), [](Wire& f) { f.revision = 3; }), "MS-07");
  StartupBench b;
  Wire f = request2();
  f.revision = 3;
  b.feed(kA, f);
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.codes(), "MS-07");
}

TEST(MsRules, Ms08RevisionZeroWantsMarkersAndCrc) {
  Wire req = request(), rep = reply();
  req.revision = rep.revision = 0;
  req.markers = rep.markers = true;
  EXPECT_EQ(raised(req, rep), "");
  EXPECT_EQ(with_request(req, rep, [](Wire& f) { f.markers = false; }), "MS-08");
  EXPECT_EQ(with_reply(req, rep, [](Wire& f) { f.crc = false; }), "MS-08");
}

TEST(MsRules, Ms09AndMs18EnhancedBelowRevision2) {
  EXPECT_EQ(with_request(request2(), reply2(), [](Wire& f) { f.revision = 1; }), "MS-09 MS-19");
  EXPECT_EQ(with_reply(request2(), reply2(), [](Wire& f) { f.revision = 1; }), "MS-18");
}

TEST(MsRules, Ms10EnhancedDataMissing) {
  Wire req = request2(), rep = reply2();
  req.enhanced.reset();
  req.enhanced_flag = true;
  req.private_data = synth::text("abc");
  EXPECT_EQ(raised(req, rep), "MS-10");
}

TEST(MsRules, Ms11PrivateDataAbove512) {
  Wire req = request();
  req.private_data = Buffer(512, std::byte{0x61});
  EXPECT_EQ(raised(req, reply()), "");
  req.private_data.push_back(std::byte{0x61});
  EXPECT_EQ(raised(req, reply()), "MS-11 MS-15");
  // The Responder closes before the announced octets are there.
  StartupBench b;
  req.private_data = synth::text("few");
  req.private_data_length = 600;
  b.feed(kA, req);
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.codes(), "MS-11");
}

TEST(MsRules, Ms12FrameCutByTheFin) {
  const Buffer whole = synth::wire::write(request2());
  for (std::size_t cut = 20; cut <= whole.size(); ++cut) {
    StartupBench b;
    b.feed(kA, Octets{whole}.first(cut));
    b.fin(kA);
    b.fin(kB);
    EXPECT_EQ(b.codes(), cut < whole.size() ? "MS-12" : "") << cut;
  }
  StartupBench gap;
  gap.feed(kA, Octets{whole}.first(22));
  gap.gap(kA, 1);
  gap.fin(kA);
  EXPECT_EQ(gap.codes(), "");
  StartupBench capture_end;
  capture_end.feed(kA, Octets{whole}.first(22));
  capture_end.end();
  EXPECT_EQ(capture_end.codes(), "");
}

TEST(MsRules, Ms12RequestCutByTheReply) {
  Wire req = request();
  req.private_data = synth::text("eight...");
  req.private_data_length = 20;
  StartupBench b;
  b.feed(kA, req);
  b.feed(kB, reply());
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_FALSE(b.startup.agreement().sequence_start[0].has_value());
  EXPECT_EQ(b.reporter.count(FindingId::mpa_startup_cut_short), 1U);
}

TEST(MsRules, Ms12IrdmaRejectWithAWrongLengthIsAReject) {
  StartupBench b;
  b.feed(kA, request2());
  Wire rep = reply2();
  rep.reject = true;
  rep.private_data_length = 30;
  b.feed(kB, rep);
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.startup.phase(), StartupPhase::rejected);
  EXPECT_EQ(b.codes(), "MS-12 MS-22");
  EXPECT_NE(b.reporter.all.at(0).text.find("irdma"), std::string::npos);
}

TEST(MsRules, Ms15ReplyToADamagedRequest) {
  Wire f = request();
  f.key = synth::text("MPB ID Req Frame");
  EXPECT_EQ(raised(f, reply()), "MS-01 MS-15");
}

TEST(MsRules, Ms17EnhancedBitDiffers) {
  Wire plain = reply();
  plain.revision = 2;
  EXPECT_EQ(raised(request2(), plain), "MS-17");
  Wire req = request();
  req.revision = 2;
  EXPECT_EQ(raised(req, reply2()), "MS-17");
}

TEST(MsRules, Ms19ReplyRevisionHigher) {
  Wire rep = reply();
  rep.revision = 2;
  EXPECT_EQ(raised(request(), rep), "MS-19");
  Wire req = request();
  req.revision = 2;
  EXPECT_EQ(raised(req, reply()), "");
}

TEST(MsRules, Ms20RequestOfRevision1ClosedWithoutReply) {
  StartupBench b;
  b.feed(kA, request());
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.codes(), "MS-20");
  StartupBench reset;
  reset.feed(kA, request());
  reset.rst(kB);
  EXPECT_EQ(reset.codes(), "MS-20");
}

TEST(MsRules, Ms20NotForTheInitiatorsCloseNorEnhancedNorAGap) {
  StartupBench own;
  own.feed(kA, request());
  own.fin(kA);
  own.fin(kB);
  EXPECT_EQ(own.codes(), "");
  StartupBench enhanced;
  enhanced.feed(kA, request2());
  enhanced.fin(kB);
  EXPECT_EQ(enhanced.codes(), "");
  StartupBench gap;
  gap.feed(kA, request());
  gap.gap(kB, 24);
  gap.fin(kB);
  EXPECT_EQ(gap.codes(), "");
}

TEST(MsRules, Ms21FpduAfterARejectOnceADirection) {
  StartupBench b;
  Wire rep = reply();
  rep.reject = true;
  b.feed(kA, request());
  b.feed(kB, rep);
  b.feed(kA, "ordinary data is fine");
  EXPECT_EQ(b.codes(), "");
  b.feed(kA, Octets{fpdu()});
  b.feed(kA, Octets{fpdu()});
  b.feed(kB, Octets{fpdu()});
  EXPECT_EQ(b.codes(), "MS-21 MS-21");
  EXPECT_EQ(b.startup.phase(), StartupPhase::rejected);
}

TEST(MsRules, Ms22CloseAfterAReject) {
  StartupBench b;
  Wire rep = reply();
  rep.reject = true;
  b.feed(kA, request());
  b.feed(kB, rep);
  b.fin(kB);
  b.fin(kA);
  EXPECT_EQ(b.codes(), "MS-22");
  StartupBench open;
  open.feed(kA, request());
  open.feed(kB, rep);
  open.fin(kA);
  open.fin(kB);
  EXPECT_EQ(open.codes(), "");
}

TEST(MsRules, Ms24PeerToPeerDiffers) {
  EXPECT_EQ(raised({.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1}, {.ird = 1, .ord = 1}), "MS-24");
  EXPECT_EQ(raised({.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1},
                   {.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1}),
            "");
}

TEST(MsRules, Ms25RtrWithoutPeerToPeer) {
  EXPECT_EQ(raised({.rtr_write = true, .ird = 1, .ord = 1}, {.ird = 1, .ord = 1}), "MS-25");
  EXPECT_EQ(raised({.ird = 1, .ord = 1}, {.rtr_send = true, .ird = 1, .ord = 1}), "MS-25");
}

TEST(MsRules, Ms26AndMs27PeerToPeerWithoutAnOption) {
  EXPECT_EQ(raised({.peer_to_peer = true, .ird = 1, .ord = 1}, {.peer_to_peer = true, .ird = 1, .ord = 1}),
            "MS-26 MS-27");
  Wire reject = reply2({.peer_to_peer = true, .ird = 1, .ord = 1});
  reject.reject = true;
  EXPECT_EQ(raised(request2({.peer_to_peer = true, .rtr_read = true, .ird = 1, .ord = 1}), reject), "");
}

TEST(MsRules, Ms30ReplyOrdAboveRequestIrd) {
  EXPECT_EQ(raised({.ird = 4, .ord = 4}, {.ird = 4, .ord = 5}), "MS-30");
  EXPECT_EQ(raised({.ird = 4, .ord = 4}, {.ird = 9, .ord = 4}), "");
  Wire reject = reply2({.ird = 4, .ord = 8000});
  reject.reject = true;  // a reject may say what it would need
  EXPECT_EQ(raised(request2(), reject), "");
}

TEST(MsRules, Ms31ReplyIrdBelowRequestOrd) {
  EXPECT_EQ(raised({.ird = 4, .ord = 4}, {.ird = 3, .ord = 4}), "MS-31");
}

TEST(MsRules, Ms32AndMs33OpenDepthsMustBeAnsweredOpen) {
  EXPECT_EQ(raised({.ird = 4, .ord = kOpen}, {.ird = 7, .ord = 4}), "MS-32");
  EXPECT_EQ(raised({.ird = 4, .ord = kOpen}, {.ird = kOpen, .ord = 4}), "");
  EXPECT_EQ(raised({.ird = kOpen, .ord = 4}, {.ird = 4, .ord = 7}), "MS-33");
  EXPECT_EQ(raised({.ird = kOpen, .ord = 4}, {.ird = 4, .ord = kOpen}), "");
}

TEST(MsRules, Ms34OpenDepthNotAskedFor) {
  EXPECT_EQ(raised({.ird = 4, .ord = 4}, {.ird = kOpen, .ord = 4}), "MS-34");
  StartupBench irdma;
  irdma.feed(kA, request2({.ird = 4, .ord = kOpen}));
  irdma.feed(kB, reply2({.ird = kOpen, .ord = kOpen}));
  EXPECT_EQ(irdma.codes(), "MS-34");
  EXPECT_NE(irdma.reporter.all.at(0).text.find("irdma"), std::string::npos);
}

TEST(MsRules, Ms36EnhancedRequestThatAsksNothing) {
  EXPECT_EQ(raised({.ird = kOpen, .ord = kOpen}, {.ird = kOpen, .ord = kOpen}), "MS-36");
}

TEST(MsRules, Ms37CrcOffNeedsBothFrames) {
  const auto off = [](Wire& f) { f.crc = false; };
  EXPECT_EQ(with_request(request(), reply(), off), "");
  Wire req = request(), rep = reply();
  req.crc = rep.crc = false;
  EXPECT_EQ(raised(req, rep), "MS-37");
  StartupBench one_sided;
  one_sided.one_sided = true;
  one_sided.feed(kB, rep);
  one_sided.end();
  EXPECT_EQ(one_sided.codes(), "");
}

TEST(MsRules, Ms38LegacyDepthsInEitherOctetOrder) {
  Wire req = request();
  req.private_data = synth::hex("00000010 00000020 0102");
  EXPECT_EQ(raised(req, reply()), "MS-38");
  StartupBench broken;
  req.private_data = synth::hex("10000000 20000000");
  broken.feed(kA, req);
  broken.feed(kB, reply());
  EXPECT_EQ(broken.codes(), "MS-38");
  ASSERT_TRUE(broken.startup.request()->legacy);
  EXPECT_EQ(broken.startup.request()->legacy->ird, 16);
  EXPECT_EQ(broken.startup.request()->legacy->ord, 32);
  EXPECT_NE(broken.reporter.all.at(0).text.find("little-endian"), std::string::npos);
  for (const char* other : {"00000000 00000020", "00004000 00000001", "00005592 34780000", "000000100000"}) {
    req.private_data = synth::hex(other);
    EXPECT_EQ(raised(req, reply()), "") << other;
  }
}

}  // namespace
}  // namespace iwarpscope::mpa::test
