// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/direction_counters.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "iwarpscope/v1/queue_pair.pb.h"
#include "qp/direction_counters.h"

namespace iwarpscope::api {
namespace {

struct Field {
  qp::DirectionCounter::Member member;
  const google::protobuf::FieldDescriptor* field;
};

std::vector<Field> find_fields() {
  std::vector<Field> all;
  for (const qp::DirectionCounter& counter : qp::kDirectionCounters) {
    if (counter.name.empty()) continue;
    const auto* field = v1::DirectionCounters::descriptor()->FindFieldByName(std::string{counter.name});
    if (field == nullptr || field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_UINT64) {
      throw std::logic_error(fmt::format("v1::DirectionCounters has no uint64 field {}", counter.name));
    }
    all.push_back({counter.member, field});
  }
  return all;
}

const std::vector<Field>& fields() {
  static const std::vector<Field> all = find_fields();
  return all;
}

}  // namespace

void put_counters(const qp::DirectionRecord& in, v1::DirectionCounters& out) {
  const google::protobuf::Reflection& reflection = *v1::DirectionCounters::GetReflection();
  for (const Field& f : fields()) reflection.SetUInt64(&out, f.field, in.*f.member);
}

void read_counters(const v1::DirectionCounters& in, qp::DirectionRecord& out) {
  const google::protobuf::Reflection& reflection = *v1::DirectionCounters::GetReflection();
  for (const Field& f : fields()) out.*f.member = reflection.GetUInt64(in, f.field);
}

}  // namespace iwarpscope::api
