// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/picture_taker.h"

#include <QPixmap>

#include <algorithm>
#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "window/main_window.h"
#include "window/session_views.h"

namespace iwarpscope::gui {
namespace {

constexpr int kPictureLookMs = 100;

std::uint64_t worth_seeing(const QpRows& rows) {
  const auto bad =
      std::find_if(rows.begin(), rows.end(), [](const live::QpView& row) { return qp::ended_badly(row.record); });
  return (bad == rows.end() ? rows.front() : *bad).record.qp;
}

}  // namespace

PictureTaker::PictureTaker(MainWindow& window, QString file, QObject* parent)
    : QObject(parent), window_(window), file_(std::move(file)) {
  connect(&timer_, &QTimer::timeout, this, &PictureTaker::look);
}

void PictureTaker::start() {
  timer_.start(kPictureLookMs);
}

void PictureTaker::look() {
  SessionViews* views = window_.views();
  if (views == nullptr) return end(tr("Nothing is open: there is nothing for the picture."));
  if (const Link& link = views->session().link();
      link.state == Link::State::lost || link.state == Link::State::failed) {
    return end(link.sentence);
  }
  if (!is_read(*views)) return;
  if (!views->overview().is_settled()) return;
  if (views->qps().empty()) return take_soon();
  if (!views->selection().qp()) views->selection().set_qp(worth_seeing(views->qps()));
  if (is_shown(*views)) take_soon();
}

bool PictureTaker::is_read(SessionViews& views) const {
  const StatusPtr& status = views.session().status();
  if (!status || !status->replay() || status->capturing()) return false;
  const QpRows& rows = views.qps();
  return rows.size() >= status->totals().qps_opened() &&
         std::all_of(rows.begin(), rows.end(), [](const live::QpView& row) { return row.ended; });
}

bool PictureTaker::is_shown(SessionViews& views) const {
  return views.qp() && views.qp()->record.qp == views.selection().qp() && views.qp()->record.verdict &&
         views.messages().progress() >= 1 &&
         (!views.qp()->findings.worst || !views.findings().of_qp(views.qp()->record.qp).empty());
}

/// At the next look: what has just changed is not laid out yet.
void PictureTaker::take_soon() {
  if (std::exchange(is_ready_, true)) take();
}

void PictureTaker::take() {
  end(window_.grab().save(file_, "PNG") ? QString() : tr("%1 cannot be written.").arg(file_));
}

void PictureTaker::end(const QString& trouble) {
  timer_.stop();
  emit done(trouble);
}

}  // namespace iwarpscope::gui
