// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Startup phase of one connection: who asks for what, what is agreed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "findings/finding.h"
#include "mpa/framer.h"
#include "tcp/stream.h"

namespace iwarpscope::mpa {

/// Enhanced data of RFC 6581 §9. IRD and ORD 0x3FFF: not negotiated.
struct EnhancedData {
  std::uint16_t ird = 0;
  std::uint16_t ord = 0;
  bool peer_to_peer = false;  ///< A
  bool rtr_send = false;      ///< B
  bool rtr_write = false;     ///< C
  bool rtr_read = false;      ///< D
};
inline constexpr std::uint16_t kDepthNotNegotiated = 0x3FFF;

/// One startup frame, kept. Source: RFC 5044 §7.1.1, RFC 6581 §6.
struct StartupFrame {
  FrameNumber frame;  ///< that completed it; of one that was never complete: with the last octet of its header
  TimePoint time;
  StreamOffset start;
  StreamOffset end;                     ///< the octet after it: SeqStart of its direction
  std::vector<std::byte> private_data;  ///< the ULP's: without the enhanced octets; at most 512
  bool reply_key = false;               ///< "MPA ID Rep Frame"
  bool key_exact = true;
  std::array<std::byte, 16> key{};  ///< as sent
  bool markers = false;             ///< M
  bool crc = false;                 ///< C
  bool rejected = false;            ///< R
  bool enhanced_flag = false;       ///< S
  std::uint8_t reserved = 0;        ///< the low four flag bits
  std::uint8_t revision = 0;
  std::uint16_t private_data_length = 0;  ///< PD_Length as sent
  std::uint16_t function_code = 0;        ///< over SCTP: of the session control message (RFC 5043 §5.2.3); 0: MPA's
  std::optional<EnhancedData> enhanced;   ///< with S and at least four octets of private data
  std::optional<EnhancedData> legacy;     ///< MS-SMBD legacy IRD/ORD recognised (only ird and ord are meaningful)
};

/// Of StartupFrame::reserved: Linux siw announces with it FPDUs above one TCP segment (its GSO option).
inline constexpr std::uint8_t kSiwGsoBit = 0x08;

enum class StartupPhase : std::uint8_t {
  await_request,   ///< nothing of MPA yet (streaming mode)
  await_reply,     ///< Request complete
  rejected,        ///< Reply with R=1: TCP stays usable, a new Request may come (RFC 5044 §7.1.2)
  full_operation,  ///< both directions may carry FPDUs
  failed,          ///< malformed: nothing more is expected
};

/// What startup agreed on; what only a frame that was not seen could tell is empty (one-sided capture, capture gap).
/// Source: RFC 5044 §7.1, RFC 6581 §9, Appendix C for RDMAC mode.
struct Agreement {
  Direction initiator{};                                        ///< direction of the Initiator's octets
  std::optional<bool> crc;                                      ///< C of the Request or of the Reply
  std::array<std::optional<bool>, 2> markers{};                 ///< by direction of the octets that carry them
  std::array<std::optional<StreamOffset>, 2> sequence_start{};  ///< end of that direction's startup frame, when seen
  bool enhanced = false;
  bool rdmac = false;  ///< revision 0 mode: DDP and RDMAP version 0
  /// Reads the sender of direction d may have outstanding, when known: Initiator: reply IRD; Responder: reply ORD.
  std::array<std::optional<std::uint16_t>, 2> read_depth{};
};

/// True when the octets at the start of a TCP segment could begin a startup frame: the key, whole or its beginning, or
/// one with up to four octets damaged. Cheap: called for the first payload octets of every TCP connection.
[[nodiscard]] bool may_be_startup_frame(Octets octets) noexcept;

/// The Startup phase of one connection, both directions. Feed it each direction's octets in order until phase() says
/// full_operation; the octets it does not consume belong to Full Operation. Raises the MS rules that startup frames
/// decide (those about the first FPDU are raised above). Holds at most 20 + 512 octets a direction of an unfinished
/// frame, and bounded early octets of an Initiator that did not wait. Source: RFC 5044 §7.1, RFC 6581.
class Startup {
 public:
  explicit Startup(findings::Reporter& reporter);
  ~Startup();

  /// Returns how many leading octets of the chunk were taken by startup (streaming mode octets before MPA included).
  /// Fewer than given: the rest belongs to Full Operation, phase() is full_operation. `opposite_seen`: whether any
  /// octet or ACK of the other direction was captured (a one-sided capture has no Reply).
  std::size_t octets(Direction d, const tcp::Chunk& chunk, bool opposite_seen);
  /// Octets of d that will never come. May itself lead to full_operation, where the private data of a Reply is missing;
  /// then octets beyond agreement().sequence_start[d] are for the framer to miss.
  void missing(Direction d, StreamOffset offset, std::uint64_t length);
  /// d's half ended (FIN in order, RST, or the capture's end). Call it once for each direction; for an RST first for
  /// the direction that sent it.
  void ended(Direction d, bool by_fin, bool by_rst, FrameNumber frame, TimePoint time);
  /// The other side acknowledges more of d than the capture has, perhaps its FIN: d may be the one that closed first.
  void may_have_ended(Direction d);
  /// Octets of d may be missing that nothing else shows: of its first ones, or before the RST that ends it.
  void may_lack(Direction d);
  /// The RST of the other end does not show how much of d had come, or the capture dropped frames before it: the rest
  /// of a startup frame may be among them.
  void may_lack_rest(Direction d);

  [[nodiscard]] StartupPhase phase() const noexcept;
  /// A part of what may be a startup frame is held, in either direction.
  [[nodiscard]] bool is_collecting() const noexcept;
  /// The startup frame of `d` has begun, with enough octets to know it as one, and is not at its end.
  [[nodiscard]] bool is_inside_frame(Direction d) const noexcept;
  /// The newest Request and its Reply (a rejected connection may start again).
  [[nodiscard]] const StartupFrame* request() const noexcept;
  [[nodiscard]] const StartupFrame* reply() const noexcept;
  /// Precondition: phase() is full_operation.
  [[nodiscard]] const Agreement& agreement() const noexcept;
  /// Octets of the Initiator that came after its Request and before the Reply, as TCP handed them up, to be framed from
  /// sequence_start when Full Operation begins; empty otherwise. At most 16 KiB, without a hole: what lies between
  /// their end and the next octet given to the framer is missing. They borrow their octets until the next call.
  [[nodiscard]] std::vector<tcp::Chunk> early_chunks() const;

  template <class A>
  void archive(A& a);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::mpa
