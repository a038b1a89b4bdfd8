// What is said of queue pairs that ended, or hang, in every way that the wire can tell apart.
#include "analysis/verdict.h"

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "support/analysis.h"
#include "synth/connection.h"
#include "synth/frame.h"

namespace iwarpscope::test {
namespace {

using qp::Blame;
using qp::Confidence;
using qp::Outcome;
using synth::Connection;
using synth::Effect;
using synth::Side;
using synth::Startup;
using synth::wire::ReadRequest;

constexpr Side kI = Side::initiator;
constexpr Side kR = Side::responder;
constexpr std::int64_t kSecond = 1'000'000'000;

/// Another connection's handshake: the capture goes on for so long.
synth::Frames goes_on(Connection& c, std::int64_t ns) {
  synth::ConnectionOptions options;
  options.initiator.port = 50123;
  Connection other(options);
  other.wait(c.now_ns() - other.now_ns() + ns);
  other.connect();
  return synth::merge({c.frames(), other.frames()});
}

struct Case {
  std::string name;
  std::function<synth::Frames()> traffic;
  Outcome outcome;
  Blame blame;
  Confidence confidence;
  std::vector<std::string> says;  ///< parts of the text
  std::string advises = {};       ///< part of `next`
};
void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

/// A script on one connection whose capture goes on for `after` at its end.
std::function<synth::Frames()> script(std::function<void(Connection&)> act, std::int64_t after = 0) {
  return [act = std::move(act), after] {
    Connection c;
    c.connect();
    act(c);
    return after == 0 ? c.frames() : goes_on(c, after);
  };
}

/// Rev 2 with these depths.
Startup enhanced(std::uint16_t ird, std::uint16_t ord, std::uint16_t reply_ird, std::uint16_t reply_ord) {
  Startup s;
  s.revision = 2;
  s.request_enhanced = synth::wire::EnhancedData{.ird = ird, .ord = ord};
  s.reply_enhanced = synth::wire::EnhancedData{.ird = reply_ird, .ord = reply_ord};
  return s;
}

std::vector<Case> startup_cases() {
  return {
      {"RejectedForMarkers",
       script([](Connection& c) {
         c.startup({.markers = false, .request_markers = true, .reject = true});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "markers"},
       "markers off"},
      {"RejectedForCrc",
       script([](Connection& c) {
         c.startup({.request_crc = true, .reply_crc = false, .reject = true});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "CRC"},
       "CRC"},
      {"RejectedForReadDepth",
       script([](Connection& c) {
         Startup s = enhanced(4, 32, 8, 4);
         s.reject = true;
         c.startup(s);
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"refused", "32", "8"},
       "responder_resources"},
      {"RejectedByApplication",
       script([](Connection& c) {
         c.startup({.reject = true, .reply_private_data = synth::text("no")});
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::certain,
       {"application", "2 octets of private data"},
       "private data"},
      {"ResetInsteadOfReply",
       script([](Connection& c) {
         c.request(synth::request_frame({}));
         c.reset(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"reset the connection", "instead of answering"},
       "MPA revision"},
      {"ClosedInsteadOfReplyAfterRevision3",
       script([](Connection& c) {
         c.request(synth::request_frame({.revision = 3}));
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"closed the connection", "revision 3"},
       "revision"},
      {"GivenUpWaitingForReply",
       script([](Connection& c) {
         c.request(synth::request_frame({}));
         c.acknowledge(kR);
         c.wait(12 * kSecond);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"gave up", "after 12 s", "had acknowledged"},
       "backlog"},
      {"StillWaitingForReply",
       script(
           [](Connection& c) {
             c.request(synth::request_frame({}));
             c.acknowledge(kR);
           },
           20 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has waited 20 s", "Request"},
       "accepts"},
      {"ReplyOnItsWay",
       script([](Connection& c) { c.request(synth::request_frame({})); }, kSecond / 10),
       Outcome::running,
       Blame::none,
       Confidence::likely,
       {"has waited 0.10 s"}},
      {"RequestAlone",
       [] {
         Connection c;
         c.capture_only(kI);
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kI);
         return c.frames();
       },
       Outcome::unknown,
       Blame::capture,
       Confidence::limited,
       {"is not in the capture"}},
      {"ClosedAfterReplyThatAsksForMarkers",
       script([](Connection& c) {
         c.startup({.request_markers = false, .reply_markers = true});
         c.close(kI);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"before any FPDU", "asks for markers"},
       "markers off"},
      {"ClosedWithoutAMessage",
       script([](Connection& c) {
         c.startup();
         c.close(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"without a message"}},
      {"ResetRightAfterReply",
       script([](Connection& c) {
         c.startup();
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"reset", "before any FPDU"},
       "kernel log"},
      {"RtrNeverSent",
       script(
           [](Connection& c) {
             Startup s;
             s.request_enhanced = s.reply_enhanced =
                 synth::wire::EnhancedData{.peer_to_peer = true, .rtr_write = true, .ird = 4, .ord = 4};
             c.startup(s);
           },
           20 * kSecond),
       Outcome::stalled,
       Blame::a,
       Confidence::likely,
       {"RTR"}},
      {"FellBackToRevision1",
       [] {
         synth::Clock clock;
         synth::ConnectionOptions first;
         first.clock = &clock;
         Connection c(first);
         c.connect();
         c.request(
             synth::request_frame({.revision = 2, .request_enhanced = synth::wire::EnhancedData{.ird = 1, .ord = 1}}));
         c.reset(kR);
         synth::ConnectionOptions second;
         second.clock = &clock;
         second.initiator.port = 40001;
         Connection d(second);
         d.connect();
         d.startup();
         d.send(kI, 10);
         d.close();
         return synth::merge({c.frames(), d.frames()});
       },
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"fell back to MPA revision 1", "QP 0 with revision 2"},
       "revision 2"},
  };
}

std::vector<Case> end_cases() {
  return {
      {"ClosedInOrder",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read(kI, {.size = 100});
         c.close(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed in order, first by the Initiator"}},
      {"ResetWithNothingOpen",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.acknowledge(kR);
         c.reset(kI);
       }),
       Outcome::completed,
       Blame::none,
       Confidence::likely,
       {"reset", "nothing was left open"}},
      {"ResetWithAReadOpen",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.acknowledge(kR);
         c.reset(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"reset", "Read Request with MSN 1", "was not answered"},
       "kernel log"},
      {"ResetAfterWaitingForARead",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.acknowledge(kR);
         c.wait(30 * kSecond);
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"had waited 30 s"},
       "did not answer"},
      {"ResetInsideAMessage",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.limit_mulpdu(kI, 500);
         c.tagged(kI, {.control = synth::wire::ddp_control(true, false), .stag = STag{5}}, 400);
         c.acknowledge(kR);
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"RDMA Write", "was not finished"}},
      {"ClosedWithAReadOpen",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"closed, first by the Responder", "was not answered"}},
      {"ClosedAfterWaitingForARead",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 100);
         c.read_request(kI, {.size = 100});
         c.acknowledge(kR);
         c.wait(30 * kSecond);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"closed, first by the Initiator", "was not answered"}},
      {"ReadUnanswered",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
             c.read_request(kI, {.size = 200});
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"has not answered the Read Request with MSN 1", "30 s", "2 requests"},
       "does not answer"},
      {"ReadCreditExhausted",
       script(
           [](Connection& c) {
             c.startup(enhanced(2, 2, 2, 2));
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
             c.read_request(kI, {.size = 200});
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"All 2 requests it may have outstanding wait"}},
      {"ReadJustAsked",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.read_request(kI, {.size = 100});
           },
           kSecond / 10),
       Outcome::running,
       Blame::none,
       Confidence::certain,
       {"in use"}},
      {"ReadUnansweredBehindAHole",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.channel(kR, Effect::miss);
             c.send(kR, 100);
             c.send(kR, 100);
             c.read_request(kI, {.size = 100});
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::unknown,
       Confidence::limited,
       {"The capture lacks"},
       "without loss"},
      {"DataNeverAcknowledged",
       [] {
         synth::ConnectionOptions options;
         options.responder.ack_every = 0;
         Connection c(options);
         c.connect();
         c.startup();
         c.send(kR, 100);
         c.acknowledge(kI);
         c.send(kI, 1000);
         return goes_on(c, 30 * kSecond);
       },
       Outcome::stalled,
       Blame::path,
       Confidence::likely,
       {"have not been acknowledged", "silent for 30 s"},
       "path"},
      {"WindowClosed",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.touch(kR, [](synth::TcpSegment& t) { t.window = 0; });
             c.send(kR, 10);
             c.acknowledge(kI);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"TCP window is closed", "30 s"},
       "receive buffers"},
      {"StoppedInsideAMessage",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.tagged(kI, {.control = synth::wire::ddp_control(true, false), .stag = STag{5}}, 400);
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::a,
       Confidence::likely,
       {"stopped inside the RDMA Write"}},
      {"OneSideDoesNotClose",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.fin(kI);
           },
           30 * kSecond),
       Outcome::stalled,
       Blame::b,
       Confidence::likely,
       {"closed its side", "30 s later"}},
      {"IdleAfterASend",
       script(
           [](Connection& c) {
             c.startup();
             c.send(kI, 100);
             c.acknowledge(kR);
           },
           30 * kSecond),
       Outcome::running,
       Blame::none,
       Confidence::likely,
       {"idle for 30 s", "turn of the Responder"}},
  };
}

std::vector<Case> terminate_cases() {
  using synth::wire::TerminateDialect;
  const auto terminated = [](std::uint8_t layer, std::uint8_t type, std::uint8_t code,
                             TerminateDialect dialect = TerminateDialect::rfc5040) {
    return script([=](Connection& c) {
      c.startup();
      c.write(kI, STag{0x1234}, TaggedOffset{0x7000}, 64);
      c.terminate_last(kR, layer, type, code, dialect);
      c.close(kR);
    });
  };
  return {
      {"InvalidStag",
       terminated(1, 1, 0),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"Terminate", "Invalid STag", "RDMA Write", "0x00001234", "never registered"},
       "STag"},
      {"OutOfBounds",
       terminated(1, 1, 1),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"beyond the registered buffer"},
       "TO and length"},
      {"LocalCatastrophic",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.terminate(kR, {.layer = 0, .error_type = 0, .error_code = 0});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"Local Catastrophic", "inside the sender"},
       "kernel log"},
      {"AccessRights",
       terminated(0, 1, 2),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"without the right"},
       "access flags"},
      {"NoBuffer",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.terminate_last(kR, 1, 2, 2);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"no receive buffer was posted"},
       "receives"},
      {"NoBufferAsSiwSays",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.terminate_last(kR, 1, 2, 2, TerminateDialect::siw_little_endian);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"Linux siw reports both alike"}},
      {"ReadSinkWithoutRight",
       script([](Connection& c) {
         c.startup();
         c.read(kI, {.sink_stag = STag{0x77}, .size = 64});
         c.terminate_last(kI, 1, 1, 0, TerminateDialect::siw_little_endian);
         c.close(kI);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"RDMA Read Response", "sink", "remote write"},
       "sink"},
      {"BadCrcSeenAtTheTap",
       script([](Connection& c) {
         c.startup();
         c.fault("crc-mismatch");
         c.send(kI, 64);
         c.terminate(kR, {.layer = 2, .error_type = 0, .error_code = 2});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::path,
       Confidence::likely,
       {"wrong CRC at the tap too"},
       "sending adapter"},
      {"BadCrcNotSeenAtTheTap",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.terminate(kR, {.layer = 2, .error_type = 0, .error_code = 2});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::path,
       Confidence::likely,
       {"Every FPDU was right at the tap"},
       "behind the tap"},
      {"WireAgrees",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.set_msn(kI, QueueNumber{0}, MessageSequence{9});
         c.send(kI, 64);
         c.terminate_last(kR, 1, 2, 3);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"The wire agrees", "DD-07"}},
      {"ClaimThatCannotBe",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.terminate_last(kR, 1, 2, 4);  // MO, which is 0
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"cannot have that error"}},
      {"InsufficientIrd",
       script([](Connection& c) {
         c.startup(enhanced(4, 4, 4, 16));
         c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = 6});
         c.close(kI);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::certain,
       {"Insufficient IRD", "MS-30"}},
  };
}

class Verdict : public testing::TestWithParam<Case> {};

TEST_P(Verdict, SaysWhatHappenedAndWhoCausedIt) {
  const Case& expected = GetParam();
  const Report report = analyze(expected.traffic());
  ASSERT_FALSE(report.qps.empty());
  const auto& record = report.qps.back();
  ASSERT_TRUE(record.verdict);
  const qp::VerdictRecord& v = *record.verdict;
  EXPECT_EQ(name(v.outcome), name(expected.outcome)) << v.text;
  EXPECT_EQ(name(v.blame), name(expected.blame)) << v.text;
  EXPECT_EQ(name(v.confidence), name(expected.confidence)) << v.text;
  for (const std::string& part : expected.says)
    EXPECT_NE(v.text.find(part), std::string::npos) << part << "\n" << v.text;
  if (!expected.advises.empty()) {
    EXPECT_NE(v.next.find(expected.advises), std::string::npos) << v.next << "\n" << v.text;
  }
  EXPECT_TRUE(std::is_sorted(v.evidence.begin(), v.evidence.end()));
  for (const FrameNumber frame : v.evidence) EXPECT_NE(frame.value, 0u);
}

const auto kName = [](const auto& info) { return info.param.name; };
INSTANTIATE_TEST_SUITE_P(Startup, Verdict, testing::ValuesIn(startup_cases()), kName);
INSTANTIATE_TEST_SUITE_P(End, Verdict, testing::ValuesIn(end_cases()), kName);
INSTANTIATE_TEST_SUITE_P(Terminated, Verdict, testing::ValuesIn(terminate_cases()), kName);

}  // namespace
}  // namespace iwarpscope::test
