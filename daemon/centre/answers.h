// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Answers questions about all sensors, from the centre's database. Nothing is kept between two questions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "centre/arrivals.h"
#include "centre/pool.h"
#include "centre/remote.h"
#include "centre/worker.h"
#include "live/archive.h"
#include "live/directory.h"

namespace iwarpscope::centre {

/// Numbers of queue pairs, and `sequence` of findings, are those of the centre (rows.h). Findings are those since
/// yesterday, 00:00 UTC, and all of one queue pair; others are in the history. Queue pairs that are open are as their
/// sensor stored them last.
class Answers final : public live::Directory {
 public:
  /// All must outlive it.
  Answers(Pool& pool, Arrivals& arrivals, Remote& remote, const Worker& worker, std::string version)
      : pool_(pool), arrivals_(arrivals), remote_(remote), worker_(worker), version_(std::move(version)) {}

  [[nodiscard]] live::Status status() override;
  /// Also of sensors that were removed, and of the centre itself, there may be records.
  [[nodiscard]] std::string sensor_trouble(const std::string& name, bool at_once) override;
  /// Runs of sensors have places of their own. A run of the centre that it no longer has is the one before this.
  [[nodiscard]] std::string run_trouble(const std::string& run_uuid) override;
  [[nodiscard]] Answer<live::QpPage> qps(const live::QpFilter& filter, std::uint64_t from, std::size_t most,
                                         const live::Caller& caller = {}) override;
  [[nodiscard]] Answer<live::QpViewPtr> qp(std::uint64_t number, const live::Caller& caller = {}) override;
  /// Asks the sensor.
  [[nodiscard]] Answer<live::MessagePage> messages(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                                   const live::Caller& caller = {}) override;
  /// Asks the sensor.
  [[nodiscard]] Answer<live::TransportPage> transport(std::uint64_t qp, std::uint64_t from, std::size_t most,
                                                      const live::Caller& caller = {}) override;
  [[nodiscard]] Answer<live::FindingPage> findings(const live::FindingFilter& filter, std::uint64_t from,
                                                   std::size_t most, const live::Caller& caller = {}) override;
  /// A connection that was joined counts once, with the findings and octets of the tap that has most. Without tap
  /// groups.
  [[nodiscard]] Answer<live::HostPage> hosts(bool pairs, const live::HostKey& from, std::size_t most,
                                             const live::Caller& caller = {}) override;
  [[nodiscard]] std::unique_ptr<live::Subscription> subscribe(const live::Wanted& wanted) override;
  [[nodiscard]] live::RecordPlace last_record() override;
  [[nodiscard]] Answer<live::Resumed> resume(const live::Wanted& wanted, std::uint64_t after, std::size_t most,
                                             const live::Caller& caller = {}) override;

 private:
  Pool& pool_;
  Arrivals& arrivals_;
  Remote& remote_;
  const Worker& worker_;
  const std::string version_;
};

/// The records of all sensors, as long as the centre keeps them. Ids are the numbers of arrival; of states, which have
/// none, there are no ids, and no more than one page.
class SiteArchive final : public live::Archive {
 public:
  /// Must outlive it.
  explicit SiteArchive(Pool& pool) : pool_(pool) {}
  [[nodiscard]] tl::expected<std::vector<live::ArchivedRow>, std::string> query(
      const live::ArchiveQuery& query, const live::Caller& caller = {}) override;
  /// Null: a centre delivers nothing.
  [[nodiscard]] std::unique_ptr<live::ArchiveTail> tail(std::vector<live::ArchivePlace> after) override;

 private:
  Pool& pool_;
};

}  // namespace iwarpscope::centre
