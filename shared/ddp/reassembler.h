// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// DDP segments of one direction -> DDP messages.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ddp/segment.h"
#include "findings/finding.h"
#include "mpa/fpdu.h"

namespace iwarpscope::ddp {

/// One direction of a DDP stream, from its first FPDU on; a first Carrier with after_gap joins it mid-stream. Raises
/// the rules DD-01 to DD-22 as far as one direction decides them. Keeps no payload: it uses less than 400 octets, and
/// allocates after the constructor only for a message that another one interrupts. The peer is not blamed for what
/// missing or damaged octets could explain. After a broken rule the values seen become the expected ones, so that it
/// raises no others.
/// The sink and the reporter must outlive it. Source: RFC 5041.
class Reassembler {
 public:
  Reassembler(Direction direction, SegmentSink& sink, findings::Reporter& reporter);
  ~Reassembler();
  Reassembler(Reassembler&&) noexcept;
  Reassembler& operator=(Reassembler&&) noexcept;

  /// Takes one ULPDU with the facts of its FPDU. `ulpdu` shorter than `ulpdu_length` when the capture lacks octets.
  void ulpdu(const Carrier& carrier, Octets ulpdu, std::uint32_t ulpdu_length);
  /// Octets are missing or were skipped: MSNs are learnt again, and a tagged message in progress ends incomplete. An
  /// untagged one continues if the next DDP segment belongs to it (same QN, MSN and RsvdULP, MO not lower): it is then
  /// incomplete, and its length includes the missing octets. (Carrier::after_gap implies this call.)
  void gap();
  /// The other end refused something: a message whose last DDP segment came before earlier ones has ended.
  void refused();
  /// The direction ended; messages in progress end incomplete. `orderly`: FIN in order, nothing missing.
  void finish(bool orderly, FrameNumber frame, TimePoint time);
  /// The version negotiated (0 RDMAC, 1 IETF) when known: DD-03.
  void set_version(std::uint8_t version);

  [[nodiscard]] std::uint64_t messages() const noexcept;  ///< begun so far
  /// DV of the last DDP segment with 0 or 1 and an undamaged header; empty before.
  [[nodiscard]] std::optional<std::uint8_t> version() const noexcept;

  template <class A>
  void archive(A& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The Carrier of an FPDU.
[[nodiscard]] Carrier carrier_of(const mpa::Fpdu& fpdu) noexcept;

}  // namespace iwarpscope::ddp
