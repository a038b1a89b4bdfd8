// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/intake.h"
#include "capture/replay_intake.h"
#include "taken.h"

namespace iwarpscope::capture::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Writer file_of(int first, int count, std::uint32_t nanoseconds_apart = 1000) {
  Writer writer;
  writer.pcap_header(0xA1B23C4D);
  for (int i = 0; i < count; ++i) {
    writer.pcap_record(100, static_cast<std::uint32_t>(i) * nanoseconds_apart, "frame " + std::to_string(first + i));
  }
  return writer;
}

IntakeOptions replay_of(std::vector<std::string> files) {
  IntakeOptions options;
  options.replay.emplace();
  options.replay->files = std::move(files);
  return options;
}

std::unique_ptr<Intake> open(const IntakeOptions& options) {
  auto intake = Intake::open(options);
  EXPECT_TRUE(intake) << intake.error().text();
  return intake ? std::move(*intake) : nullptr;
}

std::string error_of(const IntakeOptions& options) {
  const auto intake = Intake::open(options);
  return intake ? "" : intake.error().text();
}

TEST(Replay, FilesComeOneAfterAnotherNumberedThrough) {
  const File one(file_of(1, 3).data), two(file_of(4, 2).data);
  const auto intake = open(replay_of({one.path, two.path}));
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_end());
  ASSERT_EQ(taker.frames.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(taker.frames[i].number, i + 1);
    EXPECT_EQ(taker.frames[i].octets, "frame " + std::to_string(i + 1));
  }
  EXPECT_TRUE(taker.in_storage);
  const IntakeCounters counters = taker.counters();
  EXPECT_EQ(counters.name, "2 files");
  EXPECT_EQ(counters.frames, 5u);
  EXPECT_EQ(counters.octets, 35u);
  EXPECT_EQ(counters.link_type, "EN10MB");
  EXPECT_EQ(counters.snap_length, 65535u);
  EXPECT_EQ(counters.time_source, "file");
  EXPECT_THAT(counters.warnings, IsEmpty());
  EXPECT_EQ(intake->progress(), 1.0);
  EXPECT_EQ(intake->next(milliseconds(0)).state, Intake::State::ended);
  intake->stop();
  EXPECT_FALSE(taker.counters().cut) << "it was read to its end before";
}

TEST(Replay, NothingIsReadBeforeStart) {
  const File file(file_of(1, 3).data);
  const auto intake = open(replay_of({file.path}));
  EXPECT_EQ(intake->next(milliseconds(1)).state, Intake::State::nothing);
  EXPECT_EQ(intake->progress(), 0.0);
}

TEST(Replay, FilterHidesFramesButTheyKeepTheirNumbers) {
  Writer writer;
  writer.pcap_header();
  const std::string mac(12, '\x02');
  for (const char* type : {"\x08\x06", "\x12\x34", "\x08\x06"}) writer.pcap_record(1, 0, mac + std::string(type, 2));
  const File one(writer.data), two(writer.data);
  IntakeOptions options = replay_of({one.path, two.path});
  options.replay->filter = "arp";
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_end());
  std::vector<std::uint64_t> numbers;
  for (const Seen& frame : taker.frames) numbers.push_back(frame.number);
  EXPECT_THAT(numbers, ElementsAre(1, 3, 4, 6));
}

TEST(Replay, SlowAnalysisLosesNothing) {
  constexpr int kFrames = 20000;
  const File file(file_of(0, kFrames).data);
  IntakeOptions options = replay_of({file.path});
  options.queue_octets = 1;
  const auto intake = open(options);
  Taker taker(*intake);
  taker.hold = true;
  intake->start();
  ASSERT_TRUE(taker.until_end());
  ASSERT_EQ(taker.frames.size(), std::size_t{kFrames});
  for (int i = 0; i < kFrames; ++i) {
    ASSERT_EQ(taker.frames[static_cast<std::size_t>(i)].octets, "frame " + std::to_string(i));
  }
  EXPECT_EQ(taker.counters().dropped_by_queue, 0u);
}

TEST(Replay, SimulatedFullQueueIsCountedFrameByFrame) {
  constexpr std::uint64_t kFrames = 20000;
  const File file(file_of(0, kFrames).data);
  IntakeOptions options = replay_of({file.path});
  options.simulate_full_queue_every = 4;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_end());
  const IntakeCounters counters = taker.counters();
  EXPECT_GT(counters.dropped_by_queue, 0u);
  EXPECT_EQ(counters.frames, taker.frames.size());
  EXPECT_EQ(counters.frames + counters.dropped_by_queue, kFrames);
}

TEST(Replay, SpeedOneTakesAsLongAsTheCaptureAndSpeedFourAQuarter) {
  const File file(file_of(0, 9, 50'000'000).data);  // 0.4 s
  for (const double speed : {1.0, 4.0}) {
    IntakeOptions options = replay_of({file.path});
    options.replay->speed = speed;
    const auto intake = open(options);
    Taker taker(*intake);
    const auto start = steady_clock::now();
    intake->start();
    ASSERT_TRUE(taker.until_end());
    EXPECT_EQ(taker.frames.size(), 9u);
    EXPECT_GE(steady_clock::now() - start, std::chrono::duration<double>(0.398 / speed));
  }
}

TEST(Replay, StopEndsAPausedReplayAtOnce) {
  Writer writer;
  writer.pcap_header().pcap_record(100, 0, "now").pcap_record(100'000, 0, "in a day");
  const File file(writer.data);
  IntakeOptions options = replay_of({file.path});
  options.replay->speed = 1;
  const auto intake = open(options);
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_count(1));
  const auto start = steady_clock::now();
  intake->stop();
  ASSERT_TRUE(taker.until_end());
  EXPECT_EQ(taker.frames.size(), 1u);
  EXPECT_LT(steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_TRUE(taker.counters().cut);
}

TEST(Pace, ClockStartsWithTheFirstFrameAndAgainWhenTimeGoesBack) {
  Pace pace(2);
  const SteadyTime now = SteadyTime{} + std::chrono::hours(1);
  EXPECT_EQ(pace.due(TimePoint{1'000'000'000}, now), now);
  EXPECT_EQ(pace.due(TimePoint{3'000'000'000}, now), now + std::chrono::seconds(1));
  const SteadyTime later = now + std::chrono::seconds(10);
  EXPECT_EQ(pace.due(TimePoint{500'000'000}, later), later);
  EXPECT_EQ(pace.due(TimePoint{1'500'000'000}, later), later + milliseconds(500));
  pace.restart();
  EXPECT_EQ(pace.due(TimePoint{9'000'000'000}, now), now);
  EXPECT_GT(pace.due(TimePoint{std::numeric_limits<std::int64_t>::max()}, now), now + std::chrono::hours(1000));
}

TEST(Replay, DamagedFilesAreReportedAndTheNextIsRead) {
  const File good(file_of(1, 2).data);
  Writer damaged = file_of(3, 1);
  damaged.u32(100).u32(0).u32(0xF0000000).u32(0xF0000000).octets("more");
  const File broken(damaged.data);
  std::string cut = file_of(4, 2).data;
  cut.resize(cut.size() - 1);
  const File truncated(cut), empty(""), text("no capture at all");
  const auto intake = open(replay_of({good.path, broken.path, empty.path, text.path, truncated.path, good.path}));
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_end());
  std::vector<std::string> all;
  for (const Seen& frame : taker.frames) all.push_back(std::to_string(frame.number) + ": " + frame.octets);
  EXPECT_THAT(all, ElementsAre("1: frame 1", "2: frame 2", "3: frame 3", "4: frame 4", "5: frame 1", "6: frame 2"));
  EXPECT_THAT(taker.counters().warnings,
              ElementsAre(HasSubstr(broken.path), HasSubstr(empty.path + ": the file is empty"),
                          HasSubstr(text.path + ": not a capture file"), HasSubstr("ends in the middle of a record")));
  EXPECT_EQ(taker.counters().unread_files, 3u) << "the one that was cut is read to its end";
}

TEST(Replay, DropsThatAFileRecordsAreCounted) {
  Writer writer;
  writer.section().interface(1).enhanced(0, 5, "abc");
  Writer statistics;
  statistics.u32(0).u64(0).option(5, Writer().u64(7).data).option(7, Writer().u64(11).data).option(0, "");
  writer.block(5, statistics);
  const File one(writer.data), two(writer.data);
  const auto intake = open(replay_of({one.path, two.path}));
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_end());
  EXPECT_EQ(taker.counters().dropped_by_nic, 14u);
  EXPECT_EQ(taker.counters().dropped_by_kernel, 22u);
}

/// Standard input that is the other end of a pipe, for as long as this lives.
class InputPipe {
 public:
  InputPipe() : before_(::dup(STDIN_FILENO)) {
    if (::pipe(ends_.data()) != 0) throw std::runtime_error("no pipe");
    ::dup2(ends_[0], STDIN_FILENO);
    ::close(ends_[0]);
  }
  InputPipe(const InputPipe&) = delete;
  InputPipe& operator=(const InputPipe&) = delete;
  ~InputPipe() {
    close();
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }
  void write(std::string_view octets) const {
    if (::write(ends_[1], octets.data(), octets.size()) != static_cast<ssize_t>(octets.size())) {
      throw std::runtime_error("the pipe is full");
    }
  }
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  std::array<int, 2> ends_{};
  int before_;
};

TEST(Replay, StandardInputIsReadToItsEnd) {
  InputPipe input;
  const std::string octets = file_of(1, 3).data;
  input.write(octets.substr(0, 60));
  const auto intake = open(replay_of({"-"}));
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_count(1));
  input.write(octets.substr(60));
  input.close();
  ASSERT_TRUE(taker.until_end());
  EXPECT_EQ(taker.frames.size(), 3u);
  EXPECT_EQ(taker.counters().name, "-");
  EXPECT_EQ(intake->progress(), 0.0);
}

TEST(Replay, StopEndsTheWaitForStandardInput) {
  InputPipe input;
  input.write(file_of(1, 1).data);
  const auto intake = open(replay_of({"-"}));
  Taker taker(*intake);
  intake->start();
  ASSERT_TRUE(taker.until_count(1));
  intake->stop();
  ASSERT_TRUE(taker.until_end());
  EXPECT_THAT(taker.counters().warnings, IsEmpty());
}

TEST(Replay, PipeWithoutAWriterIsOpenedAndReleased) {
  const InputPipe input;
  const auto intake = open(replay_of({"-"}));
  intake->start();
  EXPECT_EQ(intake->next(milliseconds(1)).state, Intake::State::nothing);
}

TEST(Replay, NamedPipeIsReadWhenAProgramWrites) {
  const File name("");
  ::unlink(name.path.c_str());
  ASSERT_EQ(::mkfifo(name.path.c_str(), 0600), 0);
  const auto intake = open(replay_of({name.path}));
  Taker taker(*intake);
  intake->start();
  std::thread writer([&] { std::ofstream(name.path, std::ios::binary) << file_of(1, 3).data; });
  EXPECT_TRUE(taker.until_end());
  writer.join();
  EXPECT_EQ(taker.frames.size(), 3u);
}

TEST(Replay, WhatCannotBeReplayedIsSaidAtOnce) {
  const File good(file_of(1, 1).data), text("no capture at all");
  EXPECT_THAT(error_of(replay_of({text.path})), HasSubstr("not a capture file"));
  EXPECT_THAT(error_of(replay_of({good.path, "/nowhere/a.pcap"})), HasSubstr("/nowhere/a.pcap: No such file"));
  EXPECT_THAT(error_of(replay_of({})), HasSubstr("no file is configured"));
  IntakeOptions options = replay_of({good.path});
  options.replay->filter = "no such words";
  EXPECT_THAT(error_of(options), HasSubstr("filter 'no such words'"));
  options = replay_of({good.path});
  options.replay->speed = -1;
  EXPECT_THAT(error_of(options), HasSubstr("speed"));
  options.replay->speed = std::nan("");
  EXPECT_THAT(error_of(options), HasSubstr("speed"));
  options = replay_of({good.path});
  options.interfaces.emplace_back();
  EXPECT_THAT(error_of(options), HasSubstr("interfaces and files"));
  EXPECT_THAT(error_of({}), HasSubstr("no interface and no file"));
}

TEST(Replay, WakeEndsTheWait) {
  const File file(file_of(1, 1).data);
  const auto intake = open(replay_of({file.path}));
  std::thread other([&] { intake->wake(); });
  EXPECT_EQ(intake->next(milliseconds(60'000)).state, Intake::State::nothing);
  other.join();
}

}  // namespace
}  // namespace iwarpscope::capture::test
