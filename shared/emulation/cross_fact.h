// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What one queue pair knows of memory and STags that others reach as well. Plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <variant>

#include "base/ids.h"
#include "base/octets.h"
#include "emulation/notes.h"
#include "emulation/stag_life.h"
#include "emulation/stag_registry.h"
#include "emulation/word_operation.h"
#include "net/address.h"

namespace iwarpscope::emulation {

/// The first octets of what an RDMA Write put or an RDMA Read returned. Larger ones do not hold single words.
struct HeadOctets {
  static constexpr std::size_t kMost = 64;
  std::array<std::byte, kMost> kept;  ///< [0, size)
  std::uint8_t size = 0;

  [[nodiscard]] Octets octets() const noexcept { return Octets{kept}.first(size); }
  template <class A>
  void archive(A& a) {
    a(size);
    a.check(size <= kMost);
    for (std::size_t k = 0; k < size && !a.has_failed(); ++k) a(kept[k]);
  }
};

/// An Atomic Request. `message` and `sender` name it among the messages of its queue pair.
struct AtomicRequested {
  Direction sender{};
  std::uint64_t message = 0;
  net::IpAddress responder;
  STag stag;
  TaggedOffset to;
  AtomicFunction function;
  TapPoint invoked;
  bool begin_seen = true;  ///< qp::QueuePair::was_begin_seen() of its queue pair
};
/// The response to it. Without `certain` it may be another's, or its value cannot be trusted.
struct AtomicResponded {
  Direction sender{};         ///< of the request
  std::uint64_t message = 0;  ///< of the request
  std::uint64_t response = 0;
  std::uint64_t original = 0;
  TapPoint at;
  bool certain = false;
};
/// What an RDMA Write put there, whole, or an RDMA Read returned.
struct MemoryTouched {
  net::IpAddress responder;
  STag stag;
  TaggedOffset to;
  std::uint64_t length = 0;
  HeadOctets head;
  TapPoint request;  ///< Read
  TapPoint at;       ///< Write: its last octet; Read: the first octet of the response
  bool is_write = false;
};
/// Requests to this responder, or Writes, may be missing in the capture.
struct RequestsMissing {
  net::IpAddress responder;
  TapPoint since;  ///< what had passed the tap by then had passed without them
};
/// What the STag names from now on may be other memory.
struct StagInvalidated {
  net::IpAddress responder;
  STag stag;
};
struct StagReported {
  StagOwner owner;
  net::IpAddress peer;
  StagFact fact;
};
/// RM-38, unless others use the STag as well.
struct ReadContradicted {
  StagOwner owner;
  std::unique_ptr<Note> note;
};
/// The connection ended: what was not answered will not be. At a Terminate, answers may still come that were sent
/// before it arrived.
struct StreamEnded {
  TapPoint last;              ///< when the latest message of either direction began; frame 0: there was none
  TapPoint closed;            ///< the first sign of its close; no later than `last` where that may not be captured
  bool by_terminate = false;  ///< its close is still to come, and may not be captured
};

using CrossFact = std::variant<AtomicRequested, AtomicResponded, MemoryTouched, RequestsMissing, StagInvalidated,
                               StagReported, ReadContradicted, StreamEnded>;

/// The frame at which it passed the tap, which may be long before it is reported; 0: no earlier than what its queue
/// pair reported before it.
[[nodiscard]] FrameNumber passed_in(const CrossFact& fact) noexcept;

}  // namespace iwarpscope::emulation
