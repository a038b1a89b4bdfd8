// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// RDMA Reads of a memory that works as it should are never remarked upon, whatever the order of events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>

#include "emulation/data_sink.h"
#include "shared/emulation/events.h"

namespace iwarpscope::emulation {
namespace {

using rdmap::Opcode;
using test::kAtoB;
using test::kBtoA;
using test::kBuffer;
using test::kSink;

constexpr std::size_t kOctets = 400;

/// A sends at will; B carries it out in order, some time later, and its software changes the memory when a Send is
/// delivered. The tap sees everything when it is sent.
class Exchange {
 public:
  Exchange(std::uint32_t seed, bool is_faulty) : random_(seed), is_faulty_(is_faulty), memory_(kOctets, '\0') {}

  void run() {
    for (int step = 0; step < 300; ++step) {
      if (pick(3) != 0) {
        send_something();
      } else {
        for (std::size_t n = pick(6); n > 0 && !waiting_.empty(); --n) carry_out();
      }
    }
    while (!waiting_.empty()) carry_out();
  }
  test::Collected notes;

 private:
  struct Operation {
    enum class Kind { write, read, send, atomic } kind{};
    std::size_t at = 0;
    std::string octets{};
    qp::Request request{};
  };

  std::size_t pick(std::size_t below) { return random_() % below; }
  std::string octets(std::size_t count) {
    std::string text(count, ' ');
    for (char& c : text) c = static_cast<char>('a' + pick(26));
    return text;
  }
  void send_something() {
    Operation op;
    switch (pick(12)) {
      case 0:
        op.kind = Operation::Kind::send;
        qp_.send(kAtoB);
        break;
      case 1:
        op.kind = Operation::Kind::atomic;
        op.at = pick(kOctets / 8) * 8;
        op.octets = octets(8);
        op.request = qp_.atomic(kAtoB, kBuffer, op.at);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
        op.kind = Operation::Kind::read;
        op.at = pick(kOctets - 100);
        op.request = qp_.read(kAtoB, kSink, 0x5000, kBuffer, op.at, static_cast<std::uint32_t>(1 + pick(100)));
        break;
      default:
        op.at = pick(kOctets - 100);
        op.octets = octets(1 + pick(99));
        qp_.tagged(kAtoB, Opcode::rdma_write, kBuffer, op.at,
                   {op.octets.substr(0, 40), op.octets.substr(std::min<std::size_t>(40, op.octets.size()))});
        break;
    }
    waiting_.push_back(std::move(op));
  }
  void carry_out() {
    const Operation op = std::move(waiting_.front());
    waiting_.pop_front();
    switch (op.kind) {
      case Operation::Kind::write:
        if (!is_faulty_ || pick(4) != 0) memory_.replace(op.at, op.octets.size(), op.octets);
        break;
      case Operation::Kind::atomic:
        memory_.replace(op.at, 8, op.octets);
        qp_.respond(kBtoA, op.request, {});
        break;
      case Operation::Kind::send: memory_ = octets(kOctets); break;
      case Operation::Kind::read: {
        // Writes after the Request may be placed before the Response is made.
        while (!waiting_.empty() && waiting_.front().kind == Operation::Kind::write && pick(2) == 0) carry_out();
        qp_.respond(kBtoA, op.request, {memory_.substr(op.at, op.request.size)});
        break;
      }
    }
  }

  std::mt19937 random_;
  bool is_faulty_;
  std::string memory_;
  std::deque<Operation> waiting_;
  test::FullSight sight_;
  DataSink sink_{kAtoB, sight_, notes};
  test::QpEvents qp_{&sink_};
};

std::size_t contradictions(const test::Collected& notes) {
  return static_cast<std::size_t>(std::count_if(
      notes.all.begin(), notes.all.end(), [](const Note& n) { return n.kind == NoteKind::read_contradicts_write; }));
}

TEST(Readback, MemoryThatWorksIsNeverRemarkedUpon) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    Exchange exchange(seed, false);
    exchange.run();
    ASSERT_EQ(contradictions(exchange.notes), 0U) << "seed " << seed;
  }
}

TEST(Readback, MemoryThatLosesWritesIsFoundOut) {
  std::size_t found = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Exchange exchange(seed, true);
    exchange.run();
    if (contradictions(exchange.notes) != 0) ++found;
  }
  EXPECT_GE(found, 90U);
}

}  // namespace
}  // namespace iwarpscope::emulation
