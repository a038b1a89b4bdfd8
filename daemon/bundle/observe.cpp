// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "bundle/observe.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "api/pages.h"
#include "api/records.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "report/incidents.h"
#include "report/text_parts.h"

namespace iwarpscope::bundle {
namespace {

using api::Client;
using Trouble = std::optional<api::Failure>;

constexpr std::uint32_t kRows = 5000, kFullRows = 500, kFindingRows = 2000, kMessageRows = 5000;

/// One run of questions.
class Observation {
 public:
  Observation(Client& client, const Wanted& wanted, analysis::Observer& records, report::HtmlObserver& html)
      : client_(client), wanted_(wanted), records_(records), html_(html) {}

  Trouble run(const v1::Status& status) {
    is_centre_ = status.centre();
    Trouble trouble = findings();
    if (!trouble) trouble = times();
    if (!trouble) records_.capture(capture_of(status));
    if (!trouble) trouble = queue_pairs();
    if (!trouble) trouble = messages();
    if (!trouble && wanted_.stop != nullptr && *wanted_.stop) {
      trouble = api::Failure{api::Failure::Kind::cancelled, "The operation was interrupted."};
    }
    if (!trouble) records_.summary(summary_of(status));
    return trouble;
  }

 private:
  template <class Request, class Reply>
  Trouble ask(Client::Answer<Reply> (Client::*question)(const Request&), Request request,
              const std::function<void(const Reply&)>& take) {
    return api::pages<Request, Reply>(client_, question, std::move(request), wanted_.stop, [&](const Reply& page) {
      take(page);
      return true;
    });
  }

  Trouble findings() {
    v1::ListFindingsRequest request;
    request.set_most(kFindingRows);
    if (wanted_.qp) request.mutable_filter()->set_qp(*wanted_.qp);
    return ask<v1::ListFindingsRequest, v1::ListFindingsReply>(&Client::findings, request,
                                                               [this](const v1::ListFindingsReply& page) {
                                                                 for (const v1::Finding& in : page.findings()) {
                                                                   const auto view = api::from_v1(in);
                                                                   if (!view) continue;  // a rule of a newer daemon
                                                                   note(view->finding);
                                                                   if (wanted_.finding) wanted_.finding(*view);
                                                                   records_.finding(view->finding);
                                                                 }
                                                               });
  }
  /// The summary of a queue pair, which the interface leaves out, has the first finding of each rule and direction.
  void note(const findings::Finding& finding) {
    if (!finding.qp) return;
    std::vector<qp::NotedFinding>& noted = noted_[*finding.qp];
    const bool is_known = std::any_of(noted.begin(), noted.end(), [&](const qp::NotedFinding& other) {
      return other.id == finding.id && other.direction == finding.direction;
    });
    if (!is_known) noted.push_back({finding.id, finding.direction, finding.frame});
  }

  /// From when to when there was traffic.
  Trouble times() {
    if (wanted_.qp) return std::nullopt;
    v1::ListQpsRequest request;
    request.set_most(kRows);
    return ask<v1::ListQpsRequest, v1::ListQpsReply>(&Client::qps, request, [this](const v1::ListQpsReply& page) {
      for (const v1::QueuePair& row : page.qps()) widen(row.first_time_ns(), row.last_time_ns());
    });
  }
  void widen(std::int64_t from, std::int64_t to) {
    first_ = std::min(first_.value_or(TimePoint{from}), TimePoint{from});
    last_ = std::max(last_.value_or(TimePoint{to}), TimePoint{to});
  }

  [[nodiscard]] analysis::CaptureRecord capture_of(const v1::Status& status) const {
    analysis::CaptureRecord record;
    record.info.file = wanted_.title;
    if (!status.replay()) record.info.file_format = report::kLiveCapture;
    for (const v1::Interface& one : status.interfaces()) {
      if (status.replay()) record.info.file_format = one.file_format();
      const v1::Losses& lost = one.losses();
      const std::uint64_t frames = lost.nic_frames() + lost.kernel_frames() + lost.queue_frames();
      record.info.interfaces.push_back(
          {one.link_type(), 0, status.replay() && frames == 0 ? std::nullopt : std::optional{frames}});
    }
    const v1::Totals& totals = status.totals();
    record.frames = totals.frames();
    record.octets = totals.octets();
    record.truncated_frames = totals.cut_frames();
    record.undecoded_frames = totals.undecoded_frames();
    record.first_time = first_;
    record.last_time = last_;
    const auto openings = [](const v1::FailedOpenings& in) {
      hosts::FailedOpenings out{in.count(), std::nullopt, FrameNumber{in.frame()}};
      if (in.has_listener()) out.listener = api::from_v1(in.listener());
      return out;
    };
    record.refused = openings(totals.refused());
    record.unanswered = openings(totals.unanswered());
    return record;
  }

  Trouble queue_pairs() {
    if (wanted_.qp) {
      const auto one = client_.qp(*wanted_.qp);
      if (!one) return one.error();
      queue_pair(*one);
      return std::nullopt;
    }
    v1::ListQpsRequest request;
    request.set_most(kFullRows);
    request.set_detail(v1::QP_DETAIL_FULL);
    return ask<v1::ListQpsRequest, v1::ListQpsReply>(&Client::qps, request, [this](const v1::ListQpsReply& page) {
      for (const v1::QueuePair& in : page.qps()) queue_pair(in);
    });
  }
  void queue_pair(const v1::QueuePair& in) {
    live::QpView view = api::from_v1(in);
    qp::QpRecord& record = view.record;
    if (const auto noted = noted_.find(record.qp); noted != noted_.end()) {
      record.summary.findings = std::move(noted->second);
      noted_.erase(noted);
    }
    const bool has_errors = report::first_error(record).has_value();
    const int how_bad = record.verdict ? report::badness(record.verdict->outcome, has_errors) : 0;
    described_.emplace(-how_bad, record.qp);
    if (described_.size() > report::HtmlObserver::kSections) described_.erase(std::prev(described_.end()));
    for (std::size_t i = 0; i < live::Activity::kSeconds; ++i) {
      const auto ago = static_cast<std::int64_t>(live::Activity::kSeconds - 1 - i);
      html_.traffic(TimePoint{(view.activity.last_second - ago) * 1'000'000'000}, view.activity.octets[i]);
    }
    ++qps_;
    if (view.name.origin) sensors_[record.qp / live::kQpNumbersOfRun] = view.name.origin->sensor;
    if (wanted_.queue_pair) wanted_.queue_pair(view);
    records_.qp(record);
  }

  /// For the queue pairs that may have a section. A centre asks sensors for them, and goes on without one that does not
  /// answer.
  Trouble messages() {
    const bool are_few = wanted_.qp || qps_ <= report::HtmlObserver::kFewQps;
    std::set<std::uint64_t> unanswered;  // runs
    for (const auto& [goodness, qp] : described_) {
      if (goodness == 0 && !are_few) break;
      const std::uint64_t run = qp / live::kQpNumbersOfRun;
      if (unanswered.contains(run)) continue;
      v1::ListMessagesRequest request;
      request.set_qp(qp);
      request.set_most(kMessageRows);
      Trouble trouble = ask<v1::ListMessagesRequest, v1::ListMessagesReply>(
          &Client::messages, request, [this](const v1::ListMessagesReply& page) {
            for (const v1::Message& message : page.messages()) records_.message(api::from_v1(message));
          });
      // It may have been discarded since it was listed.
      if (!trouble || trouble->kind == api::Failure::Kind::not_found) continue;
      if (!is_centre_ || trouble->kind != api::Failure::Kind::refused) return trouble;
      unanswered.insert(run);
      miss("Messages of queue pairs of sensor " + sensors_[run] + " are missing: " + trouble->sentence + ".");
    }
    return std::nullopt;
  }
  void miss(const std::string& sentence) {
    html_.remark(sentence);
    if (wanted_.missing) wanted_.missing(sentence);
  }

  [[nodiscard]] analysis::SummaryRecord summary_of(const v1::Status& status) const {
    const v1::Totals& totals = status.totals();
    analysis::SummaryRecord summary;
    summary.qps = std::max(qps_, totals.qps_opened());
    for (const v1::OpcodeTotal& total : totals.opcodes()) summary.messages += total.messages();
    for (const auto& [id, count] : totals.findings()) {
      const findings::Rule* rule = findings::find_rule(id);
      if (rule == nullptr) continue;
      summary.findings[rule->name] = count;
      switch (rule->severity) {
        case findings::Severity::error: summary.errors += count; break;
        case findings::Severity::warning: summary.warnings += count; break;
        case findings::Severity::note: summary.notes += count; break;
      }
    }
    summary.findings_suppressed = totals.findings_suppressed();
    return summary;
  }

  Client& client_;
  const Wanted& wanted_;
  analysis::Observer& records_;
  report::HtmlObserver& html_;
  std::map<std::uint64_t, std::vector<qp::NotedFinding>> noted_;  ///< by queue pair
  std::optional<TimePoint> first_, last_;
  std::uint64_t qps_ = 0;
  bool is_centre_ = false;
  std::map<std::uint64_t, std::string> sensors_;       ///< of a centre, by run
  std::set<std::pair<int, std::uint64_t>> described_;  ///< the worst, by goodness and number
};

}  // namespace

std::optional<api::Failure> observe(api::Client& client, const v1::Status& status, const Wanted& wanted,
                                    analysis::Observer& records, report::HtmlObserver& html) {
  return Observation(client, wanted, records, html).run(status);
}

std::vector<std::string> capture_remarks(const v1::Status& status) {
  std::vector<std::string> remarks;
  for (const v1::Interface& one : status.interfaces()) {
    for (const std::string& warning : one.warnings()) {
      remarks.push_back(status.replay() ? "The capture is incomplete: " + warning + "." : one.name() + ": " + warning);
    }
  }
  return remarks;
}

}  // namespace iwarpscope::bundle
