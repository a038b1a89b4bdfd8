// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Interface of the layer that carries the DDP segments: MPA over TCP, or SCTP.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.h"
#include "qp/records.h"

namespace iwarpscope::qp {

/// One direction of the lower layer protocol (LLP): MPA over TCP, or a DDP stream session over SCTP. Its StreamOffsets
/// count octets of the TCP stream, or messages of the session. Source: RFC 5041 §1, §2.
class Llp {
 public:
  /// DDP segments may come: startup is over, or was never seen.
  [[nodiscard]] virtual bool is_open() const noexcept = 0;
  /// False while the boundaries of DDP segments are lost: any message may have come since.
  [[nodiscard]] virtual bool is_framed_to_its_end() const noexcept = 0;
  /// The boundaries of DDP segments are lost, or were never found although octets were captured.
  [[nodiscard]] virtual bool is_framing_lost() const noexcept = 0;
  /// The FPDU of which the end has not come.
  [[nodiscard]] virtual mpa::PendingFpdu pending() const noexcept = 0;
  /// False: the capture has the other direction only.
  [[nodiscard]] virtual bool is_captured() const noexcept = 0;
  /// All acknowledgments seen end here: no later octet or message was acknowledged. Empty: the other direction was
  /// never seen.
  [[nodiscard]] virtual std::optional<StreamOffset> acknowledged() const noexcept = 0;
  [[nodiscard]] virtual bool was_sent_again() const noexcept = 0;
  /// Number of FPDUs, if all CRCs are right and nothing else was seen; otherwise, or without CRC: 0.
  [[nodiscard]] virtual std::uint64_t right_crcs() const noexcept = 0;
  /// Adds its counters.
  virtual void fill(DirectionRecord& record) const = 0;

 protected:
  ~Llp() = default;
};

}  // namespace iwarpscope::qp
