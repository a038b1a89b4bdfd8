// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/hosts.h"

#include <algorithm>

namespace iwarpscope::live {

void HostSums::change(const HostEnds& ends, const HostShare& was, const HostShare& is) {
  const auto& [a, b, tap_group] = ends;
  change(hosts_, {a, {}, tap_group}, was, is);
  if (a != b) change(hosts_, {b, {}, tap_group}, was, is);
  change(pairs_, {std::min(a, b), std::max(a, b), tap_group}, was, is);
}

void HostSums::change(Rows& rows, const HostKey& key, const HostShare& was, const HostShare& is) {
  const auto [it, is_new] = rows.try_emplace(key);
  HostRow& row = it->second;
  if (is_new) {
    row.host = key.host;
    if (key.peer != net::IpAddress{}) row.peer = key.peer;
  }
  // Differences wrap around and come out right.
  const auto add = [](std::uint64_t& sum, std::uint64_t before, std::uint64_t now) { sum += now - before; };
  add(row.qps, was.counted ? 1 : 0, is.counted ? 1 : 0);
  add(row.active, was.active ? 1 : 0, is.active ? 1 : 0);
  add(row.failed, was.failed ? 1 : 0, is.failed ? 1 : 0);
  add(row.errors, was.errors, is.errors);
  add(row.warnings, was.warnings, is.warnings);
  add(row.notes, was.notes, is.notes);
  add(row.payload_octets, was.payload_octets, is.payload_octets);
  if (row.qps == 0) rows.erase(it);
}

HostPage HostSums::page(bool pairs, const HostKey& from, std::size_t most,
                        const std::vector<NumberedInterface>& names) const {
  const Rows& rows = pairs ? pairs_ : hosts_;
  HostPage page;
  auto it = rows.lower_bound(from);
  for (; it != rows.end() && page.rows.size() < most; ++it) {
    HostRow& row = page.rows.emplace_back(it->second);
    const auto named = std::find_if(names.begin(), names.end(), [&](const NumberedInterface& interface) {
      return interface.number == it->first.tap_group;
    });
    if (named != names.end()) row.tap_group = named->tap_group;
  }
  if (it != rows.end()) page.next = it->first;
  return page;
}

}  // namespace iwarpscope::live
