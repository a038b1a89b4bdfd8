// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/filter.h"

#include <pcap/pcap.h>

#include "capture/parser.h"

namespace iwarpscope::capture {
namespace {

/// libpcap's own number of a link type: the two differ for raw IP only, of those decoded here.
[[nodiscard]] int dlt_of(net::LinkType link) noexcept {
  return link == net::LinkType::raw_ip ? DLT_RAW : static_cast<int>(link);
}

}  // namespace

std::string link_name(net::LinkType link) {
  const char* name = pcap_datalink_val_to_name(dlt_of(link));
  return name != nullptr ? name : "LINKTYPE_" + std::to_string(static_cast<unsigned>(link));
}

net::LinkType link_of(std::uint32_t number) noexcept {
  constexpr std::uint32_t kRaw = 12;         // DLT_RAW
  constexpr std::uint32_t kOpenBsdRaw = 14;  // DLT_RAW of OpenBSD
  if (number == kRaw || number == kOpenBsdRaw) return net::LinkType::raw_ip;
  return static_cast<net::LinkType>(number > 0xFFFFu ? 0xFFFFu : number);
}

void Filter::prepare() {
  if (is_empty()) return;
  using Link = net::LinkType;
  for (const Link link : {Link::ethernet, Link::null, Link::raw_ip, Link::openbsd_loop, Link::linux_sll, Link::ipv4,
                          Link::ipv6, Link::linux_sll2}) {
    if (!compile(link) && link == Link::ethernet) return;  // each attempt may wait for a server of names
  }
}

tl::expected<const bpf_program*, std::string> Filter::compile(net::LinkType link) {
  if (const auto known = programs_.find(link); known != programs_.end()) return known->second.get();
  const std::unique_ptr<pcap_t, void (*)(pcap_t*)> handle(pcap_open_dead(dlt_of(link), int{kMaxFrame}), pcap_close);
  if (!handle) return tl::unexpected(std::string("libpcap has no memory"));
  const std::shared_ptr<bpf_program> program(new bpf_program{}, [](bpf_program* compiled) {
    pcap_freecode(compiled);
    delete compiled;
  });
  constexpr int kOptimize = 1;
  if (pcap_compile(handle.get(), program.get(), expression_.c_str(), kOptimize, PCAP_NETMASK_UNKNOWN) != 0) {
    return tl::unexpected("filter '" + expression_ + "' on link type " + link_name(link) + ": " +
                          pcap_geterr(handle.get()));
  }
  return programs_.emplace(link, program).first->second.get();
}

tl::expected<bool, std::string> Filter::matches(const net::Frame& frame) {
  if (is_empty()) return true;
  const auto program = compile(frame.link);
  if (!program) return tl::unexpected(program.error());
  pcap_pkthdr header{};
  header.caplen = static_cast<bpf_u_int32>(frame.octets.size());
  header.len = frame.original_length;
  return pcap_offline_filter(*program, &header, reinterpret_cast<const u_char*>(frame.octets.data())) != 0;
}

}  // namespace iwarpscope::capture
