// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Stored records and places between them as messages of iwarpscope.v1, and back.
#include <string>
#include <utility>

#include "api/records.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

using Kind = v1::QueryHistoryRequest;
static_assert(Kind::KIND_FINDINGS == 1 + static_cast<int>(live::RecordKind::findings));
static_assert(Kind::KIND_QPS == 1 + static_cast<int>(live::RecordKind::qps));
static_assert(Kind::KIND_OPERATIONS == 1 + static_cast<int>(live::RecordKind::operations));
static_assert(Kind::KIND_STATES == 1 + static_cast<int>(live::RecordKind::states));
static_assert(Kind::KIND_HEARTBEATS == 1 + static_cast<int>(live::RecordKind::heartbeats));
static_assert(Kind::KIND_SUMMARIES == 1 + static_cast<int>(live::RecordKind::summaries));

Kind::Kind kind_to_v1(live::RecordKind kind) {
  return static_cast<Kind::Kind>(1 + static_cast<int>(kind));
}

void put(const live::StoredRecord& in, v1::StoredRecord& out) {
  out.set_kind(kind_to_v1(in.kind));
  out.set_id(in.id);
  out.set_run_uuid(report::to_utf8(in.run_uuid));
  out.set_stored_time_ns(in.stored.ns);
  out.set_time_ns(in.time.ns);
  out.set_key(report::to_utf8(in.key));
  if (in.severity <= v1::SEVERITY_ERROR) out.set_severity(static_cast<v1::Severity>(in.severity));
  if (in.qp) out.set_qp(*in.qp);
  out.set_a(report::to_utf8(in.a));
  out.set_b(report::to_utf8(in.b));
  out.set_interface(report::to_utf8(in.interface));
  out.set_tap_group(report::to_utf8(in.tap_group));
  out.set_community_id(report::to_utf8(in.community_id));
  out.set_sequence(in.sequence);
  out.set_json(report::to_utf8(in.json));
}

}  // namespace

std::optional<live::RecordKind> record_kind_from_v1(int kind) noexcept {
  if (kind < 1 || kind > static_cast<int>(live::kRecordKinds)) return std::nullopt;
  return static_cast<live::RecordKind>(kind - 1);
}

tl::expected<std::vector<live::ArchivePlace>, std::string> from_v1(
    const google::protobuf::RepeatedPtrField<v1::HistoryPlace>& in) {
  std::vector<live::ArchivePlace> places;
  if (in.size() > static_cast<int>(live::kRecordKinds))
    return tl::unexpected(std::string{"there are more places than kinds of records"});
  for (const v1::HistoryPlace& place : in) {
    const auto kind = record_kind_from_v1(place.kind());
    if (!kind) return tl::unexpected("unknown kind " + std::to_string(place.kind()));
    for (const live::ArchivePlace& other : places) {
      if (other.kind == *kind) return tl::unexpected("kind " + std::to_string(place.kind()) + " has two places");
    }
    places.push_back({*kind, place.id(), place.run_uuid()});
  }
  return places;
}

void to_v1(const live::TailPage& page, v1::TailHistoryReply& out) {
  out.mutable_records()->Reserve(static_cast<int>(page.records.size()));
  for (const live::StoredRecord& record : page.records) put(record, *out.add_records());
  for (std::size_t i = 0; i < page.expired.size(); ++i) {
    if (page.expired.at(i) == 0) continue;
    v1::ExpiredRecords& expired = *out.add_expired();
    expired.set_kind(kind_to_v1(static_cast<live::RecordKind>(i)));
    expired.set_count(page.expired.at(i));
  }
  out.set_caught_up(page.is_last);
}

}  // namespace iwarpscope::api
