// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What clients of other versions rely on stays: each method, field and enumerator that v1 ever had, with its number and
// type. The list beside this file may grow; IWARPSCOPE_UPDATE_API=1 adds what is new.
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "iwarpscope/v1/control.pb.h"
#include "iwarpscope/v1/observer.pb.h"

namespace iwarpscope::api {
namespace {

using Lines = std::set<std::string>;

void add(const google::protobuf::EnumDescriptor& type, Lines& lines) {
  for (int i = 0; i < type.value_count(); ++i)
    lines.insert("enumerator " + type.full_name() + "." + type.value(i)->name() + " = " +
                 std::to_string(type.value(i)->number()));
}

std::string type_of(const google::protobuf::FieldDescriptor& field) {
  std::string type = field.is_repeated() ? "repeated " : field.has_optional_keyword() ? "optional " : "";
  if (const auto* message = field.message_type()) return type + message->full_name();
  if (const auto* values = field.enum_type()) return type + values->full_name();
  return type + field.type_name();
}

void add(const google::protobuf::Descriptor& message, Lines& lines) {
  for (int i = 0; i < message.field_count(); ++i) {
    const auto& field = *message.field(i);
    const auto* const choice = field.real_containing_oneof();
    lines.insert("field " + message.full_name() + "." + field.name() + " = " + std::to_string(field.number()) + " " +
                 type_of(field) + (choice == nullptr ? "" : " of " + choice->name()));
  }
  for (int i = 0; i < message.nested_type_count(); ++i) add(*message.nested_type(i), lines);
  for (int i = 0; i < message.enum_type_count(); ++i) add(*message.enum_type(i), lines);
}

/// The file and all that it imports.
void add(const google::protobuf::FileDescriptor& file, Lines& lines) {
  for (int i = 0; i < file.dependency_count(); ++i) add(*file.dependency(i), lines);
  for (int i = 0; i < file.message_type_count(); ++i) add(*file.message_type(i), lines);
  for (int i = 0; i < file.enum_type_count(); ++i) add(*file.enum_type(i), lines);
  for (int i = 0; i < file.service_count(); ++i) {
    const auto& service = *file.service(i);
    for (int k = 0; k < service.method_count(); ++k) {
      const auto& method = *service.method(k);
      lines.insert("method " + method.full_name() + (method.client_streaming() ? " stream " : " ") +
                   method.input_type()->full_name() + (method.server_streaming() ? " stream " : " ") +
                   method.output_type()->full_name());
    }
  }
}

TEST(Api, KeepsEachMethodFieldAndEnumeratorOfV1) {
  Lines now;
  add(*v1::TailHistoryRequest::descriptor()->file(), now);
  add(*v1::ReloadReply::descriptor()->file(), now);
  Lines before;
  std::ifstream file(IWARPSCOPE_API_LIST);
  for (std::string line; std::getline(file, line);) before.insert(line);
  if (std::getenv("IWARPSCOPE_UPDATE_API") != nullptr) {
    before.insert(now.begin(), now.end());
    std::ofstream out(IWARPSCOPE_API_LIST);
    for (const std::string& line : before) out << line << '\n';
  }
  ASSERT_GT(before.size(), 300u);
  for (const std::string& line : before) EXPECT_TRUE(now.contains(line)) << "removed or changed: " << line;
  for (const std::string& line : now)
    EXPECT_TRUE(before.contains(line)) << "new, to be added with IWARPSCOPE_UPDATE_API=1: " << line;
}

}  // namespace
}  // namespace iwarpscope::api
