// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// An RDMA message in progress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ddp/segment.h"
#include "findings/finding.h"
#include "qp/direction/digest.h"
#include "qp/observation.h"
#include "qp/records.h"
#include "rdmap/opcode.h"

namespace iwarpscope::qp {

/// A message between its first DDP segment and its end.
struct OpenMessage {
  std::uint64_t message = 0;
  rdmap::Opcode opcode{};
  ddp::Carrier first;
  TimePoint placed_time, delivered_time;
  FrameNumber last_frame;
  bool tagged = false;
  bool intact = true;  ///< the header octets of its first DDP segment may be judged
  STag stag;
  TaggedOffset to;  ///< the lowest
  QueueNumber qn;
  MessageSequence msn;
  std::uint32_t invalidate_stag = 0;
  std::uint8_t rdmap_control = 0;
  std::uint32_t payload_length = 0;      ///< of its first DDP segment, as sent
  bool begins_inside = false;            ///< a Read Response that does not begin with the lowest offset of the sink
  std::optional<std::uint64_t> answers;  ///< index of the request that this response answers
  bool answer_certain = false;           ///< with `answers`: no request is unknown that it may answer instead
  bool answer_doubted = false;           ///< with `answers`: a later request may be the one that it answers
  std::uint32_t expected_size = 0;       ///< with `answers`, read: RDMARDSZ
  std::vector<std::byte> header;  ///< what follows the DDP header of its first DDP segment, at most kHeaderOctets
  static constexpr std::size_t kHeaderOctets = 128;
  std::unique_ptr<Digest> digest;
  std::uint64_t digested = 0;   ///< octets in it
  bool digest_in_order = true;  ///< they came in the order of their offsets

  /// What models and reports show of it, as far as it has been seen.
  [[nodiscard]] MessageFacts facts(Direction direction) const noexcept;

  /// All but the digest: that of a message in progress is lost.
  template <class A>
  void archive(A& a) {
    a(message, opcode, first, placed_time, delivered_time, last_frame, tagged, intact, stag, to, qn, msn);
    a(invalidate_stag, rdmap_control, payload_length, begins_inside, answers, answer_certain, answer_doubted);
    a(expected_size, header, digested, digest_in_order);
    a.check(header.size() <= kHeaderOctets);
    if (a.is_reading()) digest_in_order = false;
  }
};

/// A finding of `direction` about `open`: message, frames and offset are filled in.
[[nodiscard]] findings::Finding finding_about(findings::FindingId id, Direction direction, const OpenMessage& open);

/// The record of a message that ended, without the detail that only some opcodes have. `digest`: its SHA-256 is wanted.
/// Takes the state of `open.digest`.
[[nodiscard]] std::unique_ptr<MessageRecord> make_record(const OpenMessage& open, Direction direction,
                                                         const ddp::MessageEnd& end, bool digest);

}  // namespace iwarpscope::qp
