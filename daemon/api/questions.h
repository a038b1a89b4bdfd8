// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How a question comes to its answer: what both services share.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "api/access.h"
#include "api/client_name.h"
#include "api/gate.h"
#include "api/services.h"
#include "api/unread.h"
#include "api/use.h"
#include "api/work.h"
#include "live/caller.h"

namespace iwarpscope::api {

/// Questions wait for a thread no longer than this.
inline constexpr std::chrono::seconds kLongestWait{5};
/// A page ends early when its items are not found within this: those of eight clients come within two seconds.
inline constexpr std::chrono::milliseconds kLongestSearch{250};

/// Until it disconnects or its deadline has passed. `context` must outlive the call that gets it.
inline live::Caller caller(const grpc::CallbackServerContext* context) {
  return {
      .is_gone = [context] { return context->IsCancelled() || context->deadline() < std::chrono::system_clock::now(); },
      .share = kLongestSearch};
}

/// Runs `answer` (no arguments, returns a grpc::Status, fills the reply it captured) on a thread of `machinery` and
/// ends the call with what it returns. Any thread.
template <class Answer>
grpc::ServerUnaryReactor* ask(grpc::CallbackServerContext* context, const Machinery& machinery, Answer answer) {
  pass_gate();
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  Use& use = machinery.use;
  const Unread& unread = machinery.unread;
  const auto came = std::chrono::steady_clock::now();
  const std::string client = client_of(*context);
  const bool taken = machinery.work.post(client, [context, reactor, came, client, &use, &unread,
                                                  answer = std::move(answer)] {
    if (context->IsCancelled()) return reactor->Finish({grpc::StatusCode::CANCELLED, "the client disconnected"});
    if (context->deadline() < std::chrono::system_clock::now()) {
      return reactor->Finish({grpc::StatusCode::DEADLINE_EXCEEDED, "the deadline of the client expired in the queue"});
    }
    if (std::chrono::steady_clock::now() - came > kLongestWait) {
      ++use.refused;
      return reactor->Finish({grpc::StatusCode::UNAVAILABLE, "too many requests are waiting; try again later"});
    }
    if (!unread.has_room(client)) {
      ++use.refused;
      return reactor->Finish({grpc::StatusCode::RESOURCE_EXHAUSTED,
                              "this client, or all, have not read their answers; read them and try again"});
    }
    const grpc::Status status = answer();
    ++use.questions;
    pass_gate();
    reactor->Finish(status);
  });
  if (!taken) {
    ++use.refused;
    reactor->Finish({grpc::StatusCode::RESOURCE_EXHAUSTED,
                     "too many requests of this client, or of all, are waiting; try again later"});
  }
  return reactor;
}

/// The same for a call that leaves a line in the log: `what` says what was asked.
template <class Answer>
grpc::ServerUnaryReactor* ask_audited(grpc::CallbackServerContext* context, const Machinery& machinery,
                                      std::string what, Answer answer) {
  return ask(context, machinery,
             [&access = machinery.access, peer = machinery.access.peer(*context), what = std::move(what),
              answer = std::move(answer)] {
               const grpc::Status status = answer();
               access.audit(peer, what, status);
               return status;
             });
}

inline grpc::Status invalid(const std::string& sentence) {
  return {grpc::StatusCode::INVALID_ARGUMENT, sentence};
}
inline grpc::Status unavailable(const std::string& sentence) {
  return {grpc::StatusCode::UNAVAILABLE, sentence};
}

}  // namespace iwarpscope::api
