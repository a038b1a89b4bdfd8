// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "centre/alerts.h"

#include <curl/curl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "centre/rows.h"

namespace iwarpscope::centre {
namespace {

constexpr std::int64_t kIncidentRecords = 2000;  ///< that are looked at in one transaction
/// An alert ends by itself so long after the last record about it.
constexpr std::chrono::minutes kAlertLasts{15};
constexpr long kConnectSeconds = 3, kPostSeconds = 10;
constexpr long kFirstRefusal = 400, kFirstFailure = 500;  ///< codes of HTTP
constexpr std::string_view kPath = "/api/v2/alerts";

std::string rfc3339(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

nlohmann::json alert_of(const Result& rows, int row, std::chrono::system_clock::time_point now) {
  enum Column : int { kUpto, kIncident, kA, kB, kIsError, kRecords, kSensors, kFirst, kText, kJoined };
  const bool is_pair = !rows.text(row, kA).empty();
  nlohmann::json labels{{"alertname", "iwarpscope_incident"},
                        {"incident", rows.text(row, kIncident)},
                        {"severity", rows.text(row, kIsError) == "t" ? "error" : "warning"}};
  if (is_pair) {
    labels["a"] = rows.text(row, kA);
    labels["b"] = rows.text(row, kB);
  }
  std::string text(rows.text(row, kText));
  if (!rows.is_null(row, kJoined)) text += " " + std::string(rows.text(row, kJoined));
  const auto first = std::chrono::system_clock::time_point(std::chrono::microseconds(rows.number(row, kFirst)));
  return {
      {"labels", std::move(labels)},
      {"annotations",
       {{"summary", is_pair ? fmt::format("{} - {}", rows.text(row, kA), rows.text(row, kB)) : std::string("the site")},
        {"description", std::move(text)},
        {"sensors", rows.text(row, kSensors)},
        {"records", std::to_string(rows.number(row, kRecords))}}},
      {"startsAt", rfc3339(first)},
      {"endsAt", rfc3339(now + kAlertLasts)}};
}

}  // namespace

bool is_alertmanager(const std::string& url) {
  const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> parsed(curl_url(), curl_url_cleanup);
  if (!url.starts_with("http://") && !url.starts_with("https://")) return false;
  return parsed && curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) == CURLUE_OK;
}

/// One HTTP client; connections are kept.
class Alerts::Post {
 public:
  Post()
      : curl_(curl_easy_init(), curl_easy_cleanup),
        headers_(curl_slist_append(nullptr, "Content-Type: application/json"), curl_slist_free_all) {}

  /// The code of HTTP, or a sentence.
  tl::expected<long, std::string> operator()(const std::string& url, const std::string& body) {
    CURL* const curl = curl_.get();
    if (curl == nullptr) return tl::unexpected(std::string("there is no memory for HTTP"));
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers_.get());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, kPostSeconds);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, &ignore);
    if (const CURLcode done = curl_easy_perform(curl); done != CURLE_OK)
      return tl::unexpected(std::string(curl_easy_strerror(done)));
    long code = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

 private:
  static std::size_t ignore(const char* /*octets*/, std::size_t size, std::size_t count, void* /*none*/) {
    return size * count;
  }
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_;
};

Alerts::Alerts(std::vector<std::string> urls) : urls_(std::move(urls)), post_(std::make_unique<Post>()) {}
Alerts::~Alerts() = default;

Asked<void> Alerts::begin(Connection& database) {
  const auto begun = database.run(
      "UPDATE iwarpscope.alerted SET arrival = (SELECT d.last FROM iwarpscope.deliveries() d) WHERE arrival IS NULL");
  if (!begun) return tl::unexpected(begun.error());
  return {};
}

/// True: one of them has the alerts. False: those that answered could not read them.
Asked<bool> Alerts::deliver(const std::string& body) {
  std::string trouble;
  std::size_t refused = 0, taken = 0;
  for (const std::string& url : urls_) {
    const auto code = (*post_)(url + std::string(kPath), body);
    if (code && *code < kFirstRefusal) {
      ++taken;
      continue;
    }
    if (code && *code < kFirstFailure) ++refused;
    trouble = fmt::format("{}: {}", url, code ? fmt::format("HTTP status {}", *code) : code.error());
  }
  if (taken == 0 && refused == 0) return tl::unexpected(PostgresError{"IWS07", trouble});
  return taken != 0;
}

/// In a transaction.
Advance Alerts::pass(Connection& database, std::uint64_t through) {
  const auto last = static_cast<std::int64_t>(through);
  const auto place = database.run(
      "SELECT arrival FROM iwarpscope.alerted WHERE arrival IS NOT NULL AND pg_try_advisory_xact_lock(1767330659, 8)",
      Parameters());
  if (!place) return tl::unexpected(place.error());
  if (place->rows() == 0) return std::optional<Progress>{};
  const auto rows = database.run(
      "SELECT i.upto, i.incident, i.a, i.b, i.is_error, i.records, array_to_string(i.sensors, ', '), "
      "(extract(epoch FROM i.first) * 1000000)::bigint, i.text, array_to_string(i.joined, ' ') "
      "FROM iwarpscope.incidents($1, $2, $3::integer) i",
      Parameters().add(place->number(0, 0)).add(last).add(kIncidentRecords));
  if (!rows) return tl::unexpected(rows.error());
  std::uint64_t upto = through;
  if (rows->rows() != 0) {
    upto = count_of(*rows, 0, 0);
    const auto now = std::chrono::system_clock::now();
    nlohmann::json alerts = nlohmann::json::array();
    for (int i = 0; i < rows->rows(); ++i) alerts.push_back(alert_of(*rows, i, now));
    const auto taken = deliver(alerts.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!taken) return tl::unexpected(taken.error());
    if (!*taken) refused_ += alerts.size();
  }
  const auto moved =
      database.run("UPDATE iwarpscope.alerted SET arrival = $1", Parameters().add(static_cast<std::int64_t>(upto)));
  if (!moved) return tl::unexpected(moved.error());
  return Progress{upto, refused_};
}

Advance Alerts::step(Connection& database, std::uint64_t through) {
  return in_transaction(database, [&] { return pass(database, through); });
}

}  // namespace iwarpscope::centre
