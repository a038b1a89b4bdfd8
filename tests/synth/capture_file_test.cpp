// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture files, octet by octet.
#include "synth/wire/capture_file.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <system_error>

namespace iwarpscope::synth {
namespace {

const Frame kFrame{.time_ns = 0x0000000100000002, .octets = hex("aabbcc"), .original_length = 9};

TEST(Pcap, LittleEndianNanoseconds) {
  const Buffer file = write_file({kFrame}, {.format = FileFormat::pcap, .snap_length = 96});
  EXPECT_EQ(file, hex("4d3cb2a1 0200 0400 00000000 00000000 60000000 01000000"
                      "04000000 02d89411 03000000 09000000 aabbcc"));
}

TEST(Pcap, BigEndianMicrosecondsAndSnapLength) {
  const FileOptions options{
      .format = FileFormat::pcap, .byte_order = std::endian::big, .nanoseconds = false, .snap_length = 2};
  EXPECT_EQ(write_file({kFrame}, options), hex("a1b2c3d4 0002 0004 00000000 00000000 00000002 00000001"
                                               "00000004 00048037 00000002 00000009 aabb"));
}

TEST(Pcapng, BlocksOfOneFrame) {
  const Buffer file = write_file({kFrame}, {.snap_length = 96, .dropped = 7, .application = "x"});
  EXPECT_EQ(file, hex("0a0d0d0a 28000000 4d3c2b1a 0100 0000 ffffffffffffffff 0400 0100 78000000 00000000 28000000"
                      "01000000 28000000 0100 0000 60000000 0200 0400 74617030 0900 0100 09000000 00000000 28000000"
                      "06000000 24000000 00000000 01000000 02000000 03000000 09000000 aabbcc00 24000000"
                      "05000000 28000000 00000000 01000000 02000000 0500 0800 0700000000000000 00000000 28000000"));
}

TEST(Pcapng, BigEndianMicrosecondsLeaveTheResolutionOut) {
  const FileOptions options{
      .byte_order = std::endian::big, .nanoseconds = false, .snap_length = 96, .application = "x"};
  EXPECT_EQ(write_file({kFrame}, options),
            hex("0a0d0d0a 00000028 1a2b3c4d 0001 0000 ffffffffffffffff 0004 0001 78000000 00000000 00000028"
                "00000001 00000020 0001 0000 00000060 0002 0004 74617030 00000000 00000020"
                "00000006 00000024 00000000 00000000 00418937 00000003 00000009 aabbcc00 00000024"));
}

TEST(Pcapng, InterfacesKeepTheirLinkTypes) {
  Frame cooked = kFrame;
  cooked.interface = 2;
  cooked.link_type = LinkType::linux_sll2;
  const Buffer file = write_file({kFrame, cooked}, {.application = "x"});
  EXPECT_EQ(Buffer(file.begin() + 40 + 8, file.begin() + 40 + 10), hex("0100"));
  EXPECT_EQ(Buffer(file.begin() + 40 + 80 + 8, file.begin() + 40 + 80 + 10), hex("1401"));
}

TEST(Pcap, TwoLinkTypesThrow) {
  Frame cooked = kFrame;
  cooked.interface = 1;
  cooked.link_type = LinkType::linux_sll2;
  EXPECT_THROW((void)write_file({kFrame, cooked}, {.format = FileFormat::pcap}), std::invalid_argument);
  cooked.interface = 0;
  EXPECT_THROW((void)write_file({kFrame, cooked}), std::invalid_argument);
}

TEST(Save, UnwritablePathThrows) {
  EXPECT_THROW(save({}, "/nonexistent/x.pcapng"), std::system_error);
}

}  // namespace
}  // namespace iwarpscope::synth
