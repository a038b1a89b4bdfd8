// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/headless_report.h"

#include <utility>

#include "iwarpscope/v1/status.pb.h"
#include "window/report.h"

namespace iwarpscope::gui {

HeadlessReport::HeadlessReport(Source source, QString output, std::optional<std::uint64_t> qp, QObject* parent)
    : QObject(parent), session_(std::move(source)), output_(std::move(output)), qp_(qp) {
  connect(&session_, &Session::link_changed, this, [this](const Link& link) {
    if (link.state == Link::State::lost || link.state == Link::State::failed) emit done(link.sentence);
  });
  connect(&session_, &Session::status_changed, this, &HeadlessReport::look);
}

void HeadlessReport::start() {
  session_.start();
}

void HeadlessReport::look(const StatusPtr& status) {
  if (status->capturing() || std::exchange(is_asked_, true)) return;
  session_.make_report(qp_, this, [this](const tl::expected<QByteArray, api::Failure>& html) {
    emit done(html ? write_report(*html, output_) : QString::fromStdString(html.error().sentence));
  });
}

}  // namespace iwarpscope::gui
