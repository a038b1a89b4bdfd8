// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A random history of one 64-bit word: the operations of several connections, and the analyser's verdict on each
// response.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "synth/random.h"
#include "synth/wire/rdmap.h"

namespace iwarpscope::atomics {

/// One operation as seen at the tap.
struct Operation {
  std::size_t connection = 0;
  bool is_write = false;               ///< an RDMA Write of all eight octets, otherwise an Atomic Request
  synth::wire::AtomicRequest request;  ///< of an atomic
  std::uint64_t memory = 0;            ///< of a Write: its octets, read as a big-endian number
  std::int64_t invoked_ns = 0;         ///< when the request or the Write passed the tap
  std::optional<std::int64_t> answered_ns;
  std::uint64_t original = 0;  ///< answered: the value in the response
  std::string verdict;         ///< answered: "verified", "first", "inconsistent", "undecidable"
};

/// The fault of the responder.
enum class Defect : std::uint8_t {
  none,
  changed,    ///< one response carries a different value
  exchanged,  ///< the values of two responses are exchanged
  torn,       ///< some operations read the word and write it later: not atomic
};
[[nodiscard]] std::string_view name(Defect defect) noexcept;

struct History {
  std::uint64_t seed = 0;
  Defect defect = Defect::none;
  std::vector<Operation> operations;  ///< in the order in which they were invoked
  std::uint64_t at14 = 0, at15 = 0;   ///< findings
};

/// The same seed creates the same history. It is played as frames of TCP connections and analysed. `one_at_a_time`: a
/// connection sends a request only after the response to the previous one.
[[nodiscard]] History make_history(std::uint64_t seed, bool one_at_a_time);

/// One line of JSON: the input of judge.py.
[[nodiscard]] std::string json(const History& history);
/// One line of JSON: a list of events in the form of Jepsen's checkers and Porcupine; see README.md.
[[nodiscard]] std::string events(const History& history);

}  // namespace iwarpscope::atomics
