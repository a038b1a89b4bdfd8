// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/call_counts.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "api/client_name.h"

namespace iwarpscope::api {
namespace {

using namespace grpc::experimental;

/// One call. gRPC makes it when the call begins, and asks it when the status is sent.
class CountedCall final : public Interceptor {
 public:
  CountedCall(CallCounts& counts, Unread& unread, ServerRpcInfo& call)
      : counts_(counts), unread_(unread), call_(call) {}
  /// gRPC ends the call when its client has read the answer, or is gone.
  ~CountedCall() override {
    if (answer_ != 0) unread_.give_back(client_, answer_);
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;

  void Intercept(InterceptorBatchMethods* methods) override {
    // Streams have budgets of their own.
    if (call_.type() == ServerRpcInfo::Type::UNARY &&
        methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_MESSAGE)) {
      client_ = client_of(*call_.server_context());
      answer_ = methods->GetSerializedSendMessage()->Length();
      unread_.add(client_, answer_);
    }
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::PRE_SEND_STATUS)) {
      const auto code = static_cast<std::size_t>(methods->GetSendStatus().error_code());
      ++counts_.ended[std::min(code, CallCounts::kCodes - 1)];
      const auto took = std::chrono::steady_clock::now() - began_;
      counts_.ns += static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(took).count());
    }
    methods->Proceed();
  }

 private:
  CallCounts& counts_;
  Unread& unread_;
  ServerRpcInfo& call_;  ///< owns this
  std::string client_;
  std::size_t answer_ = 0;  ///< octets
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

class CallCounter final : public ServerInterceptorFactoryInterface {
 public:
  CallCounter(Use& use, Unread& unread) : use_(use), unread_(unread) {}
  Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    const std::size_t at = method_at(info->method());
    return at < kMethods.size() ? new CountedCall(use_.calls[at], unread_, *info) : nullptr;
  }

 private:
  Use& use_;
  Unread& unread_;
};

}  // namespace

std::unique_ptr<ServerInterceptorFactoryInterface> count_calls(Use& use, Unread& unread) {
  return std::make_unique<CallCounter>(use, unread);
}

}  // namespace iwarpscope::api
