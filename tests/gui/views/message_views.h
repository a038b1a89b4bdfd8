// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Views of the messages of one queue pair, shown in a window of their own, light and dark.
#pragma once

#include <gtest/gtest.h>

#include <QApplication>
#include <QPalette>
#include <QTest>

#include <vector>

#include "gui/models/timeline_made.h"
#include "gui/wait.h"
#include "models/selection.h"

namespace iwarpscope::gui::message_views {

using iwarpscope::test::wait_until;

/// Two seconds of Writes, Sends and Reads, some of them lost and retransmitted.
inline std::vector<qp::MessageRecord> traffic() {
  using enum rdmap::Opcode;
  std::vector<qp::MessageRecord> all;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const auto at = static_cast<std::int64_t>(3'000'000 * i);
    qp::MessageRecord write = made::tagged(Direction::a_to_b, 3 * i, rdma_write, 0x1000, 512 * (i % 40), 512);
    write.first_time = write.placed_time = write.delivered_time = {at};
    all.push_back(write);
    if (i % 10 == 0) all.push_back(made::message(Direction::a_to_b, 3 * i + 1, send, at, at, 64));
    const auto took = static_cast<std::int64_t>(i % 50 == 7 ? 40'000'000 : 100'000 + 3000 * (i % 17));
    if (i % 3 == 0) all.push_back(made::read_request(Direction::a_to_b, 3 * i + 2, at, i % 99 == 0 ? -1 : took));
  }
  return all;
}

struct Shown {
  Shown() : filled(traffic()) {
    qp::TransportEvent event;
    for (int i = 0; i < 9; ++i) {
      event.kind = static_cast<qp::TransportEventKind>(i % 3);
      event.time = {200'000'000 * i};
      event.octets = 1000;
      filled.events.push_back(event);
    }
  }
  [[nodiscard]] live::QpView view() const {
    live::QpView qp = filled.view();
    qp.record.read_depth[0] = std::uint16_t{16};
    return qp;
  }
  [[nodiscard]] bool open() {
    filled.store.open(view());
    return wait_until([this] { return filled.store.progress() == 1 && !filled.store.transport().empty(); });
  }
  made::Filled filled;
  Selection selection;
};

/// Saves a picture in the folder of IWARPSCOPE_SCREENSHOTS, for inspection.
inline void keep(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("IWARPSCOPE_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QTest::qWait(100);
  EXPECT_TRUE(widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

inline void show(QWidget& widget) {
  widget.resize(1100, 900);
  widget.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&widget));
  QTest::qWait(200);
}

class LightAndDark : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    before_ = QApplication::palette();
    if (!GetParam()) return;
    QPalette dark(QColor(45, 45, 48));
    QApplication::setPalette(dark);
  }
  void TearDown() override { QApplication::setPalette(before_); }
  [[nodiscard]] static QString shade() { return GetParam() ? QStringLiteral("-dark") : QStringLiteral("-light"); }

 private:
  QPalette before_;
};

}  // namespace iwarpscope::gui::message_views
