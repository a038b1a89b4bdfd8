// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/connection_banner.h"

#include <QLabel>
#include <QPushButton>

#include "report/human.h"
#include "views/text_button.h"

namespace iwarpscope::gui {
namespace {

constexpr int kTickMs = 250;  // so that no second is skipped

}  // namespace

ConnectionBanner::ConnectionBanner(QWidget* parent)
    : Banner(tr("Connection"), parent),
      countdown_(new QLabel(this)),
      now_(new TextButton(tr("&Try now"), this)),
      again_(new TextButton(tr("Open &again"), this)) {
  countdown_->setAccessibleDescription(tr("Time until the next attempt"));
  now_->setAccessibleName(tr("Try to connect now"));
  add(countdown_);
  again_->setAccessibleName(tr("Open the file again"));
  again_->hide();
  add(now_);
  add(again_);
  ticks_.setInterval(kTickMs);
  connect(&ticks_, &QTimer::timeout, this, &ConnectionBanner::count);
  connect(now_, &QPushButton::clicked, this, &ConnectionBanner::try_wanted);
  connect(again_, &QPushButton::clicked, this, &ConnectionBanner::open_wanted);
}

void ConnectionBanner::show_link(const Link& link, const QString& as_of, bool is_file) {
  link_ = link;
  using State = Link::State;
  const bool is_lost = link.state == State::lost;
  countdown_->setVisible(is_lost);
  now_->setVisible(is_lost);
  again_->setVisible(is_file && link.state == State::failed);
  is_lost ? ticks_.start() : ticks_.stop();
  count();
  switch (link.state) {
    case State::connecting:
    case State::connected: return say(findings::Severity::note, {});
    case State::lost:
      return say(findings::Severity::warning,
                 as_of.isEmpty()
                     ? tr("Not connected. %1").arg(link.sentence)
                     : tr("Connection lost. The data shown is stale, from %1. %2").arg(as_of, link.sentence));
    case State::failed: return say(findings::Severity::error, link.sentence);
  }
}

QString ConnectionBanner::countdown() const {
  return countdown_->text();
}

void ConnectionBanner::count() {
  if (link_.state != Link::State::lost) return countdown_->clear();
  using namespace std::chrono;
  const auto rest = link_.retry_at ? *link_.retry_at - steady_clock::now() : steady_clock::duration{0};
  const bool waits = rest > steady_clock::duration{0};
  countdown_->setText(waits ? tr("Next attempt in %L1 s").arg(ceil<seconds>(rest).count()) : tr("Connecting..."));
  now_->setEnabled(waits);
}

QString clock_text(TimePoint time) {
  const TimePoint second{time.ns / 1'000'000'000 * 1'000'000'000};
  return QString::fromStdString(report::time_of_day(second)).section(QLatin1Char('.'), 0, 0) + QStringLiteral(" UTC");
}

}  // namespace iwarpscope::gui
