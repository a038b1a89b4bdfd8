// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the models of a queue pair's memory cost: CPU time for each DDP segment, and memory under attack.
#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "emulation/data_sink.h"
#include "emulation/stag_life.h"

namespace {

using namespace iwarpscope;

struct Ignored final : emulation::Notes, emulation::StagFacts, emulation::Sight {
  void note(const emulation::Note& /*note*/) override { ++notes; }
  void fact(const emulation::StagFact& /*fact*/) override { ++facts; }
  [[nodiscard]] bool sees_all(Direction /*direction*/, const ddp::Carrier& /*at*/) const override { return true; }
  std::uint64_t notes = 0, facts = 0;
};

/// One direction's RDMA Writes, reported to the models of both ends.
class Writer {
 public:
  void message(STag stag, std::uint64_t to, std::uint64_t ddp_segments, std::size_t octets) {
    facts_.opcode = rdmap::Opcode::rdma_write;
    facts_.tagged = true;
    facts_.stag = stag;
    facts_.to = TaggedOffset{to};
    ddp::Segment s;
    s.tagged = true;
    s.stag = stag;
    s.payload = Octets{payload_}.first(octets);
    s.payload_length = static_cast<std::uint32_t>(octets);
    for (std::uint64_t k = 0; k < ddp_segments; ++k) {
      s.first_of_message = s.starts_message = k == 0;
      s.last = k + 1 == ddp_segments;
      s.to = TaggedOffset{to + k * octets};
      tell(s);
    }
    end(ddp_segments * octets);
  }
  void send() {
    facts_.opcode = rdmap::Opcode::send;
    facts_.tagged = false;
    ddp::Segment s;
    s.first_of_message = s.starts_message = s.last = true;
    s.payload = Octets{payload_}.first(64);
    s.payload_length = 64;
    tell(s);
    end(64);
  }

  Ignored ignored;
  emulation::DataSink at_b{Direction::a_to_b, ignored, ignored};
  emulation::DataSink at_a{Direction::b_to_a, ignored, ignored};
  emulation::StagLife stags{ignored, ignored};

 private:
  void tell(ddp::Segment& s) {
    s.message = facts_.message;
    s.carrier.last_frame = FrameNumber{++frame_};
    s.carrier.has_acknowledged = true;
    at_a.segment(facts_, s);
    at_b.segment(facts_, s);
    stags.segment(facts_, s);
  }
  void end(std::uint64_t length) {
    const ddp::MessageEnd e{.message = facts_.message, .length = length, .complete = true, .last = {}};
    at_a.message_ended(facts_, e);
    at_b.message_ended(facts_, e);
    stags.message_ended(facts_, e);
    ++facts_.message;
  }

  std::vector<std::byte> payload_ = std::vector<std::byte>(1448, std::byte{0x5A});
  qp::MessageFacts facts_;
  std::uint64_t frame_ = 0;
};

template <class Run>
double nanoseconds(std::uint64_t times, Run run) {
  const std::clock_t begin = std::clock();
  run();
  return static_cast<double>(std::clock() - begin) * (1e9 / CLOCKS_PER_SEC) / static_cast<double>(times);
}

void print(const std::string& what, double ns) {
  fmt::print("{:<64} {:>8.1f} ns\n", what, ns);
}

void bulk(const std::string& what, std::uint64_t ddp_segments, std::uint64_t buffers, bool with_send) {
  constexpr std::uint64_t kTotal = 5'000'000;
  Writer w;
  const std::uint64_t messages = kTotal / ddp_segments;
  print(what, nanoseconds(messages * (ddp_segments + (with_send ? 1 : 0)), [&] {
          for (std::uint64_t k = 0; k < messages; ++k) {
            w.message(STag{0x100 + 0x100 * static_cast<std::uint32_t>(k % buffers)}, 0, ddp_segments, 1448);
            if (with_send) w.send();
          }
        }));
}

}  // namespace

int main() {
  {
    emulation::Extents extents(512);
    constexpr std::uint64_t kTimes = 50'000'000;
    print("extents alone, next DDP segment of the same Write", nanoseconds(kTimes, [&] {
            for (std::uint64_t k = 0; k < kTimes; ++k) {
              extents.write(STag{1}, TaggedOffset{k * 1448}, 1448, {.message = k / 45, .frame = {}},
                            [](const auto&) {});
            }
          }));
  }
  bulk("all models, Writes of 64 KiB to one buffer, for each segment", 45, 1, false);
  bulk("all models, Writes of 64 KiB to 64 buffers, for each segment", 45, 64, false);
  bulk("all models, 64 KiB Write and Send to 64 buffers, for each segment", 45, 64, true);
  bulk("all models, Writes of 1448 octets to one buffer", 1, 1, false);
  bulk("all models, 1448-octet Write and Send to 64 buffers, for each", 1, 64, true);
  bulk("all models, Writes of 1448 octets to 1000 STags", 1, 1000, false);

  Writer hostile;
  std::mt19937_64 random(1);
  constexpr std::uint64_t kScattered = 1'000'000;
  print("all models, scattered Writes of one octet", nanoseconds(kScattered, [&] {
          for (std::uint64_t k = 0; k < kScattered; ++k) {
            hostile.message(STag{1 + static_cast<std::uint32_t>(random() % 4)}, random(), 1, 1);
          }
        }));
  fmt::print("held after a million of them: {} octets, {} extents; given up: {}\n",
             hostile.at_b.held() + hostile.stags.held(), hostile.at_b.extents().size(), hostile.at_b.evicted());
  hostile.at_b.trim();
  hostile.stags.trim();
  fmt::print("held after trim(): {} octets; objects: {} + {}\n", hostile.at_b.held() + hostile.stags.held(),
             sizeof(emulation::DataSink), sizeof(emulation::StagLife));
}
