// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Counts the calls of iwarpscope.v1 by method and status.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "api/use.h"

namespace iwarpscope::api {

/// For the builder of a server, which must not outlive `use`.
[[nodiscard]] std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_calls(Use& use);

}  // namespace iwarpscope::api
