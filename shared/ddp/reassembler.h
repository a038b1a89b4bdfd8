// DDP segments of one direction -> DDP messages.
#pragma once

#include <cstdint>
#include <memory>

#include "ddp/segment.h"
#include "findings/finding.h"
#include "mpa/fpdu.h"

namespace iwarpscope::ddp {

/// One direction of a DDP stream. Raises the DD rules. Holds no payload: below 300 octets. Source: RFC 5041.
class Reassembler {
 public:
  Reassembler(Direction direction, SegmentSink& sink, findings::Reporter& reporter);
  ~Reassembler();

  /// Takes one ULPDU with the facts of its FPDU. `ulpdu` shorter than `ulpdu_length` when the capture lacks octets.
  void ulpdu(const Carrier& carrier, Octets ulpdu, std::uint32_t ulpdu_length);
  /// Octets are missing or were passed over: what is in progress ends incomplete and MSNs are learnt anew. (Also implied by
  /// Carrier::after_gap.)
  void gap();
  /// The direction ended; messages in progress end incomplete. `orderly`: FIN in order, nothing missing.
  void finish(bool orderly, FrameNumber frame, TimePoint time);
  /// The version negotiated (0 RDMAC, 1 IETF) when known: DD-03.
  void set_version(std::uint8_t version);

  [[nodiscard]] std::uint64_t messages() const noexcept;   ///< begun so far
  [[nodiscard]] std::optional<std::uint8_t> version() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The carrier's part of an FPDU.
[[nodiscard]] Carrier carrier_of(const mpa::Fpdu& fpdu) noexcept;

}  // namespace iwarpscope::ddp
