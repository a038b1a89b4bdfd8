// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The contents of memory, compared with an array with one entry per octet.
#include "models/buffers/buffer_map.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

#include <random>

#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "models/buffers/buffer_model.h"

namespace iwarpscope::gui::buffer_map_test {
namespace {

using enum rdmap::Opcode;
using made::message;
using made::tagged;

TEST(BufferMap, EachOctetIsTheLastMessagesThatPlacedIt) {
  constexpr std::size_t kOctets = 400;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random{seed};
    struct Cell {
      std::optional<std::uint64_t> message;
      std::uint64_t turn = 0;
      bool rewritten = false;
    };
    std::vector<Cell> cells(kOctets);
    std::uint64_t turn = 0, rewritten = 0;
    BufferMap map;
    for (std::uint64_t i = 0; i < 80; ++i) {
      if (random() % 6 == 0) {
        map.add(std::vector{message(Direction::a_to_b, i, send, 0, 0, 8)});
        ++turn;
        continue;
      }
      const std::uint64_t from = random() % kOctets, length = random() % std::min<std::uint64_t>(60, kOctets - from);
      map.add(std::vector{tagged(Direction::a_to_b, i, rdma_write, 7, from, length)});
      for (std::uint64_t at = from; at < from + length; ++at) {
        const bool again = cells[at].message && cells[at].turn == turn;
        rewritten += again ? 1 : 0;
        cells[at] = {i, turn, again};
      }
    }
    const Buffer& buffer = map.buffers().at({Direction::a_to_b, STag{7}});
    for (std::size_t at = 0; at < kOctets; ++at) {
      const Extent* const extent = buffer.at(at);
      ASSERT_EQ(extent != nullptr, cells[at].message.has_value()) << at;
      if (extent == nullptr) continue;
      ASSERT_EQ(extent->last.index, *cells[at].message) << at;
      ASSERT_EQ(extent->rewritten, cells[at].rewritten) << at;
    }
    ASSERT_EQ(buffer.rewritten_octets, rewritten);
    ASSERT_EQ(buffer.at(kOctets), nullptr);
  }
}

TEST(BufferMap, OctetsPlacedAfterAnInvalidationAreMarked) {
  BufferMap map;
  qp::MessageRecord invalidate = message(Direction::a_to_b, 1, send_invalidate, 50, 50, 8);
  invalidate.invalidate_stag = STag{7};
  map.add(std::vector{tagged(Direction::a_to_b, 0, rdma_write, 7, 0, 10), invalidate,
                      tagged(Direction::a_to_b, 2, rdma_write, 7, 5, 10)});
  const Buffer& buffer = map.buffers().at({Direction::a_to_b, STag{7}});
  ASSERT_EQ(buffer.invalidations.size(), 1u);
  EXPECT_EQ(buffer.invalidations[0].message, 1u);
  EXPECT_FALSE(buffer.at(4)->after_invalidation);
  EXPECT_TRUE(buffer.at(5)->after_invalidation);
  EXPECT_FALSE(buffer.at(5)->rewritten) << "the Send notified its receiver";
}

/// B ended the stream of A because of A's message `index`; empty: the Terminate names none.
qp::MessageRecord ended_by_b(std::uint64_t frame, std::optional<std::uint64_t> index) {
  qp::MessageRecord out = message(Direction::b_to_a, 0, rdmap::Opcode::terminate, 0, 0, 20);
  out.first_frame = out.last_frame = FrameNumber{frame};
  qp::TerminateDetail detail;
  detail.name = "DDP Tagged Buffer Error: Base or bounds violation";
  if (index) detail.names = {Direction::a_to_b, *index};
  out.detail = detail;
  return out;
}

TEST(BufferMap, WhatWasRefusedIsNotThereAndWhatWasThereStays) {
  const auto written = [](std::uint64_t index, std::uint64_t from, std::uint64_t length) {
    return tagged(Direction::a_to_b, index, rdma_write, 7, from, length);
  };
  // Added before or after the messages that it refuses: both occur, depending on pending responses.
  for (const bool is_first : {false, true}) {
    BufferMap map;
    const std::vector refused{written(1, 50, 100), written(2, 0, 60)};
    map.add(std::vector{written(0, 0, 100)});
    if (!is_first) map.add(refused);
    map.add(std::vector{ended_by_b(4, 1)});
    if (is_first) map.add(refused);
    const Buffer& buffer = map.buffers().at({Direction::a_to_b, STag{7}});
    EXPECT_EQ(buffer.placed_octets, 100u);
    EXPECT_EQ(buffer.rewritten_octets, 0u);
    EXPECT_EQ(buffer.refused, 2u);
    ASSERT_EQ(buffer.refusals.size(), 2u);
    for (const std::uint64_t at : {0, 55, 99}) {
      ASSERT_NE(buffer.at(at), nullptr);
      EXPECT_EQ(buffer.at(at)->last.index, 0u) << at;
      EXPECT_FALSE(buffer.at(at)->refused);
    }
    ASSERT_NE(buffer.at(120), nullptr);
    EXPECT_TRUE(buffer.at(120)->refused) << "nothing else was there";
    EXPECT_EQ(buffer.at(150), nullptr);
    ASSERT_NE(map.end_of(Direction::a_to_b), nullptr);
    EXPECT_EQ(map.end_of(Direction::a_to_b)->frame, FrameNumber{4});
    EXPECT_EQ(map.end_of(Direction::b_to_a), nullptr);
  }
}

TEST(BufferMap, ATerminateThatNamesNoMessageRefusesOnlyWhatCameAfterIt) {
  BufferMap map;
  map.add(std::vector{tagged(Direction::a_to_b, 0, rdma_write, 7, 0, 10), ended_by_b(2, {}),
                      tagged(Direction::a_to_b, 1, rdma_write, 7, 20, 10),    // frame 2
                      tagged(Direction::a_to_b, 2, rdma_write, 7, 40, 10)});  // frame 3
  const Buffer& buffer = map.buffers().at({Direction::a_to_b, STag{7}});
  EXPECT_FALSE(buffer.at(0)->refused);
  EXPECT_FALSE(buffer.at(20)->refused);
  EXPECT_TRUE(buffer.at(40)->refused);
  EXPECT_EQ(buffer.refused, 1u);
}

TEST(BufferMap, RequestsNameTheMemoryOfBothEnds) {
  BufferMap map;
  qp::MessageRecord request = made::read_request(Direction::b_to_a, 0, 5, 5);
  auto& detail = std::get<qp::ReadRequestDetail>(request.detail);
  detail.sink_stag = STag{1};
  detail.source_stag = STag{2};
  qp::MessageRecord atomic = message(Direction::b_to_a, 1, atomic_request, 6, 6, 52);
  atomic.detail = qp::AtomicRequestDetail{"fetch_add", 1, STag{3}, TaggedOffset{8}, 1, 0, 0, 0, {}};
  map.add(std::vector{request, atomic, tagged(Direction::a_to_b, 0, rdma_read_response, 1, 0, 16)});
  EXPECT_EQ(map.buffers().at({Direction::b_to_a, STag{2}}).read_requests, 1u);
  EXPECT_EQ(map.buffers().at({Direction::b_to_a, STag{3}}).atomics, 1u);
  const Buffer& sink = map.buffers().at({Direction::a_to_b, STag{1}});
  EXPECT_EQ(sink.sinks, 1u);
  EXPECT_EQ(sink.read_responses, 1u);
  EXPECT_EQ(sink.placed_octets, 16u);
}

TEST(BufferMap, IncompleteMessagesAndTheEndOfMemoryDoNoHarm) {
  BufferMap map;
  qp::MessageRecord cut = tagged(Direction::a_to_b, 0, rdma_write, 7, 0, 10);
  cut.complete = false;
  map.add(std::vector{cut, tagged(Direction::a_to_b, 1, rdma_write, 7, ~std::uint64_t{0} - 3, 100)});
  const Buffer& buffer = map.buffers().at({Direction::a_to_b, STag{7}});
  EXPECT_EQ(buffer.incomplete, 1u);
  EXPECT_EQ(buffer.at(0), nullptr);
  EXPECT_EQ(buffer.placed_octets, 3u);
  ASSERT_NE(buffer.at(~std::uint64_t{0} - 1), nullptr);
}

TEST(BufferMap, ManyExtentsAreMergedAndLoneOnesGivenUpAndCounted) {
  BufferMap touching, lone;
  for (std::uint64_t i = 0; i < 3 * Buffer::kMostExtents; ++i) {
    touching.add(std::vector{tagged(Direction::a_to_b, i, rdma_write, 7, 4 * i, 4)});
    lone.add(std::vector{tagged(Direction::a_to_b, i, rdma_write, 7, 8 * i, 4)});
  }
  const Buffer& merged = touching.buffers().at({Direction::a_to_b, STag{7}});
  EXPECT_LE(merged.extents.size(), Buffer::kMostExtents);
  EXPECT_EQ(merged.left_out_octets, 0u);
  std::uint64_t messages = 0, next = 0;
  for (const auto& [begin, extent] : merged.extents) {
    ASSERT_EQ(begin, next);
    next = extent.end;
    messages += extent.messages;
  }
  EXPECT_EQ(messages, 3 * Buffer::kMostExtents);
  const Buffer& cut = lone.buffers().at({Direction::a_to_b, STag{7}});
  EXPECT_LE(cut.extents.size(), Buffer::kMostExtents);
  EXPECT_GT(cut.extents.size(), Buffer::kMostExtents / 2);
  EXPECT_EQ(cut.left_out_octets + 4 * cut.extents.size(), cut.placed_octets);
}

TEST(BufferMap, StagsBeyondTheLimitAreCounted) {
  BufferMap map;
  for (std::uint32_t i = 0; i < BufferMap::kMostBuffers + 5; ++i) {
    map.add(std::vector{tagged(Direction::a_to_b, i, rdma_write, i, 0, 4)});
  }
  EXPECT_EQ(map.buffers().size(), BufferMap::kMostBuffers);
  EXPECT_EQ(map.left_out(), 5u);
}

TEST(BufferModel, ShowsWhatMessagesAndTheRecordTell) {
  made::Filled filled({tagged(Direction::b_to_a, 0, rdma_write, 9, 0x1000, 256)});
  BufferModel model(filled.store);
  const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(model.rowCount(), 0);
  filled.open();
  live::QpView view = filled.view();
  qp::StagUse use;
  use.owner = Direction::a_to_b;
  use.stag = STag{0xABC};
  use.first_frame = FrameNumber{4};
  use.announced_frame = FrameNumber{3};
  use.read = true;
  view.record.stags = {use};
  model.follow(view);
  ASSERT_TRUE(iwarpscope::test::wait_until([&] { return model.rowCount() == 2; }));
  EXPECT_EQ(model.index(0, BufferModel::kStag).data().toString(), QStringLiteral("0x00000abc"));
  EXPECT_EQ(model.index(0, BufferModel::kOwner).data().toString(), QStringLiteral("B"));
  EXPECT_EQ(model.index(0, BufferModel::kAnnounced).data().toString(), QStringLiteral("3"));
  EXPECT_EQ(model.buffer(0), nullptr);
  EXPECT_EQ(model.index(1, BufferModel::kOwner).data().toString(), QStringLiteral("A"));
  EXPECT_EQ(model.index(1, BufferModel::kPlaced).data().toString(), QStringLiteral("256"));
  EXPECT_EQ(model.index(1, BufferModel::kRange).data().toString(),
            QStringLiteral("0x0000000000001000 to 0x0000000000001100"));
  filled.store.open({});
  EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace iwarpscope::gui::buffer_map_test
