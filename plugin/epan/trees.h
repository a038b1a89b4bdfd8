// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The parts of a frame's tree. All of them fail by longjmp; none holds an object with a destructor.
#pragma once

#include "epan/wireshark.h"
#include "session/session.h"

namespace iwarpscope::plugin {

/// The subtrees whose expanded state Wireshark saves.
enum class Subtree : std::uint8_t {
  iwarp,
  startup,
  flags,
  session_message,
  fpdu,
  marker,
  ddp,
  control,
  rdmap,
  message,
  terminate,
  finding,
  count
};
void register_subtrees();
[[nodiscard]] int id_of(Subtree subtree) noexcept;

/// A frame that is being dissected.
struct Showing {
  tvbuff_t* frame = nullptr;  ///< all of it
  packet_info* pinfo = nullptr;
  proto_tree* root = nullptr;  ///< of the frame; may be null, like `tree`
  proto_tree* tree = nullptr;  ///< of iWARP
  const Session* session = nullptr;
  const Connection* connection = nullptr;
  const PayloadEntry* payload = nullptr;
  Direction direction{};   ///< of the frame's contents
  bool has_items = false;  ///< startup frames, FPDUs or findings are shown in it
};

/// Position of octets of a stream.
struct Place {
  tvbuff_t* tvb = nullptr;
  int at = 0, length = 0;  ///< length 0: they are not in this frame
};
/// The part of [from, to) of the connection's stream in this frame.
[[nodiscard]] Place place_of(const Showing& showing, Direction direction, StreamOffset from, StreamOffset to);

/// Octets of a message: `have` of them, from `at` on.
struct Part {
  tvbuff_t* tvb = nullptr;
  int at = 0, have = 0;
};
/// Octets of a message or ULPDU: in the frame, or kept.
struct Source {
  std::uint32_t at = kNone;  ///< in the frame; kNone: not all are there, one after another
  Kept kept;
  std::uint32_t captured = 0;
  std::uint32_t length = 0;  ///< on the wire
};
/// `title`: of their own buffer. Null: they were not kept.
[[nodiscard]] tvbuff_t* octets_of(const Showing& showing, const Source& source, const char* title);

/// A DDP segment, whole or in part.
struct Segment {
  Direction direction{};
  const FpduEntry& fpdu;
  const MessageEntry* message = nullptr;  ///< null: it is of none
  tvbuff_t* ulpdu = nullptr;
  bool tagged = false;
  int header = 0;  ///< octets of the DDP header, all of them in `ulpdu`
};

void show_startup(const Showing& showing, const StartupFrameEntry& entry);
/// Enhanced data and Private Data of a startup frame, or of a session control message.
void show_startup_data(const Showing& showing, const mpa::StartupFrame& frame, const Part& data, proto_tree* tree);
void show_fpdu(const Showing& showing, Direction direction, std::uint32_t index);
// Over SCTP.
void show_control(const Showing& showing, const StartupFrameEntry& entry);
void show_session_segment(const Showing& showing, Direction direction, std::uint32_t index);
/// A DATA chunk of the frame whose message is shown in another frame, or not at all.
void show_chunk(const Showing& showing, const ChunkEntry& chunk);
/// The name of a session control message: "Initiate (code 1)". Lives as long as the packet.
[[nodiscard]] const char* control_words(packet_info* pinfo, const ControlEntry& control);
/// DDP and RDMAP of an FPDU whose ULPDU is all of `ulpdu`; appends a summary to `title`.
void show_ulpdu(const Showing& showing, Direction direction, const FpduEntry& fpdu, tvbuff_t* ulpdu, proto_item* title);
void show_terminate(const Showing& showing, const Segment& segment, proto_tree* tree);
void show_message(const Showing& showing, Direction direction, const FpduEntry& fpdu, const MessageEntry& message,
                  proto_tree* tree);
void show_finding(packet_info* pinfo, tvbuff_t* frame, proto_tree* tree, const findings::Finding& finding);
void show_queue_pair(const Showing& showing, Direction direction);

/// The DDP control octet's fields, for a header on the wire or in a Terminate.
void show_ddp_header(tvbuff_t* tvb, int at, int length, proto_tree* tree);
/// The header of a complete Read Request: on the wire or in a Terminate.
void show_read_request(tvbuff_t* tvb, int at, proto_tree* tree);

/// Passes payload to dissectors of upper layers; it may be empty. Precondition: segment.message is not null.
void call_upper_layer(const Showing& showing, const Segment& segment);

/// The Info column is displayed, and enabled in the preferences.
[[nodiscard]] bool writes_info(const Showing& showing);
/// Adds to the Info column.
void info(const Showing& showing, const char* format, ...) G_GNUC_PRINTF(2, 3);

}  // namespace iwarpscope::plugin
