// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The layers between TCP and the tap: IP, fragments, tags, tunnels and the link.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "synth/frame.h"
#include "synth/wire/address.h"
#include "synth/wire/ip.h"
#include "synth/wire/link.h"

namespace iwarpscope::synth {

/// A mirror transport around each mirrored frame.
struct Tunnel {
  enum class Kind : std::uint8_t { gre_ip, gre_ethernet, erspan_1, erspan_2, erspan_3, vxlan, geneve, geneve_ip };
  Kind kind = Kind::vxlan;
  std::uint32_t id = 42;          ///< GRE key, ERSPAN session or VNI
  std::uint16_t erspan_vlan = 0;  ///< in the ERSPAN header, in place of that of the first tag inside
  Address source = "192.0.2.1";
  Address destination = "192.0.2.2";
  Buffer options{};                    ///< GENEVE options
  std::vector<wire::VlanTag> vlans{};  ///< on the outer frame
};

/// How the packets of a connection travel. VLAN tags and MPLS labels belong to the frame with the TCP segment, so they
/// are inside a tunnel if there is one (tunnels that carry IP without Ethernet drop them).
struct Path {
  LinkType link = LinkType::ethernet;
  std::vector<wire::VlanTag> vlans{};     ///< outermost first
  std::vector<wire::MplsLabel> labels{};  ///< outermost first
  std::optional<Tunnel> tunnel{};
  Buffer ipv4_options{};
  std::vector<wire::Ipv6Extension> ipv6_extensions{};
  std::size_t fragment_payload = 0;  ///< octets of IP payload in each fragment; 0: no fragments
  bool fragments_reversed = false;   ///< the last fragment is captured first
  bool pad_ethernet = false;         ///< frames below 60 octets get a trailer
  std::size_t snap_length = 262144;  ///< octets of a frame that the capture keeps
};

/// One IP packet before it becomes frames.
struct IpPacket {
  Address source{}, destination{};
  Mac source_mac{}, destination_mac{};
  std::uint16_t identification = 0;
  std::uint8_t ttl = 64;
  std::uint8_t protocol = wire::kProtocolTcp;
  Buffer payload{};
};

/// Puts packets into frames; counts what a mirror counts (ERSPAN sequence numbers).
class Framer {
 public:
  explicit Framer(Path path) : path_(std::move(path)) {}
  /// The frames of one packet, each with octets and original length; the caller sets time and interface.
  [[nodiscard]] Frames frames(const IpPacket& packet);
  [[nodiscard]] Path& path() noexcept { return path_; }

 private:
  [[nodiscard]] Frame frame(const IpPacket& packet, Buffer ip);
  [[nodiscard]] Buffer ethernet(const IpPacket& packet, Buffer ip) const;
  [[nodiscard]] Buffer tunnelled(const IpPacket& packet, Buffer ip);

  Path path_;
  std::uint32_t mirrored_ = 0;
};

}  // namespace iwarpscope::synth
