// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How much of an SCTP packet remains when payload is cut. TCP and whole captures: tests/daemon/cli/bundle_test.py.
#include "analysis/payload_cut.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace iwarpscope::test::payload_cut {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kLink = 46;  ///< Ethernet, IPv4 and the common header of SCTP

Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// A DATA chunk with SSN and `user`, whose length says `more` octets than it has.
Bytes data(std::uint8_t ppid, const Bytes& user, std::size_t more = 0) {
  const auto length = static_cast<std::uint8_t>(18 + user.size() + more);
  return Bytes{0, 3, 0, length, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, ppid, 0, 0} + user;
}

/// An untagged segment: control, opcode (Send), 4 octets of RDMAP, QN, MSN, MO, and data.
Bytes send(std::size_t payload) {
  return Bytes{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0} + Bytes(payload, 0xAA);
}

/// Octets of the chunks that remain of a packet whose chunks have `missing` octets that were not captured.
std::size_t kept(const Bytes& chunks, std::size_t missing = 0) {
  const Bytes octets = Bytes(kLink, 0) + chunks;
  net::Frame frame;
  frame.link = net::LinkType::ethernet;
  frame.octets = std::as_bytes(std::span(octets));
  frame.original_length = static_cast<std::uint32_t>(octets.size() + missing);
  net::SctpPacket packet{};
  packet.chunks = frame.octets.subspan(kLink);
  packet.chunks_length = static_cast<std::uint32_t>(chunks.size() + missing);
  return analysis::octets_without_payload(frame, net::Decoding{packet}) - kLink;
}

const Bytes kSack{3, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0xFF, 0, 0, 0, 0, 0};
constexpr std::size_t kHeaders = 16 + 2 + 18;  ///< DATA, SSN and the DDP header of a Send

TEST(PayloadCut, EndsBeforeTheFirstPayloadOfAPacket) {
  EXPECT_EQ(kept(kSack + data(16, send(8)) + kSack), kSack.size() + kHeaders);
}

TEST(PayloadCut, KeepsAPacketWithoutPayload) {
  EXPECT_EQ(kept(kSack + kSack), 2 * kSack.size());
}

TEST(PayloadCut, LeavesNothingOfAChunkThatIsLongerThanItsPacket) {
  EXPECT_EQ(kept(kSack + data(16, send(8), 4)), kSack.size());
}

TEST(PayloadCut, LeavesNothingAfterAChunkThatIsShorterThanItsHeader) {
  EXPECT_EQ(kept(kSack + Bytes{0, 3, 0, 3} + Bytes(8, 0xAA)), kSack.size());
}

TEST(PayloadCut, KeepsTheHeadersOfAChunkThatTheCaptureCut) {
  EXPECT_EQ(kept(data(16, send(8), 40), 40), kHeaders);
}

TEST(PayloadCut, KeepsEnhancedDataOfTheCodesThatHaveIt) {
  const Bytes session{1, 2, 3, 4, 5, 6, 7, 8};
  constexpr std::size_t kControl = 16 + 2 + 2;
  EXPECT_EQ(kept(data(17, Bytes{0, 1} + session)), kControl);
  EXPECT_EQ(kept(data(17, Bytes{0, 5} + session)), kControl + 4);
  EXPECT_EQ(kept(data(17, Bytes{0, 8} + session)), kControl);  // no code that is assigned
}

}  // namespace
}  // namespace iwarpscope::test::payload_cut
