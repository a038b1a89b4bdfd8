// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/payload.h"

#include <algorithm>

#include "ddp/header.h"

namespace iwarpscope::plugin {
namespace {

std::uint32_t header_octets(const MessageEntry& message) noexcept {
  const std::size_t ddp = message.tagged ? ddp::DdpTaggedHeader::kOctets : ddp::DdpUntaggedHeader::kOctets;
  return static_cast<std::uint32_t>(ddp);
}

/// The ULPDU, as far as it was captured and is available.
Octets ulpdu(const FpduEntry& fpdu, epan_dissect_t* edt) noexcept {
  if (fpdu.at == kNone) return fpdu.octets.view();
  // Within the captured octets, so this does not fail.
  if (edt->tvb == nullptr || tvb_captured_length(edt->tvb) < fpdu.at + fpdu.captured) return {};
  const auto* const octets = tvb_get_ptr(edt->tvb, static_cast<int>(fpdu.at), static_cast<int>(fpdu.captured));
  return {reinterpret_cast<const std::byte*>(octets), fpdu.captured};
}

}  // namespace

address address_of(const net::IpAddress& from) noexcept {
  address to;
  if (from.is_v4()) {
    set_address(&to, AT_IPv4, 4, from.octets.data() + 12);
  } else {
    set_address(&to, AT_IPv6, 16, from.octets.data());
  }
  return to;
}

std::uint32_t payload_octets(const Tapped& tapped) noexcept {
  if (tapped.message == nullptr) return 0;
  const std::uint32_t headers = header_octets(*tapped.message);
  if (!rdmap::traits(tapped.message->opcode).has_payload || tapped.fpdu->ulpdu_length < headers) return 0;
  return tapped.fpdu->ulpdu_length - headers;
}

Octets payload(const Tapped& tapped, epan_dissect_t* edt) noexcept {
  if (payload_octets(tapped) == 0) return {};
  const Octets octets = ulpdu(*tapped.fpdu, edt);
  const std::uint32_t headers = header_octets(*tapped.message);
  return octets.size() > headers ? octets.subspan(headers) : Octets{};
}

bool is_late(const Session& session, Frame frame, std::uint32_t finding) {
  const FrameView view = session.frame(frame);
  return std::any_of(view.late.begin(), view.late.end(),
                     [finding](const Item& item) { return item.kind == Item::Kind::finding && item.index == finding; });
}

bool is_first_in_packet(const Tapped& tapped, const packet_info* pinfo) {
  const FrameView view = tapped.session->frame(pinfo->num);
  for (const std::span<const Item> items : {view.items, view.late}) {
    for (const Item& item : items) {
      if (item.kind == Item::Kind::finding || item.direction != tapped.item.direction ||
          item.connection != tapped.item.connection) {
        continue;
      }
      return item.kind == tapped.item.kind && item.index == tapped.item.index;
    }
  }
  return true;
}

}  // namespace iwarpscope::plugin
