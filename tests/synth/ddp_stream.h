// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The RDMAP messages of one DDP Stream between an Initiator and a Responder, for any LLP: messages become DDP segments
// here, and the LLP (connection.h, association.h) sends them.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "synth/fault.h"
#include "synth/options.h"
#include "synth/random.h"
#include "synth/wire/ddp.h"

namespace iwarpscope::synth {

class DdpStream {
 public:
  DdpStream(const DdpStream&) = delete;
  DdpStream& operator=(const DdpStream&) = delete;
  virtual ~DdpStream() = default;

  /// The octets of payloads that are given as a number.
  enum class Fill : std::uint8_t { random, zeros, counting };
  void fill(Fill fill) { fill_ = fill; }

  // ---- messages ----
  void send(Side side, const Payload& payload = 0);
  void send_se(Side side, const Payload& payload = 0);
  void send_invalidate(Side side, STag stag, const Payload& payload = 0);
  void send_se_invalidate(Side side, STag stag, const Payload& payload = 0);
  void write(Side side, STag stag, TaggedOffset to, const Payload& payload = 0);
  /// A Read Request of `side` and its Response.
  void read(Side side, const wire::ReadRequest& request);
  void read_request(Side side, const wire::ReadRequest& request);
  /// `side` answers the oldest Read Request of its peer; a payload of another length than requested is a fault.
  void read_response(Side side, const std::optional<Payload>& payload = {});
  void immediate(Side side, std::uint64_t value, bool solicited_event = false);
  /// An Atomic Request of `side` and its Response. Request Identifiers count from 1 if 0 is given. Returns the original
  /// value.
  std::uint64_t atomic(Side side, wire::AtomicRequest request);
  void atomic_request(Side side, wire::AtomicRequest request);
  /// `side` answers the oldest Atomic Request of its peer from memory, or with the value given. Returns the original.
  std::uint64_t atomic_response(Side side, std::optional<std::uint64_t> original = {});
  void terminate(Side side, const wire::Terminate& terminate);
  /// A Terminate that names the last DDP segment `side` received.
  void terminate_last(Side side, std::uint8_t layer, std::uint8_t error_type, std::uint8_t error_code,
                      wire::TerminateDialect dialect = wire::TerminateDialect::rfc5040);
  /// Terminates of the peer name the DDP segment that `side` sent last, also if it sends more later.
  void keep_named(Side side) { ddp(side).kept = ddp(side).last; }
  /// The ready-to-receive message of the Initiator.
  void rtr(Rtr kind);
  /// A whole message with all its fields, cut at MULPDU. Tagged: `tagged` has STag and TO; untagged: MSN from the
  /// queue.
  void tagged_message(Side side, wire::Opcode opcode, STag stag, TaggedOffset to, const Payload& payload);
  void untagged_message(Side side, wire::Opcode opcode, QueueNumber qn, std::uint32_t invalidate_stag,
                        const Payload& payload);
  /// One DDP segment with the given header; counters do not change.
  void tagged(Side side, const wire::DdpTagged& header, const Payload& payload = 0);
  void untagged(Side side, const wire::DdpUntagged& header, const Payload& payload = 0);
  /// Any octets in place of a DDP segment.
  void raw_ulpdu(Side side, Octets ulpdu) { put_segment(side, ulpdu, {}); }
  /// The MSN of the next message on this queue.
  void set_msn(Side side, QueueNumber qn, MessageSequence msn) { ddp(side).msn[qn.value] = msn.value; }
  /// Versions in DDP and RDMAP headers: 1, or 0 for RDMAC mode.
  void use_version(std::uint8_t version) { version_ = version; }
  /// Largest DDP segment of this side; without a value, that of the LLP.
  void limit_mulpdu(Side side, std::optional<std::size_t> octets) { ddp(side).mulpdu = octets; }
  [[nodiscard]] std::size_t mulpdu(Side side) const { return ddp(side).mulpdu.value_or(usual_mulpdu(side)); }

  // ---- faults ----
  /// Alters the DDP segment after `skip` others of this side.
  void alter(Side side, Alter alter, unsigned skip = 0);
  void fault(Side side, std::string_view name, unsigned skip = 0);
  /// The same for the next DDP segment of either side.
  void fault(std::string_view name);

  // ---- state that tests compare with ----
  [[nodiscard]] AtomicMemory& memory() { return *memory_; }
  void share_memory(const DdpStream& other) { memory_ = other.memory_; }

 protected:
  explicit DdpStream(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] Buffer octets_of(const Payload& payload);
  /// The next DDP segments belong to another DDP Stream: messages, queues and faults begin again.
  void begin_again() { ends_ = {}; }

  // Functions of the LLP.
  /// Sends one DDP segment. Applies the fields of the LLP in `alter`.
  virtual void put_segment(Side side, Octets segment, const Alter& alter) = 0;
  /// A complete message of this side has been passed on.
  virtual void end_message(Side side) = 0;
  /// Everything sent by this side has arrived at its peer.
  virtual void settle(Side side) = 0;
  [[nodiscard]] virtual std::size_t usual_mulpdu(Side side) const = 0;
  /// The address that owns this side's memory.
  [[nodiscard]] virtual Octets owner(Side side) const = 0;

 private:
  struct PlannedAlter {
    unsigned skip;
    Alter alter;
  };
  /// The description of a DDP segment in a Terminate.
  struct Named {
    Buffer ddp_header, rdmap_header;
    std::uint16_t ulpdu_octets = 0, payload_octets = 0;
  };
  struct DdpEnd {
    std::map<std::uint32_t, std::uint32_t> msn;
    std::deque<PlannedAlter> alters;
    std::deque<wire::ReadRequest> reads;
    std::deque<wire::AtomicRequest> atomics;
    std::uint32_t request_id = 0;
    Named last;
    std::optional<Named> kept;
    std::optional<std::size_t> mulpdu;
  };

  [[nodiscard]] DdpEnd& ddp(Side side) { return ends_[index(side)]; }
  [[nodiscard]] const DdpEnd& ddp(Side side) const { return ends_[index(side)]; }
  [[nodiscard]] Alter next_alter(Side side);
  void ddp_segment(Side side, wire::DdpTagged header, Octets payload);
  void ddp_segment(Side side, wire::DdpUntagged header, Octets payload);
  void altered(Side side, Buffer segment, std::size_t header_octets, const Alter& alter);

  std::array<DdpEnd, 2> ends_;
  Random random_;
  std::optional<Alter> any_alter_;
  std::uint8_t version_ = 1;
  Fill fill_ = Fill::random;
  std::shared_ptr<AtomicMemory> memory_ = std::make_shared<AtomicMemory>();
};

}  // namespace iwarpscope::synth
