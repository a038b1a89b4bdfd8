// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is reported beside the messages themselves, for programs that show single octets: chunks, TSNs of a message,
// phases.
#include <gmock/gmock.h>

#include "kit.h"

namespace iwarpscope::sctp::test {
namespace {

using testing::ElementsAre;

TEST(Seen, ChunksOfDdp_AreReportedOnceEachWithWhatCameBefore) {
  Bench b;
  b.open();
  b.establish();
  const Packet one = b.packet(kA, {b.segment(kA, 3, 1, 5), b.data(kA, 3, 46, Buffer(9))});
  b.feed(kA, one);
  b.feed(kA, one);  // the same packet, captured twice
  b.tsn[0] -= 2;
  b.ip_id = 9;
  b.pass(1000);
  b.send(kA, {b.segment(kA, 3, 1, 5)});  // sent again
  b.send(kA, {b.segment(kA, 3, 2, 60)}, 64);
  EXPECT_THAT(b.sink.chunks,
              ElementsAre("A 1000 BE of stream 0, 4 octets", "B 4294967294 BE of stream 0, 4 octets",
                          "A 1001 BE of stream 3, 25 octets", "A 1001 BE of stream 3, 25 octets, copy",
                          "A 1001 BE of stream 3, 25 octets, again", "A 1002 BE of stream 3, 16 of 80 octets, again"));
  b.finish();
}

TEST(Seen, PacketWithAWrongChecksum_IsNotReported) {
  Bench b;
  b.open();
  b.establish();
  const std::size_t before = b.sink.chunks.size();
  b.checksum = wire::Checksum::wrong;
  b.send(kA, {b.segment(kA, 0, 1)});
  EXPECT_EQ(b.sink.chunks.size(), before);
  b.finish();
}

TEST(Seen, MessageInFragments_HasItsFirstAndItsLastTsn) {
  Bench b;
  b.open();
  b.establish();
  const Buffer whole = Ends::user_data(1, 30);
  const auto part = [&](std::size_t from, std::size_t to, bool begin, bool end) {
    wire::Data chunk;
    chunk.tsn = b.tsn[0]++;
    chunk.ppid = 16;
    chunk.begin = begin;
    chunk.end = end;
    chunk.user_data.assign(whole.begin() + static_cast<std::ptrdiff_t>(from),
                           whole.begin() + static_cast<std::ptrdiff_t>(to));
    return wire::write(chunk);
  };
  b.send(kA, {part(0, 20, true, false)});
  b.send(kA, {part(20, 40, false, false)});
  b.send(kA, {part(40, whole.size(), false, true)});
  ASSERT_EQ(b.session().payloads.size(), 1u);
  EXPECT_EQ(b.session().messages.back().tsn, 1001u);
  EXPECT_EQ(b.session().messages.back().last_tsn, 1003u);
  b.finish();
}

TEST(Seen, ControlMessage_HasThePhaseItLeadsTo) {
  Bench b;
  b.open();
  b.establish();
  b.send(kA, {b.control(kA, 0, 1, 9)});  // a code that is none changes nothing
  b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
  b.send(kA, {b.sack(kA), b.control(kA, 0, 2, 4)});
  std::vector<SessionPhase> phases;
  for (const ControlMessage& control : b.session().controls) phases.push_back(control.phase);
  EXPECT_THAT(phases, ElementsAre(SessionPhase::opening, SessionPhase::open, SessionPhase::open,
                                  SessionPhase::passive_closed, SessionPhase::closed));
  b.shut_down();
}

TEST(Seen, SessionThatTheOtherEndBegan_SaysWhichWayItGoes) {
  Bench b;
  b.open();
  b.establish();
  b.send(kB, {b.control(kB, 1, 0, 1)});
  EXPECT_EQ(b.session(0).start.active, kA);
  EXPECT_EQ(b.session(1).start.active, kB);
  b.finish();
}

}  // namespace
}  // namespace iwarpscope::sctp::test
