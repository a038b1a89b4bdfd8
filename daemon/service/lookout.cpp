// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/lookout.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace iwarpscope::service {

void Lookout::look(const live::Status& status, const std::vector<capture::IntakeCounters>& counters) {
  tell(losses_.look(counters, LossLog::Clock::now()));
  std::vector<std::string> warnings, news;
  for (const capture::IntakeCounters& i : counters) {
    warnings.insert(warnings.end(), i.warnings.begin(), i.warnings.end());
    news.insert(news.end(), i.news.begin(), i.news.end());
  }
  tell(std::move(warnings), LogLevel::warning, warnings_);
  tell(std::move(news), LogLevel::info, news_);
  for (const live::OutputView& o : status.outputs) {
    std::string& before = troubles_[o.name];
    if (before == o.trouble) continue;
    if (o.trouble.empty()) {
      log_.info(fmt::format("{}: working again.", o.name));
    } else {
      log_.warning(fmt::format("{}: {}", o.name, o.trouble));
    }
    before = o.trouble;
  }
  if (status.replay && !status.capturing && !std::exchange(end_reported_, true)) {
    log_.info(is_last_ ? "The replay has finished." : "The replay has finished; the API is still available.");
  }
}

/// Logs the sentences that are new since the last look.
void Lookout::tell(std::vector<std::string> sentences, LogLevel level, std::set<std::string>& reported) {
  for (const std::string& sentence : sentences) {
    if (reported.count(sentence) == 0) log_.say(level, sentence);
  }
  reported = {std::make_move_iterator(sentences.begin()), std::make_move_iterator(sentences.end())};
}

void Lookout::tell(const std::vector<LossLog::Sentence>& losses) {
  for (const LossLog::Sentence& one : losses) log_.say(one.level, one.text);
}

void Lookout::end(const std::vector<live::OutputView>& outputs, const std::vector<capture::IntakeCounters>& counters) {
  tell(losses_.end(counters));
  bool is_whole = true;
  for (const live::OutputView& o : outputs) {
    if (o.lost == 0) continue;
    is_whole = false;
    const std::string why = o.not_begun == 0
                                ? std::string{}
                                : fmt::format(", {} of them not started, because too many were active", o.not_begun);
    log_.warning(fmt::format("{}: {} of {} records were lost{}.", o.name, o.lost, o.taken + o.lost, why));
  }
  log_.info(is_whole ? "Stopped. All records are written."
                     : "Stopped. Some records were lost; the others are written.");
}

}  // namespace iwarpscope::service
