// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong in a capture, one entry for each cause and place, however many queue pairs it hit.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "findings/catalogue.h"
#include "net/address.h"
#include "qp/records.h"

namespace iwarpscope::report {

/// What makes two queue pairs one incident.
struct IncidentKey {
  qp::Outcome outcome{};
  std::string cause;
  qp::Blame blame{};
  net::IpAddress host, other;  ///< `other`: only of a path
  std::uint16_t port = 0;      ///< of the listener; 0: it is not known which end listens
  friend auto operator<=>(const IncidentKey&, const IncidentKey&) = default;
};

/// Queue pairs that went wrong in the same way at the same place.
struct Incident {
  IncidentKey key;
  qp::VerdictRecord verdict;                  ///< on the first of them
  std::uint64_t qp = 0;                       ///< the first of them
  net::Endpoint a, b;                         ///< its ends
  qp::Roles roles{};                          ///< how they are distinguished
  std::optional<findings::FindingId> rule;    ///< it did not end badly, but this rule was broken
  std::uint64_t count = 0;                    ///< of queue pairs
  std::vector<std::uint64_t> qps;             ///< the first kQps of them, in the order in which they came
  std::set<net::IpAddress> a_hosts, b_hosts;  ///< at most kHosts each
  bool more_hosts = false;                    ///< there were others
  bool one_port = true;                       ///< all have the port of `b`
  static constexpr std::size_t kQps = 8;
  static constexpr std::size_t kHosts = 16;
};

/// How much an incident wants to be seen first: failed, stalled, refused, ended well but with errors, unknown. Higher
/// is worse; 0 is no incident.
[[nodiscard]] int badness(const Incident& incident) noexcept;
[[nodiscard]] int badness(qp::Outcome outcome, bool has_errors) noexcept;

/// The first error of a peer or of the data among the findings of a queue pair: a broken rule of severity error that is
/// not about the capture. Without one: atomics or retransmitted data that contradict what was seen, which is a warning.
/// From the record's summary.
[[nodiscard]] std::optional<findings::FindingId> first_error(const qp::QpRecord& record) noexcept;

/// What a queue pair that did not end badly has to its name all the same. A higher one is worse.
enum class Flaw : std::uint8_t {
  none,      ///< or it ended badly: its outcome says so
  repaired,  ///< losses, damage or waits that its verdict names, and that the transport repaired
  doubtful,  ///< its data contradict what was seen
  error,     ///< an error was found
};
[[nodiscard]] Flaw flaw(const qp::QpRecord& record) noexcept;
/// The same of a broken rule that first_error() may return.
[[nodiscard]] Flaw flaw(findings::FindingId rule) noexcept;
/// The severity that every display gives it; nothing: no flaw.
[[nodiscard]] std::optional<findings::Severity> severity(Flaw flaw) noexcept;

/// Precondition: the record has a verdict.
[[nodiscard]] IncidentKey incident_key(const qp::QpRecord& record, std::optional<findings::FindingId> error);

/// Takes queue pairs one by one, and groups what went wrong by row of the verdict catalogue (with the rules that the
/// verdict names), outcome and place: the blamed end's host and the listener's port, or the two hosts of the path.
/// Bounded: it keeps the worst kMost incidents, and counts by host for kMostHosts.
class Incidents {
 public:
  static constexpr std::size_t kMost = 500;
  static constexpr std::size_t kMostHosts = 4096;
  static constexpr std::size_t kFirstTroubles = 3;

  void add(const qp::QpRecord& record);

  /// The worst first; of equally bad ones, that of more queue pairs, then that of the lower first number.
  [[nodiscard]] std::vector<const Incident*> worst_first() const;
  /// Queue pairs of incidents that were dropped, because there were too many.
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_; }

  /// Queue pairs with this outcome, and those of them with each flaw.
  struct Count {
    std::uint64_t qps = 0;
    std::array<std::uint64_t, 4> flaws{};
    [[nodiscard]] std::uint64_t with(Flaw flaw) const noexcept { return flaws[static_cast<std::size_t>(flaw)]; }
  };
  [[nodiscard]] const Count& count(qp::Outcome outcome) const noexcept {
    return counts_[static_cast<std::size_t>(outcome)];
  }

  /// What the transport repaired for queue pairs of flaw `repaired`.
  struct Repairs {
    std::uint64_t qps = 0;
    std::uint64_t first_qp = 0;    ///< the lowest of their numbers
    std::uint64_t held_back = 0;   ///< messages that waited for octets before them
    std::int64_t longest_ns = 0;   ///< of these waits
    std::uint64_t sent_again = 0;  ///< octets
    friend bool operator==(const Repairs&, const Repairs&) = default;
  };
  [[nodiscard]] const Repairs& repairs() const noexcept { return repairs_; }

  /// Where it began to go wrong with a queue pair that ended badly.
  struct Trouble {
    FrameNumber frame;
    std::uint64_t qp = 0;
    net::Endpoint a, b;
  };
  /// The first ones of the capture, by frame; at most kFirstTroubles.
  [[nodiscard]] const std::vector<Trouble>& first_troubles() const noexcept { return first_; }

  /// A host, or the two of a path, that is blamed for more than one queue pair that ended badly.
  struct Blamed {
    net::IpAddress host;
    std::optional<net::IpAddress> other;  ///< a path leads there
    std::uint64_t qps = 0;
  };
  /// The most often blamed first.
  [[nodiscard]] std::vector<Blamed> blamed_often() const;

 private:
  using Hosts = std::pair<net::IpAddress, net::IpAddress>;  ///< a path, the lower address first; or twice the same host

  [[nodiscard]] Incident* find_or_make(IncidentKey key, int how_bad);
  void remember_blamed(const qp::QpRecord& record);
  void remember_first(const qp::QpRecord& record);
  void remember_repairs(const qp::QpRecord& record);

  std::map<IncidentKey, Incident> incidents_;
  std::uint64_t dropped_ = 0;
  std::array<Count, 6> counts_{};  ///< by outcome
  Repairs repairs_;
  std::vector<Trouble> first_;
  std::map<Hosts, std::uint64_t> blamed_;
};

}  // namespace iwarpscope::report
