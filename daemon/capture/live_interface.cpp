// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/live_interface.h"

#include <net/if.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capture/parser.h"
#include "capture/xdp_socket.h"

namespace iwarpscope::capture {
namespace {

std::string now() {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

tl::expected<LiveInterface::Sockets, std::string> LiveInterface::open_all(const LinkQuery& link, unsigned workers) {
  if (options_.method == Method::ring) return open_rings(workers);
  const ReceivePath path = link.receive_path(name());
  auto sockets = open_xdp(path, workers);
  if (sockets) return sockets;
  {
    const std::lock_guard lock(mutex_);
    notes_.say(fmt::format("{}: AF_XDP is not available ({}): a ring of the kernel is used", name(), sockets.error()));
  }
  return open_rings(workers);
}

tl::expected<LiveInterface::Sockets, std::string> LiveInterface::open_xdp(const ReceivePath& path, unsigned workers) {
  if (!has_link()) return tl::unexpected(std::string("it needs one interface"));
  if (path.takes_tags_off) {
    return tl::unexpected(fmt::format("the adapter removes VLAN tags: 'ethtool -K {} rxvlan off'", name()));
  }
  if (path.queues < workers) {
    return tl::unexpected(fmt::format("{} workers need as many receive queues; there is {}", workers, path.queues));
  }
  InterfaceOptions options = options_;
  options.filter = filter();
  // Ethernet's header, two VLAN tags, and what a driver may leave of the checksum.
  constexpr std::size_t kAroundMtu = 26;
  const std::size_t longest = path.mtu + kAroundMtu;
  auto program =
      XdpProgram::attach(::if_nametoindex(name().c_str()), path.queues, longest > XdpSocket::kLongestInAPage);
  if (!program) return tl::unexpected(program.error());
  Sockets sockets;
  bool zero_copy = true;
  for (unsigned worker = 0; worker < workers; ++worker) {
    XdpSocket::Share share{*program, {}, longest};
    for (unsigned queue = worker; queue < path.queues; queue += workers) share.queues.push_back(queue);
    auto socket = XdpSocket::open(options, std::move(share));
    if (!socket) return tl::unexpected(socket.error());
    zero_copy = zero_copy && (*socket)->is_zero_copy();
    sockets.push_back(std::move(*socket));
  }
  const std::lock_guard lock(mutex_);
  link_type_ = net::LinkType::ethernet;
  snap_length_ = options.snap_length == 0 ? kLongestSnap : std::min(options.snap_length, kLongestSnap);
  time_source_ = "host-ns";
  method_ = zero_copy ? "xdp-zero-copy" : (*program)->is_native() ? "xdp-native" : "xdp-generic";
  counts_full_sockets_ = path.driver == "veth";
  return sockets;
}

tl::expected<LiveInterface::Sockets, std::string> LiveInterface::open_rings(unsigned workers) {
  Sockets sockets;
  for (unsigned worker = 0; worker < workers; ++worker) {
    auto socket = open();
    if (!socket) return tl::unexpected(socket.error().cause);
    if (auto joined = join(*socket, ::if_nametoindex(name().c_str())); !joined) return tl::unexpected(joined.error());
    sockets.push_back(std::make_unique<RingSocket>(std::move(*socket)));
  }
  return sockets;
}

tl::expected<RingSocket, RingSocket::Failure> LiveInterface::open() {
  InterfaceOptions options = options_;
  options.filter = filter();
  auto socket = RingSocket::open(options);
  if (!socket) return socket;
  const std::lock_guard lock(mutex_);
  link_type_ = socket->link();
  snap_length_ = socket->snap_length();
  if (method_ == "ring") time_source_ = socket->time_source();  // otherwise it is a spare one
  if (!socket->warning().empty()) notes_.say(name() + ": " + socket->warning());
  // Once, however many workers open it.
  if (!socket->time_refused().empty() && !std::exchange(time_reported_, true)) {
    news_.say(name() + ": " + socket->time_refused());
  }
  return socket;
}

void LiveInterface::set_filter(const std::string& filter) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(filter_, filter) != filter) filters_.fetch_add(1, std::memory_order_release);
}

std::string LiveInterface::filter() const {
  const std::lock_guard lock(mutex_);
  return filter_;
}

tl::expected<void, std::string> LiveInterface::join(RingSocket& socket, unsigned link_index) {
  if (options_.workers < 2) return {};
  const std::lock_guard lock(mutex_);
  if (group_link_ != link_index) group_.reset();  // a group belongs to one interface of the kernel
  group_link_ = link_index;
  return socket.join(group_);
}

void LiveInterface::see_moved(const RingSocket& socket) {
  const std::lock_guard lock(mutex_);
  if (!socket.warning().empty()) notes_.say(name() + ": " + socket.warning());
}

void LiveInterface::captured_by_rings(const char* time_source) {
  const std::lock_guard lock(mutex_);
  method_ = "ring";
  time_source_ = time_source;
  // What a ring has no room for is not in the interface's count.
  if (std::exchange(counts_full_sockets_, false)) counted_twice_ = dropped_by_kernel.load(std::memory_order_relaxed);
}

void LiveInterface::see(const std::optional<LinkState>& link) {
  const std::lock_guard lock(mutex_);
  const bool up = link && link->up;
  if (link) {
    if (link->index != link_index_) dropped_before_ = link_index_ == 0 ? link->dropped : 0;
    link_index_ = link->index;
    const std::uint64_t before = dropped_before_.value_or(link->dropped);
    dropped_by_nic_ += link->dropped >= before ? link->dropped - before : link->dropped;
    dropped_before_ = link->dropped;
    // A frame may be in the interface's count before a reader has counted it: what was there a look ago is compared.
    const std::uint64_t a_look_ago = std::exchange(counted_a_look_ago_, dropped_by_nic_);
    const std::uint64_t own = counts_full_sockets_ ? a_look_ago : dropped_by_nic_;
    if (counts_full_sockets_) counted_twice_ = dropped_by_kernel.load(std::memory_order_relaxed);
    dropped_before_sockets_ = std::max(dropped_before_sockets_, own - std::min(own, counted_twice_));
  }
  if (up == up_) return;
  up_ = up;
  count_outages();
  if (up) {
    troubles_.clear();
    news_.say(name() + ": the interface is up again; the capture continues", now());
  } else if (link) {
    troubles_.say(name() + ": the interface is down; the capture continues when it is up again", now());
  } else {
    troubles_.say(name() + ": the interface disappeared; the capture continues when it is back", now());
  }
}

void LiveInterface::see_offloads(std::vector<std::string> offloads) {
  const std::lock_guard lock(mutex_);
  offloads_ = std::move(offloads);
}

void LiveInterface::say(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  notes_.say(name() + ": " + sentence, now());
}

void LiveInterface::trouble(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  troubles_.say(name() + ": " + sentence, now());
}

void LiveInterface::goes_on() {
  const std::lock_guard lock(mutex_);
  troubles_.clear();
}

void LiveInterface::socket_lost() {
  const std::lock_guard lock(mutex_);
  ++sockets_lost_;
  count_outages();
}

void LiveInterface::socket_back() {
  const std::lock_guard lock(mutex_);
  --sockets_lost_;
  count_outages();
}

void LiveInterface::captured_by_one() {
  const std::lock_guard lock(mutex_);
  sockets_spared_ = std::max(options_.workers, 1u) - 1;
  count_outages();
}

void LiveInterface::count_outages() {
  const bool capturing = up_ && sockets_lost_ <= sockets_spared_;
  if (capturing_ && !capturing) ++outages_;
  capturing_ = capturing;
}

IntakeCounters LiveInterface::counters() const {
  IntakeCounters counters;
  counters.name = name();
  counters.frames = frames.load(std::memory_order_relaxed);
  counters.octets = octets.load(std::memory_order_relaxed);
  counters.dropped_by_kernel = dropped_by_kernel.load(std::memory_order_relaxed);
  counters.dropped_by_queue = dropped_by_queue.load(std::memory_order_relaxed);
  const std::uint64_t done = counters.frames + counters.dropped_by_queue;
  counters.waiting = std::max(captured.load(std::memory_order_relaxed), done) - done;
  const std::lock_guard lock(mutex_);
  counters.link_type = link_name(link_type_);
  counters.snap_length = snap_length_;
  counters.dropped_by_nic = dropped_before_sockets_;
  counters.up = up_;
  counters.capturing = capturing_;
  counters.outages = outages_;
  counters.time_source = time_source_;
  counters.method = method_;
  counters.offloads = offloads_;
  counters.warnings = notes_.sentences();
  for (std::string& trouble : troubles_.sentences()) counters.warnings.push_back(std::move(trouble));
  counters.news = news_.sentences();
  if (!offloads_.empty()) {
    std::string off;
    for (const std::string& offload : offloads_) off += fmt::format(" {} off", offload);
    counters.warnings.push_back(fmt::format(
        "{}: receive offload is on ({}): the interface joins TCP segments before the capture, and their times, flags "
        "and checksums are lost; turn it off with 'ethtool -K {}{}'",
        name(), fmt::join(offloads_, ", "), name(), off));
  }
  return counters;
}

}  // namespace iwarpscope::capture
