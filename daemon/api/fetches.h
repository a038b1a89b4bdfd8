// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Raw packets on their way to clients.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "api/use.h"
#include "live/directory.h"
#include "live/packets.h"

namespace iwarpscope::v1 {
class FetchPacketsRequest;
class FetchPacketsReply;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

class Access;

/// A thread for each fetch, and few of them at a time.
class Fetches {
 public:
  struct Limits {
    std::size_t most = 2;                                        ///< at a time
    std::chrono::milliseconds stall = std::chrono::seconds{30};  ///< a client that reads nothing for so long is left
  };
  /// Both are borrowed. `packets` may be null: then nothing can be fetched.
  Fetches(live::Directory& directory, live::Packets* packets, Limits limits, Use& use, const Access& access);
  /// Precondition: the server that calls open() is shut down.
  ~Fetches();
  Fetches(const Fetches&) = delete;
  Fetches& operator=(const Fetches&) = delete;

  using Reactor = grpc::ServerWriteReactor<v1::FetchPacketsReply>;
  /// What gRPC is to run for a call of FetchPackets. Any thread.
  [[nodiscard]] Reactor* open(grpc::CallbackServerContext& context, const v1::FetchPacketsRequest& request);
  /// Ends all of them and refuses new ones. Does not wait.
  void stop();

 private:
  class Stream;
  struct Running {
    std::shared_ptr<Stream> stream;
    std::thread thread;
  };
  void reap();

  live::Directory& directory_;
  live::Packets* packets_;
  Limits limits_;
  Use& use_;
  const Access& access_;
  std::mutex mutex_;
  std::list<Running> running_;
  bool stopping_ = false;
};

}  // namespace iwarpscope::api
