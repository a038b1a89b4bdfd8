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

#include "api/room.h"
#include "api/use.h"
#include "live/directory.h"

namespace iwarpscope::v1 {
class SubscribeRequest;
class SubscribeReply;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

class Access;
class Work;

/// One thread passes events to all subscribers, to each as fast as its client reads. What a client is too slow for is
/// lost, and counted, in the memory that all share (live::Wanted::shared). What it has not read of a reply or of a page
/// of records takes room of a budget, too. An event waits 20 ms here at most.
class Subscribers {
 public:
  struct Limits {
    std::size_t most = 1024;
    std::size_t octets = std::size_t{32} << 20;  ///< of replies, and of pages of records, for all together
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
  Room replies_, pages_;  ///< of the thread
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<const Stream*, std::shared_ptr<Stream>> streams_;
  std::uint64_t generation_ = 0;  ///< of streams_
  bool woken_ = false, stopping_ = false, end_ = false;
  std::thread thread_;
};

}  // namespace iwarpscope::api
