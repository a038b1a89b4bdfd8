// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "outputs/recorder.h"

namespace iwarpscope::outputs {
namespace {

constexpr std::size_t kMostComments = 10'000;           ///< findings that fetch() asks for
constexpr std::size_t kPiece = std::size_t{256} << 10;  ///< octets that are written at once

}  // namespace

std::string Recorder::comment_of(const findings::Finding& finding) {
  const findings::Rule& rule = findings::rule(finding.id);
  return fmt::format("{} {} ({}): {}", rule.code, rule.name, findings::name(rule.severity), finding.text);
}

PcapngWriter::Describe Recorder::described_interfaces() const {
  live::Status status = directory_.status();
  std::vector<PcapngWriter::Described> all;
  for (live::NumberedInterface& interface : status.numbered_interfaces) {
    std::string text = status.origin ? "sensor " + status.origin->sensor : std::string{};
    if (!interface.tap_group.empty()) text += (text.empty() ? "tap group " : ", tap group ") + interface.tap_group;
    all.push_back({std::move(interface.name), std::move(text)});
  }
  return [all = std::move(all)](std::uint32_t number) {
    return number < all.size() ? all[number] : PcapngWriter::Described{};
  };
}

/// What the findings of a queue pair say of its frames.
std::map<FrameNumber, std::string> Recorder::comments_of(std::uint64_t qp) const {
  std::map<FrameNumber, std::string> comments;
  live::FindingFilter filter;
  filter.qp = qp;
  const auto page = directory_.findings(filter, 0, kMostComments);
  if (!page) return comments;
  for (const live::FindingPtr& view : page->findings) {
    std::string& all = comments[view->finding.frame];
    if (all.size() > PcapngWriter::kMostComment) continue;
    if (!all.empty()) all += '\n';
    all += comment_of(view->finding);
  }
  return comments;
}

namespace {

/// What fetch() is about, and how far it came.
struct Fetching {
  const live::PacketQuery& query;
  const std::function<bool(Octets)>& write;
  const std::map<FrameNumber, std::string>& comments;
  PcapngWriter writer;
  std::string out{};
  std::uint64_t octets = 0, missed = 0;
  bool more = true, full = false;

  void hand_over() {
    octets += out.size();
    more = more && write(Octets{reinterpret_cast<const std::byte*>(out.data()), out.size()});
    out.clear();
  }
  void take(const net::Frame& frame) {
    if ((query.from && frame.time < *query.from) || (query.to && frame.time > *query.to)) return;
    const auto its = comments.find(frame.number);
    const std::string_view comment = its == comments.end() ? std::string_view{} : std::string_view{its->second};
    full = full || octets + out.size() + PcapngWriter::most_octets(frame, comment) > query.most_octets;
    if (!full) writer.append(out, frame, comment);
  }
  /// The packets of a flow, or all. One piece of the ring at a time is copied, so that a client who reads slowly keeps
  /// none of it in memory.
  void run(const PacketRing& ring, std::optional<std::uint64_t> flow) {
    const PacketRing::Counts counts = ring.counts();
    std::uint64_t place = counts.first;
    while (more && !full && place < counts.next) {
      place = ring.read(
          place,
          [&](std::uint64_t at, std::span<const RingEntry> entries) {
            for (const RingEntry& entry : entries) {
              if (at++ < counts.next && (!flow || entry.flow == *flow)) take(entry.frame);
            }
            return false;
          },
          &missed);
      if (out.size() >= kPiece) hand_over();
    }
  }
};

}  // namespace

/// Whether the ring has any of this flow, of that time.
bool Recorder::has_packets(std::uint64_t flow, TimePoint from, TimePoint to) const {
  bool any = false;
  (void)ring_.read(ring_.counts().first, [&](std::uint64_t, std::span<const RingEntry> entries) {
    any = std::any_of(entries.begin(), entries.end(), [&](const RingEntry& entry) {
      return entry.flow == flow && entry.frame.time >= from && entry.frame.time <= to;
    });
    return !any;
  });
  return any;
}

live::Packets::Answer<live::QpViewPtr> Recorder::known_qp(std::uint64_t qp) const {
  auto known = directory_.qp(qp);
  if (known && !*known) return tl::unexpected(fmt::format("Queue pair {} does not exist.", qp));
  return known;
}

live::Packets::Answer<std::uint64_t> Recorder::fetch(const live::PacketQuery& query,
                                                     const std::function<bool(Octets)>& write) {
  if (ring_.counts().next == 0) return tl::unexpected(std::string{"No packet has been captured yet."});
  std::optional<std::uint64_t> flow;
  std::map<FrameNumber, std::string> comments;
  live::RecordName name;
  if (query.qp) {
    const auto its = known_qp(*query.qp);
    if (!its) return tl::unexpected(its.error());
    flow = (*its)->flow;
    name = live::named(**its);
    comments = comments_of(*query.qp);
  } else {
    name.origin = directory_.status().origin;
  }
  Fetching fetching{query, write, comments, PcapngWriter(application_, described_interfaces(), {name.line()})};
  fetching.run(ring_, flow);
  fetching.writer.finish(fetching.out, fetching.missed);
  if (fetching.more) fetching.hand_over();
  return fetching.writer.frames();
}

namespace {

/// Packets that are looked at first before the one that is asked for; then twice as many.
constexpr std::uint64_t kFirstLook = 1024;

/// Calls `look` with stored packets of places [from, to) until it returns false.
void each(const PacketRing& ring, std::uint64_t from, std::uint64_t to,
          const std::function<bool(std::uint64_t, const RingEntry&)>& look) {
  (void)ring.read(from, [&](std::uint64_t place, std::span<const RingEntry> entries) {
    for (const RingEntry& entry : entries) {
      if (place >= to || !look(place++, entry)) return false;
    }
    return place < to;
  });
}

/// The place of a packet of a flow, if it has that number.
struct Found {
  std::uint64_t place = 0;
  std::uint64_t flow = 0;
};
std::optional<Found> find(const PacketRing& ring, FrameNumber number) {
  std::optional<Found> found;
  const auto from = ring.place_before(number);
  if (!from) return found;
  each(ring, *from, ring.counts().next, [&](std::uint64_t place, const RingEntry& entry) {
    if (entry.frame.number == number) found = Found{place, entry.flow};
    return entry.frame.number < number;
  });
  return found;
}

/// Where to begin so that as many octets of the flow as wanted are before a place, and how many are: not much earlier
/// than needed.
std::pair<std::uint64_t, std::uint64_t> begin_before(const PacketRing& ring, const Found& found, std::uint64_t wanted) {
  std::uint64_t begin = found.place, step = kFirstLook, octets = 0;
  for (const std::uint64_t first = ring.counts().first; begin > first && octets < wanted; step *= 2) {
    const std::uint64_t end = std::exchange(begin, std::max(first, begin - std::min(begin, step)));
    each(ring, begin, end, [&](std::uint64_t, const RingEntry& entry) {
      if (entry.flow == found.flow) octets += entry.frame.octets.size();
      return true;
    });
  }
  return {begin, octets};
}

}  // namespace

live::Packets::Answer<void> Recorder::visit(std::uint64_t qp, FrameNumber number, std::uint64_t before,
                                            const std::function<bool(const net::Frame&)>& visit) {
  const auto known = known_qp(qp);
  if (!known) return tl::unexpected(known.error());
  const std::uint64_t flow = (*known)->flow;
  const auto found = find(ring_, number);
  if (found && found->flow != flow)
    return tl::unexpected(fmt::format("Frame {} is not a packet of queue pair {}.", number.value, qp));
  if (!found) {
    return tl::unexpected(fmt::format("Frame {} is not stored: it is too old, or was not captured.", number.value));
  }
  const auto [begin, octets] = begin_before(ring_, *found, before);
  std::uint64_t left = octets;
  each(ring_, begin, ring_.counts().next, [&](std::uint64_t, const RingEntry& entry) {
    if (entry.flow != flow) return true;
    const bool skip = left > before;
    left -= std::min<std::uint64_t>(left, entry.frame.octets.size());
    return skip || visit(entry.frame);
  });
  return {};
}

}  // namespace iwarpscope::outputs
