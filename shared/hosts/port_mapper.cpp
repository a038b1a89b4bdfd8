// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "hosts/port_mapper.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/wording.h"
#include "net/overlay.h"

namespace iwarpscope::hosts {
namespace {

using findings::FindingId;
using net::PortMapperMessage;
using net::PortMapperType;

/// An answer takes less, and a connection follows within less: iwpmd answers at once and asks again after 10 s.
constexpr std::int64_t kSettleNs = 2'000'000'000;
/// Requests so far apart are two, and not one that the capture holds twice.
constexpr std::int64_t kAgainNs = 200'000'000;
constexpr std::size_t kMostListeners = 20;  ///< listeners a finding is raised for

/// A listener on all addresses is named as 0.0.0.0 or ::; the host that speaks for it is meant.
net::Endpoint at_host(net::Endpoint endpoint, const net::IpAddress& host) noexcept {
  const bool any = endpoint.address == net::IpAddress{} || endpoint.address == net::IpAddress::v4(0);
  return any ? net::Endpoint{host, endpoint.port} : endpoint;
}

}  // namespace

PortMapper::Exchange* PortMapper::find_or_add(const Key& key, const net::UdpDatagram& datagram) {
  const auto [it, fresh] = exchanges_.try_emplace(key);
  Exchange* exchange = &it->second;
  if (!fresh) return exchange;
  exchange->first_frame = datagram.frame;
  exchange->first_time = datagram.time;
  order_.push_back(key);
  if (order_.size() <= most_) return exchange;
  if (const auto oldest = exchanges_.find(order_.front()); oldest != exchanges_.end()) {
    if (oldest->second.given) named_.erase({*oldest->second.given, oldest->first.tap_group});
    exchanges_.erase(oldest);
  }
  order_.pop_front();
  ++discarded_;
  return &exchanges_.find(key)->second;
}

void PortMapper::see(const net::UdpDatagram& datagram) {
  const auto parsed = PortMapperMessage::parse(datagram.payload);
  const auto* message = std::get_if<PortMapperMessage>(&parsed);
  if (message == nullptr || message->version() != 0) return;
  if (message->ip_version() != 4 && message->ip_version() != 6) return;
  const bool to_mapper = datagram.destination.port == net::udp_port::port_mapper;
  const PortMapperType type = message->type();
  // Requests and Acks go from who asks to who is asked, the others back.
  const bool asks = type == PortMapperType::request || type == PortMapperType::ack;
  if (asks && !to_mapper) return;
  const net::IpAddress& asker = asks ? datagram.source.address : datagram.destination.address;
  const net::IpAddress& asked = asks ? datagram.destination.address : datagram.source.address;
  Exchange& exchange =
      *find_or_add({asker, asked, datagram.overlay, datagram.tap_group, message->association()}, datagram);
  const net::Endpoint endpoint = at_host(message->accepting(), asked);
  switch (type) {
    case PortMapperType::request:
      exchange.wanted = endpoint;
      if (exchange.requests != 0 && elapsed_ns(exchange.last_request, datagram.time) < kAgainNs) return;
      exchange.last_request = datagram.time;
      ++exchange.requests;
      return;
    case PortMapperType::reject: exchange.rejected = true; break;
    case PortMapperType::accept:
    case PortMapperType::ack: {
      if (exchange.given) return;
      exchange.given = endpoint;
      exchange.rejected = false;
      if (ever_named_.size() < most_) ever_named_.insert({endpoint, datagram.tap_group});
      named_.insert({endpoint, datagram.tap_group});
      break;
    }
  }
  if (exchange.requests == 0) exchange.wanted = endpoint;  // the Request is not in the capture
  exchange.answer_frame = datagram.frame;
  exchange.answer_time = datagram.time;
}

std::optional<PortMapper::Trouble> PortMapper::trouble(const Key& key, const Exchange& e, TimePoint end, bool one_sided,
                                                       const verdict::CaptureSpan& capture) const {
  if (e.rejected) return Trouble::rejected;
  if (one_sided || capture.may_lack(e.first_time)) return std::nullopt;
  if (e.given) {
    const bool unused = named_.contains({*e.given, key.tap_group}) && elapsed_ns(e.answer_time, end) >= kSettleNs;
    return unused ? std::optional{Trouble::unused} : std::nullopt;
  }
  return Trouble::unanswered;
}

PortMapper::Groups PortMapper::gather(TimePoint end, bool one_sided, const verdict::CaptureSpan& capture) const {
  Groups groups;
  absl::flat_hash_set<Listener> answered;
  for (const auto& [key, e] : exchanges_) {
    if (e.given || e.rejected) answered.insert({e.wanted, key.tap_group});
  }
  for (const Key& key : order_) {
    const auto it = exchanges_.find(key);
    if (it == exchanges_.end()) continue;
    const Exchange& e = it->second;
    const auto what = trouble(key, e, end, one_sided, capture);
    if (!what) continue;
    const Listener wanted{e.wanted, key.tap_group};
    Group& group = groups[{wanted, *what}];
    if (group.exchanges++ == 0) group.asker = key.asker;
    if (group.requests == 0) group.first_request = e.first_time;
    // An answer about this listener in between shows that its port mapper answers.
    group.asked_again |=
        e.requests > 1 || (!answered.contains(wanted) && elapsed_ns(group.first_request, e.last_request) >= kAgainNs);
    group.requests += e.requests;
    if (e.given) group.given = *e.given;
    group.frames.push_back(e.first_frame);
    if (e.answer_frame.value != 0) group.frames.push_back(e.answer_frame);
  }
  return groups;
}

void PortMapper::tell(findings::CaptureFindings& to, bool one_sided, const verdict::CaptureSpan& capture) const {
  std::array<std::size_t, 3> reported{};
  for (auto& [about, group] : gather(to.end().time, one_sided, capture)) {
    const auto& [listener_of, what] = about;
    const net::Endpoint& wanted = listener_of.its;
    // A host without an answer asks again. If it does not, the capture may lack the answer.
    if (what == Trouble::unanswered && !group.asked_again) continue;
    if (++reported[static_cast<std::size_t>(what)] > kMostListeners) continue;
    const std::string listener = wanted.text();
    const std::string asker = group.asker.text();
    switch (what) {
      case Trouble::unanswered:
        to.tell(FindingId::port_mapper_unanswered, group.requests,
                fmt::format("{} asked the port mapper of {} for port {} and got no answer to {}.", asker,
                            wanted.address.text(), wanted.port, counted(group.requests, "request")),
                std::move(group.frames));
        break;
      case Trouble::rejected:
        to.tell(FindingId::port_mapper_rejected, group.exchanges,
                fmt::format("The port mapper of {} reported to {} that it knows no listener on port {} ({}).",
                            wanted.address.text(), asker, wanted.port, counted(group.exchanges, "time")),
                std::move(group.frames));
        break;
      case Trouble::unused:
        to.tell(FindingId::port_mapper_unused, group.exchanges,
                fmt::format("The port mapper named {} for {} to {}, and no connection to that port follows.",
                            group.given.text(), listener, asker),
                std::move(group.frames));
        break;
    }
  }
}

}  // namespace iwarpscope::hosts
