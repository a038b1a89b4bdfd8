// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The metadata by which the calls of a client are known.
#pragma once

#include <grpcpp/server_context.h>

#include <algorithm>
#include <string>

namespace iwarpscope::api {

/// Any text that no other client has. Calls without it share what their connections' address gets.
inline constexpr const char* kClientName = "iwarpscope-client";

/// Whose share of threads and memory a call takes: of one connection over TCP. Over a Unix socket gRPC knows no
/// difference between connections, and clients may name themselves in the metadata kClientName.
inline std::string client_of(const grpc::ServerContextBase& context) {
  std::string client = context.peer();
  const auto name = context.client_metadata().find(kClientName);
  if (name != context.client_metadata().end())
    client.append(name->second.data(), std::min<std::size_t>(name->second.size(), 64));
  return client;
}

}  // namespace iwarpscope::api
