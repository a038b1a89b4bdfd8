// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A stream that ends as soon as it begins.
#pragma once

#include <grpcpp/support/server_callback.h>

namespace iwarpscope::api {

/// Belongs to gRPC from its construction on, and ends itself.
template <class Reactor>
class Refusal final : public Reactor {
 public:
  explicit Refusal(const grpc::Status& status) { this->Finish(status); }
  void OnDone() override { delete this; }
};

}  // namespace iwarpscope::api
