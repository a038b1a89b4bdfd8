// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What is said of streams that a Terminate ended.
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

/// A Terminate that reports a wrong CRC, in a capture that begins inside the connection and so long before it.
std::function<synth::Frames()> crc_reported(std::int64_t before_ns) {
  return [=] {
    Connection c;
    c.connect();
    c.startup();
    c.send(kI, 64);
    const std::size_t unseen = c.frames().size();
    for (int i = 0; i < 4; ++i) c.send(kI, 64);
    c.wait(before_ns);
    c.terminate(kR, {.layer = 2, .error_type = 0, .error_code = 2});
    c.close(kR);
    synth::Frames frames = c.frames();
    frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(unseen));
    return frames;
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
      {"WrongCrcOfAnFpduThatWasSentJustBeforeTheCapture",
       crc_reported(0),
       Outcome::failed,
       Blame::unknown,
       Confidence::limited,
       {"CRC"}},
      {"WrongCrcAlthoughTheCaptureBeganLongBefore",
       crc_reported(2 * kSecond),
       Outcome::failed,
       Blame::path,
       Confidence::likely,
       {"CRC"}},
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
       {"Local Catastrophic", "an error inside the Responder"},
       "kernel log"},
      {"AccessRights",
       terminated(0, 1, 2),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"does not allow this access"},
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
       {"no receive was posted when the message arrived"},
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
       {"one too small; Linux siw"}},
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
       {"RDMA Read Response", "sink"},
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
       {"wrong CRC at the tap, too"},
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
       {"Every FPDU of the Initiator 10.0.0.1:40000 was right at the tap"},
       "after the tap"},
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
       {"had broken", "DD-07"}},
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

/// Which of the findings agree with what a Terminate says, and which only come with it.
std::vector<Case> evidence_cases() {
  const auto wrong_msn_long_before = [](bool on_the_named_one) {
    return script([=](Connection& c) {
      c.startup();
      c.send(kI, 64);
      c.set_msn(kI, QueueNumber{0}, MessageSequence{9});
      c.send(kI, 64);
      if (!on_the_named_one) c.send(kI, 64);
      c.terminate_last(kR, 1, 2, 3);
      c.close(kR);
    });
  };
  return {
      {"FindingOfAnotherKindProvesNothing",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.set_msn(kI, QueueNumber{0}, MessageSequence{9});
         c.send(kI, 64);
         c.write(kI, STag{0x1234}, TaggedOffset{0x7000}, 64);
         c.terminate_last(kR, 1, 1, 1);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"Usually", "beyond the registered buffer"}},
      {"FindingOnTheNamedMessageAgrees",
       wrong_msn_long_before(true),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"had broken", "DD-07"}},
      {"FindingOnAnotherMessageProvesNothing",
       wrong_msn_long_before(false),
       Outcome::failed,
       Blame::unknown,
       Confidence::likely,
       {"Usually"}},
      {"LocalErrorIsNotProvenByTheOtherSide",
       script([](Connection& c) {
         c.startup(enhanced(2, 2, 2, 2));
         c.send(kI, 64);
         for (int k = 0; k < 3; ++k) c.read_request(kI, {.size = 64});
         c.acknowledge(kR);
         c.wait(60 * kSecond);
         c.terminate(kR, {.layer = 0, .error_type = 0, .error_code = 0});
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"an error inside the ", "had broken rule rdmap.too-many-reads (RM-17) in frame"}},
      {"TooManyReadsAgreeWhereOneIsNamed",
       script([](Connection& c) {
         c.startup(enhanced(2, 2, 2, 2));
         c.send(kI, 64);
         for (int k = 0; k < 3; ++k) c.read_request(kI, {.size = 64});
         c.terminate_last(kR, 0, 2, 7);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"had broken", "RM-17"}},
      {"ExtensionThatTheOtherSideLacks",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.immediate(kI, 7);
         c.terminate_last(kR, 0, 2, 6);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"refuses the Atomic or Immediate Data message", "AT-18"}},
      {"NamesWhatWasNeverSent",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         synth::wire::Terminate t{.layer = 1, .error_type = 1, .error_code = 0, .ddp_length = 78};
         t.ddp_header = synth::wire::write(synth::wire::DdpTagged{.stag = STag{0x99}, .to = TaggedOffset{0x1000}});
         c.terminate(kR, t);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"quotes a DDP header that the Initiator 10.0.0.1:40000 never sent"},
       "firmware"},
      {"MisalignedAtomic",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.atomic_request(kI, {.remote_stag = STag{0x1200}, .remote_to = TaggedOffset{0x1004}, .data = 1});
         c.terminate_last(kR, 0, 2, 7);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"(STag 0x00001200, TO 0x0000000000001004)", "AT-07"}},
  };
}

/// A CRC error that one side reports, and what the tap can say of it.
std::vector<Case> crc_cases() {
  const auto complain = [](Connection& c) {
    c.terminate(kR, {.layer = 2, .error_type = 0, .error_code = 2});
    c.close(kR);
  };
  return {
      {"NeitherEndUsesCrc",
       script([=](Connection& c) {
         c.startup({.request_crc = false, .reply_crc = false});
         c.send(kI, 64);
         complain(c);
       }),
       Outcome::failed,
       Blame::b,
       Confidence::likely,
       {"CRC is not in use"}},
      {"TheFpduIsNotInTheCapture",
       script([=](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.channel(kI, Effect::miss);
         c.send(kI, 64);
         c.send(kI, 64);
         complain(c);
       }),
       Outcome::failed,
       Blame::unknown,
       Confidence::limited,
       {"The capture lacks FPDUs of the Initiator 10.0.0.1:40000; those in it are right"}},
      {"CrcThatItsSenderDoesNotCompute",
       script([=](Connection& c) {
         c.startup();
         for (unsigned k = 0; k < 3; ++k) {
           c.fault(kI, "crc-zero");
           c.send(kI, 64);
         }
         complain(c);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::certain,
       {"had broken rule mpa.crc-not-computed (MF-25)"},
       "Turn CRC on"},
      {"EveryCrcOfOneSideIsWrong",
       script([=](Connection& c) {
         c.startup();
         for (unsigned k = 0; k < 4; ++k) {
           c.fault(kI, "crc-mismatch");
           c.send(kI, 64);
         }
         complain(c);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"All 4 FPDUs of the Initiator", "have a wrong CRC"},
       "octet order"},
  };
}

/// What is reported about the message that a Terminate names.
std::vector<Case> named_cases() {
  return {
      {"ReadRequestShowsWhatItWantsToRead",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.read_request(kI, {.size = 4096, .source_stag = STag{0x55}, .source_to = TaggedOffset{0x8000}});
         c.terminate_last(kR, 0, 1, 1);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"(STag 0x00000055, TO 0x0000000000008000, 4096 octets to read)"}},
      {"MessageThatTheTerminateCutIsSoLong",
       script([](Connection& c) {
         c.startup();
         c.send(kI, 64);
         c.tagged(kI, {.control = synth::wire::ddp_control(true, false), .stag = STag{5}}, 400);
         c.terminate_last(kR, 1, 1, 1);
         c.close(kR);
       }),
       Outcome::failed,
       Blame::a,
       Confidence::likely,
       {"400 octets so far)"}},
  };
}

class TerminateVerdict : public testing::TestWithParam<Case> {};

TEST_P(TerminateVerdict, SaysWhatHappenedAndWhoCausedIt) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Evidence, TerminateVerdict, testing::ValuesIn(evidence_cases()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Crc, TerminateVerdict, testing::ValuesIn(crc_cases()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Named, TerminateVerdict, testing::ValuesIn(named_cases()), kCaseName);
INSTANTIATE_TEST_SUITE_P(Script, TerminateVerdict, testing::ValuesIn(terminate_cases()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
