// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Questions of iwarpscope.v1 as those of the core.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/endpoint.h"
#include "api/enums.h"
#include "api/records.h"
#include "base/read_text.h"
#include "iwarpscope/v1/observer.pb.h"
#include "net/address.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

/// The bound of a queue that a subscriber may ask for.
constexpr std::size_t kDefaultQueue = 4096, kLargestQueue = 65536;
constexpr std::uint64_t kMostOctets = std::uint64_t{1} << 30;  // of a file of packets

template <class T>
using Asked = tl::expected<T, std::string>;

Asked<net::IpAddress> parsed(const std::string& host) {
  if (const auto address = net::IpAddress::parse(host)) return *address;
  return tl::unexpected("'" + report::to_utf8(host.substr(0, 64)) + "' is not an IPv4 or IPv6 address");
}
/// Its canonical text.
Asked<std::string> canonical(const std::string& host) {
  return parsed(host).map([](const net::IpAddress& its) { return its.text(); });
}

/// Its name.
Asked<std::string> rule_name(const std::string& rule) {
  const findings::Rule* known = findings::find_rule(rule);
  if (known != nullptr) return std::string{known->name};
  return tl::unexpected("unknown rule '" + report::to_utf8(rule.substr(0, 64)) + "'; ListRules lists all rules");
}

/// Puts an enumerator that may be "any" into `to`.
template <class Core, class V1>
Asked<void> read_enum(V1 value, std::string_view what, std::optional<Core>& to) {
  to = enum_from_v1<Core>(value);
  if (to || static_cast<int>(value) == 0) return {};
  return tl::unexpected("unknown " + std::string{what} + " " + std::to_string(static_cast<int>(value)));
}
/// Puts the value of a text, if it has one that means something, into `to`.
template <class Value>
Asked<void> read_text(bool there, const std::string& text, Asked<Value> (*meaning)(const std::string&),
                      std::optional<Value>& to) {
  if (!there) return {};
  auto value = meaning(text);
  if (!value) return tl::unexpected(value.error());
  to = std::move(*value);
  return {};
}
/// The first that failed.
template <class... Steps>
std::string trouble(const Steps&... steps) {
  std::string first;
  ((first.empty()&& !steps ? first = steps.error() : first), ...);
  return first;
}

}  // namespace

Detail detail_from_v1(int value) noexcept {
  if (value == v1::QP_DETAIL_FULL) return Detail::full;
  return value == v1::QP_DETAIL_ROW_ACTIVITY ? Detail::row_activity : Detail::row;
}

Asked<live::QpFilter> from_v1(const v1::QpFilter& in) {
  live::QpFilter out;
  if (in.port() > 65535) return tl::unexpected(std::to_string(in.port()) + " is not a TCP port");
  if (in.has_port()) out.port = static_cast<std::uint16_t>(in.port());
  if (in.has_ulp()) out.ulp = in.ulp();
  std::optional<qp::State> state;
  std::optional<qp::Outcome> outcome;
  std::string wrong =
      trouble(read_text(in.has_host(), in.host(), parsed, out.host), read_enum(in.state(), "state", state),
              read_enum(in.outcome(), "outcome", outcome), read_enum(in.at_least(), "severity", out.at_least));
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  if (state) out.state = std::string{qp::name(*state)};
  if (outcome) out.outcome = std::string{qp::name(*outcome)};
  out.with_ended = !in.without_ended();
  if (in.has_sensor()) out.sensor = in.sensor();
  return out;
}

Asked<live::FindingFilter> from_v1(const v1::FindingFilter& in) {
  live::FindingFilter out;
  if (in.has_qp()) out.qp = in.qp();
  if (in.has_sensor()) out.sensor = in.sensor();
  std::string wrong = trouble(read_text(in.has_rule(), in.rule(), rule_name, out.rule),
                              read_text(in.has_host(), in.host(), parsed, out.host),
                              read_enum(in.at_least(), "severity", out.at_least));
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  return out;
}

Asked<live::HostKey> host_key_from_v1(const std::string& start) {
  if (start.empty()) return live::HostKey{};
  const std::size_t behind = std::min(start.find('@'), start.size());
  const std::string hosts = start.substr(0, behind);
  live::HostKey key;
  if (behind != start.size()) {
    const auto group = whole_number<std::uint32_t>(std::string_view(start).substr(behind + 1));
    if (!group) return tl::unexpected("start \"" + start + "\" has no tap group after @");
    key.tap_group = *group;
  }
  const std::size_t between = std::min(hosts.find(' '), hosts.size());
  const auto host = parsed(hosts.substr(0, between));
  if (!host) return tl::unexpected(host.error());
  key.host = *host;
  if (between == hosts.size()) return key;
  return parsed(hosts.substr(between + 1)).map([&](const net::IpAddress& peer) {
    key.peer = peer;
    return key;
  });
}

Asked<live::Wanted> from_v1(const v1::SubscribeRequest& in) {
  live::Wanted out;
  out.qps = in.qps();
  out.messages = in.messages();
  out.findings = in.findings();
  if (!out.qps && !out.messages && !out.findings) {
    return tl::unexpected(std::string{"a subscription must request queue pairs, messages or findings"});
  }
  if (in.has_qp()) out.qp = in.qp();
  if (in.has_sensor()) out.sensor = in.sensor();
  if (in.queue() > kLargestQueue) {
    return tl::unexpected("a queue of " + std::to_string(in.queue()) + " is more than " +
                          std::to_string(kLargestQueue));
  }
  out.queue = in.queue() == 0 ? kDefaultQueue : in.queue();
  std::string wrong = trouble(read_enum(in.at_least(), "severity", out.at_least));
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  return out;
}

Asked<live::ArchiveQuery> from_v1(const v1::QueryHistoryRequest& in) {
  live::ArchiveQuery out;
  if (in.kind() != v1::QueryHistoryRequest::KIND_UNSPECIFIED) {
    const auto kind = record_kind_from_v1(in.kind());
    if (!kind) return tl::unexpected("unknown kind " + std::to_string(in.kind()));
    out.kind = *kind;
  }
  if (in.has_from_time_ns()) out.from = TimePoint{in.from_time_ns()};
  if (in.has_to_time_ns()) out.to = TimePoint{in.to_time_ns()};
  std::optional<qp::Outcome> outcome;
  std::string wrong =
      trouble(read_text(in.has_host(), in.host(), canonical, out.host),
              read_text(in.has_rule(), in.rule(), rule_name, out.rule),
              read_enum(in.at_least(), "severity", out.at_least), read_enum(in.outcome(), "outcome", outcome));
  if (!wrong.empty()) return tl::unexpected(std::move(wrong));
  if (outcome && out.kind == live::RecordKind::operations) {
    return tl::unexpected(std::string{"operations have no verdict outcome; only queue pairs have one"});
  }
  if (outcome) out.outcome = std::string{qp::name(*outcome)};
  if (in.has_sensor()) out.sensor = in.sensor();
  if (in.has_community_id()) out.community_id = in.community_id();
  out.before = in.before();
  return out;
}

Asked<live::SiteQuery> from_v1(const v1::GetSiteRequest& in) {
  constexpr std::uint32_t kMostDays = 366, kHours = 24, kMostRows = 1000;
  live::SiteQuery out;
  if (in.days() > kMostDays) return tl::unexpected(std::to_string(in.days()) + " days are more than 366");
  if (in.days() != 0) out.days = in.days();
  out.buckets = in.buckets() == 0 ? out.days : in.buckets();
  if (out.buckets > std::size_t{out.days} * kHours)
    return tl::unexpected(std::to_string(in.buckets()) + " buckets are more than one for each hour");
  if (in.most() != 0) out.most = std::min(in.most(), kMostRows);
  if (in.has_sensor()) out.sensor = in.sensor();
  return out;
}

Asked<live::PacketQuery> from_v1(const v1::FetchPacketsRequest& in) {
  live::PacketQuery out;
  if (in.has_qp()) out.qp = in.qp();
  if (in.has_from_time_ns()) out.from = TimePoint{in.from_time_ns()};
  if (in.has_to_time_ns()) out.to = TimePoint{in.to_time_ns()};
  if (out.from && out.to && *out.to < *out.from) {
    return tl::unexpected(std::string{"the time range ends before it begins"});
  }
  out.most_octets = in.most_octets() == 0 ? kMostOctets : std::min(in.most_octets(), kMostOctets);
  return out;
}

}  // namespace iwarpscope::api
