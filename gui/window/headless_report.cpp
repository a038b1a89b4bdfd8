// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/headless_report.h"

#include <algorithm>
#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "models/findings/finding_table.h"

namespace iwarpscope::gui {
namespace {

constexpr int kPollMs = 100;
/// Time after the end of the replay until the received data is taken as complete: tables may have discarded some of it.
constexpr int kMostLooks = 50;

}  // namespace

HeadlessReport::HeadlessReport(Source source, QString output, std::optional<std::uint64_t> qp, QObject* parent)
    : QObject(parent), session_(std::move(source)), output_(std::move(output)), qp_(qp) {
  const auto take = [this](const QpRows& rows) {
    for (const live::QpView& row : rows) rows_.insert_or_assign(row.record.qp, row);
  };
  connect(&session_, &Session::qps_replaced, this, [this, take](const QpRows& rows) {
    rows_.clear();
    take(rows);
  });
  connect(&session_, &Session::qps_changed, this, take);
  connect(&session_, &Session::findings_replaced, this, [this](const FindingRows& rows) { findings_ = rows; });
  connect(&session_, &Session::findings_added, this,
          [this](const FindingRows& rows) { findings_.insert(findings_.end(), rows.begin(), rows.end()); });
  connect(&session_, &Session::link_changed, this, [this](const Link& link) {
    if (link.state == Link::State::lost || link.state == Link::State::failed) emit done(link.sentence);
  });
  connect(&timer_, &QTimer::timeout, this, &HeadlessReport::look);
}

void HeadlessReport::start() {
  timer_.start(kPollMs);
  session_.start();
}

bool HeadlessReport::is_complete() const {
  const v1::Totals& totals = session_.status()->totals();
  std::uint64_t findings = 0;
  for (const auto& [rule, count] : totals.findings()) findings += count;
  const std::uint64_t listed = findings - std::min(findings, totals.findings_suppressed());
  const bool all_ended = std::all_of(rows_.begin(), rows_.end(), [](const auto& row) { return row.second.ended; });
  return all_ended && rows_.size() >= totals.qps_opened() && findings_.size() >= listed;
}

void HeadlessReport::look() {
  const StatusPtr& status = session_.status();
  if (!status || status->capturing()) return;
  if (!is_complete() && ++looks_at_end_ < kMostLooks) return;
  timer_.stop();
  make();
}

void HeadlessReport::make() {
  if (qp_ && !rows_.contains(*qp_)) return emit done(tr("There is no queue pair %1.").arg(*qp_));
  QpRows rows;
  for (auto& [number, row] : rows_) rows.push_back(row);
  std::stable_sort(findings_.begin(), findings_.end(), [](const live::FindingView& l, const live::FindingView& r) {
    return place_of(l).time < place_of(r).time;
  });
  maker_ = std::make_unique<ReportMaker>(session_, std::move(rows), findings_, qp_);
  connect(maker_.get(), &ReportMaker::failed, this, &HeadlessReport::done);
  connect(maker_.get(), &ReportMaker::made, this,
          [this](const QString& html) { emit done(write_report(html, output_)); });
  maker_->start();
}

}  // namespace iwarpscope::gui
