// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of causes that lie in startup, in the path, or in the upper layer.
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

using synth::Buffer;
using synth::wire::EnhancedData;
using synth::wire::StartupFrame;
using synth::wire::TerminateDialect;

StartupFrame frame_of(StartupFrame::Kind kind, const EnhancedData& data) {
  StartupFrame f;
  f.kind = kind;
  f.revision = 2;
  f.enhanced = data;
  return f;
}
Startup peer_to_peer(synth::Rtr rtr) {
  Startup s = enhanced(16, 16, 16, 16);
  for (auto* data : {&s.request_enhanced, &s.reply_enhanced}) {
    (*data)->peer_to_peer = true;
    (*data)->rtr_write = true;
    (*data)->rtr_read = true;
  }
  s.rtr = rtr;
  return s;
}
Buffer queue_sizes(std::initializer_list<unsigned> first, std::size_t octets) {
  Buffer out(octets);
  std::transform(first.begin(), first.end(), out.begin(), [](unsigned o) { return static_cast<std::byte>(o); });
  return out;
}

std::vector<Case> startup_causes() {
  return {
      {"WriteRtrRefusedForItsStag",
       script([](Connection& c) {
         c.startup(peer_to_peer(synth::Rtr::write));
         c.terminate_last(kR, 1, 1, 0);
         c.reset(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"It refuses the RTR message", "because its length is 0"},
       "another kind of RTR"},
      {"AWriteBehindTheRtrIsNoRtr",
       script([](Connection& c) {
         c.startup(peer_to_peer(synth::Rtr::write));
         c.write(kI, STag{0}, TaggedOffset{0}, 64);
         c.terminate_last(kR, 1, 1, 0);
         c.reset(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"never registered"}},
      {"InsufficientIrdNamesTheDepths",
       script([](Connection& c) {
         c.startup(enhanced(16, 16, 1, 16));
         c.terminate(kI, {.layer = 2, .error_type = 0, .error_code = 6});
         c.reset(kI);
       }),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"Insufficient IRD", "wants 16 Reads outstanding (ORD) and the Reply allows 1 (IRD)"}},
      {"RtrOfAnotherKindWhateverTheOrderOfBits",
       script([](Connection& c) {
         EnhancedData both{.ird = 16, .ord = 16};
         both.peer_to_peer = both.rtr_write = both.rtr_read = true;
         EnhancedData read = both;
         read.rtr_write = false;
         c.startup(frame_of(StartupFrame::Kind::request, both), frame_of(StartupFrame::Kind::reply, read));
         c.rtr(synth::Rtr::write);
         c.terminate(kR, {.layer = 2, .error_type = 0, .error_code = 7});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"No matching RTR option", "MS-29"}},
      {"ReplyThatComesLate",
       script([](Connection& c) {
         c.wait(2 * kSecond);
         c.request({});
         c.wait(7 * kSecond);
         StartupFrame reply;
         reply.kind = StartupFrame::Kind::reply;
         c.reply(reply);
         c.begin_full_operation(kI);
         c.begin_full_operation(kR);
         c.send(kI, 100);
         c.send(kR, 100);
         c.close();
       }),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"sent its MPA Request only 2.00 s", "took 7.00 s to answer"},
       "accepts late"},
      {"AnotherProgramAnswers",
       script([](Connection& c) {
         c.request({});
         c.stream(kR, "HTTP/1.1 400 Bad Request\r\n");
         c.close(kR);
       }),
       Outcome::refused,
       Blame::b,
       Confidence::likely,
       {"An HTTP server answered there: 'HTTP/1.1 400 Bad'"}},
  };
}

std::vector<Case> other_causes() {
  const auto repeated = [](bool acknowledged) {
    return script([=](Connection& c) {
      c.startup();
      c.send(kI, 100);
      c.send(kR, 100);
      c.acknowledge(kI);
      c.channel(kI, Effect::retransmit, {.delay = 0});
      if (!acknowledged) c.capture_only(kI);
      c.send(kI, 300);
      c.wait(20 * kSecond);
      c.reset(kI);
    });
  };
  const auto nvme = [](unsigned granted) {
    return script([=](Connection& c) {
      c.startup({.request_private_data = queue_sizes({0, 0, 1, 0, 128, 0, 127, 0}, 32),
                 .reply_private_data = queue_sizes({0, 0, granted, 0}, 32)});
      c.send(kI, 100);
      c.send(kR, 100);
      c.close();
    });
  };
  return {
      {"ResetAfterOctetsThatNeverArrived",
       repeated(false),
       Outcome::failed,
       Blame::path,
       Confidence::likely,
       {"gave up with a reset", "got no acknowledgment"},
       "loss on the path"},
      {"ResetAfterOctetsThatArrived",
       repeated(true),
       Outcome::completed,
       Blame::none,
       Confidence::likely,
       {"no operation was outstanding"}},
      {"QueueThatIsGrantedTooSmall",
       nvme(64),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"submission queue of 128 entries", "grants 64"},
       "limits that the upper layer is set up with"},
      {"QueueThatIsGrantedWholly",
       nvme(128),
       Outcome::completed,
       Blame::none,
       Confidence::certain,
       {"closed normally"}},
  };
}

class CauseVerdict : public testing::TestWithParam<Case> {};

TEST_P(CauseVerdict, IsSaid) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Startup, CauseVerdict, testing::ValuesIn(startup_causes()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Other, CauseVerdict, testing::ValuesIn(other_causes()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
