// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Counts the calls of iwarpscope.v1 by method and status, and their answers.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include <memory>

#include "api/unread.h"
#include "api/use.h"

namespace iwarpscope::api {

/// For the builder of a server, which must not outlive either. `unread` gets the answers of questions until their
/// clients have read them.
[[nodiscard]] std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> count_calls(Use& use,
                                                                                                 Unread& unread);

}  // namespace iwarpscope::api
