// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stored records on their way to programs that deliver them elsewhere.
#pragma once

#include <grpcpp/support/server_callback.h>

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "api/services.h"
#include "api/use.h"

namespace iwarpscope::v1 {
class TailHistoryRequest;
class TailHistoryReply;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

class Access;

/// A thread for each tail, and few of them at a time.
class Tails {
 public:
  struct Limits {
    std::size_t most = 4;        ///< that are sent records at a time
    std::size_t most_open = 16;  ///< calls, with those that only report
    std::chrono::milliseconds first_word =
        std::chrono::seconds{10};                                 ///< a client that says nothing for so long is left
    std::chrono::milliseconds silence = std::chrono::minutes{5};  ///< so is one that reports, and then nothing more
    std::chrono::milliseconds stall = std::chrono::minutes{10};   ///< a client that reads nothing for so long is left
    std::chrono::milliseconds look_every{50};                     ///< for new records
  };
  /// All are borrowed.
  Tails(const Sources& sources, Limits limits, Use& use, const Access& access);
  /// Precondition: the server that calls open() is shut down.
  ~Tails();
  Tails(const Tails&) = delete;
  Tails& operator=(const Tails&) = delete;

  using Reactor = grpc::ServerBidiReactor<v1::TailHistoryRequest, v1::TailHistoryReply>;
  /// What gRPC is to run for a call of TailHistory. Any thread.
  [[nodiscard]] Reactor* open(grpc::CallbackServerContext& context);
  /// Ends all of them and refuses new ones. Does not wait.
  void stop();

 private:
  class Stream;
  struct Running {
    std::shared_ptr<Stream> stream;
    std::thread thread;
  };
  void reap();
  [[nodiscard]] bool may_begin();

  const Sources sources_;
  const Limits limits_;
  Use& use_;
  const Access& access_;
  std::mutex mutex_;
  std::list<Running> running_;
  bool stopping_ = false;
};

}  // namespace iwarpscope::api
