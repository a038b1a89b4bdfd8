// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which association a packet belongs to: tags, addresses, restarts, ordinary traffic, limits.
#include <set>

#include "base/archive.h"
#include "kit.h"
#include "sctp/association_table.h"

namespace iwarpscope::sctp::test {
namespace {

/// Two ends whose packets go through a table.
class TableBench : public Ends {
 public:
  explicit TableBench(TableLimits table_limits = {}) : table(table_limits, limits, budget, sink) {}
  void send(Direction d, const std::vector<Buffer>& chunks) { table.feed(packet(d, chunks).sctp); }
  void open(std::optional<std::uint32_t> adaptation = 1) {
    send(kA, {init(kA, adaptation)});
    send(kB, {init(kB, adaptation)});
    send(kA, {chunk(wire::ChunkType::cookie_echo)});
    send(kB, {chunk(wire::ChunkType::cookie_ack)});
  }
  void establish(std::uint16_t stream = 0) {
    send(kA, {control(kA, stream, 0, 1)});
    send(kB, {sack(kB), control(kB, stream, 0, 2)});
    send(kA, {sack(kA)});
  }
  void use_ports(std::uint16_t a, std::uint32_t tag_a, std::uint32_t tag_b) {
    at[0].port = a;
    tag = {tag_a, tag_b};
    tsn = {tag_a, tag_b};
  }
  void finish() { table.finish(FrameNumber{frame}, TimePoint{now}); }
  [[nodiscard]] std::string text(std::size_t n) const { return sink.sessions.at(n)->text(); }

  tcp::Limits limits;
  BufferBudget budget{1 << 20};
  KeepingAssociations sink;
  AssociationTable table;
};

TEST(AssociationTable, AnAssociationWithTheIndicationIsFollowed) {
  TableBench b;
  b.open();
  b.establish();
  b.finish();
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.table.statistics().followed, 1u);
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, AssociationsThatAreOverOrSilentAreRemovedAfterAWhile) {
  constexpr std::int64_t kOverNs = 60'000'000'000, kSilentNs = 900'000'000'000;
  TableBench b;
  const auto later = [&](std::int64_t ns) { b.table.age(TimePoint{b.now + ns}, kOverNs, kSilentNs); };
  b.use_ports(2001, 21, 22);
  b.open(std::nullopt);
  b.send(kA, {TableBench::chunk(wire::ChunkType::abort)});
  b.use_ports(2002, 31, 32);
  b.open(std::nullopt);
  b.use_ports(2003, 41, 42);
  b.open();
  b.establish();
  ASSERT_EQ(b.table.size(), 3u);
  later(kOverNs / 2);
  EXPECT_EQ(b.table.size(), 3u);
  later(kOverNs + 1'000'000'000);
  EXPECT_EQ(b.table.size(), 2u);
  later(kSilentNs + 1'000'000'000);
  EXPECT_EQ(b.table.size(), 1u) << "the one that is followed";
  EXPECT_EQ(b.table.statistics().discarded + b.table.statistics().cut_short, 0u);
}

TEST(AssociationTable, ThoseThatAreOverMakeRoomUncounted) {
  TableBench b({.max_associations = 4});
  for (std::uint16_t n = 0; n < 20; ++n) {
    b.use_ports(static_cast<std::uint16_t>(2000 + n), 100u + n, 200u + n);
    b.open(std::nullopt);
    if (n != 7) b.send(kA, {TableBench::chunk(wire::ChunkType::abort)});
  }
  EXPECT_EQ(b.table.size(), 4u);
  EXPECT_EQ(b.table.statistics().discarded, 1u);
}

TEST(AssociationTable, AnOrdinaryAssociationIsLeftAlone) {
  TableBench b;
  b.open(std::nullopt);
  for (int n = 0; n < 100; ++n) b.send(kA, {b.data(kA, 0, 46, Buffer(100))});
  b.send(kB, {b.sack(kB)});
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.table.statistics().followed, 0u);
  EXPECT_TRUE(b.sink.sessions.empty());
  EXPECT_EQ(b.sink.codes(), "");
}

// Both of PPID 16 and 17 are followed only where their octets bear it out.
TEST(AssociationTable, APayloadIdentifierAloneIsNotDdp) {
  TableBench b;
  b.open(std::nullopt);
  b.send(kA, {b.data(kA, 0, 16, Buffer(100, std::byte{0xFF}))});
  b.send(kA, {b.data(kA, 0, 17, Buffer(100, std::byte{0xFF}))});
  b.finish();
  EXPECT_EQ(b.table.statistics().followed, 0u);
}

TEST(AssociationTable, DdpWithoutTheIndicationIsFollowedAndSaysSo) {
  TableBench b;
  b.open(std::nullopt);
  b.establish();
  b.finish();
  EXPECT_EQ(b.sink.codes(), "SC-01 SC-01");
  EXPECT_EQ(b.sink.sessions.size(), 1u);
}

TEST(AssociationTable, JoinedInTheMiddleByItsMessages) {
  TableBench b;
  b.send(kA, {b.sack(kA)});
  b.send(kB, {b.segment(kB, 2, 100)});
  b.send(kA, {b.segment(kA, 2, 50)});
  b.finish();
  ASSERT_EQ(b.sink.sessions.size(), 1u);
  EXPECT_TRUE(b.sink.sessions[0]->start.joined);
  EXPECT_EQ(b.text(0), "B segment @100\nA segment @50\nwhole ended capture end\n");
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, AllPathsOfAMultihomedAssociationAreOne) {
  TableBench b;
  b.open();
  b.establish();
  b.at = {endpoint(11, 40000), endpoint(12, 5000)};
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.at = {endpoint(1, 40000), endpoint(2, 5000)};
  b.send(kA, {b.segment(kA, 0, 2)});
  b.finish();
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nA segment @1\nB segment @1\nA segment @2\nwhole ended capture end\n");
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, APathThatItForgotLeadsNowhere) {
  TableBench b;
  b.open(std::nullopt);
  for (std::uint8_t host = 10; host < 50; ++host) {
    b.at = {endpoint(host, 40000), endpoint(2, 5000)};
    b.send(kA, {b.segment(kA, 0, 1)});
  }
  Archive written(1 << 20);
  b.table.archive(written);
  ArchivedWords words;
  Archive read(written.written(), words);
  TableBench next;
  next.table.archive(read);
  EXPECT_TRUE(read.is_complete());
  EXPECT_EQ(next.table.size(), 1u);
}

TEST(AssociationTable, EqualPortsAtBothEndsAreDistinguishedByTags) {
  TableBench b;
  b.at = {endpoint(1, 5000), endpoint(2, 5000)};
  b.open();
  b.establish();
  b.at = {endpoint(11, 5000), endpoint(12, 5000)};
  b.send(kB, {b.segment(kB, 0, 1)});
  b.send(kA, {b.segment(kA, 0, 1)});
  b.finish();
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nB segment @1\nA segment @1\nwhole ended capture end\n");
}

TEST(AssociationTable, ANewInitWithOtherTagsIsAnotherAssociation) {
  TableBench b;
  b.open();
  b.establish();
  b.use_ports(40000, 0x111, 0x222);
  b.open();
  b.establish();
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 2u);
  ASSERT_EQ(b.sink.sessions.size(), 2u);
  EXPECT_EQ(b.sink.sessions[0]->start.association, 0u);
  EXPECT_EQ(b.sink.sessions[1]->start.association, 1u);
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, AnInitThatIsSentAgainIsNotAnother) {
  TableBench b;
  b.send(kA, {b.init(kA)});
  b.send(kA, {b.init(kA)});
  b.send(kB, {b.init(kB)});
  b.send(kB, {b.init(kB)});
  b.establish();
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.sink.sessions.size(), 1u);
}

// Each answer to an INIT has a tag of its own; the COOKIE ECHO shows which was taken. Source: RFC 9260 §5.1.
TEST(AssociationTable, AnInitThatIsSentAgainAndAnsweredOtherwise) {
  for (const bool newest : {true, false}) {
    TableBench b;
    b.send(kA, {b.init(kA)});
    b.send(kA, {b.init(kA)});
    const std::uint32_t first_tag = b.tag[1], first_tsn = b.tsn[1];
    b.send(kB, {b.init(kB)});
    b.tag[1] = 0x0C0FFEE0;
    b.tsn[1] = 0x70000000;
    b.send(kB, {b.init(kB)});
    if (!newest) {
      b.tag[1] = first_tag;
      b.tsn[1] = first_tsn;
    }
    b.send(kA, {Ends::chunk(wire::ChunkType::cookie_echo)});
    b.send(kB, {Ends::chunk(wire::ChunkType::cookie_ack)});
    b.establish();
    b.send(kA, {b.segment(kA, 0, 1)});
    b.finish();
    EXPECT_EQ(b.table.statistics().associations, 1u);
    ASSERT_EQ(b.sink.sessions.size(), 1u);
    EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nA segment @1\nwhole ended capture end\n");
    EXPECT_FALSE(b.sink.sessions[0]->start.joined);
    EXPECT_EQ(b.sink.codes(), "");
  }
}

// Source: RFC 9260 §5.2.6.
TEST(AssociationTable, ACookieThatWasStaleIsAskedForAgain) {
  TableBench b;
  b.send(kA, {b.init(kA)});
  b.send(kB, {b.init(kB)});
  b.send(kA, {Ends::chunk(wire::ChunkType::cookie_echo)});
  b.send(kB, {Ends::chunk(wire::ChunkType::error)});
  b.send(kA, {b.init(kA)});
  b.tag[1] = 0x0C0FFEE0;
  b.tsn[1] = 0x70000000;
  b.send(kB, {b.init(kB)});
  b.send(kA, {Ends::chunk(wire::ChunkType::cookie_echo)});
  b.send(kB, {Ends::chunk(wire::ChunkType::cookie_ack)});
  b.establish();
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 1u);
  ASSERT_EQ(b.sink.sessions.size(), 1u);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  EXPECT_EQ(b.sink.codes(), "");
}

// A tag may be chosen again. Source: RFC 9260 §5.3.1.
TEST(AssociationTable, AnotherAssociationWithTheTagsOfOneThatIsOver) {
  for (const bool aborted : {false, true}) {
    TableBench b;
    b.open();
    b.establish();
    b.send(kA, {b.control(kA, 0, 1, 4)});
    b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
    if (aborted) {
      b.send(kA, {Ends::chunk(wire::ChunkType::abort)});
    } else {
      b.send(kA, {wire::write(wire::Shutdown{b.tsn[1] - 1})});
      b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
      b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_complete)});
    }
    b.open();
    b.establish();
    b.finish();
    EXPECT_EQ(b.table.statistics().associations, 2u);
    ASSERT_EQ(b.sink.sessions.size(), 2u);
    EXPECT_EQ(b.text(1), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
  }
}

// An end that has lost its state reflects the tag of what it got. Source: RFC 9260 §8.4, §8.5.1.
TEST(AssociationTable, AReflectedTagShowsWhoAbortedFromAnyAddress) {
  for (const std::uint8_t last : {std::uint8_t{1}, std::uint8_t{9}}) {
    TableBench b;
    b.open();
    b.establish();
    b.at[0] = endpoint(9, 40000);
    b.send(kA, {b.segment(kA, 0, 1)});
    b.send(kB, {b.sack(kB)});
    Packet abort = b.packet(kA, {Ends::chunk(wire::ChunkType::abort, 1)});
    abort.sctp.source = endpoint(last, 40000);
    abort.sctp.verification_tag = b.tag[0];
    b.table.feed(abort.sctp);
    EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nA segment @1\nwhole ended aborted by A\n");
    EXPECT_EQ(b.sink.codes(), "SC-25");
    EXPECT_EQ(b.sink.findings().back().direction, kA);
  }
}

// An end that lost its state begins again. Source: RFC 9260 §5.2.
TEST(AssociationTable, AnotherAssociationBetweenTheSameEndsEndsTheOneBefore) {
  TableBench b;
  b.open();
  b.establish();
  b.use_ports(40000, 0x111, 0x222);
  b.send(kA, {b.init(kA)});
  b.send(kB, {b.init(kB)});
  EXPECT_EQ(b.sink.sessions[0]->lines.size(), 2u) << "an INIT may be refused, or forged";
  b.send(kA, {Ends::chunk(wire::ChunkType::cookie_echo)});
  EXPECT_EQ(b.sink.sessions[0]->lines.size(), 2u);
  b.send(kB, {Ends::chunk(wire::ChunkType::cookie_ack)});
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended restarted\n");
  b.establish();
  b.finish();
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, SoDoesOneWhoseInitWasNotCaptured) {
  TableBench b;
  b.open();
  b.establish();
  b.use_ports(40000, 0x111, 0x222);
  b.establish();
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended restarted\n");
  b.finish();
  EXPECT_EQ(b.sink.sessions.size(), 2u);
}

TEST(AssociationTable, APacketOfAnotherTagAloneEndsNothing) {
  TableBench b;
  b.open();
  b.establish();
  Packet stray = b.packet(kA, {b.segment(kA, 0, 1)});
  stray.sctp.verification_tag = 0x12345678;
  b.table.feed(stray.sctp);
  b.finish();
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
}

// Two addresses of one end, before the other end's tag is known.
TEST(AssociationTable, WhoseANewAddressIsItsTagShows) {
  TableBench b;
  b.send(kA, {b.segment(kA, 0, 10)});
  b.at = {endpoint(11, 40000), endpoint(12, 5000)};
  b.send(kA, {b.segment(kA, 0, 11)});
  b.send(kA, {b.segment(kA, 0, 12)});
  b.finish();
  EXPECT_EQ(b.text(0), "A segment @10\nA segment @11\nA segment @12\nwhole ended capture end\n");
  EXPECT_EQ(b.table.statistics().associations, 1u);
}

// ASCONF. Source: RFC 5061 §5.1.
TEST(AssociationTable, AnAddressThatIsAddedLaterIsOfItsAssociation) {
  TableBench b;
  b.open();
  b.establish();
  b.send(kA, {wire::write(wire::Chunk{static_cast<wire::ChunkType>(0xC1), 0, Buffer(20), {}})});
  b.at[0] = endpoint(77, 40000);
  b.send(kA, {b.segment(kA, 0, 1)});
  b.send(kB, {b.sack(kB), b.segment(kB, 0, 1)});
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nA segment @1\nB segment @1\nwhole ended capture end\n");
}

TEST(AssociationTable, ADamagedPacketBeginsNothing) {
  TableBench b;
  b.checksum = wire::Checksum::wrong;
  for (std::uint16_t n = 0; n < 5; ++n) b.send(kA, {b.segment(kA, 0, n)});
  EXPECT_EQ(b.table.size(), 0u);
  EXPECT_EQ(b.table.statistics().damaged, 5u);
  b.checksum = wire::Checksum::right;
  b.send(kB, {b.data(kB, 0, 46, Buffer(20))});
  b.send(kA, {b.sack(kA)});
  b.checksum = wire::Checksum::wrong;
  b.send(kB, {b.segment(kB, 0, 7)});
  b.finish();
  EXPECT_EQ(b.table.statistics().followed, 0u) << "nor is it what shows DDP";
}

// T: the tag is the one that the sender itself expects. Source: RFC 9260 §8.5.1.
TEST(AssociationTable, AReflectedTagInAnAbort) {
  TableBench b;
  b.open();
  b.establish();
  Packet abort = b.packet(kB, {wire::write(wire::Abort{true, {}, {}})});
  abort.sctp.verification_tag = b.tag[1];
  b.table.feed(abort.sctp);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nwhole ended aborted by B\n");
  b.finish();
}

TEST(AssociationTable, AnAbortOutOfTheBlueIsNoAssociation) {
  TableBench b;
  b.send(kB, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.table.size(), 0u);
}

TEST(AssociationTable, OneThatWasShutDownIsNotRevivedByLatePackets) {
  TableBench b;
  b.open();
  b.establish();
  b.send(kA, {b.control(kA, 0, 1, 4)});
  b.send(kB, {b.sack(kB), b.control(kB, 0, 1, 4)});
  b.send(kA, {b.sack(kA), wire::write(wire::Shutdown{b.tsn[1] - 1})});
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  b.send(kA, {Ends::chunk(wire::ChunkType::shutdown_complete)});
  b.send(kB, {Ends::chunk(wire::ChunkType::shutdown_ack)});
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 1u);
  EXPECT_EQ(b.sink.sessions.size(), 1u);
  EXPECT_EQ(b.sink.codes(), "");
}

TEST(AssociationTable, TheOneSeenLongestAgoMakesRoom) {
  TableLimits few;
  few.max_associations = 3;
  TableBench b(few);
  b.open();
  b.establish();
  for (std::uint16_t n = 1; n <= 10; ++n) {
    b.use_ports(static_cast<std::uint16_t>(41000 + n), 0x1000u + n, 0x2000u + n);
    b.open(std::nullopt);
    EXPECT_LE(b.table.size(), 3u);
  }
  // The one that carries DDP stays, the ordinary ones go.
  EXPECT_EQ(b.table.statistics().discarded, 8u);
  EXPECT_EQ(b.table.statistics().cut_short, 0u);
  b.finish();
  EXPECT_EQ(b.sink.sessions[0]->lines.back(), "whole ended capture end");
}

TEST(AssociationTable, AmongVeryManyThatAreFollowedAnOrdinaryOneMakesRoom) {
  TableLimits few;
  few.max_associations = 100;
  TableBench b(few);
  for (std::uint16_t n = 1; n <= 102; ++n) {
    b.use_ports(static_cast<std::uint16_t>(41000 + n), 0x1000u + n, 0x2000u + n);
    b.open(n <= 90 ? std::optional<std::uint32_t>(1) : std::nullopt);
  }
  EXPECT_EQ(b.table.size(), 100u);
  EXPECT_EQ(b.table.statistics().discarded, 2u);
  EXPECT_EQ(b.table.statistics().cut_short, 0u);
  b.finish();
}

// Two hosts behind one address translator, with the same SCTP ports. Source: RFC 6951 §5.
TEST(AssociationTable, OverUdpPortsTellHostsBehindOneAddressApart) {
  TableBench b;
  b.udp = {1024, 9899};
  b.open();
  b.establish();
  const auto tag = b.tag;
  const auto tsn = b.tsn;
  b.udp = {1025, 9899};
  b.tag = {0xC1C1C1C1, 0xC2C2C2C2};
  b.tsn = {100, 200};
  b.open();
  b.establish();
  b.tag = tag;
  b.tsn = tsn;
  b.udp = {1024, 9899};
  b.send(kA, {b.segment(kA, 0, 1)});
  // The translator may choose another port for an association that goes on.
  b.udp = {1026, 9899};
  b.send(kA, {b.segment(kA, 0, 2)});
  b.finish();
  EXPECT_EQ(b.table.statistics().associations, 2u);
  EXPECT_EQ(b.text(0), "A code 1 @0\nB code 2 @0\nA segment @1\nA segment @2\nwhole ended capture end\n");
  EXPECT_EQ(b.text(1), "A code 1 @0\nB code 2 @0\nwhole ended capture end\n");
}

TEST(AssociationTable, FollowedOnesAreBoundedToo) {
  TableLimits few;
  few.max_associations = 2;
  TableBench b(few);
  for (std::uint16_t n = 1; n <= 5; ++n) {
    b.use_ports(static_cast<std::uint16_t>(41000 + n), 0x1000u + n, 0x2000u + n);
    b.open();
    b.establish();
  }
  EXPECT_EQ(b.table.statistics().cut_short, 3u);
  EXPECT_EQ(b.sink.sessions[0]->lines.back(), "whole ended capture end");
  EXPECT_EQ(b.sink.sessions[4]->lines.size(), 2u);
  b.finish();
}

TEST(AssociationTable, StreamsOfAllAssociationsAreBounded) {
  TableLimits few;
  few.max_streams = 6;
  TableBench b(few);
  for (std::uint16_t n = 1; n <= 2; ++n) {
    b.use_ports(static_cast<std::uint16_t>(41000 + n), 0x1000u + n, 0x2000u + n);
    b.open();
    for (std::uint16_t stream = 0; stream < 5; ++stream) b.establish(stream);
  }
  EXPECT_EQ(b.sink.sessions.size(), 6u);
  b.send(kA, {wire::write(wire::Abort{})});
  EXPECT_EQ(b.table.statistics().streams_refused, 8u);
  b.use_ports(41009, 0x1009, 0x2009);
  b.open();
  b.establish();
  EXPECT_EQ(b.sink.sessions.size(), 7u) << "what was followed made room";
  b.finish();
}

TEST(AssociationTable, ChunksWhoseLengthsLieAreCounted) {
  TableBench b;
  b.open();
  Packet bad = b.packet(kA, {wire::write(wire::Chunk{wire::ChunkType::data, 3, Buffer(20), 400})});
  b.table.feed(bad.sctp);
  EXPECT_EQ(b.table.statistics().unread, 1u);
  b.finish();
}

}  // namespace
}  // namespace iwarpscope::sctp::test
