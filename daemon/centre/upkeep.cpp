// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/upkeep.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

namespace iwarpscope::centre {
namespace {

/// A lock is waited for in pieces of three seconds, as deliveries wait behind it meanwhile.
constexpr int kMostTries = 20;
constexpr std::chrono::seconds kPause{1};

}  // namespace

Asked<void> set_retention(Connection& database, const Retention& retention) {
  if (!retention.records && !retention.states && !retention.ahead && !retention.summaries) return {};
  Parameters values;
  for (const auto& days : {retention.records, retention.states, retention.ahead, retention.summaries}) {
    if (days) {
      values.add(std::int64_t{*days});
    } else {
      values.add_null();
    }
  }
  const auto set = database.run(
      "UPDATE iwarpscope.retention SET days = coalesce($1::integer, days), state_days = coalesce($2::integer, "
      "state_days), "
      "ahead = coalesce($3::integer, ahead), summary_days = coalesce($4::integer, summary_days)",
      values);
  if (!set) return tl::unexpected(set.error());
  return {};
}

Asked<void> keep_up(Connection& database, const std::string& today,
                    const std::function<void(const std::string&)>& say) {
  Parameters values;
  values.add(std::string_view{today});
  int tries = 0;
  while (true) {
    const auto done = database.run(
        "SELECT coalesce(iwarpscope.upkeep_step(d.day), iwarpscope.summary_upkeep_step(d.day)) FROM (SELECT "
        "coalesce(nullif($1, '')::date, (now() AT TIME ZONE 'UTC')::date)) AS d(day)",
        values);
    if (!done) {
      if (done.error().is_connection_lost() || !done.error().is_worth_another_try() || ++tries == kMostTries) {
        return tl::unexpected(done.error());
      }
      std::this_thread::sleep_for(kPause);
      continue;
    }
    if (done->is_null(0, 0)) break;
    tries = 0;
    say(std::string(done->text(0, 0)));
  }
  for (const char* const what : {"forget_summaries", "forget_connections"}) {
    const auto forgot = database.run(
        fmt::format("SELECT iwarpscope.{}(coalesce(nullif($1, '')::date, (now() AT TIME ZONE 'UTC')::date))", what),
        values);
    if (!forgot) return tl::unexpected(forgot.error());
    if (!forgot->is_null(0, 0)) say(std::string(forgot->text(0, 0)));
  }
  const auto waits = database.run("SELECT iwarpscope.upkeep_waits()");
  if (!waits) return tl::unexpected(waits.error());
  if (!waits->is_null(0, 0)) say(std::string(waits->text(0, 0)));
  return {};
}

}  // namespace iwarpscope::centre
