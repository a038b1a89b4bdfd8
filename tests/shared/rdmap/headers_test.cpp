// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/headers.h"

#include <gtest/gtest.h>

#include <variant>

#include "synth/wire/rdmap.h"

namespace iwarpscope::rdmap {
namespace {

template <class Header>
Header get(const synth::Buffer& octets) {
  return std::get<Header>(Header::parse(octets));
}

template <class Header>
void expect_every_cut_short(const synth::Buffer& octets) {
  ASSERT_EQ(octets.size(), Header::kOctets);
  for (std::size_t n = 0; n < octets.size(); ++n) {
    const auto parsed = Header::parse(Octets{octets}.first(n));
    ASSERT_TRUE(std::holds_alternative<Short>(parsed)) << n;
    EXPECT_EQ(std::get<Short>(parsed), (Short{Header::kOctets, n}));
  }
}

// 34b70800          sink STag
// 00007f8a5ad34000  sink TO
// 00000040          RDMARDSZ
// 00abcd00          source STag
// 000055987c6a0000  source TO           (from a capture of Linux siw)
const auto kReadRequest = synth::hex("34b70800 00007f8a5ad34000 00000040 00abcd00 000055987c6a0000");

TEST(ReadRequestHeader, AnnotatedOctetsGiveEveryField) {
  const auto h = get<ReadRequestHeader>(kReadRequest);
  EXPECT_EQ(h.sink_stag(), STag{0x34b70800});
  EXPECT_EQ(h.sink_to(), TaggedOffset{0x7f8a5ad34000});
  EXPECT_EQ(h.size(), 64u);
  EXPECT_EQ(h.source_stag(), STag{0x00abcd00});
  EXPECT_EQ(h.source_to(), TaggedOffset{0x55987c6a0000});
  EXPECT_EQ(h.octets().data(), kReadRequest.data());
}
TEST(ReadRequestHeader, EveryCutIsShort) {
  expect_every_cut_short<ReadRequestHeader>(kReadRequest);
}
TEST(ReadRequestHeader, WrittenThenParsedIsTheSame) {
  const synth::wire::ReadRequest w{.sink_stag = STag{0xffffffff},
                                   .sink_to = TaggedOffset{~std::uint64_t{0}},
                                   .size = 0xfffffffe,
                                   .source_stag = STag{1},
                                   .source_to = TaggedOffset{0x8000000000000000}};
  const auto octets = synth::wire::write(w);
  const auto h = get<ReadRequestHeader>(octets);
  EXPECT_EQ(h.sink_stag(), w.sink_stag);
  EXPECT_EQ(h.sink_to(), w.sink_to);
  EXPECT_EQ(h.size(), w.size);
  EXPECT_EQ(h.source_stag(), w.source_stag);
  EXPECT_EQ(h.source_to(), w.source_to);
}

// 12345672          28 reserved bits 0x1234567, AOpCode 2
// 00000007          Request Identifier
// 00001234          Remote STag          0000000000001000  Remote TO
// 0102030405060708  Add or Swap Data     00000000ffffffff  Add or Swap Mask
// 1112131415161718  Compare Data         ffffffff00000000  Compare Mask
const auto kAtomicRequest = synth::hex(
    "12345672 00000007 00001234 0000000000001000"
    "0102030405060708 00000000ffffffff 1112131415161718 ffffffff00000000");

TEST(AtomicRequestHeader, AnnotatedOctetsGiveEveryField) {
  const auto h = get<AtomicRequestHeader>(kAtomicRequest);
  EXPECT_EQ(h.reserved(), 0x1234567u);
  EXPECT_EQ(h.operation_code(), 2);
  EXPECT_EQ(h.operation(), AOpCode::cmp_swap);
  EXPECT_EQ(h.request_id(), 7u);
  EXPECT_EQ(h.remote_stag(), STag{0x1234});
  EXPECT_EQ(h.remote_to(), TaggedOffset{0x1000});
  EXPECT_EQ(h.data(), 0x0102030405060708u);
  EXPECT_EQ(h.mask(), 0xffffffffu);
  EXPECT_EQ(h.compare(), 0x1112131415161718u);
  EXPECT_EQ(h.compare_mask(), 0xffffffff00000000u);
}
TEST(AtomicRequestHeader, EveryCutIsShort) {
  expect_every_cut_short<AtomicRequestHeader>(kAtomicRequest);
}
TEST(AtomicRequestHeader, OperationsAboveTwoAreUnknown) {
  auto octets = kAtomicRequest;
  for (unsigned code = 0; code < 16; ++code) {
    octets[3] = static_cast<std::byte>(code);
    const auto h = get<AtomicRequestHeader>(octets);
    EXPECT_EQ(h.operation_code(), code);
    EXPECT_EQ(h.operation(), code < 3 ? static_cast<AOpCode>(code) : AOpCode::unknown);
  }
  EXPECT_EQ(name(AOpCode::fetch_add), "fetch_add");
  EXPECT_EQ(name(AOpCode::swap), "swap");
  EXPECT_EQ(name(AOpCode::cmp_swap), "cmp_swap");
  EXPECT_EQ(name(AOpCode::unknown), "unknown");
}
TEST(AtomicRequestHeader, WrittenThenParsedIsTheSame) {
  const synth::wire::AtomicRequest w{.reserved = 0xabcdef1,
                                     .operation = synth::wire::AtomicOperation::swap,
                                     .request_id = 0xfffffff0,
                                     .remote_stag = STag{0x77},
                                     .remote_to = TaggedOffset{0x123456789abcdef8},
                                     .data = 1,
                                     .mask = 2,
                                     .compare = 3,
                                     .compare_mask = 4};
  const auto octets = synth::wire::write(w);
  const auto h = get<AtomicRequestHeader>(octets);
  EXPECT_EQ(h.reserved(), w.reserved);
  EXPECT_EQ(h.operation(), AOpCode::swap);
  EXPECT_EQ(h.request_id(), w.request_id);
  EXPECT_EQ(h.remote_stag(), w.remote_stag);
  EXPECT_EQ(h.remote_to(), w.remote_to);
  EXPECT_EQ(h.data(), w.data);
  EXPECT_EQ(h.mask(), w.mask);
  EXPECT_EQ(h.compare(), w.compare);
  EXPECT_EQ(h.compare_mask(), w.compare_mask);
}

// 00000007 Original Request Identifier, 0000000000000029 Original Remote Data Value
const auto kAtomicResponse = synth::hex("00000007 0000000000000029");

TEST(AtomicResponseHeader, AnnotatedOctetsGiveEveryField) {
  const auto h = get<AtomicResponseHeader>(kAtomicResponse);
  EXPECT_EQ(h.request_id(), 7u);
  EXPECT_EQ(h.original(), 41u);
}
TEST(AtomicResponseHeader, EveryCutIsShort) {
  expect_every_cut_short<AtomicResponseHeader>(kAtomicResponse);
}
TEST(AtomicResponseHeader, WrittenThenParsedIsTheSame) {
  const auto octets = synth::wire::write(synth::wire::AtomicResponse{.request_id = 9, .original = ~std::uint64_t{1}});
  const auto h = get<AtomicResponseHeader>(octets);
  EXPECT_EQ(h.request_id(), 9u);
  EXPECT_EQ(h.original(), ~std::uint64_t{1});
}

TEST(ImmediateData, OctetsAreOneBigEndianValue) {
  const auto octets = synth::hex("0001020304050607");
  EXPECT_EQ(get<ImmediateData>(octets).value(), 0x0001020304050607u);
  expect_every_cut_short<ImmediateData>(octets);
  const auto written = synth::wire::write_immediate(0xfedcba9876543210);
  EXPECT_EQ(get<ImmediateData>(written).value(), 0xfedcba9876543210u);
}

}  // namespace
}  // namespace iwarpscope::rdmap
