// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/remote.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "api/records.h"
#include "centre/rows.h"
#include "iwarpscope/v1/control.pb.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::centre {
namespace {

constexpr std::chrono::seconds kSensorPatience{3};  ///< twice of it is less than clients wait
constexpr std::chrono::seconds kSensorSilence{10};
constexpr std::chrono::seconds kSensorAway{5};  ///< one that did not answer is not asked again for so long
constexpr std::size_t kMostAsked = 6;           ///< of the threads that answer clients

template <class Request>
Request page_request(std::uint64_t qp, std::uint64_t from, std::size_t most) {
  Request request;
  request.set_qp(qp);
  request.set_from(from);
  request.set_most(static_cast<std::uint32_t>(most));
  return request;
}

}  // namespace

tl::unexpected<std::string> Remote::failed(const std::string& sensor, const api::Failure& why) {
  std::string sentence = fmt::format("sensor {}: {}", sensor, why.sentence);
  if (why.kind == api::Failure::Kind::no_connection) {
    const std::lock_guard lock(mutex_);
    away_[sensor] = {Clock::now() + kSensorAway, sentence};
  }
  return tl::unexpected(std::move(sentence));
}

std::shared_ptr<const void> Remote::begin_asking() {
  const std::lock_guard lock(mutex_);
  if (asked_ >= kMostAsked) return nullptr;
  ++asked_;
  return std::shared_ptr<const void>(this, [this](const void*) {
    const std::lock_guard ending(mutex_);
    --asked_;
  });
}

void Remote::reload() {
  const std::lock_guard lock(mutex_);
  clients_.clear();
  away_.clear();
}

Remote::Answer<std::shared_ptr<api::Client>> Remote::client_of(const std::string& sensor, const std::string& address) {
  if (address.empty()) {
    return tl::unexpected(fmt::format(
        "the centre does not know the address of sensor {}: iwarpscope-centre add-sensor {} --api HOST:PORT", sensor,
        sensor));
  }
  if (tls_.is_empty()) {
    return tl::unexpected(
        std::string("the centre has no certificate with which it could ask sensors (--sensor-certificate)"));
  }
  const std::lock_guard lock(mutex_);
  auto& client = clients_[address];
  if (client) return client;
  api::Place place;
  place.host = address;
  place.tls = tls_;
  place.patience = kSensorPatience;
  place.silence = kSensorSilence;
  auto opened = api::Client::open(place);
  if (!opened) {
    clients_.erase(address);
    return tl::unexpected(opened.error());
  }
  client = std::move(*opened);
  return client;
}

Remote::Answer<Remote::Found> Remote::find(std::uint64_t qp) {
  const QpPlace place = place_of(qp);
  const auto row = pool_.ask(
      "SELECT s.role, s.api, n.uuid, s.removed IS NOT NULL FROM iwarpscope.run n JOIN iwarpscope.sensor s ON s.number "
      "= n.sensor "
      "WHERE n.number = $1",
      Parameters().add(place.run));
  if (!row) return tl::unexpected(row.error());
  if (row->rows() == 0) return tl::unexpected(fmt::format("queue pair {} is of no sensor", qp));
  Found found{std::string(row->text(0, 0)), nullptr, static_cast<std::uint64_t>(place.qp), nullptr};
  if (row->text(0, 3) == "t") return tl::unexpected(fmt::format("sensor {} was removed", found.sensor));
  auto client = client_of(found.sensor, std::string(row->text(0, 1)));
  if (!client) return tl::unexpected(client.error());
  found.client = std::move(*client);
  {
    const std::lock_guard lock(mutex_);
    const auto away = away_.find(found.sensor);
    if (away != away_.end() && Clock::now() < away->second.until) return tl::unexpected(away->second.sentence);
  }
  found.asking = begin_asking();
  if (!found.asking)
    return tl::unexpected(std::string("the centre waits for the answers of other sensors: ask again in a moment"));
  found.client->reconnect();
  const auto status = found.client->status();
  if (!status) return failed(found.sensor, status.error());
  if (status->name().run_uuid() != row->text(0, 2)) {
    return tl::unexpected(fmt::format(
        "the daemon of sensor {} was started again since it saw queue pair {}, and no longer has what it saw before",
        found.sensor, qp));
  }
  return found;
}

Remote::Answer<live::MessagePage> Remote::messages(std::uint64_t qp, std::uint64_t from, std::size_t most) {
  const auto found = find(qp);
  if (!found) return tl::unexpected(found.error());
  const auto reply = found->client->messages(page_request<v1::ListMessagesRequest>(found->qp, from, most));
  if (!reply) return failed(found->sensor, reply.error());
  live::MessagePage page;
  for (const v1::Message& message : reply->messages()) {
    qp::MessageRecord record = api::from_v1(message);
    record.qp = qp;
    page.messages.push_back(std::make_shared<const qp::MessageRecord>(std::move(record)));
  }
  if (reply->has_next()) page.next = reply->next();
  page.discarded = reply->discarded();
  return page;
}

Remote::Answer<live::TransportPage> Remote::transport(std::uint64_t qp, std::uint64_t from, std::size_t most) {
  const auto found = find(qp);
  if (!found) return tl::unexpected(found.error());
  const auto reply = found->client->transport(page_request<v1::ListTransportEventsRequest>(found->qp, from, most));
  if (!reply) return failed(found->sensor, reply.error());
  live::TransportPage page;
  for (const v1::TransportEvent& event : reply->events()) {
    page.events.push_back(api::from_v1(event));
    page.events.back().qp = qp;
  }
  if (reply->has_next()) page.next = reply->next();
  page.discarded = reply->discarded();
  return page;
}

Remote::Answer<void> Remote::frame(const v1::GetFrameRequest& request, v1::Frame& reply) {
  const auto found = find(request.qp());
  if (!found) return tl::unexpected(found.error());
  v1::GetFrameRequest there = request;
  there.set_qp(found->qp);
  auto answer = found->client->frame(there);
  if (!answer) return failed(found->sensor, answer.error());
  reply = std::move(*answer);
  return {};
}

Remote::Answer<std::uint64_t> Remote::fetch(const live::PacketQuery& query, const std::function<bool(Octets)>& write) {
  if (!query.qp)
    return tl::unexpected(std::string("a centre has no packets of its own: ask for those of one queue pair"));
  const auto found = find(*query.qp);
  if (!found) return tl::unexpected(found.error());
  v1::FetchPacketsRequest request;
  request.set_qp(found->qp);
  if (query.from) request.set_from_time_ns(query.from->ns);
  if (query.to) request.set_to_time_ns(query.to->ns);
  request.set_most_octets(query.most_octets);
  std::uint64_t packets = 0;
  const auto done = found->client->fetch(request, [&](const v1::FetchPacketsReply& piece) {
    if (piece.packets() != 0) packets = piece.packets();
    const std::string& octets = piece.pcapng();
    return octets.empty() || write(std::as_bytes(std::span(octets.data(), octets.size())));
  });
  if (!done) return failed(found->sensor, done.error());
  return packets;
}

Remote::Answer<void> Remote::visit(std::uint64_t /*qp*/, FrameNumber /*number*/, std::uint64_t /*before*/,
                                   const std::function<bool(const net::Frame&)>& /*visit*/) {
  return tl::unexpected(std::string("a centre has no packets of its own"));
}

Remote::Answer<std::string> Remote::record(std::uint64_t qp, const std::string& reason, unsigned seconds) {
  const auto found = find(qp);
  if (!found) return tl::unexpected(found.error());
  v1::StartRecordingRequest request;
  request.set_qp(found->qp);
  request.set_reason(reason);
  request.set_seconds(seconds);
  const auto reply = found->client->record(request);
  if (!reply) return failed(found->sensor, reply.error());
  return reply->file() + " on sensor " + found->sensor;
}

std::vector<live::Recording> Remote::recordings() {
  return {};
}

}  // namespace iwarpscope::centre
