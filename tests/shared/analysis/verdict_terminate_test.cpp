// What is said of streams that a Terminate ended.
#include "verdict_case.h"

namespace iwarpscope::test {
namespace {

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

class TerminateVerdict : public testing::TestWithParam<Case> {};

TEST_P(TerminateVerdict, SaysWhatHappenedAndWhoCausedIt) {
  expect_verdict(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Script, TerminateVerdict, testing::ValuesIn(terminate_cases()), kCaseName);

}  // namespace
}  // namespace iwarpscope::test
