// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A table that forgets what was not asked for longest.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace iwarpscope::emulation {

/// At most `most` values by key; another one takes the place of the least recently used, which is counted if it still
/// mattered. Allocates as it grows, nothing before the first value. Pointers to values hold until the next take() or
/// clear().
template <class Key, class Value>
class LruTable {
 public:
  /// `most`: 1 .. 2^32 - 2.
  explicit LruTable(std::size_t most) : most_(most < 1 ? 1 : most) {}

  /// The value of `key`, which is now the most recently used; nullptr: not found.
  [[nodiscard]] Value* find(const Key& key) {
    if (newest_ != kNone && nodes_[newest_].key == key) return &nodes_[newest_].value;
    const auto it = index_.find(key);
    if (it == index_.end()) return nullptr;
    touch(it->second);
    return &nodes_[it->second].value;
  }
  /// The same, but it is no use of the value.
  [[nodiscard]] const Value* peek(const Key& key) const {
    const auto it = index_.find(key);
    return it == index_.end() ? nullptr : &nodes_[it->second].value;
  }
  /// The value of `key`, a new one when it is not found; `.second`: it is new.
  std::pair<Value*, bool> take(const Key& key) {
    return take(key, [](const Value&) { return true; });
  }
  /// `matters(value)`: whether a value that makes room is counted.
  template <class Matters>
  std::pair<Value*, bool> take(const Key& key, Matters matters) {
    if (Value* const value = find(key)) return {value, false};
    std::uint32_t at = oldest_;
    if (nodes_.size() < most_) {
      at = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    } else {
      if (matters(std::as_const(nodes_[at].value))) ++evicted_;
      index_.erase(nodes_[at].key);
      unlink(at);
    }
    nodes_[at].key = key;
    nodes_[at].value = Value{};
    index_.emplace(key, at);
    link(at);
    return {&nodes_[at].value, true};
  }
  /// Calls `take(key, value)` for every value, in an order that depends on the calls made and on nothing else.
  template <class Take>
  void for_each(Take take) {
    for (Node& node : nodes_) take(std::as_const(node.key), node.value);
  }
  template <class A>
  void archive(A& a) {
    a(evicted_, nodes_);
    a.check(nodes_.size() <= most_);
    // The order of use, oldest first: each node once.
    std::uint32_t at = oldest_;
    for (std::size_t k = 0; k < nodes_.size() && !a.has_failed(); ++k) {
      a(at);
      if (a.is_reading()) a.check(at < nodes_.size() && index_.emplace(nodes_[at].key, at).second);
      if (a.is_reading() && !a.has_failed()) link(at);
      if (!a.is_reading()) at = nodes_[at].newer;
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::uint64_t evicted() const noexcept { return evicted_; }
  /// Octets of memory held, about.
  [[nodiscard]] std::size_t held() const noexcept {
    return nodes_.capacity() * sizeof(Node) + index_.capacity() * (sizeof(std::pair<const Key, std::uint32_t>) + 1);
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  struct Node {
    Key key{};
    Value value{};
    std::uint32_t newer = kNone, older = kNone;

    template <class A>
    void archive(A& a) {
      a(key, value);
    }
  };

  void unlink(std::uint32_t at) noexcept {
    const Node& n = nodes_[at];
    (n.newer == kNone ? newest_ : nodes_[n.newer].older) = n.older;
    (n.older == kNone ? oldest_ : nodes_[n.older].newer) = n.newer;
  }
  void link(std::uint32_t at) noexcept {
    nodes_[at].newer = kNone;
    nodes_[at].older = newest_;
    (newest_ == kNone ? oldest_ : nodes_[newest_].newer) = at;
    newest_ = at;
  }
  void touch(std::uint32_t at) noexcept {
    if (newest_ == at) return;
    unlink(at);
    link(at);
  }

  std::size_t most_;
  absl::flat_hash_map<Key, std::uint32_t> index_;
  std::vector<Node> nodes_;
  std::uint32_t newest_ = kNone, oldest_ = kNone;
  std::uint64_t evicted_ = 0;
};

}  // namespace iwarpscope::emulation
