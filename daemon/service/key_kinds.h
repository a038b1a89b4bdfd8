// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How each kind of value is read and written. Private to daemon/service.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <limits>
#include <string>
#include <utility>

#include "service/keys.h"
#include "service/units.h"

namespace iwarpscope::service {

using Refusal = std::optional<std::string>;

/// A TOML string.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Each kind has: Refusal put(member&, Value), std::string text(member).
struct Flag {
  static Refusal put(bool& to, const Value& value) {
    const bool* const given = std::get_if<bool>(&value);
    if (given == nullptr) return "it must be true or false";
    to = *given;
    return {};
  }
  static std::string text(bool value) { return value ? "true" : "false"; }
};

struct Text {
  bool may_be_empty = true;
  Refusal put(std::string& to, const Value& value) const {
    const auto* const given = std::get_if<std::string>(&value);
    if (given == nullptr) return "it must be a string, in quotes";
    if (given->empty() && !may_be_empty) return "it must not be empty";
    to = *given;
    return {};
  }
  static std::string text(const std::string& value) { return in_quotes(value); }
};

/// A file or folder. The path is absolute, because the daemon's working directory is not defined.
struct Path {
  bool may_be_empty = false;
  Refusal put(std::string& to, const Value& value) const {
    const auto* const given = std::get_if<std::string>(&value);
    if (given == nullptr) return "it must be a path, in quotes";
    if (given->empty() ? !may_be_empty : given->front() != '/') return "it must be a path that begins with /";
    to = *given;
    return {};
  }
  static std::string text(const std::string& value) { return in_quotes(value); }
};

struct Texts {
  static Refusal put(std::vector<std::string>& to, const Value& value) {
    const auto* const given = std::get_if<std::vector<std::string>>(&value);
    if (given == nullptr) return "it must be a list of strings: [\"one\", \"two\"]";
    to = *given;
    return {};
  }
  static std::string text(const std::vector<std::string>& value);
};

struct Count {
  std::uint64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  template <std::integral T>
  Refusal put(T& to, const Value& value) const {
    const auto* const given = std::get_if<std::int64_t>(&value);
    if (given == nullptr || *given < 0 || static_cast<std::uint64_t>(*given) < least ||
        static_cast<std::uint64_t>(*given) > most || !std::in_range<T>(*given)) {
      return "it must be a whole number from " + std::to_string(least) + " to " +
             std::to_string(std::min<std::uint64_t>(most, std::numeric_limits<T>::max()));
    }
    to = static_cast<T>(*given);
    return {};
  }
  template <std::integral T>
  static std::string text(T value) {
    return std::to_string(value);
  }
};

/// Octets.
struct Size {
  std::uint64_t least = 0, most = std::numeric_limits<std::int64_t>::max();
  bool or_none = false;  ///< 0 B means no limit, even if `least` is larger
  template <std::integral T>
  Refusal put(T& to, const Value& value) const {
    const auto* const given = std::get_if<std::string>(&value);
    const auto octets = given != nullptr ? parse_size(*given) : std::nullopt;
    const bool is_none = or_none && octets == std::uint64_t{0};
    if (!octets || (*octets < least && !is_none) || *octets > most || !std::in_range<T>(*octets)) {
      return std::string(or_none ? "it must be \"0 B\" or a size from " : "it must be a size from ") +
             size_text(least) +
             (most == std::numeric_limits<std::int64_t>::max() ? std::string(" up") : " to " + size_text(most)) +
             ", such as " + in_quotes(size_text(std::clamp(std::uint64_t{64} << 20, least, most)));
    }
    to = static_cast<T>(*octets);
    return {};
  }
  template <std::integral T>
  static std::string text(T value) {
    return in_quotes(size_text(static_cast<std::uint64_t>(value)));
  }
};

/// Nanoseconds in an integer, or any std::chrono::duration.
struct Time {
  std::int64_t least_ns = 0, unit_ns = 1;
  template <class T>
  Refusal put(T& to, const Value& value) const {
    const auto* const given = std::get_if<std::string>(&value);
    const auto ns = given != nullptr ? parse_time(*given) : std::nullopt;
    if (!ns || *ns < least_ns || *ns % unit_ns != 0) {
      std::string range = "it must be a time of at least " + time_text(least_ns);
      if (unit_ns > 1) range += " in whole multiples of " + time_text(unit_ns);
      return range + (unit_ns > 1'000'000'000 ? ", such as \"7 d\"" : ", such as \"30 s\" or \"7 d\"");
    }
    if constexpr (std::integral<T>) {
      to = *ns;
    } else {
      to = std::chrono::duration_cast<T>(std::chrono::nanoseconds(*ns));
    }
    return {};
  }
  static std::string text(std::int64_t ns) { return in_quotes(time_text(ns)); }
  template <class Rep, class Period>
  static std::string text(std::chrono::duration<Rep, Period> value) {
    return text(std::chrono::duration_cast<std::chrono::nanoseconds>(value).count());
  }
};

/// A whole number of them is an hour; 0: never.
struct PartOfHour : Time {
  template <class T>
  Refusal put(T& to, const Value& value) const {
    constexpr std::int64_t kHourNs = 3'600'000'000'000;
    std::int64_t ns = 0;
    auto refused = Time{0, 60'000'000'000}.put(ns, value);
    if (refused) return refused;
    if (ns != 0 && kHourNs % ns != 0) return "it must be a part of an hour, such as \"1 h\" or \"15 min\"";
    to = std::chrono::duration_cast<T>(std::chrono::nanoseconds(ns));
    return {};
  }
};

struct Factor {
  static Refusal put(double& to, const Value& value) {
    const auto* const real = std::get_if<double>(&value);
    const auto* const whole = std::get_if<std::int64_t>(&value);
    const double given = real != nullptr ? *real : whole != nullptr ? static_cast<double>(*whole) : -1;
    if (!(given >= 0 && given <= 1e6)) return "it must be a number from 0 to 1000000";
    to = given;
    return {};
  }
  static std::string text(double value);
};

/// A file mode, in octal digits.
struct FileMode {
  static Refusal put(unsigned& to, const Value& value);
  static std::string text(unsigned mode);
};

/// One of some names. `Names` is an array of pairs of value and name.
template <class E, std::size_t N>
struct Choice {
  std::array<std::pair<E, std::string_view>, N> names;
  Refusal put(E& to, const Value& value) const {
    if (const auto* const given = std::get_if<std::string>(&value)) {
      for (const auto& [one, name] : names) {
        if (*given == name) {
          to = one;
          return {};
        }
      }
    }
    std::string all;
    for (const auto& [one, name] : names) all += (all.empty() ? "" : ", ") + in_quotes(name);
    return "it must be one of " + all;
  }
  std::string text(E value) const {
    for (const auto& [one, name] : names) {
      if (one == value) return in_quotes(name);
    }
    return in_quotes("");
  }
};

inline constexpr Choice<findings::Severity, 3> kSeverity{{{{findings::Severity::note, "note"},
                                                           {findings::Severity::warning, "warning"},
                                                           {findings::Severity::error, "error"}}}};
/// A severity, or "none".
struct SeverityOrNone {
  static Refusal put(std::optional<findings::Severity>& to, const Value& value) {
    const auto* const given = std::get_if<std::string>(&value);
    if (given != nullptr && *given == "none") {
      to.reset();
      return {};
    }
    findings::Severity severity{};
    if (auto refusal = kSeverity.put(severity, value)) return *refusal + ", or \"none\"";
    to = severity;
    return {};
  }
  static std::string text(const std::optional<findings::Severity>& value) {
    return value ? kSeverity.text(*value) : in_quotes("none");
  }
};
/// For a file that grows: a smaller limit would leave room for almost no records, or could not be kept.
inline constexpr Size kSizeOrNone{.least = std::uint64_t{1} << 20, .or_none = true};

/// Interfaces with their own options. Tables are not a Value: configuration.cpp reads them, and passes any other
/// value to put().
struct InterfaceTables {
  static Refusal put(std::vector<capture::InterfaceOptions>&, const Value&) {
    return "it must be a list of tables, each beginning with [[capture.interface]]; plain names belong in "
           "capture.interfaces";
  }
  static std::string text(const std::vector<capture::InterfaceOptions>& value);
};

/// A member of a configuration for make_key(), whether it may be changed or not.
#define MEMBER(path) ([](auto& c) -> auto& { return c.path; })

/// `member`: as MEMBER makes it.
// Six parameters: the columns of a table with a row for each key.
template <class Member, class Kind>
[[nodiscard]] Key make_key(std::string_view section, std::string_view name, Reload reload, Member member, Kind kind,
                           std::string_view meaning) {
  return {section,
          name,
          meaning,
          reload,
          [=](Configuration& c, const Value& value) { return kind.put(member(c), value); },
          [=](const Configuration& c) { return kind.text(member(c)); },
          [=](Configuration& to, const Configuration& from) { member(to) = member(from); },
          {}};
}

/// The same for a limit that can be simulated: `lowest` is its lowest value.
template <class Member, class Kind, class T>
[[nodiscard]] Key make_limit(std::string_view name, Member member, Kind kind, T lowest, std::string_view meaning) {
  Key key = make_key("limits", name, Reload::refused, member, kind, meaning);
  key.lowest = [=](Configuration& c) {
    auto& limit = member(c);
    limit = static_cast<std::remove_reference_t<decltype(limit)>>(lowest);
  };
  return key;
}

/// The same for a limit that a reload changes.
template <class Member, class Kind, class T>
[[nodiscard]] Key make_live_limit(std::string_view name, Member member, Kind kind, T lowest, std::string_view meaning) {
  Key key = make_limit(name, member, kind, lowest, meaning);
  key.reload = Reload::applied;
  return key;
}

}  // namespace iwarpscope::service
