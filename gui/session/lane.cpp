// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/lane.h"

#include <QMetaObject>

#include <utility>

namespace iwarpscope::gui {

Lane::Lane(std::unique_ptr<api::Client> client) : client_(std::move(client)) {
  inside_.moveToThread(&thread_);
  thread_.start();
}

Lane::~Lane() {
  stop();
  thread_.quit();
  thread_.wait();
}

void Lane::post(std::function<void(api::Client&)> work) {
  QMetaObject::invokeMethod(
      &inside_, [this, work = std::move(work)] { work(*client_); }, Qt::QueuedConnection);
}

void Lane::stop() {
  client_->stop();
}

}  // namespace iwarpscope::gui
