// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One DDP Stream over SCTP and the sessions on it, for any sender of the DATA chunks: sctp_stream.h scripts them.
#pragma once

#include <array>
#include <cstdint>

#include "synth/ddp_stream.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::synth {

class SessionStream : public DdpStream {
 public:
  // ---- sessions ----
  /// Initiate, Accept or Reject, and the RTR if one is named; starts a new session if there was one before. Revision,
  /// CRC and Markers of an MPA startup are ignored here.
  void startup(const Startup& startup = {});
  /// One session control message with the next DDP-SSN of this side.
  void control(Side side, const wire::SessionControl& message, const ChunkFaults& faults = {});
  /// Session Terminate of `first`; also of the other side unless it stays silent.
  void close(Side first = Side::initiator, bool both = true);
  /// The DDP-SSNs of both sides are 0 again, and messages and queues begin again. Both sides have acknowledged all
  /// before, unless in haste.
  void new_session(bool in_haste = false);
  /// The DDP-SSN of this side's next chunk.
  void set_ddp_ssn(Side side, std::uint16_t ddp_ssn) { ddp_ssn_[index(side)] = ddp_ssn; }
  [[nodiscard]] std::uint16_t ddp_ssn(Side side) const { return ddp_ssn_[index(side)]; }
  [[nodiscard]] std::uint16_t id() const { return id_; }

 protected:
  SessionStream(std::uint16_t id, std::uint64_t seed) : DdpStream(seed), id_(id) {}
  /// Passes a DATA chunk of this side to its SCTP, which assigns a TSN.
  virtual void put_chunk(Side side, wire::Data chunk) = 0;
  /// Both sides have acknowledged everything that was sent.
  virtual void acknowledge_all() = 0;

 private:
  void put_segment(Side side, Octets segment, const Alter& alter) final;
  void end_message(Side) final {}
  void put(Side side, wire::Data chunk, const ChunkFaults& faults);
  [[nodiscard]] std::uint16_t next_ddp_ssn(Side side, const ChunkFaults& faults);

  std::uint16_t id_;
  std::array<std::uint16_t, 2> ddp_ssn_{};
  bool begun_ = false;
};

}  // namespace iwarpscope::synth
