// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a queue pair asks of the layer that carries its DDP segments.
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
  /// False while the boundaries of DDP segments are lost: what came since is unknown, a response or a Terminate
  /// perhaps.
  [[nodiscard]] virtual bool is_framed_to_its_end() const noexcept = 0;
  /// The same, once anything could have been read.
  [[nodiscard]] virtual bool is_framing_lost() const noexcept = 0;
  /// Octets of a DDP segment that is not at its end.
  [[nodiscard]] virtual std::uint64_t pending_octets() const noexcept = 0;
  /// False: what this direction sent is not in the capture, of which the other direction is a part.
  [[nodiscard]] virtual bool is_captured() const noexcept = 0;
  /// No octet or message at or after it was acknowledged, as far as was seen; nothing when the other direction was
  /// never seen.
  [[nodiscard]] virtual std::optional<StreamOffset> acknowledged() const noexcept = 0;
  [[nodiscard]] virtual bool was_sent_again() const noexcept = 0;
  /// FPDUs, when the CRC of each is right and nothing else was between them; 0: not so, or no CRC is in use.
  [[nodiscard]] virtual std::uint64_t right_crcs() const noexcept = 0;
  /// Puts in what it counted.
  virtual void fill(DirectionRecord& record) const = 0;

 protected:
  ~Llp() = default;
};

}  // namespace iwarpscope::qp
