// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Lists of a running daemon, page by page.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "api/client.h"

namespace iwarpscope::api {

/// Reads pages until `take` returns false, `stop` is set or there are no more. Returns the failure, if any.
template <class Request, class Reply>
std::optional<Failure> pages(Client& client, Client::Answer<Reply> (Client::*ask)(const Request&), Request request,
                             const std::atomic<bool>* stop, const std::function<bool(const Reply&)>& take) {
  while (stop == nullptr || !*stop) {
    auto page = (client.*ask)(request);
    if (!page) return page.error();
    if (!take(*page) || !page->has_next()) return std::nullopt;
    request.set_from(page->next());
  }
  return std::nullopt;
}

}  // namespace iwarpscope::api
