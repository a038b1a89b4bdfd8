// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/edges.h"

#include <gtest/gtest.h>

namespace iwarpscope {
namespace {

enum class Lamp : std::uint8_t { off, on, broken };
enum class Touch : std::uint8_t { press, hit };
using Step = Edge<Lamp, Touch>;

constexpr auto kSteps = std::to_array<Step>({
    {Lamp::off, Touch::press, Lamp::on, "ours"},
    {Lamp::on, Touch::press, Lamp::off, "ours"},
    {Lamp::on, Touch::hit, Lamp::broken, "ours"},
    {Lamp::broken, Touch::hit, Lamp::broken, "ours"},
});
constexpr auto kLamp = edge_table<3, 2>(kSteps);

TEST(EdgeTable, LeadsWhereItsEdgesSayAndNowhereElse) {
  static_assert(kLamp.next(Lamp::off, Touch::press) == Lamp::on);
  EXPECT_EQ(kLamp.next(Lamp::off, Touch::press), Lamp::on);
  EXPECT_EQ(kLamp.next(Lamp::on, Touch::press), Lamp::off);
  EXPECT_EQ(kLamp.next(Lamp::on, Touch::hit), Lamp::broken);
  EXPECT_EQ(kLamp.next(Lamp::broken, Touch::hit), Lamp::broken);
  EXPECT_EQ(kLamp.next(Lamp::off, Touch::hit), std::nullopt);
  EXPECT_EQ(kLamp.next(Lamp::broken, Touch::press), std::nullopt);
}

TEST(EdgeTable, ShowsItsEdgesInTheirOrder) {
  ASSERT_EQ(kLamp.size(), kSteps.size());
  std::size_t n = 0;
  for (const Step& edge : kLamp) {
    EXPECT_EQ(edge.from, kSteps[n].from);
    EXPECT_EQ(edge.event, kSteps[n++].event);
  }
  EXPECT_EQ(n, kSteps.size());
}

TEST(EdgeTable, HasAFaultWhereAPairIsRepeated) {
  EXPECT_EQ((fault_of<3, 2>(kSteps)), EdgeFault::none);
  auto steps = kSteps;
  steps[3] = {Lamp::off, Touch::press, Lamp::on, "ours"};  // the same edge
  EXPECT_EQ((fault_of<3, 2>(steps)), EdgeFault::repeated_pair);
  steps[3].to = Lamp::broken;  // to another state
  EXPECT_EQ((fault_of<3, 2>(steps)), EdgeFault::repeated_pair);
}

TEST(EdgeTable, HasAFaultWhereAnEnumeratorIsNotCounted) {
  EXPECT_EQ((fault_of<2, 2>(kSteps)), EdgeFault::out_of_range);
  EXPECT_EQ((fault_of<3, 1>(kSteps)), EdgeFault::out_of_range);
  auto steps = kSteps;
  steps[0].to = static_cast<Lamp>(3);
  EXPECT_EQ((fault_of<3, 2>(steps)), EdgeFault::out_of_range);
}

TEST(EdgeTable, HasAFaultWhereAnEdgeHasNoSource) {
  auto steps = kSteps;
  steps[2].source = {};
  EXPECT_EQ((fault_of<3, 2>(steps)), EdgeFault::no_source);
}

}  // namespace
}  // namespace iwarpscope
