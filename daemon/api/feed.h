// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Keeps a copy of the state of a daemon up to date, across lost connections.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/client.h"
#include "live/views.h"

namespace iwarpscope::api {

struct FeedOptions {
  bool findings = false;  ///< all there are, then new ones
  bool activity = false;  ///< rows of queue pairs with their last 60 seconds
  std::size_t most_qps = 200'000;
  std::string sensor{};  ///< at a centre: only what is of this one; empty: of all
  std::chrono::milliseconds status_every{1000};
  std::chrono::milliseconds retry_first{250}, retry_last{10'000};  ///< pause before the next attempt; doubles
  std::chrono::milliseconds list_again{3000};  ///< between two lists, at least; changes wait when one is due earlier
};

/// Receives the data of a Feed. Called on its threads: status() and trouble() by any of them, all others by one.
class FeedTaker {
 public:
  virtual void status(std::shared_ptr<const v1::Status> status) = 0;
  /// All queue pairs there are: what was known before is void.
  virtual void replace(std::vector<live::QpView> qps) = 0;
  /// One that is new or has changed.
  virtual void apply(live::QpView qp) = 0;
  /// All findings that are remembered follow by finding(): what was known before is void.
  virtual void forget_findings() {}
  virtual void finding(live::FindingView&&) {}
  /// Why the daemon does not answer; null: it answers again, and everything has been listed and passed again.
  virtual void trouble(const Failure* failure) = 0;
  /// After trouble(): the next attempt is made when this time has passed.
  virtual void retrying(std::chrono::milliseconds /*pause*/) {}

 protected:
  ~FeedTaker() = default;
};

/// Lists what is there, follows changes, and lists again when changes were lost or the daemon was away. Two threads.
class Feed {
 public:
  /// Both must outlive it. The client is the feed's alone: it is stopped with it.
  Feed(Client& client, FeedTaker& taker, FeedOptions options);
  ~Feed();
  /// Makes the next attempt now. Any thread.
  void try_now();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace iwarpscope::api
