// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a centre knows of a site over days: which pairs of hosts fail again and again, and what is new.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/time_point.h"
#include "findings/catalogue.h"
#include "net/address.h"

namespace iwarpscope::live {

struct SiteQuery {
  std::uint32_t days = 7;               ///< that are looked at, today among them
  std::size_t buckets = 168;            ///< of these days
  std::size_t most = 50;                ///< pairs, and as many rules
  std::optional<std::string> sensor{};  ///< its name; empty: of all
};

/// Two hosts. A connection that was joined from the views of several taps counts once, what was not joined each time
/// that it was seen.
struct SitePair {
  net::IpAddress a, b;
  std::uint64_t qps = 0, failed = 0;     ///< that ended; of them refused, failed or stalled
  std::uint32_t days = 0;                ///< on which queue pairs failed
  std::vector<std::uint32_t> by_bucket;  ///< those that failed, oldest first; saturate
  std::vector<std::string> sensors;      ///< that saw failures of this pair, by name
  std::string rule;                      ///< the error that occurred between them in most hours; empty: none
  TimePoint last;                        ///< begin of the last hour with a failure
};

/// A rule that was broken since yesterday, and not on the days before that are looked at.
struct SiteNews {
  std::string rule;
  findings::Severity severity{};
  std::uint64_t count = 0;                                          ///< findings; an event that two taps saw has two
  TimePoint first;                                                  ///< begin of its first hour
  std::vector<std::string> sensors;                                 ///< by name
  std::optional<std::pair<net::IpAddress, net::IpAddress>> ends{};  ///< of the pair with most of them
};

/// One connection as several sensors saw it.
struct SiteConnection {
  struct View {
    std::string sensor, tap;
    std::uint64_t qp = 0;  ///< number at the centre
  };
  std::vector<View> views;
  std::string basis;  ///< "numbers", "overlap", "translated"
  std::vector<std::string> sentences;
  std::optional<std::int64_t> clock_bound_ns{};
  bool has_place = false;  ///< octets were lost or damaged between two taps
  std::string json;        ///< the record "joined"
  TimePoint last;
};

struct SiteView {
  TimePoint first;  ///< begin of the first bucket
  std::int64_t bucket_ns = 0;
  std::vector<SitePair> pairs;              ///< by days on which they failed, then by failures
  std::vector<SiteNews> news;               ///< by severity, then by count
  std::vector<SiteConnection> connections;  ///< with loss or damage between taps, newest first
};

/// For any thread.
class Site {
 public:
  virtual ~Site() = default;
  /// Fails with a sentence.
  [[nodiscard]] virtual tl::expected<SiteView, std::string> site(const SiteQuery& query) = 0;
  /// The connection of a queue pair, if several sensors saw it.
  [[nodiscard]] virtual tl::expected<std::optional<SiteConnection>, std::string> connection(std::uint64_t qp) = 0;
};

}  // namespace iwarpscope::live
