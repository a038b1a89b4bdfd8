// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/live_interface.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "capture/parser.h"

namespace iwarpscope::capture {
namespace {

std::string now() {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

}  // namespace

tl::expected<CaptureSocket, CaptureSocket::Failure> LiveInterface::open() {
  InterfaceOptions options = options_;
  options.filter = filter();
  auto socket = CaptureSocket::open(options);
  if (!socket) return socket;
  const std::lock_guard lock(mutex_);
  link_type_ = socket->link();
  snap_length_ = socket->snap_length();
  time_source_ = socket->time_source();
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

tl::expected<void, std::string> LiveInterface::join(CaptureSocket& socket, unsigned link_index) {
  if (options_.workers < 2) return {};
  const std::lock_guard lock(mutex_);
  if (group_link_ != link_index) group_.reset();  // a group belongs to one interface of the kernel
  group_link_ = link_index;
  return socket.join(group_);
}

void LiveInterface::see_moved(const CaptureSocket& socket) {
  const std::lock_guard lock(mutex_);
  time_source_ = socket.time_source();
  if (!socket.warning().empty()) notes_.say(name() + ": " + socket.warning());
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
  counters.dropped_by_nic = dropped_by_nic_;
  counters.up = up_;
  counters.capturing = capturing_;
  counters.outages = outages_;
  counters.time_source = time_source_;
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
