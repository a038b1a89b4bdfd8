// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A budget for answers that clients do not read.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <unordered_map>

namespace iwarpscope::api {

/// Octets of answers that gRPC holds until their clients have read them. Any thread.
class Unread {
 public:
  static constexpr std::size_t kShares = 4;  ///< one client may take this share of all

  /// Another answer may begin up to this limit, so that a few answers come on top of it.
  explicit Unread(std::size_t most) : most_(most) {}

  /// False: this client, or all together, have to read first.
  [[nodiscard]] bool has_room(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    const auto its = clients_.find(client);
    return octets_ < most_ && (its == clients_.end() || its->second < most_ / kShares);
  }
  void add(const std::string& client, std::size_t octets) {
    const std::lock_guard lock(mutex_);
    octets_ += octets;
    clients_[client] += octets;
  }
  /// As many as were added.
  void give_back(const std::string& client, std::size_t octets) {
    const std::lock_guard lock(mutex_);
    octets_ -= octets;
    const auto its = clients_.find(client);
    its->second -= octets;
    if (its->second == 0) clients_.erase(its);
  }
  [[nodiscard]] std::size_t octets() const {
    const std::lock_guard lock(mutex_);
    return octets_;
  }

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::size_t octets_ = 0;                                ///< of all clients
  std::unordered_map<std::string, std::size_t> clients_;  ///< none is 0
};

}  // namespace iwarpscope::api
