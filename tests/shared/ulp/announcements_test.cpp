// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "ulp/announcements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "shared/ulp/payloads.h"

namespace iwarpscope::ulp {
namespace {

using test::from_hex;
using test::octets_of;
using test::whole;

constexpr auto kAll = std::to_array<Ulp>({Ulp::rping, Ulp::smb_direct, Ulp::nvme, Ulp::nfs});
constexpr std::uint64_t kHighest = std::numeric_limits<std::uint64_t>::max();

std::vector<Announcement> list(const Announcements& found) {
  return {found.begin(), found.end()};
}
std::vector<Announcement> of(Ulp ulp, std::string_view digits) {
  return list(announced(ulp, whole(from_hex(digits))));
}
std::vector<Announcement> one(std::uint32_t stag, std::uint64_t to, std::uint64_t octets, Access granted) {
  return {{.stag = STag{stag}, .to = TaggedOffset{to}, .octets = octets, .granted = granted}};
}
/// `payload` with another octet at `at`.
std::string with(std::string_view digits, std::size_t at, unsigned value) {
  std::string octets = from_hex(digits);
  octets.at(at) = static_cast<char>(value);
  return octets;
}
std::vector<Announcement> of_octets(Ulp ulp, const std::string& octets) {
  return list(announced(ulp, whole(octets)));
}

/// Source STag, TO and size of a Read Request's 28 octets.
std::vector<Announcement> asked_for(std::string_view read_request, Access granted) {
  const std::string octets = from_hex(read_request);
  const Octets o = octets_of(octets);
  return one(load_be<std::uint32_t>(o.subspan(16)), load_be<std::uint64_t>(o.subspan(20)),
             load_be<std::uint32_t>(o.subspan(12)), granted);
}
/// STag and TO of a Write.
std::vector<Announcement> written_to(std::string_view target, std::uint64_t size, Access granted) {
  const std::string octets = from_hex(target);
  const Octets o = octets_of(octets);
  return one(load_be<std::uint32_t>(o), load_be<std::uint64_t>(o.subspan(4)), size, granted);
}

TEST(UlpNamed, KnowsThoseThatAnnounce) {
  EXPECT_EQ(ulp_named("rping"), Ulp::rping);
  EXPECT_EQ(ulp_named("smb-direct"), Ulp::smb_direct);
  EXPECT_EQ(ulp_named("nvme"), Ulp::nvme);
  EXPECT_EQ(ulp_named("nfs"), Ulp::nfs);
  EXPECT_EQ(ulp_named("iser"), Ulp::none);
  EXPECT_EQ(ulp_named("perftest"), Ulp::none);
  EXPECT_EQ(ulp_named(std::nullopt), Ulp::none);
}

TEST(AnnouncedByRping, IsWhatTheServerReadsAndWrites) {
  EXPECT_EQ(of(Ulp::rping, test::kRpingFirst), asked_for(test::kRpingReadRequest, Access::none));
  EXPECT_EQ(of(Ulp::rping, test::kRpingSecond), written_to(test::kRpingWriteTo, 100, Access::none));
}

TEST(AnnouncedByRping, NothingInTheServersSends) {
  EXPECT_TRUE(of(Ulp::rping, test::kRpingServer).empty());
}

TEST(AnnouncedByRping, NothingInWhatRpingCannotSend) {
  EXPECT_TRUE(of(Ulp::rping, "000056368cc5a450 e6b38000 00010001").empty());  // longer than its largest buffer
  EXPECT_FALSE(of(Ulp::rping, "000056368cc5a450 e6b38000 00010000").empty());
  EXPECT_TRUE(of(Ulp::rping, "000056368cc5a450 e6b38000 00000000").empty());
  EXPECT_TRUE(of(Ulp::rping, "000056368cc5a450 00000000 00000064").empty());
  EXPECT_TRUE(of(Ulp::rping, "0000000000000000 e6b38000 00000064").empty());
  EXPECT_TRUE(of(Ulp::rping, "ffffffffffffffff e6b38000 00000064").empty());  // beyond 2^64
  EXPECT_TRUE(of(Ulp::rping, "ffffffffffffff9d e6b38000 00000064").empty());
  EXPECT_FALSE(of(Ulp::rping, "ffffffffffffff9c e6b38000 00000064").empty());
  EXPECT_TRUE(of(Ulp::rping, "000056368cc5a450 e6b38000 00000064 00").empty());
}

TEST(AnnouncedByNvme, IsWhatTheControllerReads) {
  EXPECT_EQ(of(Ulp::nvme, test::kNvmeConnect), asked_for(test::kNvmeConnectReadRequest, Access::read));
  EXPECT_EQ(of(Ulp::nvme, test::kNvmeWrite), asked_for(test::kNvmeWriteReadRequest, Access::read));
}

TEST(AnnouncedByNvme, DirectionIsInTheOpcode) {
  EXPECT_EQ(of(Ulp::nvme, test::kNvmeRead), one(0x70116201, 0xff1ec15903696000, 4096, Access::write));
  EXPECT_EQ(of_octets(Ulp::nvme, with(test::kNvmeRead, 0, 0x03)).at(0).granted, Access::read | Access::write);
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 0, 0x04)).empty());  // no data
}

TEST(AnnouncedByNvme, DirectionOfAFabricsCommandIsInItsType) {
  EXPECT_EQ(of_octets(Ulp::nvme, with(test::kNvmeConnect, 4, 0x06)).at(0).granted, Access::write);
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeConnect, 4, 0x04)).empty());
}

TEST(AnnouncedByNvme, NothingWithoutAKeyedDataBlock) {
  EXPECT_TRUE(of(Ulp::nvme, test::kNvmeWriteInCapsule).empty());
  EXPECT_TRUE(of(Ulp::nvme, test::kNvmePropertyGet).empty());
  EXPECT_TRUE(of(Ulp::nvme, test::kNvmeCompletion).empty());
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 1, 0x00)).empty());   // PRP
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 1, 0x80)).empty());   // SGL with a metadata segment
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 1, 0x44)).empty());   // a reserved bit
  EXPECT_FALSE(of_octets(Ulp::nvme, with(test::kNvmeRead, 1, 0x42)).empty());  // the second of two fused commands
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 39, 0x31)).empty());  // last segment, in the capsule
  EXPECT_TRUE(of_octets(Ulp::nvme, with(test::kNvmeRead, 39, 0x41)).empty());  // an offset
  EXPECT_FALSE(of_octets(Ulp::nvme, with(test::kNvmeRead, 39, 0x40)).empty());
}

TEST(AnnouncedByNvme, DataBehindTheCommandIsNotNeeded) {
  const std::string octets = from_hex(test::kNvmeWrite);
  EXPECT_EQ(list(announced_by_nvme({.octets = octets_of(octets), .length = 4160})).size(), 1U);
}

TEST(AnnouncedBySmbDirect, ReadIsWhereTheServerWrites) {
  EXPECT_EQ(of(Ulp::smb_direct, test::kSmbRead), written_to(test::kSmbReadWrittenTo, 102400, Access::write));
}

TEST(AnnouncedBySmbDirect, WriteIsWhatTheServerReads) {
  EXPECT_EQ(of(Ulp::smb_direct, test::kSmbWrite), asked_for(test::kSmbWriteReadRequest, Access::read));
}

TEST(AnnouncedBySmbDirect, NothingInOtherMessages) {
  for (const std::string_view digits :
       {test::kSmbRequest, test::kSmbResponse, test::kSmbCredits, test::kSmbWriteInline, test::kSmbWriteInlineRest}) {
    EXPECT_TRUE(of(Ulp::smb_direct, digits).empty()) << digits;
  }
}

TEST(AnnouncedBySmbDirect, NothingInARequestThatIsNotAsSpecified) {
  constexpr std::size_t kSmb2 = 24, kRequest = kSmb2 + 64;
  for (const auto& [at, value] : std::to_array<std::pair<std::size_t, unsigned>>({
           {6, 1},               // reserved octets
           {12, 0x19},           // the data is not aligned
           {16, 0x7F},           // and does not reach the end
           {kSmb2, 0xFD},        // encrypted
           {kSmb2 + 4, 63},      // StructureSize of the header
           {kSmb2 + 12, 10},     // another command
           {kSmb2 + 16, 1},      // a response
           {kSmb2 + 20, 4},      // NextCommand inside the header
           {kRequest, 48},       // StructureSize of the request
           {kRequest + 36, 0},   // Channel: none
           {kRequest + 36, 3},   // Channel: RDMA transform
           {kRequest + 44, 96},  // the buffer lies in the fixed part
           {kRequest + 44, 113},
           {kRequest + 46, 15},
           {kRequest + 46, 0},
           {kRequest + 46, 32},  // beyond the end
       })) {
    EXPECT_TRUE(of_octets(Ulp::smb_direct, with(test::kSmbRead, at, value)).empty()) << at << " " << value;
  }
  EXPECT_FALSE(of_octets(Ulp::smb_direct, with(test::kSmbRead, kRequest + 36, 1)).empty());
}

TEST(AnnouncedBySmbDirect, EveryRequestOfAChain) {
  const std::string read = from_hex(test::kSmbRead).substr(24), write = from_hex(test::kSmbWrite).substr(24);
  std::string chained = read;
  chained[20] = static_cast<char>(0x80);
  const std::string octets = from_hex("ff00010000000000 00000000 18000000 00010000 00000000") + chained + write;
  const std::vector<Announcement> found = of_octets(Ulp::smb_direct, octets);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].stag, STag{0x0c68c102});
  EXPECT_EQ(found[0].granted, Access::write);
  EXPECT_EQ(found[1].stag, STag{0x0c68c103});
  EXPECT_EQ(found[1].granted, Access::read);
}

TEST(AnnouncedBySmbDirect, EveryDescriptorUpToTheBound) {
  std::string request = from_hex(test::kSmbRead).substr(24, 112);
  std::string descriptors;
  for (int k = 0; k < 70; ++k) descriptors += from_hex("00e0280259c11eff02c1680c00100000");
  request[64 + 46] = static_cast<char>(0x60);  // 70 * 16 = 0x0460
  request[64 + 47] = 0x04;
  const std::string octets = from_hex("ff00010000000000 00000000 18000000 d0040000 00000000") + request + descriptors;
  const Announcements found = announced_by_smb_direct(whole(octets));
  EXPECT_EQ(found.size(), Announcements::kMost);
  EXPECT_EQ(found.left_out(), 6U);
  EXPECT_EQ(found[63].octets, 4096U);
}

TEST(AnnouncedByNfs, AllListsOfACall) {
  const std::vector<Announcement> expected{
      {STag{0x11223344}, TaggedOffset{0x7f0012345000}, 4096, Access::read},
      {STag{0x11223345}, TaggedOffset{0x7f0012347000}, 1024, Access::read},
      {STag{0x21223344}, TaggedOffset{0x7f0022345000}, 8192, Access::write},
      {STag{0x21223345}, TaggedOffset{0x7f0022349000}, 100, Access::write},
      {STag{0x31223344}, TaggedOffset{0x7f0032345000}, 2048, Access::write},
  };
  EXPECT_EQ(of(Ulp::nfs, test::kRpcCall), expected);
}

TEST(AnnouncedByNfs, ACallInAChunk) {
  const std::vector<Announcement> expected{
      {STag{0x41223344}, TaggedOffset{0x1000}, 3000, Access::read},
      {STag{0x51223344}, TaggedOffset{0x2000}, 9000, Access::write},
  };
  EXPECT_EQ(of(Ulp::nfs, test::kRpcLongCall), expected);
  EXPECT_TRUE(of_octets(Ulp::nfs, from_hex(test::kRpcLongCall) + "more").empty());
  EXPECT_TRUE(of_octets(Ulp::nfs, with(test::kRpcLongCall, 23, 4)).empty());  // not at position 0
}

TEST(AnnouncedByNfs, NothingInAReplyWhichNamesMemoryOfThePeer) {
  EXPECT_TRUE(of(Ulp::nfs, test::kRpcReply).empty());
}

TEST(AnnouncedByNfs, NothingInACallThatIsNotAsSpecified) {
  constexpr std::size_t kRpc = test::kRpcCallNeeded - 12;
  for (const auto& [at, value] : std::to_array<std::pair<std::size_t, unsigned>>({
           {7, 2},     // version
           {15, 2},    // RDMA_MSGP
           {15, 3},    // RDMA_DONE
           {15, 4},    // RDMA_ERROR
           {19, 2},    // neither 0 nor 1 before a list item
           {23, 2},    // position not of an XDR word
           {32, 255},  // an offset that reaches beyond 2^64 with the octets below
           {71, 3},    // more segments than there are
           {kRpc + 3, 0x79},
           {kRpc + 7, 1},
           {kRpc + 11, 3},
       })) {
    std::string octets = with(test::kRpcCall, at, value);
    if (at == 32) std::fill_n(octets.begin() + 32, 8, '\xff');
    EXPECT_TRUE(of_octets(Ulp::nfs, octets).empty()) << at << " " << value;
  }
}

TEST(AnnouncedByNfs, ACountOfSegmentsBeyondTheMessageIsNotFollowed) {
  EXPECT_TRUE(of(Ulp::nfs, "12345678 00000001 00000020 00000000 00000000 00000001 ffffffff 00000000").empty());
}

TEST(AnnouncedByNfs, EmptySegmentsAreLeftOut) {
  const std::string octets = with(test::kRpcCall, 30, 0);  // length 0x1000 of the first becomes 0
  EXPECT_EQ(of_octets(Ulp::nfs, octets).size(), 4U);
}

struct Whole {
  Ulp ulp;
  std::string_view digits;
  std::size_t needed;  ///< octets that are enough, when the rest was sent but not captured
};
constexpr auto kWhole = std::to_array<Whole>({
    {Ulp::rping, test::kRpingFirst, 16},
    {Ulp::nvme, test::kNvmeRead, 64},
    {Ulp::smb_direct, test::kSmbRead, 152},
    {Ulp::smb_direct, test::kSmbWrite, 152},
    {Ulp::nfs, test::kRpcCall, test::kRpcCallNeeded},
    {Ulp::nfs, test::kRpcLongCall, 72},
});

TEST(Announced, NothingFromAShorterMessage) {
  for (const Whole& w : kWhole) {
    const std::string octets = from_hex(w.digits);
    for (std::size_t n = 0; n < octets.size(); ++n) {
      const std::vector<std::byte> cut(octets_of(octets).begin(), octets_of(octets).begin() + static_cast<int>(n));
      const bool all = w.ulp == Ulp::nfs && n >= w.needed;  // an RPC message may be that short
      EXPECT_EQ(announced(w.ulp, {.octets = cut, .length = n}).empty(), !all) << w.digits << " " << n;
    }
  }
}

TEST(Announced, AllOrNothingFromTheFirstOctetsOfAMessage) {
  for (const Whole& w : kWhole) {
    const std::string octets = from_hex(w.digits);
    const std::vector<Announcement> all = of(w.ulp, w.digits);
    ASSERT_FALSE(all.empty());
    for (std::size_t n = 0; n <= octets.size(); ++n) {
      const std::vector<std::byte> cut(octets_of(octets).begin(), octets_of(octets).begin() + static_cast<int>(n));
      const std::vector<Announcement> found = list(announced(w.ulp, {.octets = cut, .length = octets.size()}));
      EXPECT_EQ(found, n < w.needed ? std::vector<Announcement>{} : all) << w.digits << " " << n;
    }
  }
}

/// Whether each can be a buffer.
bool sound(const Announcements& found) {
  return found.size() <= Announcements::kMost && std::all_of(found.begin(), found.end(), [](const Announcement& a) {
           return a.octets != 0 && a.octets - 1 <= kHighest - a.to.value;
         });
}

/// An NVMe command has few octets that must be so; of 10^5 some look like one.
TEST(Announced, NoiseIsBufferOrNothing) {
  test::Noise noise(20);
  std::size_t by_rping = 0, by_others = 0;
  for (int k = 0; k < 100'000; ++k) {
    const std::string octets = noise.octets(noise.below(200));
    for (const Ulp ulp : kAll) {
      const Announcements found = announced(ulp, whole(octets));
      ASSERT_TRUE(sound(found));
      if (ulp != Ulp::nvme) (ulp == Ulp::rping ? by_rping : by_others) += found.size();
    }
  }
  EXPECT_EQ(by_rping + by_others, 0U);
}

TEST(Announced, ChangedOctetsAreBufferOrNothing) {
  test::Noise noise(21);
  std::size_t some = 0;
  for (int k = 0; k < 100'000; ++k) {
    const Whole& w = kWhole.at(noise.below(kWhole.size()));
    std::string octets = from_hex(w.digits);
    for (std::uint32_t n = 1 + noise.below(4); n != 0; --n) {
      octets[noise.below(static_cast<std::uint32_t>(octets.size()))] = static_cast<char>(noise.below(256));
    }
    const Announcements found = announced(w.ulp, whole(octets));
    ASSERT_TRUE(sound(found));
    some += found.size();
  }
  EXPECT_GT(some, 1000U);
}

TEST(Announced, NothingOfAnUnknownUpperLayer) {
  for (const Whole& w : kWhole) EXPECT_TRUE(of(Ulp::none, w.digits).empty());
  EXPECT_EQ(octets_needed(Ulp::none), 0U);
}

TEST(OctetsNeeded, AreEnoughAndBounded) {
  for (const Whole& w : kWhole) {
    EXPECT_GE(octets_needed(w.ulp), w.needed);
    EXPECT_LE(octets_needed(w.ulp), 4096U);
  }
}

}  // namespace
}  // namespace iwarpscope::ulp
