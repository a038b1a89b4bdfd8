// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/hosts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace iwarpscope::live {

std::vector<HostRow> host_rows(const RecentRecords& records, bool pairs) {
  std::map<std::pair<net::IpAddress, std::optional<net::IpAddress>>, HostRow> rows;
  const auto add = [&rows](const net::IpAddress& host, const std::optional<net::IpAddress>& peer,
                           const RecentRecords::QpEntry& entry) {
    HostRow& row = rows[{host, peer}];
    row.host = host;
    row.peer = peer;
    ++row.qps;
    if (entry.ended == nullptr) ++row.active;
    if (entry.failed) ++row.failed;
    row.errors += entry.findings.errors;
    row.warnings += entry.findings.warnings;
    row.notes += entry.findings.notes;
    row.payload_octets += entry.traffic.payload_octets;
  };
  for (const auto& [number, entry] : records.qps()) {
    if (!entry.ends) continue;
    const net::IpAddress& a = entry.ends->first.address;
    const net::IpAddress& b = entry.ends->second.address;
    if (pairs) {
      add(std::min(a, b), std::max(a, b), entry);
    } else {
      add(a, std::nullopt, entry);
      if (a != b) add(b, std::nullopt, entry);
    }
  }
  std::vector<HostRow> all;
  all.reserve(rows.size());
  for (const auto& [key, row] : rows) all.push_back(row);
  return all;
}

}  // namespace iwarpscope::live
