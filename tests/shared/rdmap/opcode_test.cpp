// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "rdmap/opcode.h"

#include <gtest/gtest.h>

namespace iwarpscope::rdmap {
namespace {

TEST(RdmapControl, OctetGivesVersionReservedBitsAndOpcode) {
  EXPECT_EQ(Control{0x43}.version(), 1);
  EXPECT_EQ(Control{0x43}.reserved(), 0);
  EXPECT_EQ(Control{0x43}.opcode(), Opcode::send);
  EXPECT_EQ(Control{0xF0}.version(), 3);
  EXPECT_EQ(Control{0xF0}.reserved(), 3);
  EXPECT_EQ(Control{0xF0}.opcode(), Opcode::rdma_write);
}

TEST(RdmapOpcode, EveryOctetHasTheOpcodeOfItsLowNibble) {
  for (unsigned octet = 0; octet < 256; ++octet) {
    const Opcode opcode = opcode_of(static_cast<std::uint8_t>(octet));
    if ((octet & 0x0F) < 12) {
      EXPECT_EQ(static_cast<unsigned>(opcode), octet & 0x0F);
    } else {
      EXPECT_EQ(opcode, Opcode::unknown);
    }
  }
}

TEST(RdmapOpcode, TableIsInTheOrderOfTheEnumerators) {
  for (std::size_t i = 0; i < kOpcodes; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kOpcodeTraits[i].opcode), i);
    EXPECT_EQ(kOpcodeTraits[i].tagged == false, kOpcodeTraits[i].qn.has_value());
  }
}

TEST(RdmapOpcode, SendsAreWhatCarriesPayloadToQueueZero) {
  for (const OpcodeTraits& row : kOpcodeTraits) {
    EXPECT_EQ(is_send(row.opcode), row.has_payload && row.qn == QueueNumber{0}) << row.name;
  }
  EXPECT_TRUE(is_send(Opcode::send_se_invalidate));
  EXPECT_FALSE(is_send(Opcode::immediate));
}

TEST(RdmapOpcode, RowsAreThoseOfTheRfcs) {
  EXPECT_EQ(name(Opcode::send_se_invalidate), "send_se_invalidate");
  EXPECT_EQ(name(Opcode::unknown), "unknown");
  EXPECT_EQ(traits(Opcode::rdma_read_response).tagged, true);
  EXPECT_EQ(traits(Opcode::rdma_read_request).qn, QueueNumber{1});
  EXPECT_EQ(traits(Opcode::atomic_request).qn, QueueNumber{1});
  EXPECT_EQ(traits(Opcode::atomic_response).qn, QueueNumber{3});
  EXPECT_EQ(traits(Opcode::immediate_se).qn, QueueNumber{0});
  EXPECT_EQ(traits(Opcode::terminate).qn, QueueNumber{2});
  EXPECT_EQ(header_octets(Opcode::rdma_read_request), 28u);
  EXPECT_EQ(header_octets(Opcode::atomic_request), 52u);
  EXPECT_EQ(header_octets(Opcode::atomic_response), 12u);
  EXPECT_EQ(header_octets(Opcode::immediate), 8u);
  EXPECT_EQ(header_octets(Opcode::send), 0u);
  EXPECT_TRUE(traits(Opcode::send_invalidate).invalidates);
  EXPECT_FALSE(traits(Opcode::send_se).invalidates);
  EXPECT_TRUE(traits(Opcode::immediate).is_extension);
  EXPECT_FALSE(traits(Opcode::terminate).is_extension);
}

}  // namespace
}  // namespace iwarpscope::rdmap
