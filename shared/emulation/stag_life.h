// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The life of the STags that one queue pair names.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulation/notes.h"
#include "qp/observation.h"
#include "rdmap/access.h"
#include "ulp/announcements.h"

namespace iwarpscope::emulation {

using rdmap::Access;

/// Something that other queue pairs should know of. An STag belongs to an end: `owner` is the direction of the octets
/// that go to that end.
struct StagFact {
  enum class Kind : std::uint8_t {
    used,         ///< for the first time on this stream, or since it was announced, invalidated or lost from sight
    announced,    ///< its owner advertised it to the peer
    invalidated,  ///< by the peer
    gap,          ///< octets are missing: nothing reported of this stream before need be true any more; no STag
  };
  Kind kind{};
  Direction owner{};
  STag stag{};
  Access access{};          ///< used
  std::uint64_t message{};  ///< index in its direction; not with announced and gap
  FrameNumber frame;        ///< 0 with gap
};

/// Takes facts in the order in which they happen. Outlives every reference to it.
class StagFacts {
 public:
  virtual void fact(const StagFact& fact) = 0;

 protected:
  ~StagFacts() = default;
};

/// What is known of one STag, for a reader.
struct StagRecord {
  Direction owner{};  ///< of octets that go to its owner
  STag stag;
  FrameNumber first_frame;            ///< that named it: used, announced or invalidated it
  FrameNumber announced_frame;        ///< 0: no announcement was reported
  FrameNumber invalidated_frame;      ///< 0: not invalidated, or used since
  std::uint64_t announced_begin = 0;  ///< what was announced is [announced_begin, announced_end)
  std::uint64_t announced_end = 0;
  Access seen = Access::none;  ///< every kind of access so far
  std::uint64_t begin = 0;     ///< accesses lie in [begin, end); begin == end: none yet
  std::uint64_t end = 0;
};

/// The life of the STags that the messages of one queue pair name, of both ends. Zero-length accesses say nothing of
/// their STag and are left out (RFC 5041 §5.2). Holds at most `most` STags; the least recently used makes room.
/// Nothing before the first. What a gap could explain is not noted; when the stream was joined after its start, call
/// gap() for both directions first.
///
/// "Received nothing" below means: the sender's ACK numbers at both messages are the same, so that nothing of the owner
/// reached it in between on this stream; no renewal can have. Without ACK numbers nothing is noted.
///  RM-35 An access after the same side's Send with Invalidate: it received nothing since; or the owner answers it with
///  a
///        Terminate "Invalid STag" (then `certain`).
///  RM-36 Two Sends with Invalidate, no access between; it received nothing since the first.
///  RM-37 A Read Response to a sink STag that the responder had invalidated after the Request was on its way.
///  SX-04 A range written, Send, the same range written again; its owner had announced it, and it received nothing
///  since. SX-05 A range read and the response received, Send, the same range read again; its owner had announced it,
///  and the
///        reader received nothing since the Send.
///  SX-06 The first RDMA Read of an STag that was written before, on a stream known from its start. Not when it was
///        announced for reading.
/// Source: RFC 5040 §5.3; RFC 5042 §6.2.2, §6.3.3, §6.3.5.
class StagLife final : public qp::Observation {
 public:
  static constexpr std::size_t kMost = 256;

  /// `notes` and `facts` must outlive it.
  StagLife(Notes& notes, StagFacts& facts, std::size_t most = kMost) noexcept;
  ~StagLife();

  void segment(const qp::MessageFacts& facts, const ddp::Segment& segment) override;
  void message_ended(const qp::MessageFacts& facts, const ddp::MessageEnd& end) override;
  void requested(Direction sender, const qp::Request& request) override;
  void answered(const qp::Request& request, const qp::MessageFacts& response, const ddp::MessageEnd& end, bool certain,
                std::optional<std::uint64_t> original) override;
  void terminated(const qp::MessageFacts& facts, const rdmap::Terminate& terminate,
                  std::optional<std::uint64_t> names) override;
  void gap(Direction direction) override;

  /// A message of the owner, or its private data, advertised `what` to the peer. It is valid from now on, whatever was
  /// before.
  void announced(Direction owner, const ulp::Announcement& what, FrameNumber frame);

  [[nodiscard]] std::optional<StagRecord> find(Direction owner, STag stag) const;
  /// All that are known, by the frame that named them first.
  [[nodiscard]] std::vector<StagRecord> list() const;
  [[nodiscard]] std::size_t size() const noexcept;
  /// STags discarded to stay within the bound.
  [[nodiscard]] std::uint64_t evicted() const noexcept;
  /// Octets of memory held beside this object, about.
  [[nodiscard]] std::size_t held() const noexcept;
  /// Forgets all STags and gives back all that was allocated. It raises no finding because of that.
  void trim() noexcept;

  template <class A>
  void archive(A& a);

 private:
  struct State;
  State& state();

  Notes& notes_;
  StagFacts& facts_;
  std::unique_ptr<State> state_;
  std::uint32_t most_;
  bool from_start_ = true;  ///< all since the start of the stream was seen, and is remembered
};

}  // namespace iwarpscope::emulation
