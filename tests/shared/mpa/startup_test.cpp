// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Startup as a whole: who, what is agreed, and what is no startup at all.
#include "mpa/startup.h"

#include <gtest/gtest.h>

#include "shared/mpa/startup_support.h"

namespace iwarpscope::mpa::test {
namespace {

TEST(Startup, RequestAndReplyAgreeOnCrcMarkersAndDepths) {
  StartupBench b;
  Wire req = request2({.ird = 8, .ord = 16});
  Wire rep = reply2({.ird = 12, .ord = 6});
  req.crc = false;
  req.markers = true;  // wanted in what the Responder sends
  b.feed(kB, req);     // the Initiator need not be end A
  EXPECT_EQ(b.startup.phase(), StartupPhase::await_reply);
  b.feed(kA, rep);
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  const Agreement& a = b.startup.agreement();
  EXPECT_EQ(a.initiator, kB);
  EXPECT_EQ(a.crc, true);
  EXPECT_EQ(a.markers[index(kA)], true);
  EXPECT_EQ(a.markers[index(kB)], false);
  EXPECT_EQ(a.sequence_start[index(kA)], b.at[index(kA)]);
  EXPECT_EQ(a.sequence_start[index(kB)], b.at[index(kB)]);
  EXPECT_TRUE(a.enhanced);
  EXPECT_FALSE(a.rdmac);
  EXPECT_EQ(a.read_depth[index(kB)], 12);
  EXPECT_EQ(a.read_depth[index(kA)], 6);
}

TEST(Startup, FramesCutAtEachOctetGiveTheSame) {
  Wire req = request2();
  req.private_data = synth::text("hello from client");
  const Buffer first = synth::wire::write(req);
  const Buffer second = synth::wire::write(reply2());
  for (std::size_t cut = 1; cut < first.size(); ++cut) {
    StartupBench b;
    b.feed(kA, Octets{first}.first(cut));
    b.feed(kA, Octets{first}.subspan(cut));
    const std::size_t at = std::min(cut, second.size() - 1);
    b.feed(kB, Octets{second}.first(at));
    b.feed(kB, Octets{second}.subspan(at));
    ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation) << cut;
    EXPECT_EQ(b.startup.request()->private_data, req.private_data);
    EXPECT_EQ(b.startup.agreement().sequence_start[0], kStreamOrigin + first.size());
    EXPECT_EQ(b.codes(), "");
  }
  StartupBench octet_by_octet;
  for (const std::byte& o : first) octet_by_octet.feed(kA, Octets{&o, 1});
  for (const std::byte& o : second) octet_by_octet.feed(kB, Octets{&o, 1});
  EXPECT_EQ(octet_by_octet.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(octet_by_octet.codes(), "");
}

TEST(Startup, ReplyAndFpduInOneTcpSegmentLeaveTheFpdu) {
  StartupBench b;
  b.feed(kA, request());
  Buffer octets = synth::wire::write(reply());
  const std::size_t frame = octets.size();
  append(octets, fpdu());
  EXPECT_EQ(b.feed(kB, Octets{octets}), frame);
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.feed(kA, Octets{fpdu()}), 0U);
}

TEST(Startup, InitiatorThatDoesNotWaitHasItsOctetsKept) {
  StartupBench b;
  Buffer octets = synth::wire::write(request());
  const std::size_t frame = octets.size();
  append(octets, fpdu());
  EXPECT_EQ(b.feed(kA, Octets{octets}), octets.size());
  EXPECT_EQ(b.startup.phase(), StartupPhase::await_reply);
  b.feed(kA, Octets{fpdu()});
  b.feed(kB, reply());
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.agreement().sequence_start[0], kStreamOrigin + frame);
  Buffer both = fpdu();
  append(both, fpdu());
  EXPECT_EQ(early_octets(b.startup), both);
  EXPECT_EQ(b.codes(), "MS-13");
}

TEST(Startup, EarlyOctetsKeepTheirFramesAndAcks) {
  StartupBench b;
  b.feed(kA, request());
  b.feed(kA, Octets{fpdu()});
  b.feed(kA, Octets{fpdu()});
  b.feed(kB, reply());
  const std::vector<tcp::Chunk> early = b.startup.early_chunks();
  ASSERT_EQ(early.size(), 2U);
  EXPECT_EQ(early[0].frame.value, 2U);
  EXPECT_EQ(early[1].frame.value, 3U);
  EXPECT_EQ(early[1].acknowledged, StreamOffset{7 * kStreamOrigin.value});
  EXPECT_TRUE(early[0].starts_tcp_segment && early[1].ends_tcp_segment);
}

TEST(Startup, EarlyOctetsInManySmallPiecesAreKeptUpToALimit) {
  StartupBench b;
  b.feed(kA, request());
  const std::byte octet{0x33};
  for (int i = 0; i < 255; ++i) b.feed(kA, Octets{&octet, 1});
  EXPECT_EQ(early_octets(b.startup).size(), 255U);
  for (int i = 0; i < 1000 && b.startup.phase() == StartupPhase::await_reply; ++i) b.feed(kA, Octets{&octet, 1});
  EXPECT_LE(b.startup.early_chunks().size(), 256U);
}

TEST(Startup, StreamingDataMayComeFirstInBothDirections) {
  StartupBench b;
  for (int i = 0; i < 200; ++i) {
    b.feed(kA, "220 ready, and more of it: MPA, M, MPA I\r\n");
    b.feed(kB, std::string(1400, 'M'));
  }
  b.feed(kA, "STARTRDMA\r\n");
  b.feed(kB, "OK\r\n");
  b.feed(kB, request());
  b.feed(kA, reply());
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.agreement().initiator, kB);
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, RequestBehindStreamingDataInOneTcpSegmentIsFound) {
  StartupBench b;
  Buffer octets = synth::text("STARTRDMA\r\nMPA");
  append(octets, synth::wire::write(request()));
  b.feed(kA, Octets{octets});
  b.feed(kB, reply());
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.request()->start, kStreamOrigin + 14);
}

TEST(Startup, RejectThenANewRequestOnTheSameConnection) {
  StartupBench b;
  Wire no = reply();
  no.reject = true;
  no.private_data = synth::text("lab says no");
  b.feed(kA, request());
  b.feed(kB, no);
  EXPECT_EQ(b.startup.phase(), StartupPhase::rejected);
  EXPECT_EQ(b.startup.reply()->private_data, no.private_data);
  b.feed(kA, "let us talk");
  b.feed(kB, request());  // now the other way round
  EXPECT_EQ(b.startup.phase(), StartupPhase::await_reply);
  EXPECT_EQ(b.startup.reply(), nullptr);
  b.feed(kA, reply());
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.agreement().initiator, kB);
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, ReplyWithoutARequestIsACaptureThatBeganLate) {
  StartupBench b;
  Wire rep = reply();
  rep.markers = true;
  rep.crc = false;
  b.feed(kB, rep);
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.request(), nullptr);
  const Agreement& a = b.startup.agreement();
  EXPECT_EQ(a.initiator, kA);
  EXPECT_FALSE(a.crc.has_value()) << "the Request may have asked for it";
  EXPECT_EQ(a.markers[index(kA)], true);
  EXPECT_FALSE(a.markers[index(kB)].has_value());
  EXPECT_FALSE(a.sequence_start[index(kA)].has_value());
  EXPECT_TRUE(a.sequence_start[index(kB)].has_value());
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, RequestAloneOfAOneSidedCaptureGoesOnWithItsFpdus) {
  StartupBench b;
  b.one_sided = true;
  b.feed(kA, request());
  EXPECT_EQ(b.startup.phase(), StartupPhase::await_reply);
  EXPECT_EQ(b.feed(kA, Octets{fpdu()}), 0U);
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.agreement().crc, true);
  EXPECT_FALSE(b.startup.agreement().markers[index(kA)].has_value());
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, RequestAndFpduCutSmallOfAOneSidedCapture) {
  Buffer octets = synth::wire::write(request());
  append(octets, fpdu());
  append(octets, fpdu());
  for (std::size_t size = 1; size < 60; size += 7) {
    StartupBench b;
    b.one_sided = true;
    for (std::size_t at = 0; at < octets.size(); at += size) {
      b.feed(kA, Octets{octets}.subspan(at, std::min(size, octets.size() - at)));
    }
    EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation) << size;
    EXPECT_EQ(early_octets(b.startup).size() + b.left_over[0], 2 * fpdu().size()) << size;
  }
}

TEST(Startup, LostReplyIsTakenFromAGap) {
  StartupBench b;
  b.feed(kA, request());
  b.gap(kB, 20);
  EXPECT_EQ(b.feed(kA, Octets{fpdu()}), 0U);
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  StartupBench responder_first;
  responder_first.feed(kA, request());
  responder_first.gap(kB, 20);
  EXPECT_EQ(responder_first.feed(kB, Octets{fpdu()}), 0U);
  EXPECT_EQ(responder_first.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.codes() + responder_first.codes(), "");
}

TEST(Startup, PrivateDataCutByTheSnapLengthStillAgrees) {
  Wire req = request2();
  req.private_data = Buffer(100, std::byte{0x70});
  const Buffer octets = synth::wire::write(req);
  StartupBench b;
  b.feed(kA, Octets{octets}.first(40));
  b.gap(kA, octets.size() - 40);
  b.feed(kB, reply2());
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(b.startup.agreement().sequence_start[0], kStreamOrigin + octets.size());
  EXPECT_EQ(b.startup.request()->private_data.size(), 16U);
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, RevisionZeroReplyTurnsMarkersAndCrcOn) {
  StartupBench b;
  Wire req = request(), rep = reply();
  req.markers = req.crc = false;
  rep.revision = 0;
  rep.markers = true;
  b.feed(kA, req);
  b.feed(kB, rep);
  ASSERT_EQ(b.startup.phase(), StartupPhase::full_operation);
  const Agreement& a = b.startup.agreement();
  EXPECT_TRUE(a.rdmac);
  EXPECT_EQ(a.crc, true);
  EXPECT_EQ(a.markers[0], true);
  EXPECT_EQ(a.markers[1], true);
  EXPECT_EQ(b.codes(), "");
}

TEST(Startup, LengthThatSiwLetOverflowIsAnsweredAndKept) {
  // 252 octets of private data after the enhanced ones overflow an octet: PD_Length 0, and all the data follows.
  Wire req = request2();
  req.private_data = Buffer(252, std::byte{0x70});
  req.private_data_length = 0;
  StartupBench b;
  b.feed(kA, req);
  b.feed(kB, reply2());
  EXPECT_EQ(b.startup.phase(), StartupPhase::full_operation);
  EXPECT_EQ(early_octets(b.startup).size(), 256U);
}

TEST(Startup, TextThatQuotesTheKeyIsLeftAlone) {
  const std::string key = "MPA ID Req Frame";
  const std::vector<std::string> texts = {"<p>" + key + " opens a connection; MPA ID Rep Frame answers it.</p>",
                                          key + "\r\nand so on and on", key,
                                          "MPA ID Rep Frame\r\n\r\n and what follows is a text, too",
                                          "GET /?q=" + key + std::string("\x40\x01\0\x02xx and more", 15)};
  for (const std::string& text : texts) {
    for (const bool one_sided : {false, true}) {
      StartupBench b;
      b.one_sided = one_sided;
      b.feed(kA, text);
      if (!one_sided) b.feed(kB, "HTTP/1.1 200 OK\r\n\r\n" + text);
      b.feed(kA, std::string(400, 'x'));
      if (!one_sided) b.feed(kB, std::string(400, 'y'));
      b.feed(kA, std::string(400, 'x'));
      b.fin(kA);
      b.fin(kB);
      EXPECT_EQ(b.startup.phase(), StartupPhase::await_request) << text;
      EXPECT_EQ(b.codes(), "") << text;
      EXPECT_EQ(b.left_over[0] + b.left_over[1], 0U);
    }
  }
}

TEST(Startup, WellFormedRequestInsideATextIsLeftAloneToo) {
  Buffer octets = synth::text("a document that holds a frame: ");
  append(octets, synth::wire::write(request()));
  append(octets, synth::text(" and goes on after it with many more words"));
  for (const bool one_sided : {false, true}) {
    StartupBench b;
    b.one_sided = one_sided;
    b.feed(kA, Octets{octets});
    if (!one_sided) b.feed(kB, "thanks");
    b.feed(kA, std::string(400, 'x'));
    b.fin(kA);
    b.fin(kB);
    EXPECT_EQ(b.startup.phase(), StartupPhase::await_request);
    EXPECT_EQ(b.codes(), "");
  }
}

TEST(Startup, RandomOctetsNeverStartAnything) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    StartupBench b;
    for (int i = 0; i < 200; ++i) {
      const Direction d = random.chance(500) ? kA : kB;
      if (random.chance(30)) {
        b.gap(d, random.between(1, 900));
      } else {
        Buffer octets = random.octets(random.between(1, 1448));
        if (random.chance(200)) {  // a key without sense after it
          const Buffer key = synth::text("MPA ID Re");
          std::copy_n(key.begin(), std::min(key.size(), octets.size()), octets.begin());
        }
        b.feed(d, Octets{octets});
      }
    }
    b.end();
    EXPECT_EQ(b.startup.phase(), StartupPhase::await_request) << seed;
    EXPECT_EQ(b.codes(), "");
  }
}

TEST(Startup, ChangedOctetsAndRandomCutsNeverLoseCount) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    Wire req = random.chance(500) ? request2() : request();
    Wire rep = random.chance(500) ? reply2() : reply();
    rep.reject = random.chance(200);
    req.private_data = random.octets(random.below(40));
    std::array<Buffer, 2> octets{synth::wire::write(req), synth::wire::write(rep)};
    for (Buffer& b : octets) {
      append(b, fpdu());
      if (random.chance(700)) b[random.below(b.size())] ^= static_cast<std::byte>(1U << random.below(8));
    }
    StartupBench b;
    b.one_sided = random.chance(200);
    std::array<std::size_t, 2> at{};
    while (at[0] < octets[0].size() || at[1] < octets[1].size()) {
      const Direction d = random.chance(500) ? kA : kB;
      const Octets left = Octets{octets[index(d)]}.subspan(at[index(d)]);
      if (left.empty()) continue;
      const std::size_t n = std::min<std::size_t>(random.between(1, 60), left.size());
      if (random.chance(30)) {
        b.gap(d, n);
      } else {
        ASSERT_LE(b.feed(d, left.first(n)), n);
      }
      at[index(d)] += n;
    }
    b.end();
    if (b.startup.phase() == StartupPhase::full_operation) {
      EXPECT_TRUE(b.startup.request() != nullptr || b.startup.reply() != nullptr);
    } else {
      EXPECT_EQ(b.left_over[0] + b.left_over[1], 0U) << seed;
    }
  }
}

TEST(Startup, GapsAnywhereNeverBlameAnybody) {
  Wire req = request2(), rep = reply2();
  req.private_data = rep.private_data = Buffer(20, std::byte{0x70});
  const std::array<Buffer, 2> octets{synth::wire::write(req), synth::wire::write(rep)};
  for (const Direction d : {kA, kB}) {
    const Buffer& cut = octets[index(d)];
    for (std::size_t from = 0; from < cut.size(); ++from) {
      for (std::size_t to = from + 1; to <= cut.size(); to += 5) {
        StartupBench b;
        for (const Direction side : {kA, kB}) {
          const Octets all = octets[index(side)];
          if (side != d) {
            b.feed(side, all);
            continue;
          }
          if (from != 0) b.feed(side, all.first(from));
          b.gap(side, to - from);
          if (to < all.size() && b.startup.phase() != StartupPhase::full_operation) b.feed(side, all.subspan(to));
        }
        if (b.startup.phase() != StartupPhase::full_operation) b.feed(kA, Octets{fpdu()});
        b.fin(kB);
        b.fin(kA);
        EXPECT_EQ(b.codes(), "") << index(d) << " " << from << " " << to;
      }
    }
  }
}

}  // namespace
}  // namespace iwarpscope::mpa::test
