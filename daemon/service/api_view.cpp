// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/api_view.h"

#include <array>

namespace iwarpscope::service {
namespace {

/// By number. Source: grpc/status.h.
constexpr std::array<std::string_view, api::CallCounts::kCodes> kCodes{
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

metrics::ApiView::Method method_view(const api::Method& method, const api::CallCounts& counts) {
  metrics::ApiView::Method view{method.name(), {}, static_cast<double>(counts.ns) * 1e-9};
  for (std::size_t code = 0; code < kCodes.size(); ++code) {
    const std::uint64_t ended = counts.ended[code];
    if (code == 0 || ended != 0) view.ended.emplace_back(kCodes[code], ended);
  }
  return view;
}

}  // namespace

metrics::ApiView api_view(api::Server& server, const live::Status& status) {
  const api::Use& use = server.use();
  metrics::ApiView view;
  for (std::size_t i = 0; i < api::kMethods.size(); ++i)
    view.methods.push_back(method_view(api::kMethods[i], use.calls[i]));
  view.subscribers = use.subscribers;
  view.subscriber_octets = status.shared_octets + use.held;
  view.unread_octets = server.unread();
  view.reported = use.reported;
  view.lost = use.lost;
  view.refused = use.refused;
  view.handshakes_failed = use.handshakes;
  const api::TlsEnds ends = server.tls_ends();
  const auto add = [&view](std::string_view file, std::int64_t end) {
    if (end != 0) view.ends.emplace_back(file, end);
  };
  add("certificate", ends.certificate);
  add("client_ca", ends.ca);
  add("client_crl", ends.crl);
  return view;
}

}  // namespace iwarpscope::service
