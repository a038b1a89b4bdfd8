// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the ordering rules permit is never blamed on either end. One test for each permission.
// Source: RFC 5040 §5.5, App. B; RFC 7306 §5.4, §7; RFC 5041 §5.2.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::test {
namespace {

using synth::Connection;
using synth::kI;
using synth::kR;

constexpr STag kStag{0x00012301};
constexpr TaggedOffset kTo{0x7F1200001000};

synth::wire::ReadRequest read_of(std::uint32_t size, TaggedOffset from = kTo) {
  return {.size = size, .source_stag = kStag, .source_to = from};
}

/// Errors and warnings, and notes of these rules.
std::string blamed_for(const synth::Frames& frames) {
  const Report report = analyze(frames);
  std::string all;
  for (const findings::Finding& f : report.findings) {
    const findings::Rule& rule = findings::rule(f.id);
    if (rule.severity == findings::Severity::note && f.id != findings::FindingId::rdmap_overlapping_placement) continue;
    all += std::string(rule.code) + ": " + f.text + "\n";
  }
  EXPECT_EQ(report.qps.empty(), false);
  for (const qp::QpRecord& qp : report.qps) {
    EXPECT_TRUE(qp.verdict && qp.verdict->outcome == qp::Outcome::completed);
    if (!qp.verdict) continue;
    EXPECT_EQ(qp.verdict->blame, qp::Blame::none) << qp.verdict->text;
  }
  return all;
}

std::string after(const std::function<void(Connection&)>& play) {
  Connection c;
  c.connect();
  c.startup();
  c.send(kI, 100);
  c.send(kR, 100);
  play(c);
  c.close();
  return blamed_for(c.frames());
}

// RFC 5040 §5.5 rule 1
TEST(Permitted, NoOrderBetweenStreams) {
  synth::Clock clock;
  synth::ConnectionOptions options;
  options.clock = &clock;
  Connection one(options);
  options.initiator.port = 40001;
  Connection other(options);
  for (Connection* c : {&one, &other}) {
    c->connect();
    c->startup();
  }
  one.read_request(kI, read_of(100));
  other.read_request(kI, read_of(100));
  other.read_response(kR);
  one.read_response(kR);
  other.send(kI, 10);
  one.send(kI, 10);
  one.close();
  other.close();
  synth::Frames all = one.frames();
  for (const synth::Frame& f : other.frames()) all.push_back(f);
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.time_ns < y.time_ns; });
  EXPECT_EQ(blamed_for(all), "");
}

// Rule 2
TEST(Permitted, NoOrderBetweenTheDirections) {
  EXPECT_EQ(after([](Connection& c) {
              for (int i = 0; i < 3; ++i) c.send(kI, 3000);
              c.write(kR, kStag, kTo, 3000);
              c.send(kR, 10);
              c.send(kI, 10);
            }),
            "");
}

// Rule 3: what is placed in any order is no fault; only octets placed twice are remarked upon.
TEST(Permitted, WritesAndSendsInAnyOrder) {
  EXPECT_EQ(after([](Connection& c) {
              c.write(kI, kStag, TaggedOffset{kTo.value + 5000}, 2000);
              c.send(kI, 2000);
              c.write(kI, kStag, kTo, 2000);
              c.write(kI, STag{0x999901}, kTo, 2000);
            }),
            "");
}

// Rule 12: a Read may already return what a later Write put there.
TEST(Permitted, AResponseThatShowsALaterWrite) {
  EXPECT_EQ(after([](Connection& c) {
              c.write(kI, kStag, kTo, "before..");
              c.read_request(kI, read_of(8));
              c.send(kI, 10);
              c.write(kI, kStag, kTo, "later!!!");
              c.read_response(kR, "later!!!");
            }),
            "");
}
TEST(Permitted, AResponseThatDoesNotShowALaterWrite) {
  EXPECT_EQ(after([](Connection& c) {
              c.write(kI, kStag, kTo, "before..");
              c.read_request(kI, read_of(8));
              c.send(kI, 10);
              c.write(kI, kStag, kTo, "later!!!");
              c.read_response(kR, "before..");
            }),
            "");
}

// Rule 18; App. B, Read -> Send and Read -> Write
TEST(Permitted, SendsAndWritesOvertakeAnUnansweredRead) {
  EXPECT_EQ(after([](Connection& c) {
              c.read_request(kI, read_of(3000));
              c.send(kI, 10);
              c.write(kI, STag{0x777701}, kTo, 100);
              c.send_se(kI, 10);
              c.read_response(kR);
            }),
            "");
}
TEST(Permitted, SendsBetweenResponses) {
  EXPECT_EQ(after([](Connection& c) {
              c.read_request(kI, read_of(3000));
              c.read_request(kI, read_of(3000));
              c.read_response(kR);
              c.send(kR, 10);
              c.read_response(kR);
            }),
            "");
}

// RFC 7306 §5.4 rules 4 and 6
TEST(Permitted, SendsAndWritesOvertakeAnUnansweredAtomic) {
  EXPECT_EQ(after([](Connection& c) {
              c.atomic_request(kI, {.data = 1});
              c.send(kI, 10);
              c.write(kI, kStag, kTo, 100);
              c.immediate(kI, 7);
              c.atomic_response(kR);
            }),
            "");
}
// RFC 7306 §7: reads and atomics mixed, answered in the order of their queue
TEST(Permitted, ReadsAndAtomicsMixed) {
  EXPECT_EQ(after([](Connection& c) {
              c.atomic_request(kI, {.data = 1});
              c.read_request(kI, read_of(100));
              c.atomic_request(kI, {.data = 1});
              c.atomic_response(kR);
              c.read_response(kR);
              c.atomic_response(kR);
            }),
            "");
}

// RFC 5041 §5.2: nothing of a message without octets is looked at
TEST(Permitted, MessagesWithoutOctetsToAnywhere) {
  EXPECT_EQ(after([](Connection& c) {
              c.send_invalidate(kI, kStag, 10);
              c.write(kI, kStag, TaggedOffset{~std::uint64_t{0}}, 0);
              c.read(kI, {.sink_stag = STag{0}, .size = 0, .source_stag = kStag});
            }),
            "");
}

// RFC 5040 §5.3: its owner may make an STag valid again, and advertises it in a message that only its peer can read
TEST(Permitted, AnInvalidatedStagIsUsedOnceItsOwnerSpoke) {
  EXPECT_EQ(after([](Connection& c) {
              c.write(kI, kStag, kTo, 100);
              c.send_invalidate(kI, kStag, 10);
              c.send(kR, 10);
              c.write(kI, kStag, kTo, 100);
              c.send_invalidate(kI, kStag, 10);
            }),
            "");
}

// RFC 5042 §6.1.1 speaks of peers that should not; several connections of one host may share a buffer
TEST(Permitted, OneHostUsesAnStagFromSeveralConnections) {
  synth::Clock clock;
  synth::ConnectionOptions options;
  options.clock = &clock;
  Connection one(options);
  options.initiator.port = 40001;
  Connection other(options);
  for (Connection* c : {&one, &other}) {
    c->connect();
    c->startup();
    c->write(kI, kStag, kTo, 100);
    c->send(kI, 10);
  }
  one.close();
  other.close();
  synth::Frames all = one.frames();
  for (const synth::Frame& f : other.frames()) all.push_back(f);
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.time_ns < y.time_ns; });
  EXPECT_EQ(blamed_for(all), "");
}

}  // namespace
}  // namespace iwarpscope::test
