// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "forward/delivery.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::forward {
namespace {

using centre::Array;

constexpr const char* kDeliver =
    "SELECT added, known, changed FROM iwarpscope.deliver_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, "
    "$14, $15, $16, $17, $18, $19, $20, $21)";

std::size_t index_of(int kind) {
  return kind > 0 && static_cast<std::size_t>(kind) < kKinds ? static_cast<std::size_t>(kind) : 0;
}

centre::Uuid uuid_or_zero(const std::string& text) {
  return centre::uuid_of(text).value_or(centre::Uuid{});
}

/// The columns of the records, in the order of deliver_v1.
void add_columns(centre::Parameters& to, const std::vector<v1::StoredRecord>& records) {
  const auto column = [&](Array::Of type, auto&& put) {
    Array values(type);
    for (const v1::StoredRecord& record : records) put(values, record);
    to.add(values);
  };
  const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  column(Array::Of::int16, [](Array& a, const auto& r) { a.add(static_cast<std::int64_t>(r.kind())); });
  column(Array::Of::int64, [&](Array& a, const auto& r) { a.add(number(r.id())); });
  column(Array::Of::uuid, [](Array& a, const auto& r) { a.add(uuid_or_zero(r.run_uuid())); });
  column(Array::Of::int64, [](Array& a, const auto& r) { a.add(r.stored_time_ns()); });
  column(Array::Of::int64, [](Array& a, const auto& r) { a.add(r.time_ns()); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.key()}); });
  column(Array::Of::int16, [](Array& a, const auto& r) { a.add(static_cast<std::int64_t>(r.severity())); });
  column(Array::Of::int64, [&](Array& a, const auto& r) { r.has_qp() ? a.add(number(r.qp())) : a.add_null(); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.a()}); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.b()}); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.community_id()}); });
  column(Array::Of::int64, [&](Array& a, const auto& r) { a.add(number(r.sequence())); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.interface()}); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.tap_group()}); });
  column(Array::Of::text, [](Array& a, const auto& r) { a.add(std::string_view{r.json()}); });
}

}  // namespace

void Places::put(google::protobuf::RepeatedPtrField<v1::HistoryPlace>& to) const {
  for (std::size_t kind = 1; kind < kKinds; ++kind) {
    if (!of.at(kind)) continue;
    v1::HistoryPlace& place = *to.Add();
    place.set_kind(static_cast<v1::QueryHistoryRequest::Kind>(kind));
    place.set_id(static_cast<std::uint64_t>(of.at(kind)->id));
    place.set_run_uuid(of.at(kind)->run_uuid);
  }
}

void Batcher::take(v1::TailHistoryReply& reply) {
  for (const v1::ExpiredRecords& expired : reply.expired())
    expired_.at(index_of(expired.kind())) += static_cast<std::int64_t>(expired.count());
  for (v1::StoredRecord& record : *reply.mutable_records()) {
    if (index_of(record.kind()) != 0) waiting_.push_back(std::move(record));  // else of a newer daemon
  }
}

Batch Batcher::next() {
  Batch batch;
  const std::size_t size = std::min(most_, waiting_.size());
  batch.records.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    v1::StoredRecord& record = waiting_.front();
    const std::size_t kind = index_of(record.kind());
    at_.of.at(kind) = Places::Place{record.run_uuid(), static_cast<std::int64_t>(record.id())};
    batch.expired.at(kind) += std::exchange(expired_.at(kind), 0);
    batch.records.push_back(std::move(record));
    waiting_.pop_front();
  }
  batch.after = at_;
  return batch;
}

centre::Asked<Places> read_cursor(centre::Connection& centre, const std::string& sensor_uuid,
                                  std::chrono::milliseconds patience) {
  const auto rows = centre.run_within(patience, "SELECT kind, run, id FROM iwarpscope.cursor_v1($1)",
                                      centre::Parameters{}.add(uuid_or_zero(sensor_uuid)));
  if (!rows) return tl::unexpected(rows.error());
  Places places;
  for (int row = 0; row < rows->rows(); ++row) {
    const std::size_t kind = index_of(static_cast<int>(rows->number(row, 0)));
    if (kind != 0) places.of.at(kind) = Places::Place{std::string(rows->text(row, 1)), rows->number(row, 2)};
  }
  return places;
}

centre::Asked<void> send(centre::Connection& centre, const std::string& sensor_uuid, const Places& from,
                         const Batch& batch) {
  Array kinds(Array::Of::int16), runs(Array::Of::uuid), ids(Array::Of::int64);
  Array expired_kinds(Array::Of::int16), expired_counts(Array::Of::int64);
  for (std::size_t kind = 1; kind < kKinds; ++kind) {
    const auto number = static_cast<std::int64_t>(kind);
    if (const auto& place = from.of.at(kind)) {
      kinds.add(number);
      runs.add(uuid_or_zero(place->run_uuid));
      ids.add(place->id);
    }
    if (batch.expired.at(kind) == 0) continue;
    expired_kinds.add(number);
    expired_counts.add(batch.expired.at(kind));
  }
  centre::Parameters values;
  values.add(uuid_or_zero(sensor_uuid)).add(kinds).add(runs).add(ids);
  add_columns(values, batch.records);
  values.add(expired_kinds).add(expired_counts);
  return centre.send(kDeliver, values);
}

}  // namespace iwarpscope::forward
