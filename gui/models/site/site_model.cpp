// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/site/site_model.h"

#include <chrono>
#include <utility>

namespace iwarpscope::gui {

SiteModel::SiteModel(AskSite ask, QObject* parent) : QObject(parent), ask_(std::move(ask)) {
  timer_.setSingleShot(true);
  timer_.setInterval(kEveryMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    if (watched_) ask_now();
  });
}

void SiteModel::set_watched(bool watched) {
  watched_ = watched;
  if (watched && (!timer_.isActive() || !trouble_.isEmpty())) ask_now();
}

void SiteModel::set_connected() {
  if (watched_ && (site_ || !trouble_.isEmpty())) ask_now();
}

void SiteModel::set_question(const SiteQuestion& question) {
  if (question == question_) return;
  question_ = question;
  if (watched_) {
    ask_now();
  } else {
    timer_.stop();
  }
}

/// One question at a time.
void SiteModel::ask_now() {
  if (std::exchange(asking_, true)) return;
  timer_.stop();
  emit changed();
  ask_(question_, this,
       [this, question = question_](const tl::expected<SitePtr, api::Failure>& answer) { take(question, answer); });
}

void SiteModel::take(const SiteQuestion& question, const tl::expected<SitePtr, api::Failure>& answer) {
  asking_ = false;
  if (question != question_) return ask_now();  // another one was chosen meanwhile
  timer_.start();
  if (answer) {
    site_ = *answer;
    answered_ = question;
    const auto now = std::chrono::floor<std::chrono::nanoseconds>(std::chrono::system_clock::now());
    answered_at_ = TimePoint{now.time_since_epoch().count()};
    trouble_.clear();
  } else {
    trouble_ = QString::fromStdString(answer.error().sentence);
  }
  emit changed();
}

}  // namespace iwarpscope::gui
