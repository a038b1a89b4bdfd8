// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Functions shared by the commands that query a running iwarpscoped.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "api/client.h"
#include "api/pages.h"
#include "cli/client_arguments.h"
#include "cli/output.h"
#include "iwarpscope/v1/observer.pb.h"

namespace google::protobuf {
class Message;
}

namespace iwarpscope::cli {

using api::pages;

/// Prints an error, and returns the exit status.
int complain(const Console& console, std::string_view command, const api::Failure& failure);
int complain(const Console& console, std::string_view command, const std::string& sentence);

/// It answers for many sensors.
[[nodiscard]] bool is_centre(api::Client& client);
[[nodiscard]] bool is_json(const ClientArguments& arguments);

/// A message as protobuf writes it in JSON, with the name of the record before its fields. A line.
[[nodiscard]] std::string json_line(const google::protobuf::Message& message, const std::string& record);
/// The record of the report. A line.
[[nodiscard]] std::string finding_json(const v1::Finding& finding);

/// The enumerators of words that the parser has checked; an empty word: any.
[[nodiscard]] v1::Severity severity(const std::string& word);
[[nodiscard]] v1::Outcome outcome(const std::string& word);
[[nodiscard]] v1::QpState state(const std::string& word);

}  // namespace iwarpscope::cli
