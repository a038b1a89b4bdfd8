// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Ticks of axes for durations, rates and counts.
#pragma once

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "models/plots/latency_counts.h"
#include "models/words.h"

namespace iwarpscope::gui {

/// Round durations from `low` to `high`, with distances on a logarithmic axis such that `most` of them would fit if the
/// distances were equal. Units: nanoseconds.
[[nodiscard]] inline QVector<double> duration_ticks(double low, double high, int most) {
  struct Steps {
    double gap;  ///< the smallest distance, of logarithms
    std::vector<double> in_decade;
  };
  static const std::array kSteps{Steps{0.045, {1, 2, 3, 4, 5, 6, 7, 8, 9}}, Steps{0.3, {1, 2, 5}}, Steps{1, {1}}};
  const double from = std::log10(std::max(1.0, low)), last = std::log10(std::max(1.0, high));
  const double decades = std::max(1e-3, last - from);
  const auto fits = [&](const Steps& steps) { return steps.gap * most >= decades; };
  const auto found = std::find_if(kSteps.begin(), kSteps.end(), fits);
  const Steps& steps = found == kSteps.end() ? kSteps.back() : *found;
  const double stride = found == kSteps.end() ? std::ceil(decades / std::max(1, most)) : 1;
  const double first = steps.in_decade.size() == 1 ? std::ceil(from) : std::floor(from);
  QVector<double> ticks;
  for (double decade = first; decade <= last; decade += stride) {
    for (const double step : steps.in_decade) {
      const double tick = step * std::pow(10.0, decade);
      if (tick >= low && tick <= high) ticks.push_back(tick);
    }
  }
  return ticks;
}

/// For a logarithmic axis of nanoseconds: "10.0 us". setTickCount() sets how many fit.
class DurationTicker : public QCPAxisTicker {
 protected:
  int getSubTickCount(double /*step*/) override { return 0; }
  QVector<double> createTickVector(double /*step*/, const QCPRange& range) override {
    return duration_ticks(range.lower, range.upper, mTickCount);
  }
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return duration_text(std::llround(tick));
  }
};

/// The same for the logarithm itself.
class LogDurationTicker : public DurationTicker {
 protected:
  QVector<double> createTickVector(double /*step*/, const QCPRange& range) override {
    const auto ns = [](double log) { return std::pow(10.0, std::clamp(log, 0.0, 18.0)); };
    QVector<double> ticks = duration_ticks(ns(range.lower), ns(range.upper), mTickCount);
    for (double& tick : ticks) tick = std::log10(tick);
    return ticks;
  }
  QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
    return DurationTicker::getTickLabel(std::pow(10.0, std::clamp(tick, 0.0, 18.0)), locale, format, precision);
  }
};

/// For an axis of seconds: "0.00002", as precise as a capture's clock.
class SecondsTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale& locale, QChar /*format*/, int /*precision*/) override {
    QString text = locale.toString(tick, 'f', 9);
    while (text.endsWith(QLatin1Char('0'))) text.chop(1);
    if (text.endsWith(locale.decimalPoint())) text.chop(1);
    return text;
  }
};

/// Of 0.5, 2.5 and the like, the next step without a fraction.
[[nodiscard]] inline double whole_step(double step) {
  return step < 1 ? 1 : step == std::floor(step) ? step : 2 * step;
}

/// For counts without fractions.
class CountTicker : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override { return whole_step(QCPAxisTicker::getTickStep(range)); }
  int getSubTickCount(double step) override { return step < 5 ? 0 : QCPAxisTicker::getSubTickCount(step); }
  QString getTickLabel(double tick, const QLocale& locale, QChar /*format*/, int /*precision*/) override {
    return locale.toString(tick, 'f', 0);
  }
};

/// For an axis of octets per second: "256 KiB/s", "512 KiB/s".
class RateTicker : public QCPAxisTicker {
 protected:
  /// Round in the unit of the highest tick.
  double getTickStep(const QCPRange& range) override {
    constexpr double kNextUnit = 1024;
    double unit = 1;
    while (range.upper / unit >= kNextUnit) unit *= kNextUnit;
    if (unit == 1) return whole_step(QCPAxisTicker::getTickStep(range));
    return unit * QCPAxisTicker::getTickStep(QCPRange(range.lower / unit, range.upper / unit));
  }
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return rate_words(tick);
  }
};

}  // namespace iwarpscope::gui
