// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The table of a state machine: which event leads from which state to which.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace iwarpscope {

/// A legal step of a machine, and the place that says so. State and Event are enumerations that count from 0.
template <class StateOf, class EventOf>
struct Edge {
  using State = StateOf;
  using Event = EventOf;
  State from;
  Event event;
  State to;
  std::string_view source;  ///< "RFC 5044 §7.1.2", or "ours" and why
};

/// What is wrong with a table of edges.
enum class EdgeFault : std::uint8_t {
  none,
  repeated_pair,  ///< two edges begin with the same state and event
  out_of_range,   ///< an enumerator that the machine does not have
  no_source,
};
/// The first fault, in the order of the edges. A machine has kStates states and kEvents events.
template <std::size_t kStates, std::size_t kEvents, class E, std::size_t kEdges>
[[nodiscard]] constexpr EdgeFault fault_of(const std::array<E, kEdges>& edges) noexcept {
  std::array<std::array<bool, kEvents>, kStates> seen{};
  for (const E& edge : edges) {
    const auto from = static_cast<std::size_t>(edge.from), event = static_cast<std::size_t>(edge.event);
    if (from >= kStates || event >= kEvents || static_cast<std::size_t>(edge.to) >= kStates) {
      return EdgeFault::out_of_range;
    }
    if (edge.source.empty()) return EdgeFault::no_source;
    if (seen[from][event]) return EdgeFault::repeated_pair;
    seen[from][event] = true;
  }
  return EdgeFault::none;
}

/// All legal steps of a machine. It exists at compile time only without a fault: edge_table() does not compile else.
template <std::size_t kStates, std::size_t kEvents, class E, std::size_t kEdges>
class EdgeTable {
 public:
  using State = typename E::State;
  using Event = typename E::Event;

  consteval explicit EdgeTable(const std::array<E, kEdges>& edges) : edges_(edges) {
    switch (fault_of<kStates, kEvents>(edges)) {
      case EdgeFault::none: break;
      case EdgeFault::repeated_pair: throw std::logic_error("two edges begin with the same state and event");
      case EdgeFault::out_of_range: throw std::logic_error("an edge names a state or event that is not counted");
      case EdgeFault::no_source: throw std::logic_error("an edge has no source");
    }
    for (auto& row : next_) row.fill(kIllegal);
    for (const E& edge : edges) next_[at(edge.from)][at(edge.event)] = static_cast<std::uint8_t>(edge.to);
  }

  /// Where the event leads from here. Empty: the pair is not legal; the caller reports that, or says why it may ignore
  /// it.
  [[nodiscard]] constexpr std::optional<State> next(State from, Event event) const noexcept {
    const std::uint8_t to = next_[at(from)][at(event)];
    return to == kIllegal ? std::nullopt : std::optional(static_cast<State>(to));
  }

  [[nodiscard]] constexpr const E* begin() const noexcept { return edges_.data(); }
  [[nodiscard]] constexpr const E* end() const noexcept { return edges_.data() + kEdges; }
  [[nodiscard]] static constexpr std::size_t size() noexcept { return kEdges; }

 private:
  static constexpr std::uint8_t kIllegal = 0xFF;
  static_assert(kStates < kIllegal);
  template <class Enumeration>
  static constexpr std::size_t at(Enumeration e) noexcept {
    return static_cast<std::size_t>(e);
  }

  std::array<E, kEdges> edges_;
  std::array<std::array<std::uint8_t, kEvents>, kStates> next_{};
};

/// inline constexpr auto kEdges = edge_table<kStates, kEvents>(std::to_array<Edge<State, Event>>({...}));
template <std::size_t kStates, std::size_t kEvents, class E, std::size_t kEdges>
[[nodiscard]] consteval auto edge_table(const std::array<E, kEdges>& edges) {
  return EdgeTable<kStates, kEvents, E, kEdges>(edges);
}

}  // namespace iwarpscope
