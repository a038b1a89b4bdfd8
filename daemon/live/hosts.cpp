// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/hosts.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace iwarpscope::live {

std::vector<HostRow> host_rows(const Book& book, bool pairs) {
  std::map<std::pair<net::IpAddress, std::optional<net::IpAddress>>, HostRow> rows;
  const auto add = [&rows](const net::IpAddress& host, const std::optional<net::IpAddress>& peer,
                           const Book::Page& page) {
    HostRow& row = rows[{host, peer}];
    row.host = host;
    row.peer = peer;
    ++row.qps;
    if (page.ended == nullptr) ++row.active;
    if (page.failed) ++row.failed;
    row.errors += page.findings.errors;
    row.warnings += page.findings.warnings;
    row.notes += page.findings.notes;
    row.payload_octets += page.traffic.payload_octets;
  };
  for (const auto& [number, page] : book.pages()) {
    if (!page.ends) continue;
    const net::IpAddress& a = page.ends->first.address;
    const net::IpAddress& b = page.ends->second.address;
    if (pairs) {
      add(std::min(a, b), std::max(a, b), page);
    } else {
      add(a, std::nullopt, page);
      if (a != b) add(b, std::nullopt, page);
    }
  }
  std::vector<HostRow> all;
  all.reserve(rows.size());
  for (const auto& [key, row] : rows) all.push_back(row);
  return all;
}

}  // namespace iwarpscope::live
