// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/client_parts.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include "api/records.h"
#include "cli/exit_status.h"
#include "outputs/lines.h"

namespace iwarpscope::cli {
namespace {

/// The enumerator of a word that the parser has checked.
template <class Enum>
Enum enumerator(const std::string& word, std::string_view prefix, bool (*parse)(const std::string&, Enum*)) {
  Enum value{};
  std::string name{prefix};
  for (const char c : word) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  (void)parse(name, &value);
  return value;
}
}  // namespace

int complain(const Console& console, std::string_view command, const api::Failure& failure) {
  console.complain(fmt::format("{}: {}", command, failure.sentence));
  return kExitTrouble;
}
int complain(const Console& console, std::string_view command, const std::string& sentence) {
  return complain(console, command, api::Failure{api::Failure::Kind::refused, sentence});
}

bool is_centre(api::Client& client) {
  const auto status = client.status();
  return status && status->centre();
}

bool is_json(const ClientArguments& arguments) {
  return arguments.format == "json";
}

std::string json_line(const google::protobuf::Message& message, const std::string& record) {
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  (void)google::protobuf::util::MessageToJsonString(message, &text, options);
  const bool is_empty = text.size() <= 2;
  return "{\"record\":\"" + record + "\"" + (is_empty ? "" : ",") + text.substr(1) + "\n";
}

std::string finding_json(const v1::Finding& finding) {
  const auto view = api::from_v1(finding);
  if (!view) return json_line(finding, "finding");  // its rule is unknown to this program
  std::string out;
  outputs::append_finding(out, *view);
  return out;
}

v1::Severity severity(const std::string& word) {
  if (word == "error") return v1::SEVERITY_ERROR;
  if (word == "warning") return v1::SEVERITY_WARNING;
  return word == "note" ? v1::SEVERITY_NOTE : v1::SEVERITY_UNSPECIFIED;
}

v1::Outcome outcome(const std::string& word) {
  return enumerator<v1::Outcome>(
      word, "OUTCOME_", [](const std::string& name, v1::Outcome* value) { return v1::Outcome_Parse(name, value); });
}
v1::QpState state(const std::string& word) {
  return enumerator<v1::QpState>(
      word, "QP_STATE_", [](const std::string& name, v1::QpState* value) { return v1::QpState_Parse(name, value); });
}

}  // namespace iwarpscope::cli
