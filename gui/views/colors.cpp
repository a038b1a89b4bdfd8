// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/colors.h"

#include <array>
#include <cmath>

namespace iwarpscope::gui {
namespace {

struct Pair {
  QRgb light, dark;  ///< for text on a light and on a dark window
};
enum Series : std::uint8_t { blue, orange, green, purple, sky, vermilion, olive };
constexpr std::array<Pair, kSeries> kColors{{{0xFF005FA8, 0xFF3FA5EA},
                                             {0xFFB05A00, 0xFFE69F00},
                                             {0xFF00704F, 0xFF20C997},
                                             {0xFFA8347F, 0xFFE58BC2},
                                             {0xFF3F9AC9, 0xFF9ED6F7},
                                             {0xFFA01B00, 0xFFFF8A4C},
                                             {0xFFA49600, 0xFFF0E442}}};

/// Colours of severities. Those of an error and of a warning differ in lightness, too: in grey, and for all eyes.
constexpr Pair kError{0xFF96001E, 0xFFFF7A66};
constexpr Pair kWarning{0xFFA35400, 0xFFFFCB47};
constexpr Pair kNote{0xFF005FA8, 0xFF5CB4F0};

QColor one_of(const Pair& pair, const QPalette& palette) {
  return QColor::fromRgb(is_dark(palette) ? pair.dark : pair.light);
}

}  // namespace

bool is_dark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

QColor series_color(int series, const QPalette& palette) {
  const int place = ((series % kSeries) + kSeries) % kSeries;
  return one_of(kColors[static_cast<std::size_t>(place)], palette);
}

QColor severity_color(findings::Severity severity, const QPalette& palette) {
  switch (severity) {
    case findings::Severity::error: return one_of(kError, palette);
    case findings::Severity::warning: return one_of(kWarning, palette);
    case findings::Severity::note: break;
  }
  return one_of(kNote, palette);
}

QColor outcome_color(qp::Outcome outcome, const QPalette& palette) {
  switch (outcome) {
    case qp::Outcome::failed:
    case qp::Outcome::stalled: return severity_color(findings::Severity::error, palette);
    case qp::Outcome::refused: return severity_color(findings::Severity::warning, palette);
    case qp::Outcome::completed: return series_color(green, palette);
    case qp::Outcome::running: return series_color(blue, palette);
    case qp::Outcome::unknown: break;
  }
  return faint_color(palette);
}

QColor severity_background(findings::Severity severity, const QPalette& palette) {
  return mixed(severity_color(severity, palette), palette.color(QPalette::Base), is_dark(palette) ? 0.18 : 0.12);
}

QColor worst_background(findings::Severity severity, const QPalette& palette) {
  return mixed(severity_color(severity, palette), palette.color(QPalette::Base), is_dark(palette) ? 0.35 : 0.32);
}

QColor opcode_color(rdmap::Opcode opcode, const QPalette& palette) {
  using enum rdmap::Kind;
  switch (rdmap::kind(opcode)) {
    case write: return series_color(blue, palette);
    case read_request: return series_color(orange, palette);
    case read_response: return series_color(olive, palette);
    case send: return series_color(green, palette);
    case terminate: return series_color(vermilion, palette);
    case immediate: return series_color(sky, palette);
    case atomic_request:
    case atomic_response: return series_color(purple, palette);
    case unknown: break;
  }
  return faint_color(palette);
}

QColor placeholder_color(const QPalette& palette) {
  const QColor base = palette.color(QPalette::Base), text = palette.color(QPalette::Text);
  const QColor set = palette.color(QPalette::PlaceholderText), own = mixed(set, base, set.alphaF());
  // At least as far from the background as half of the text is.
  const int least = std::abs(text.lightness() - base.lightness()) * 2 / 5;
  return std::abs(own.lightness() - base.lightness()) >= least ? set : mixed(text, base, 0.6);
}

QColor faint_color(const QPalette& palette) {
  return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.6);
}

QColor mixed(const QColor& one, const QColor& other, double part) {
  const auto mix = [part](int a, int b) { return static_cast<int>(std::lround(a * part + b * (1 - part))); };
  return QColor(mix(one.red(), other.red()), mix(one.green(), other.green()), mix(one.blue(), other.blue()));
}

}  // namespace iwarpscope::gui
