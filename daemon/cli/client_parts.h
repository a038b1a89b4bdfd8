// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Functions shared by the commands that query a running iwarpscoped.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/client.h"
#include "cli/client_arguments.h"
#include "cli/output.h"
#include "iwarpscope/v1/observer.pb.h"

namespace google::protobuf {
class Message;
}

namespace iwarpscope::cli {

/// Prints an error, and returns the exit status.
int complain(const Console& console, std::string_view command, const api::Failure& failure);
int complain(const Console& console, std::string_view command, const std::string& sentence);

[[nodiscard]] bool is_json(const ClientArguments& arguments);

/// A message as protobuf writes it in JSON, with the name of the record before its fields. A line.
[[nodiscard]] std::string json_line(const google::protobuf::Message& message, const std::string& record);
/// The record of the report. A line.
[[nodiscard]] std::string finding_json(const v1::Finding& finding);

/// The enumerators of words that the parser has checked; an empty word: any.
[[nodiscard]] v1::Severity severity(const std::string& word);
[[nodiscard]] v1::Outcome outcome(const std::string& word);
[[nodiscard]] v1::QpState state(const std::string& word);

/// Reads pages until `take` returns false or there are no more. Returns the failure, if any.
template <class Request, class Reply>
std::optional<api::Failure> pages(api::Client& client, api::Client::Answer<Reply> (api::Client::*ask)(const Request&),
                                  Request request, const std::atomic<bool>& stop,
                                  const std::function<bool(const Reply&)>& take) {
  while (!stop) {
    auto page = (client.*ask)(request);
    if (!page) return page.error();
    if (!take(*page) || !page->has_next()) return std::nullopt;
    request.set_from(page->next());
  }
  return std::nullopt;
}

}  // namespace iwarpscope::cli
