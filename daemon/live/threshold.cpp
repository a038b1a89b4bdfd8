// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/threshold.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <utility>

#include <fmt/format.h>

namespace iwarpscope::live {
namespace {

using ThresholdType = Threshold::Type;
using ThresholdTrack = Threshold::Track;
using Refused = std::optional<std::string>;

constexpr std::array<std::pair<std::string_view, ThresholdType>, 3> kThresholdTypes{
    {{"limit", ThresholdType::limit}, {"threshold", ThresholdType::threshold}, {"both", ThresholdType::both}}};
constexpr std::array<std::pair<std::string_view, ThresholdTrack>, 5> kThresholdTracks{
    {{"by_src", ThresholdTrack::by_src},
     {"by_dst", ThresholdTrack::by_dst},
     {"by_both", ThresholdTrack::by_both},
     {"by_rule", ThresholdTrack::by_rule},
     {"by_either", ThresholdTrack::by_either}}};

std::string_view trimmed_word(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

/// The next part, up to a comma outside brackets; `rest` begins after it.
std::string_view next_part(std::string_view& rest) {
  std::size_t end = 0;
  for (bool inside = false; end < rest.size() && (inside || rest[end] != ','); ++end) {
    if (rest[end] == '[') inside = true;
    if (rest[end] == ']') inside = false;
  }
  const std::string_view part = trimmed_word(rest.substr(0, end));
  rest = end < rest.size() ? rest.substr(end + 1) : std::string_view{};
  return part;
}

/// "count 5" gives "count", and leaves "5" in `rest`.
std::string_view first_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest = trimmed_word(rest.substr(end));
  return word;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Threshold::Network> read_network(std::string_view text) {
  Threshold::Network network;
  network.is_excepted = text.starts_with('!');
  if (network.is_excepted) text = trimmed_word(text.substr(1));
  const std::size_t slash = text.find('/');
  const std::string address(text.substr(0, slash));
  in_addr v4{};
  unsigned before = 0;  // bits of the IPv4-mapped form before the address
  if (inet_pton(AF_INET, address.c_str(), &v4) == 1) {
    network.address = net::IpAddress::v4(ntohl(v4.s_addr));
    before = 96;
  } else if (inet_pton(AF_INET6, address.c_str(), network.address.octets.data()) != 1) {
    return std::nullopt;
  }
  if (slash == std::string_view::npos) return network;
  const auto bits = whole_number(text.substr(slash + 1));
  if (!bits || *bits > 128 - before) return std::nullopt;
  network.prefix = before + static_cast<unsigned>(*bits);
  return network;
}

Refused read_networks(Threshold& to, std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::string_view one = next_part(text);
    const auto network = read_network(one);
    if (!network) return fmt::format("\"{}\" is not an address or network", one);
    to.networks.push_back(*network);
  }
  if (to.networks.empty()) return "ip needs an address or network";
  return {};
}

/// "2026-12-24T06:00Z".
std::optional<TimePoint> read_moment(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00Z";
  if (text.size() != kForm.size()) return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !is_digit : text[i] != kForm[i]) return std::nullopt;
  }
  const auto at = [&](std::size_t from, std::size_t digits) {
    return static_cast<int>(whole_number(text.substr(from, digits)).value_or(0));
  };
  std::tm parts{};
  parts.tm_year = at(0, 4) - 1900;
  parts.tm_mon = at(5, 2) - 1;
  parts.tm_mday = at(8, 2);
  parts.tm_hour = at(11, 2);
  parts.tm_min = at(14, 2);
  if (parts.tm_mon > 11 || parts.tm_mon < 0 || parts.tm_mday > 31 || parts.tm_mday < 1 || parts.tm_hour > 23 ||
      parts.tm_min > 59 || parts.tm_year > 300) {
    return std::nullopt;
  }
  return TimePoint{static_cast<std::int64_t>(timegm(&parts)) * 1'000'000'000};
}

/// One of these names; false: none of them.
template <class T, std::size_t N>
bool choose(T& to, const std::array<std::pair<std::string_view, T>, N>& names, std::string_view name) {
  const auto* const one = std::find_if(names.begin(), names.end(), [name](const auto& n) { return n.first == name; });
  if (one == names.end()) return false;
  to = one->second;
  return true;
}

Refused read_rule(Threshold& to, std::string_view name) {
  if (name == "any") return {};
  const findings::Rule* const rule = findings::find_rule(name);
  if (rule == nullptr) return fmt::format("\"{}\" is not a rule; `iwarpscope rules` lists all rules", name);
  to.rule = rule->id;
  return {};
}

/// "track by_src" and the like, after the rule.
Refused read_option(Threshold& to, std::string_view name, std::string_view value) {
  constexpr std::uint64_t kMostSeconds = 31'536'000;  // a year
  const bool suppresses = to.type == ThresholdType::suppress;
  if (name == "track") {
    return choose(to.track, kThresholdTracks, value) ? Refused{} : fmt::format("\"{}\" cannot be tracked", value);
  }
  if (name == "ip" && suppresses) return read_networks(to, value);
  if (name == "until" && suppresses) {
    to.until = read_moment(value);
    return to.until ? Refused{} : fmt::format("\"{}\" is not a time such as 2026-12-24T06:00Z", value);
  }
  if (name == "type" && !suppresses) {
    return choose(to.type, kThresholdTypes, value) ? Refused{}
                                                   : fmt::format("\"{}\" is not limit, threshold or both", value);
  }
  if ((name == "count" || name == "seconds") && !suppresses) {
    const auto number = whole_number(value);
    if (!number || *number == 0 || *number > kMostSeconds) {
      return fmt::format("{} must be a whole number from 1 to {}", name, kMostSeconds);
    }
    if (name == "count") to.count = *number;
    if (name == "seconds") to.window_ns = static_cast<std::int64_t>(*number) * 1'000'000'000;
    return {};
  }
  return fmt::format("{} has no \"{}\"", suppresses ? "suppress" : "threshold", name);
}

Refused wrong_as_a_whole(const Threshold& line, bool has_type, bool has_track) {
  if (line.type == ThresholdType::suppress) {
    if (has_track == line.networks.empty()) return "track and ip belong together";
    if (has_track && (line.track == ThresholdTrack::by_both || line.track == ThresholdTrack::by_rule)) {
      return "suppress tracks by_src, by_dst or by_either";
    }
    return {};
  }
  if (!has_type || !has_track || line.count == 0 || line.window_ns == 0) {
    return "threshold needs type, track, count and seconds";
  }
  if (line.track == ThresholdTrack::by_either) return "threshold tracks by_src, by_dst, by_both or by_rule";
  return {};
}

struct FindingHosts {
  net::IpAddress source, destination;
};

bool has_host(const Threshold& line, const net::IpAddress& host) {
  const auto has = [&](bool excepted) {
    return std::any_of(line.networks.begin(), line.networks.end(),
                       [&](const auto& n) { return n.is_excepted == excepted && n.has(host); });
  };
  const bool all_excepted = std::all_of(line.networks.begin(), line.networks.end(),
                                        [](const Threshold::Network& n) { return n.is_excepted; });
  return (all_excepted || has(false)) && !has(true);
}

bool suppresses(const Threshold& line, const std::optional<FindingHosts>& hosts, TimePoint now) {
  if (line.until && now >= *line.until) return false;
  if (line.networks.empty()) return true;
  if (!hosts) return false;
  const bool of_source = line.track != ThresholdTrack::by_dst && has_host(line, hosts->source);
  return of_source || (line.track != ThresholdTrack::by_src && has_host(line, hosts->destination));
}

}  // namespace

bool Threshold::Network::has(const net::IpAddress& host) const noexcept {
  for (unsigned bit = 0; bit < prefix; bit += 8) {
    const unsigned bits = std::min(8u, prefix - bit);
    const unsigned differ = address.octets[bit / 8] ^ host.octets[bit / 8];
    if (differ >> (8 - bits) != 0) return false;
  }
  return true;
}

tl::expected<Threshold, std::string> Threshold::parse(std::string_view line) {
  Threshold all;
  std::string_view head = next_part(line);
  const std::string_view what = first_word(head);
  if (what != "suppress" && what != "threshold")
    return tl::unexpected(std::string{"it begins with suppress or threshold"});
  all.type = what == "suppress" ? ThresholdType::suppress : ThresholdType::threshold;
  if (const Refused failure = read_rule(all, head)) return tl::unexpected(*failure);
  bool has_type = false, has_track = false;
  while (!line.empty()) {
    std::string_view value = next_part(line);
    const std::string_view name = first_word(value);
    if (const Refused failure = read_option(all, name, value)) return tl::unexpected(*failure);
    has_type = has_type || name == "type";
    has_track = has_track || name == "track";
  }
  if (const Refused failure = wrong_as_a_whole(all, has_type, has_track)) return tl::unexpected(*failure);
  return all;
}

void ThresholdGate::change(const std::vector<std::string>& lines) {
  std::vector<Threshold> all;
  for (const std::string& line : lines) {
    if (auto one = Threshold::parse(line)) all.push_back(std::move(*one));
  }
  const std::lock_guard lock(mutex_);
  lines_ = std::move(all);
  windows_.clear();
}

bool ThresholdGate::passes(const findings::Finding& finding, const std::pair<net::Endpoint, net::Endpoint>* ends) {
  const std::lock_guard lock(mutex_);
  if (lines_.empty()) return true;
  std::optional<FindingHosts> hosts;
  if (ends != nullptr) {
    hosts = FindingHosts{ends->first.address, ends->second.address};
    if (finding.direction == Direction::b_to_a) std::swap(hosts->source, hosts->destination);
  }
  const auto fits = [&](const Threshold& line) { return !line.rule || *line.rule == finding.id; };
  const auto withholds = [&](const Threshold& line) {
    return line.type == ThresholdType::suppress && fits(line) && suppresses(line, hosts, finding.time);
  };
  bool passes = std::none_of(lines_.begin(), lines_.end(), withholds);
  const auto line = std::find_if(lines_.begin(), lines_.end(),
                                 [&](const Threshold& l) { return l.type != ThresholdType::suppress && fits(l); });
  if (passes && line != lines_.end()) {
    Key key{static_cast<std::size_t>(line - lines_.begin()), finding.id, {}, {}};
    const FindingHosts its = hosts.value_or(FindingHosts{});
    if (line->track == ThresholdTrack::by_src || line->track == ThresholdTrack::by_both) std::get<2>(key) = its.source;
    if (line->track == ThresholdTrack::by_dst || line->track == ThresholdTrack::by_both)
      std::get<3>(key) = its.destination;
    passes = passes_threshold(*line, key, finding.time);
  }
  if (!passes) ++withheld_;
  return passes;
}

bool ThresholdGate::passes_threshold(const Threshold& line, const Key& key, TimePoint now) {
  const auto is_over = [&](const Threshold& its, const Window& window) {
    const std::int64_t since = elapsed_ns(window.from, now);
    return since < 0 || since >= its.window_ns;  // the capture's clock may have gone back
  };
  if (windows_.size() >= kMostWindows && windows_.count(key) == 0) {
    if (std::abs(elapsed_ns(swept_, now)) < kSweepEveryNs) return true;  // rather too many than none
    swept_ = now;
    std::erase_if(windows_, [&](const auto& one) { return is_over(lines_[std::get<0>(one.first)], one.second); });
    if (windows_.size() >= kMostWindows) return true;
  }
  const auto [it, is_new] = windows_.try_emplace(key);
  Window& window = it->second;
  if (is_new || is_over(line, window)) window = {now, 0};
  ++window.count;
  switch (line.type) {
    case ThresholdType::suppress: break;
    case ThresholdType::limit: return window.count <= line.count;
    case ThresholdType::both: return window.count == line.count;
    case ThresholdType::threshold:
      if (window.count < line.count) return false;
      windows_.erase(it);
      return true;
  }
  return true;
}

std::uint64_t ThresholdGate::withheld() const {
  const std::lock_guard lock(mutex_);
  return withheld_;
}

}  // namespace iwarpscope::live
