// One DDP Stream of an SCTP association and the sessions on it.
#pragma once

#include <array>
#include <cstdint>

#include "synth/ddp_stream.h"
#include "synth/wire/sctp.h"

namespace iwarpscope::synth {

class Association;

class SctpStream : public DdpStream {
 public:
  SctpStream(Association& association, std::uint16_t id, std::uint64_t seed);

  // ---- sessions ----
  /// Initiate, Accept or Reject, and the RTR if one is named; a new session if there was one before. Of an MPA startup
  /// the revision, CRC and Markers mean nothing here.
  void startup(const Startup& startup = {});
  /// One session control message with the next DDP-SSN of this side.
  void control(Side side, const wire::SessionControl& message, const ChunkFaults& faults = {});
  /// Session Terminate of `first`; of the other side too unless it stays silent.
  void close(Side first = Side::initiator, bool both = true);
  /// The DDP-SSNs of both sides are 0 again, messages and queues begin again. Both sides have acknowledged all before,
  /// unless in haste.
  void new_session(bool in_haste = false);
  /// The DDP-SSN of this side's next chunk.
  void set_ddp_ssn(Side side, std::uint16_t ddp_ssn) { ddp_ssn_[index(side)] = ddp_ssn; }
  [[nodiscard]] std::uint16_t ddp_ssn(Side side) const { return ddp_ssn_[index(side)]; }
  [[nodiscard]] std::uint16_t id() const { return id_; }

 private:
  void put_segment(Side side, Octets segment, const Alter& alter) override;
  void end_message(Side) override {}
  void settle(Side side) override;
  [[nodiscard]] std::size_t usual_mulpdu(Side side) const override;
  [[nodiscard]] Octets owner(Side side) const override;
  void put(Side side, wire::Data chunk, const ChunkFaults& faults);
  [[nodiscard]] std::uint16_t next_ddp_ssn(Side side, const ChunkFaults& faults);

  Association& association_;
  std::uint16_t id_;
  std::array<std::uint16_t, 2> ddp_ssn_{};
  bool begun_ = false;
};

}  // namespace iwarpscope::synth
