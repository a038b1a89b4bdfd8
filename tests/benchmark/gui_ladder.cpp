// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Measures the ladder over a long queue pair: FILE is replayed by a private daemon, and its queue pair with the most
// messages is opened. Prints times and memory; fails when one is above SLACK times its bound.
#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QScrollBar>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "models/ladder/message_store.h"
#include "session/session.h"
#include "views/ladder/ladder_canvas.h"
#include "views/ladder/ladder_view.h"

namespace iwarpscope::gui {
namespace {

constexpr int kReplayMs = 300'000;
constexpr double kOpenMs = 2000, kFrameMs = 16, kMostMiB = 120;

std::uint64_t messages_of(const live::QpView& qp) {
  std::uint64_t all = 0;
  for (const auto& d : qp.record.directions) all = std::accumulate(d.messages.begin(), d.messages.end(), all);
  return all;
}

/// Resident set. Units: MiB.
double memory() {
  QFile file(QStringLiteral("/proc/self/status"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : file.readAll().split('\n')) {
    if (line.startsWith("VmRSS:")) return line.mid(6).trimmed().split(' ').front().toDouble() / 1024;
  }
  return 0;
}

struct Frames {
  double median = 0, slowest_of_99 = 0;
};

/// Draws 400 frames, scrolling `step` of the bar's units each; the event loop runs between them.
Frames scroll(LadderCanvas& canvas, int step) {
  QScrollBar& bar = *canvas.verticalScrollBar();
  std::vector<double> times;
  for (int i = 0; i < 400; ++i) {
    bar.setValue((bar.value() + step) % std::max(1, bar.maximum()));
    QElapsedTimer clock;
    clock.start();
    canvas.viewport()->repaint();
    times.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
    QCoreApplication::processEvents();
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

bool print(const char* what, double value, double bound, double slack, const char* unit = "ms") {
  std::printf("%-44s %9.2f %-3s  bound %6.0f %-3s  %s\n", what, value, unit, bound, unit,
              value <= bound ? "met" : "NOT MET");
  return value <= bound * slack;
}

int run(const QString& capture, double slack) {
  Session session({.files = {capture}});
  std::optional<live::QpView> qp;
  const auto take = [&](const QpRows& rows) {
    for (const live::QpView& row : rows) {
      if (!qp || row.record.qp == qp->record.qp || messages_of(row) > messages_of(*qp)) qp = row;
    }
  };
  QObject::connect(&session, &Session::qps_replaced, &session, take);
  QObject::connect(&session, &Session::qps_changed, &session, take);
  QElapsedTimer clock;
  clock.start();
  session.start();
  if (!QTest::qWaitFor([&] { return qp && qp->ended; }, kReplayMs)) {
    std::printf("%s was not replayed: %s\n", qPrintable(capture), qPrintable(session.link().sentence));
    return EXIT_FAILURE;
  }
  std::printf("replayed in %.1f s: a queue pair of %llu messages\n", static_cast<double>(clock.elapsed()) / 1e3,
              static_cast<unsigned long long>(messages_of(*qp)));
  const double before = memory();
  Selection selection;
  MessageStore store([&](auto... a) { session.ask_messages(a...); }, [&](auto... a) { session.ask_transport(a...); });
  LadderView view(selection, store);
  view.resize(1400, 900);
  view.show();
  clock.start();
  store.open(qp);
  view.set_qp(*qp);
  if (!QTest::qWaitFor([&] { return store.at(0) != nullptr; }, kReplayMs)) {
    std::printf("the first message did not come\n");
    return EXIT_FAILURE;
  }
  view.canvas().viewport()->repaint();
  bool holds =
      print("opened, first paint with messages", static_cast<double>(clock.nsecsElapsed()) / 1e6, kOpenMs, slack);
  if (!QTest::qWaitFor([&] { return store.progress() >= 1; }, kReplayMs)) {
    std::printf("the messages did not all pass\n");
    return EXIT_FAILURE;
  }
  std::printf("all messages passed after %.1f s\n", static_cast<double>(clock.elapsed()) / 1e3);

  LadderCanvas& canvas = view.canvas();
  const auto measure = [&](const char* median, const char* slowest, int step) {
    const Frames frames = scroll(canvas, step);
    holds = print(median, frames.median, kFrameMs, slack) && holds;
    holds = print(slowest, frames.slowest_of_99, kFrameMs, slack) && holds;
  };
  measure("a frame, row by row: median", "a frame, row by row: 99 %", canvas.verticalScrollBar()->singleStep());
  measure("a frame, far jumps: median", "a frame, far jumps: 99 %", canvas.verticalScrollBar()->maximum() / 61);
  canvas.zoom_to_all();
  measure("a frame, all messages: median", "a frame, all messages: 99 %", 1);
  holds = print("memory of the ladder and its messages", memory() - before, kMostMiB, 1, "MiB") && holds;
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace iwarpscope::gui

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  const QStringList words = QApplication::arguments();
  if (words.size() < 2) {
    std::printf("Usage: iwarpscope-bench-ladder FILE [SLACK]\n");
    return EXIT_FAILURE;
  }
  return iwarpscope::gui::run(words[1], words.size() > 2 ? words[2].toDouble() : 1);
}
