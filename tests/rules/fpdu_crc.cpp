// MF-25: a sender that computes no CRC although CRC is in use.
#include "rules/stream_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Effect;
using synth::Startup;

constexpr synth::Side kBoth[] = {kOne, kOther};

/// Sends of one side whose CRC field has this value.
Script with_crc(std::uint32_t value, unsigned count, synth::Side side = kOne) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < count; ++i) {
      c.alter(side, {.fpdu = {.crc_value = value}});
      c.send(side, 100);
    }
  };
}

void one_right_crc_before(Connection& c) {
  sends(c, 1);
  with_crc(0, 3)(c);
}

void one_right_crc_after_the_first(Connection& c) {
  with_crc(0, 1)(c);
  sends(c, 3);
}

void only_one_of_each_side(Connection& c) {
  for (const synth::Side side : kBoth) with_crc(0, 1, side)(c);
}

void a_gap_between(Connection& c) {
  with_crc(0, 1)(c);
  c.channel(kOne, Effect::miss);
  with_crc(0, 1)(c);
  c.acknowledge(kOther);
  with_crc(0, 4)(c);
}

}  // namespace

std::vector<Scenario> crc_scenarios() {
  return {
      {.id = mpa_crc_not_computed,
       .note = "CRCs that are wrong, but not zero",
       .raise = [] { return connected(with_crc(0, 3)); },
       .near_miss = [] { return connected(with_crc(0x01020304, 3)); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "only one CRC is zero, after a right one",
       .raise = [] { return connected(Startup{.request_crc = false}, with_crc(0, 3)); },
       .near_miss = [] { return connected(one_right_crc_before); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "only the first CRC is zero",
       .raise = [] { return connected(with_crc(0, 2)); },
       .near_miss = [] { return connected(one_right_crc_after_the_first); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "one FPDU of each direction",
       .raise = [] { return connected(with_crc(0, 2, kOther)); },
       .near_miss = [] { return connected(only_one_of_each_side); },
       .near_with = {mpa_crc_mismatch}},
      {.id = mpa_crc_not_computed,
       .note = "neither end asks for CRC",
       .raise = [] { return connected(a_gap_between); },
       .near_miss = [] { return connected(Startup{.crc = false}, with_crc(0, 3)); }},
  };
}

}  // namespace iwarpscope::test
