// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Clients that receive events.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "api/use.h"
#include "live/directory.h"

namespace iwarpscope::v1 {
class SubscribeRequest;
class SubscribeReply;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

class Access;
class Work;

/// One thread empties the queues of all subscribers, each as fast as its client reads; what a client is too slow for is
/// lost in its own queue, which is bounded, and counted there. A event waits 20 ms here at most.
class Subscribers {
 public:
  struct Limits {
    std::size_t most = 1024;
    std::size_t most_queued = std::size_t{1} << 22;  ///< events that may wait in all queues together
  };
  /// Reads what is remembered on threads of `work`, which must outlive it.
  Subscribers(live::Directory& directory, Limits limits, Use& use, const Access& access, Work& work);
  /// Precondition: the server that calls open() is shut down.
  ~Subscribers();
  Subscribers(const Subscribers&) = delete;
  Subscribers& operator=(const Subscribers&) = delete;

  using Reactor = grpc::ServerWriteReactor<v1::SubscribeReply>;
  /// What gRPC is to run for a call of Subscribe. Any thread.
  [[nodiscard]] Reactor* open(grpc::CallbackServerContext& context, const v1::SubscribeRequest& request);
  /// Ends the streams of clients that may no longer have them. Does not wait.
  void review() { wake(); }
  /// Ends all streams and refuses new ones. Does not wait.
  void stop();

 private:
  class Stream;
  struct Start;
  /// Fails with a sentence.
  [[nodiscard]] tl::expected<Start, std::string> start_of(const std::string& client,
                                                          const v1::SubscribeRequest& request,
                                                          const live::Wanted& wanted);
  void run();
  void wake();
  void remove(const Stream* stream);

  live::Directory& directory_;
  Limits limits_;
  Use& use_;
  const Access& access_;
  Work& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const Stream*, std::shared_ptr<Stream>> streams_;
  std::size_t queued_ = 0;        ///< places in all queues
  std::uint64_t generation_ = 0;  ///< of streams_
  bool woken_ = false, stopping_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace iwarpscope::api
