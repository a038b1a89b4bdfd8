// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/call_counts.h"

#include <algorithm>
#include <chrono>

namespace iwarpscope::api {
namespace {

using namespace grpc::experimental;

/// One call. gRPC makes it when the call begins, and asks it when the status is sent.
class CountedCall final : public Interceptor {
 public:
  explicit CountedCall(CallCounts& counts) : counts_(counts) {}
  void Intercept(InterceptorBatchMethods* methods) override {
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
  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

class CallCounter final : public ServerInterceptorFactoryInterface {
 public:
  explicit CallCounter(Use& use) : use_(use) {}
  Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    const std::size_t at = method_at(info->method());
    return at < kMethods.size() ? new CountedCall(use_.calls[at]) : nullptr;
  }

 private:
  Use& use_;
};

}  // namespace

std::unique_ptr<ServerInterceptorFactoryInterface> count_calls(Use& use) {
  return std::make_unique<CallCounter>(use);
}

}  // namespace iwarpscope::api
