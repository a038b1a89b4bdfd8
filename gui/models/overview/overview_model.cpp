// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/overview/overview_model.h"

#include <algorithm>
#include <utility>

namespace iwarpscope::gui {
namespace {

constexpr std::size_t kBetweenLooks = 64;  // rows until the clock is read again
constexpr qint64 kTextMs = 5000;           // a running queue pair's sentence may change

}  // namespace

OverviewModel::OverviewModel(const QpRows& rows, AskQp ask, bool live, QObject* parent)
    : QObject(parent), rows_(rows), ask_(std::move(ask)), live_(live) {
  timer_.setSingleShot(true);
  connect(&timer_, &QTimer::timeout, this, &OverviewModel::slice);
  again_.setSingleShot(true);
  again_.setInterval(static_cast<int>(kEveryMs));
  connect(&again_, &QTimer::timeout, this, &OverviewModel::ask_next);
}

void OverviewModel::replaced() {
  if (!std::exchange(has_begun_, true)) {
    for (const live::QpView& row : rows_) {
      if (qp::ended_badly(row.record)) seen_.insert(row.record.qp);
    }
  }
  building_.reset();
  touch();
}

void OverviewModel::touch() {
  dirty_ = true;
  schedule();
}

void OverviewModel::set_started(std::int64_t ns) {
  if (started_ && started_ != ns) {
    seen_.clear();
    fresh_.clear();
    texts_.clear();
    failures_.clear();
    building_.reset();
  }
  started_ = ns;
}

void OverviewModel::schedule() {
  if (building_ || !dirty_ || timer_.isActive()) return;
  const qint64 waited = since_last_.isValid() ? since_last_.elapsed() : kEveryMs;
  timer_.start(static_cast<int>(std::clamp<qint64>(kEveryMs - waited, 0, kEveryMs)));
}

/// Rows that change meanwhile are grouped the next time.
void OverviewModel::slice() {
  if (!building_) {
    since_last_.start();
    dirty_ = false;
    building_ = std::make_unique<Building>();
  }
  QElapsedTimer clock;
  clock.start();
  while (building_->next < rows_.size()) {
    take(rows_[building_->next++]);
    if (building_->next % kBetweenLooks == 0 && clock.elapsed() >= kSliceMs) return timer_.start(0);
  }
  finish();
}

void OverviewModel::take(const live::QpView& row) {
  building_->incidents.add(row.record);
  if (!qp::ended_badly(row.record)) return;
  if (building_->failures.size() < kMostFailures) building_->failures.push_back({row.record.last_time, row.record.qp});
  if (!live_) return;
  // Only a centre names them in rows.
  if (row.name.origin && !row.name.origin->sensor.empty())
    building_->sensors[report::incident_key(row.record, {})].insert(row.name.origin->sensor);
  if (seen_.contains(row.record.qp)) {
    building_->seen.insert(row.record.qp);
  } else {
    building_->fresh[report::incident_key(row.record, {})].insert(row.record.qp);
  }
}

void OverviewModel::finish() {
  incidents_ = std::move(building_->incidents);
  failures_ = std::move(building_->failures);
  seen_ = std::move(building_->seen);
  fresh_ = std::move(building_->fresh);
  sensors_ = std::move(building_->sensors);
  building_.reset();
  const std::uint64_t before = fresh_count_;
  make_cards();
  emit changed();
  if (fresh_count_ > before) emit failed(fresh_count_ - before);
  ask_next();
  schedule();
}

void OverviewModel::make_cards() {
  fresh_count_ = 0;
  for (const auto& [key, numbers] : fresh_) fresh_count_ += numbers.size();
  cards_.clear();
  left_out_ = incidents_.dropped();
  const auto fresh_of = [this](const report::Incident& incident) {
    const auto known = fresh_.find(incident.key);
    return known == fresh_.end() ? std::uint64_t{0} : std::uint64_t{known->second.size()};
  };
  std::vector<const report::Incident*> all = incidents_.worst_first();
  std::stable_partition(all.begin(), all.end(), [&](const report::Incident* one) { return fresh_of(*one) != 0; });
  for (const report::Incident* incident : all) {
    if (cards_.size() == kMostCards) {
      left_out_ += incident->count;
      continue;
    }
    cards_.push_back({*incident, fresh_of(*incident)});
    if (const auto seen = sensors_.find(incident->key); seen != sensors_.end()) cards_.back().sensors = seen->second;
    add_text(cards_.back());
  }
  std::erase_if(texts_, [this](const auto& text) {
    return std::none_of(cards_.begin(), cards_.end(),
                        [&](const OverviewCard& card) { return card.incident.qp == text.first; });
  });
}

/// A text about another outcome or cause than the row's is out of date.
void OverviewModel::add_text(OverviewCard& card) const {
  qp::VerdictRecord& verdict = card.incident.verdict;
  const auto known = texts_.find(card.incident.qp);
  if (known == texts_.end()) return;
  const qp::VerdictRecord& text = known->second.verdict;
  if (text.outcome == verdict.outcome && text.code == verdict.code && text.blame == verdict.blame) verdict = text;
}

void OverviewModel::ask_next() {
  if (asking_ || !ask_) return;
  const auto wants = [this](const OverviewCard& card) {
    const auto known = texts_.find(card.incident.qp);
    if (known == texts_.end()) return true;
    return card.incident.verdict.text.empty() ? known->second.age.elapsed() >= kEveryMs
                                              : live_ && known->second.age.elapsed() > kTextMs;
  };
  const auto next = std::find_if(cards_.begin(), cards_.end(), wants);
  if (next == cards_.end()) {
    // The answer was about another outcome than the row has: one of them was late.
    const bool lacks_text = std::any_of(cards_.begin(), cards_.end(),
                                        [](const OverviewCard& card) { return card.incident.verdict.text.empty(); });
    if (lacks_text) again_.start();
    return;
  }
  asking_ = true;
  const std::uint64_t qp = next->incident.qp;
  ask_(qp, this, [this, qp](const tl::expected<live::QpView, api::Failure>& answer) {
    asking_ = false;
    Text& text = texts_[qp];
    text.age.start();
    if (answer && answer->record.verdict) text.verdict = *answer->record.verdict;
    const std::vector<OverviewCard> before = cards_;
    make_cards();
    if (cards_ != before) emit changed();
    ask_next();
  });
}

void OverviewModel::see(const report::IncidentKey& key) {
  const auto known = fresh_.find(key);
  if (known == fresh_.end()) return;
  seen_.insert(known->second.begin(), known->second.end());
  if (building_) {
    building_->seen.insert(known->second.begin(), known->second.end());
    building_->fresh.erase(key);
    touch();
  }
  fresh_.erase(known);
  make_cards();
  emit changed();
}

void OverviewModel::see_all() {
  while (!fresh_.empty()) see(fresh_.begin()->first);
}

}  // namespace iwarpscope::gui
