// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One direction of a queue pair, from DDP segments upwards: connects coverage, messages, exchange and rules.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "qp/direction/common.h"
#include "qp/direction/message_assembler.h"
#include "qp/requests/exchange.h"
#include "qp/summary.h"
#include "qp/transport/llp.h"
#include "rdmap/terminate.h"
#include "tcp/stream.h"

namespace iwarpscope::qp {

/// Takes DDP segments from the lower layer and passes each message to the rules. It uses only the public members of the
/// other half.
class Half final : private MessageSink {
 public:
  /// Both must outlive it.
  Half(Direction direction, Common& common, Exchange& exchange);

  /// Both must outlive it.
  void connect(Half& other, const Llp& llp) noexcept;
  /// DDP segments come from now on. `version`: of DDP, when it was negotiated. `whole`: nothing of this direction is
  /// missing before the first of them.
  void begin(std::optional<std::uint8_t> version, bool whole);

  // From the LLP.
  /// Everything before `end` was captured, or will never come.
  void delivered(StreamOffset end) noexcept { own_coverage().delivered(end); }
  void missing(StreamOffset end, tcp::Missing reason);
  /// Octets or messages are unknown, for any reason: they may have contained anything.
  void lost_octets();
  /// An FPDU or message ends here. Before its bad_crc() and its ulpdu().
  void framed(StreamOffset end) noexcept { own_coverage().framed(end); }
  void bad_crc(FrameNumber frame, StreamOffset offset);
  void ulpdu(const ddp::Carrier& carrier, Octets ulpdu, std::uint32_t length) {
    messages_.ulpdu(carrier, ulpdu, length);
  }
  /// The direction ends. False: it had ended before.
  bool ending();
  /// Messages in progress end. `orderly`: the sender sent nothing more.
  void finish(bool orderly) { messages_.finish(orderly && coverage().is_gapless(), common_.frame, common_.time); }

  /// Makes the records of unanswered requests, and reports how the receiver reacted to a bad CRC. Without `closed`
  /// neither end is blamed.
  void settle(bool closed);
  void trim() { messages_.trim(); }
  /// The other end sent a Terminate: it may show that a message of this half has ended.
  void refused() { messages_.refused(); }
  /// A message of the other half broke a rule. This half's Terminate, which came earlier in the capture, may name it.
  void note_named_breach(const MessageBreach& breach);

  [[nodiscard]] DirectionRecord record() const;
  /// Adds what a verdict needs of this direction.
  void fill(DirectionSummary& summary) const;
  [[nodiscard]] const MessageAssembler& messages() const noexcept { return messages_; }
  [[nodiscard]] std::optional<std::uint8_t> rdmap_version() const noexcept { return rdmap_version_; }
  [[nodiscard]] bool has_terminated() const noexcept { return terminate_seen_; }
  /// What is incomplete in this direction, in words; empty: nothing.
  [[nodiscard]] std::string unfinished() const;
  [[nodiscard]] const Coverage& coverage() const noexcept { return common_.coverage[index(direction_)]; }
  [[nodiscard]] Common& common() const noexcept { return common_; }
  [[nodiscard]] Direction direction() const noexcept { return direction_; }

  template <class A>
  void archive(A& a) {
    messages_.archive(a, common_);
    a(terminate_, incomplete_, rdmap_version_);
    first_message_seen_ = a.value(first_message_seen_);
    terminate_seen_ = a.value(terminate_seen_);
    ended_inside_message_ = a.value(ended_inside_message_);
  }

 private:
  // MessageSink
  void message_begins(OpenMessage& open, const ddp::Segment& segment) override;
  void segment_taken(const OpenMessage& open, const ddp::Segment& segment) override;
  void message_ends(OpenMessage& open, const ddp::MessageEnd& end) override;
  void undecodable() override { lost_octets(); }

  void judge_headers(const OpenMessage& open, const ddp::Segment& segment);
  void judge_ddp_versions(const OpenMessage& open, const ddp::Segment& segment);
  void terminate_ended(const OpenMessage& open, MessageRecord* record);
  void report_crc_reaction();
  [[nodiscard]] rdmap::TerminateContext terminate_context() const noexcept;

  [[nodiscard]] Coverage& own_coverage() const noexcept { return common_.coverage[index(direction_)]; }
  [[nodiscard]] Coverage& other_coverage() const noexcept { return common_.coverage[index(opposite(direction_))]; }

  Common& common_;
  Exchange& exchange_;
  Half* other_ = nullptr;  ///< read, but for refused()
  MessageAssembler messages_;
  std::unique_ptr<TerminateSummary> terminate_;  ///< the first of this direction that could be read
  std::uint32_t incomplete_ = 0;
  const Direction direction_;
  std::optional<std::uint8_t> rdmap_version_;
  bool first_message_seen_ : 1 = false;
  bool terminate_seen_ : 1 = false;
  bool ended_inside_message_ : 1 = false;
};

}  // namespace iwarpscope::qp
