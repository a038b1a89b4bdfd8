// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Suppression and thresholds of findings, in the words of Suricata's threshold.config.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <tl/expected.hpp>

#include "live/views.h"

namespace iwarpscope::live {

/// One line, read from
///   suppress RULE [, track by_src|by_dst|by_either, ip ADDRESSES] [, until TIME]
///   threshold RULE, type limit|threshold|both, track by_src|by_dst|by_both|by_rule, count N, seconds N
/// RULE is an id, a code or "any". ADDRESSES is an address or network, or several in brackets, with "!" before those
/// that are excepted. TIME is "2026-12-24T06:00Z".
struct Threshold {
  enum class Type : std::uint8_t { suppress, limit, threshold, both };
  enum class Track : std::uint8_t { by_rule, by_src, by_dst, by_both, by_either };
  struct Network {
    net::IpAddress address;
    unsigned prefix = 128;  ///< bits of the IPv4-mapped form
    bool is_excepted = false;
    [[nodiscard]] bool has(const net::IpAddress& host) const noexcept;
  };

  Type type{};
  Track track = Track::by_rule;
  std::optional<findings::FindingId> rule;  ///< empty: any
  std::vector<Network> networks;            ///< of suppress; empty: every host
  std::optional<TimePoint> until;           ///< of suppress
  std::uint64_t count = 0;
  std::int64_t window_ns = 0;

  /// Fails with what is wrong, as the rest of a sentence.
  [[nodiscard]] static tl::expected<Threshold, std::string> parse(std::string_view line);
};

/// Decides which findings are reported. The source of a finding is the end that sent what it is about; where it is not
/// about one direction, A. Time is that of the capture. The first suppression or threshold that fits a finding decides,
/// suppressions before thresholds. Any thread.
class ThresholdGate {
 public:
  /// Forgets what was counted. Lines that cannot be read are passed over.
  void change(const std::vector<std::string>& lines);

  /// `ends`: A and B of its queue pair; null: it is of none, and has no host.
  [[nodiscard]] bool passes(const findings::Finding& finding, const std::pair<net::Endpoint, net::Endpoint>* ends);
  [[nodiscard]] std::uint64_t withheld() const;

 private:
  static constexpr std::size_t kMostWindows = 65'536;
  static constexpr std::int64_t kSweepEveryNs = 1'000'000'000;
  struct Window {
    TimePoint from;
    std::uint64_t count = 0;
  };
  using Key = std::tuple<std::size_t, findings::FindingId, net::IpAddress, net::IpAddress>;  ///< line, rule, hosts

  [[nodiscard]] bool passes_threshold(const Threshold& line, const Key& key, TimePoint now);

  mutable std::mutex mutex_;
  std::vector<Threshold> lines_;
  std::map<Key, Window> windows_;
  TimePoint swept_;  ///< when those that are over were last removed
  std::uint64_t withheld_ = 0;
};

}  // namespace iwarpscope::live
