// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP segments of one direction -> RDMA messages.
#pragma once

#include <absl/container/inlined_vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ddp/reassembler.h"
#include "findings/finding.h"
#include "qp/direction/history.h"
#include "qp/direction/open_message.h"
#include "qp/summary.h"

namespace iwarpscope::qp {

struct Environment;

/// Messages of one opcode in one direction.
struct OpcodeCount {
  rdmap::Opcode opcode{};
  std::uint64_t messages = 0;
  std::uint64_t payload_octets = 0;
};

/// Receives the messages of one direction. Arguments are valid until message_ends().
class MessageSink {
 public:
  /// Before the first segment_taken(). `open` has what the header of `segment` says.
  virtual void message_begins(OpenMessage& open, const ddp::Segment& segment) = 0;
  /// `open` is up to date with the DDP segment.
  virtual void segment_taken(const OpenMessage& open, const ddp::Segment& segment) = 0;
  /// Once for each message that began; it is not among the open ones any more.
  virtual void message_ends(OpenMessage& open, const ddp::MessageEnd& end) = 0;
  /// An FPDU could not be read as a DDP segment: its content is unknown.
  virtual void undecodable() = 0;

 protected:
  ~MessageSink() = default;
};

/// One direction, from its first FPDU on. Counts messages by opcode and remembers the latest ones. Takes its
/// OpenMessages from the pool of `environment` and gives them back. `environment`, `reporter` and `sink` must outlive
/// it. Source: RFC 5040 §4, RFC 5041 §5.
class MessageAssembler final : private ddp::SegmentSink {
 public:
  MessageAssembler(Direction direction, Environment& environment, MessageSink& sink) noexcept
      : environment_(environment), sink_(sink), direction_(direction) {}

  /// DDP segments come from now on. `version`: of DDP, when it was negotiated. `reporter` takes the rules of DDP.
  void begin(std::optional<std::uint8_t> version, findings::Reporter& reporter);
  /// As ddp::Reassembler::ulpdu(). Does nothing before begin(): a damaged state that was handed over may lack it.
  void ulpdu(const ddp::Carrier& carrier, Octets ulpdu, std::uint32_t length) {
    if (ddp_) ddp_->ulpdu(carrier, ulpdu, length);
  }
  /// What is open ends, as ddp::Reassembler::finish() says. Likewise.
  void finish(bool orderly, FrameNumber frame, TimePoint time) {
    if (ddp_) ddp_->finish(orderly, frame, time);
  }
  /// The other end refused something, as ddp::Reassembler::refused() says.
  void refused() {
    if (ddp_) ddp_->refused();
  }
  /// Gives back memory that an idle queue pair does not need.
  void trim();

  [[nodiscard]] std::uint64_t messages() const noexcept { return ddp_ ? ddp_->messages() : 0; }  ///< begun so far
  [[nodiscard]] std::uint64_t ddp_segments() const noexcept { return ddp_segments_; }
  /// As ddp::Reassembler::version().
  [[nodiscard]] std::optional<std::uint8_t> ddp_version() const noexcept {
    return ddp_ ? ddp_->version() : std::nullopt;
  }
  /// The opcodes that were used, in the order of their first message.
  [[nodiscard]] const std::vector<OpcodeCount>& counts() const noexcept { return counts_; }
  [[nodiscard]] const History& history() const noexcept { return history_; }
  /// Where the latest message began; frame 0: none did.
  [[nodiscard]] Moment last_message() const noexcept { return last_message_; }
  [[nodiscard]] rdmap::Opcode last_opcode() const noexcept { return last_opcode_; }
  /// The open message that began first; null: none is open.
  [[nodiscard]] const OpenMessage* oldest_open() const noexcept {
    return open_.empty() ? nullptr : open_.front().get();
  }
  [[nodiscard]] bool is_open(std::uint64_t message) const noexcept;
  /// Null: it is not in progress.
  [[nodiscard]] OpenMessage* find_open(std::uint64_t message) const noexcept;

  template <class A>
  void archive(A& a, findings::Reporter& reporter) {
    if (a.has(ddp_.has_value())) {
      if (a.is_reading()) ddp_.emplace(direction_, static_cast<ddp::SegmentSink&>(*this), reporter);
      ddp_->archive(a);
    }
    a(open_, history_, counts_, ddp_segments_, last_message_, last_opcode_);
    for (const auto& open : open_) a.check(open != nullptr);
  }

 private:
  void segment(const ddp::Segment& segment) override;
  void message_ended(const ddp::MessageEnd& end) override;
  void undecodable(const ddp::Carrier& carrier, Octets ulpdu) override;

  OpenMessage& begin_message(const ddp::Segment& segment);
  OpcodeCount& count_of(rdmap::Opcode opcode);

  Environment& environment_;
  MessageSink& sink_;
  std::optional<ddp::Reassembler> ddp_;
  absl::InlinedVector<std::unique_ptr<OpenMessage>, 2> open_;  ///< at most one a queue and one tagged
  History history_;
  std::vector<OpcodeCount> counts_;  ///< of the few opcodes that a direction really uses
  std::uint64_t ddp_segments_ = 0;
  Moment last_message_;
  rdmap::Opcode last_opcode_{};
  const Direction direction_;
};

}  // namespace iwarpscope::qp
