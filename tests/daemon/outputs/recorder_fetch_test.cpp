// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Packets that are fetched, and recordings as other programs read them.
#include <gmock/gmock.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include "daemon/outputs/recorder_kit.h"

namespace iwarpscope::outputs {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(RecorderOf, FetchGivesWhatIsAskedFor) {
  start();
  const auto fetch = [&](const live::PacketQuery& query) {
    std::string got;
    const auto answer = recorder->fetch(query, [&](Octets octets) {
      got.append(reinterpret_cast<const char*>(octets.data()), octets.size());
      return true;
    });
    EXPECT_TRUE(answer);
    write_file(folder / "fetched.pcapng", got);
    const auto all = numbers(folder / "fetched.pcapng");
    EXPECT_EQ(all.size(), answer.value_or(0));
    return all;
  };
  EXPECT_EQ(recorder->fetch({}, [](Octets) { return true; }).error(), "No packet has been captured yet.");
  pass(4);
  live::PacketQuery query;
  EXPECT_THAT(fetch(query), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  query.qp = 2;
  directory.known_findings = {find(2, "Of its last frame.")};
  EXPECT_THAT(fetch(query), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(read_file(folder / "fetched.pcapng"), HasSubstr("Of its last frame."));
  query.from = TimePoint{kStart + 2 * kMinute};
  query.to = TimePoint{kStart + 3 * kMinute};
  EXPECT_THAT(fetch(query), ElementsAre(4, 6));
  query = {};
  query.most_octets = 1600;
  const auto few = fetch(query);
  EXPECT_FALSE(few.empty());
  EXPECT_LT(few.size(), 8u);
  EXPECT_LE(std::filesystem::file_size(folder / "fetched.pcapng"), 1600u);
  query.qp = 9;
  EXPECT_EQ(recorder->fetch(query, [](Octets) { return true; }).error(), "Queue pair 9 does not exist.");
}

TEST_F(RecorderOf, VisitGivesThePacketsOfOneConnectionAroundAFrame) {
  start();
  pass(4);
  std::vector<std::uint64_t> visited;
  const auto visit = [&](std::uint64_t qp, std::uint64_t frame, std::uint64_t before, std::uint64_t last = 100) {
    visited.clear();
    const auto answer = recorder->visit(qp, FrameNumber{frame}, before, [&](const net::Frame& packet) {
      visited.push_back(packet.number.value);
      return packet.number.value < last;
    });
    return answer ? std::string{} : answer.error();
  };
  EXPECT_EQ(visit(2, 6, 100'000), "");
  EXPECT_THAT(visited, ElementsAre(2, 4, 6, 8));
  EXPECT_EQ(visit(2, 6, 100), "");
  EXPECT_THAT(visited, ElementsAre(4, 6, 8));
  EXPECT_EQ(visit(2, 6, 0, 6), "");
  EXPECT_THAT(visited, ElementsAre(6));
  EXPECT_EQ(visit(2, 5, 0), "Frame 5 is not a packet of queue pair 2.");
  EXPECT_EQ(visit(2, 9, 0), "Frame 9 is not stored: it is too old, or was not captured.");
  EXPECT_EQ(visit(9, 1, 0), "Queue pair 9 does not exist.");
  EXPECT_TRUE(visited.empty());
}

TEST_F(RecorderOf, VisitLooksAtNoMoreOfTheRingThanIsNear) {
  start();
  for (unsigned i = 0; i < 30'000; ++i) ring.frame(owned_frame(++number, 50).frame, flow_of_qp(i % 2 + 1));
  const PacketRing::Counts counts = ring.counts();
  ASSERT_GT(counts.next - counts.first, 6000u);
  const std::uint64_t last = number, middle = number - 4000;
  for (const std::uint64_t frame : {last, middle, last - 1, middle - 1}) {
    const std::uint64_t before = ring.counts().visited;
    std::uint64_t visited = 0;
    const auto answer =
        recorder->visit(frame % 2 == 0 ? 2 : 1, FrameNumber{frame}, 1000, [&](const net::Frame& packet) {
          ++visited;
          return packet.number.value < frame;
        });
    EXPECT_TRUE(answer) << answer.error();
    EXPECT_GT(visited, 5u);
    EXPECT_LT(visited, 50u);
    EXPECT_LT(ring.counts().visited - before, 4000u);
  }
  const std::uint64_t before = ring.counts().visited;
  const auto old = recorder->visit(1, FrameNumber{1}, 1000, [](const net::Frame&) { return true; });
  EXPECT_FALSE(old);
  EXPECT_EQ(ring.counts().visited, before) << "what is too old needs no look";
}

TEST_F(RecorderOf, FetchStopsWithoutAReader) {
  start();
  for (unsigned i = 0; i < 1000; ++i) ring.frame(owned_frame(++number, 1000).frame, 1);
  unsigned pieces = 0;
  const auto answer = recorder->fetch({}, [&](Octets) { return ++pieces < 2; });
  ASSERT_TRUE(answer);
  EXPECT_EQ(pieces, 2u);
  EXPECT_LT(*answer, 1000u);
}

/// A real queue pair: tshark opens its recording and shows the comment at the frame it belongs to.
TEST(RecordingOfASample, OpensInTsharkWithItsComment) {
  if (std::system("command -v tshark >/dev/null 2>&1") != 0) GTEST_SKIP() << "There is no tshark.";
  Folder folder;
  live::FakeDirectory directory;
  PacketRing ring({});
  auto reader = capture::FileReader::open(std::string{IWARPSCOPE_SAMPLES} + "/made/messages/all-opcodes.pcapng");
  ASSERT_TRUE(reader) << reader.error().text();
  net::Decoder decoder;
  live::FindingView view;
  std::uint64_t frames = 0;
  for (;;) {
    const auto batch = reader->next_batch();
    ASSERT_TRUE(batch);
    if (batch->empty()) break;
    ring.batch(reader->storage());
    for (const net::Frame& frame : *batch) {
      const FlowOf flow = flow_of(decoder, frame);
      ring.frame(frame, flow.flow);
      if (flow.flow == 0) continue;
      if (++frames == 5) {
        view = *finding_view(3, frame.number.value, "The fifth.");
        view.finding.time = frame.time;
        view.ends = std::pair{flow.source, flow.destination};
        view.flow = flow.flow;
      }
    }
  }
  ASSERT_GT(frames, 5u);
  RecorderOptions options;
  options.folder.path = folder.path();
  Recorder recorder(options, ring, directory);
  recorder.reported(view);
  recorder.stop();
  ASSERT_EQ(recorder.recordings().size(), 1u);
  const std::string file = folder / recorder.recordings()[0].file;
  const std::string command = "tshark -r '" + file + "' -T fields -e frame.number -e frame.comment 2>/dev/null";
  FILE* tshark = popen(command.c_str(), "r");
  ASSERT_NE(tshark, nullptr);
  std::string said;
  std::array<char, 4096> chunk{};
  while (const std::size_t got = fread(chunk.data(), 1, chunk.size(), tshark)) said.append(chunk.data(), got);
  EXPECT_EQ(pclose(tshark), 0);
  const std::vector<std::string> all = lines(said);
  ASSERT_EQ(all.size(), frames);
  EXPECT_EQ(all[4], "5\tMF-04 mpa.crc-mismatch (error): The fifth.");
  EXPECT_EQ(all[3], "4\t");
}

}  // namespace
}  // namespace iwarpscope::outputs
