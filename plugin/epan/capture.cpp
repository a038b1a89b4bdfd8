// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "epan/capture.h"

#include <epan/plugin_if.h>
#include <wiretap/wtap.h>

#include <memory>
#include <new>

#include "epan/preferences.h"

namespace iwarpscope::plugin {
namespace {

std::unique_ptr<Session> capture_session;
std::int64_t last_fed = -1;  // position in the file of the frame fed last
bool separate_interfaces = false;

/// Source: pcap-linktype(7); the numbers are Wireshark's own.
std::optional<net::LinkType> link_type(int encapsulation) noexcept {
  switch (encapsulation) {
    case WTAP_ENCAP_ETHERNET: return net::LinkType::ethernet;
    case WTAP_ENCAP_RAW_IP: return net::LinkType::raw_ip;
    case WTAP_ENCAP_RAW_IP4: return net::LinkType::ipv4;
    case WTAP_ENCAP_RAW_IP6: return net::LinkType::ipv6;
    case WTAP_ENCAP_SLL: return net::LinkType::linux_sll;
    case WTAP_ENCAP_SLL2: return net::LinkType::linux_sll2;
    case WTAP_ENCAP_NULL: return net::LinkType::null;
    case WTAP_ENCAP_LOOP: return net::LinkType::openbsd_loop;
    default: return std::nullopt;
  }
}

/// Frames are still being read or captured. Only the window knows this; tshark has read all frames when it returns to
/// one.
bool is_reading() {
  ws_info_t* info = nullptr;
  plugin_if_get_ws_info(&info);
  return info != nullptr && info->ws_info_supported && info->cf_state == FILE_READ_IN_PROGRESS;
}

tvbuff_t* frame_octets(packet_info* pinfo) {
  return pinfo->data_src != nullptr ? get_data_source_tvb(static_cast<struct data_source*>(pinfo->data_src->data))
                                    : nullptr;
}

void feed(packet_info* pinfo) {
  tvbuff_t* const octets = frame_octets(pinfo);
  if (octets == nullptr || pinfo->rec == nullptr || pinfo->rec->rec_type != REC_TYPE_PACKET) return;
  const auto link = link_type(pinfo->rec->rec_header.packet_header.pkt_encap);
  const auto captured = static_cast<std::size_t>(tvb_captured_length(octets));
  net::Frame frame;
  frame.number = FrameNumber{pinfo->num};
  frame.time = TimePoint{std::int64_t{pinfo->abs_ts.secs} * 1'000'000'000 + pinfo->abs_ts.nsecs};
  // The core counts frames with an unknown link type.
  frame.link = link.value_or(static_cast<net::LinkType>(0xFFFF));
  frame.interface = pinfo->rec->rec_header.packet_header.interface_id;
  if (separate_interfaces) frame.tap_group = frame.interface + 1;
  frame.original_length = pinfo->rec->rec_header.packet_header.len;
  // All captured octets are contiguous: this cannot throw.
  if (captured != 0) {
    frame.octets = {reinterpret_cast<const std::byte*>(tvb_get_ptr(octets, 0, static_cast<int>(captured))), captured};
  }
  capture_session->feed(frame);
}

/// The session after `work`; null: memory ran out, and nothing is shown from here on instead of wrong results.
template <class Work>
const Session* unless_out_of_memory(const Work& work) noexcept {
  try {
    work();
  } catch (const std::bad_alloc&) {
    capture_session.reset();
  }
  return capture_session.get();
}

void open_capture() {
  capture_session = std::make_unique<Session>(session_options());
  last_fed = -1;
  separate_interfaces = preferences().separate_interfaces;
}

void close_capture() {
  capture_session.reset();
}

}  // namespace

void register_capture() {
  register_init_routine(&open_capture);
  register_cleanup_routine(&close_capture);
}

const Session* session_at(packet_info* pinfo) noexcept {
  if (capture_session == nullptr) return nullptr;
  if (pinfo->fd->visited) return session_at_end();
  if (pinfo->fd->file_off == last_fed && capture_session->last_frame() == pinfo->num) return capture_session.get();
  last_fed = pinfo->fd->file_off;
  return unless_out_of_memory([pinfo] { feed(pinfo); });
}

const Session* session_at_end() noexcept {
  if (capture_session == nullptr || capture_session->is_finished() || is_reading()) return capture_session.get();
  return unless_out_of_memory([] { capture_session->finish(); });
}

void none_took(std::uint32_t connection, Direction direction, std::uint32_t message) noexcept {
  if (capture_session != nullptr) capture_session->none_took(connection, direction, message);
}

const Session* current_session() noexcept {
  return capture_session.get();
}

}  // namespace iwarpscope::plugin
