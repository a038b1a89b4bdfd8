// Ticks of axes that count durations.
#pragma once

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

#include "models/latency_counts.h"

namespace iwarpscope::gui {

/// Ticks of a logarithmic axis of nanoseconds: "10 µs".
class DurationTicker : public QCPAxisTickerLog {
 protected:
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return duration_text(std::llround(tick));
  }
};

/// The same of the logarithm itself.
class LogDurationTicker : public QCPAxisTickerFixed {
 public:
  LogDurationTicker() {
    setTickStep(1);
    setScaleStrategy(ssNone);
  }

 protected:
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return duration_text(std::llround(std::pow(10.0, std::clamp(tick, 0.0, 18.0))));
  }
};

}  // namespace iwarpscope::gui
