// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Waiting for results of the event loop.
#pragma once

#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTest>

namespace iwarpscope::test {

/// Runs the event loop until `condition` is true. False: it was not true within `most_ms`.
template <class Condition>
[[nodiscard]] bool wait_until(Condition condition, int most_ms = 20'000) {
  return QTest::qWaitFor(condition, most_ms);
}

}  // namespace iwarpscope::test
