// A random history of one 64-bit word: what several connections did to it, and what the analyser says of each answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/random.h"
#include "synth/wire/rdmap.h"

namespace iwarpscope::atomics {

/// One operation as the tap saw it.
struct Operation {
  std::size_t connection = 0;
  bool is_write = false;               ///< an RDMA Write of all eight octets, else an Atomic Request
  synth::wire::AtomicRequest request;  ///< of an atomic
  std::uint64_t memory = 0;            ///< of a Write: its octets, read as a big-endian number
  std::int64_t invoked_ns = 0;         ///< when the request, or the Write, passed the tap
  std::optional<std::int64_t> answered_ns;
  std::uint64_t original = 0;  ///< answered: what the response carried
  std::string verdict;         ///< answered: "verified", "first", "inconsistent", "undecidable"
};

/// What was wrong with the responder.
enum class Defect : std::uint8_t {
  none,
  changed,    ///< one response carries another value
  exchanged,  ///< two responses carry each other's values
  torn,       ///< some operations read the word and write it later: not atomic
};
[[nodiscard]] std::string_view name(Defect defect) noexcept;

struct History {
  std::uint64_t seed = 0;
  Defect defect = Defect::none;
  std::vector<Operation> operations;  ///< by the time they were invoked
  std::uint64_t at14 = 0, at15 = 0;   ///< findings
};

/// The same seed gives the same history. It is played as frames of TCP connections and read back by the analyser.
/// `one_at_a_time`: no connection asks again before it was answered.
[[nodiscard]] History make_history(std::uint64_t seed, bool one_at_a_time);

/// One line of JSON: what judge.py reads.
[[nodiscard]] std::string json(const History& history);
/// One line of JSON: a list of events as Jepsen's checkers and Porcupine take them; see README.md.
[[nodiscard]] std::string events(const History& history);

}  // namespace iwarpscope::atomics
