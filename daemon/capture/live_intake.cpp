// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "capture/live_intake.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace iwarpscope::capture {
namespace {

/// As many members as a fanout group has. Source: linux/if_packet.h, PACKET_FANOUT_MAX.
constexpr unsigned kMostWorkers = 256;

[[nodiscard]] unsigned workers_of(const InterfaceOptions& options) {
  return std::clamp(options.workers, 1u, kMostWorkers);
}

/// How late a frame may be readable: a block is retired at the second tick of kBlockTime that sees it, a tick takes up
/// to 10 ms more with a kernel of 100 Hz, and a thread must be woken.
constexpr std::chrono::milliseconds kSettle{30};
static_assert(kSettle > 2 * kBlockTime && kSettle < TimeMerge::kMostWait);

}  // namespace

LiveIntake::LiveIntake(std::size_t lanes, const IntakeOptions& options)
    : QueuedIntake(lanes, {options.queue_octets, options.simulate_full_queue_every, kSettle}) {}

tl::expected<std::unique_ptr<Intake>, Error> LiveIntake::open(const IntakeOptions& options) {
  std::size_t lanes = 0;
  std::set<std::string> names;
  for (const InterfaceOptions& i : options.interfaces) {
    if (!names.insert(i.name).second) return tl::unexpected(Error{i.name, {}, "the interface is listed twice"});
    lanes += workers_of(i);
  }
  std::unique_ptr<LiveIntake> intake(new LiveIntake(lanes, options));
  if (intake->bell_.descriptor() < 0) {
    return tl::unexpected(Error{"capture", {}, "no more files can be opened; raise the limit ('ulimit -n')"});
  }
  for (const InterfaceOptions& i : options.interfaces) {
    if (auto error = intake->add(i, options.tap_groups)) return tl::unexpected(*std::move(error));
  }
  auto handlers = TypeHandlers::open();
  if (!handlers) return tl::unexpected(Error{"capture", {}, handlers.error()});
  intake->handlers_ = std::move(*handlers);
  return intake;
}

std::optional<Error> LiveIntake::add(const InterfaceOptions& options, const TapGroups& groups) {
  const std::size_t index = interfaces_.size();
  interfaces_.push_back(
      std::make_unique<LiveInterface>(options, static_cast<std::uint32_t>(index), groups.of(index, options.name)));
  LiveInterface& interface = *interfaces_.back();
  const auto refused = [&](std::string cause) { return Error{options.name, {}, std::move(cause)}; };
  auto link = LinkQuery::open();
  if (!link) return refused(link.error());
  interface.see_offloads(link->offloads(options.name));
  auto sockets = interface.open_all(*link, workers_of(options));
  if (!sockets) return refused(sockets.error());
  const std::size_t first = readers_.size();
  for (auto& socket : *sockets) {
    auto own_link = LinkQuery::open();
    if (!own_link) return refused(own_link.error());
    readers_.push_back(std::make_unique<LiveReader>(interface, readers_.size() == first,
                                                    LiveReader::Lane{handover_, readers_.size()}, std::move(socket),
                                                    std::move(*own_link)));
  }
  // One ring can be moved to an interface that comes back; neither the members of a group nor AF_XDP sockets can.
  const bool can_move = options.method == Method::ring && sockets->size() == 1;
  if (can_move || !interface.has_link()) return std::nullopt;
  auto spare = interface.open();
  if (!spare) return refused(spare.error().cause);
  spare->park();
  readers_[first]->keep(std::move(*spare));
  return std::nullopt;
}

void LiveIntake::start() {
  for (const auto& reader : readers_) reader->accept();
  for (const auto& reader : readers_) {
    begin("capture", [r = reader.get(), stop = bell_.descriptor()] { r->run(stop); });
  }
}

void LiveIntake::set_filter(const std::string& interface, const std::string& filter) {
  for (const auto& each : interfaces_) {
    if (each->name() == interface) each->set_filter(filter);
  }
}

std::vector<IntakeCounters> LiveIntake::counters() const {
  std::vector<IntakeCounters> all;
  for (const auto& interface : interfaces_) all.push_back(interface->counters());
  return all;
}

void LiveIntake::give(TimeMerge::Run& run) {
  std::uint64_t octets = 0;
  for (net::Frame& frame : run.frames) {
    frame.number = FrameNumber{++given_};
    octets += frame.octets.size();
  }
  LiveInterface& interface = *interfaces_[run.frames.front().interface];
  interface.frames.fetch_add(run.frames.size(), std::memory_order_relaxed);
  interface.octets.fetch_add(octets, std::memory_order_relaxed);
}

}  // namespace iwarpscope::capture
