// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Colours as seen by people who cannot see red or green.
#include "views/colors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace iwarpscope::gui::colors_test {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

constexpr Matrix kAll{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
/// From linear sRGB. Source: Vienot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of
/// displays by dichromats", 1999.
constexpr Matrix kNoRed{{{0.11238, 0.88762, 0}, {0.11238, 0.88762, 0}, {0.00401, -0.00401, 1}}};
constexpr Matrix kNoGreen{{{0.29275, 0.70725, 0}, {0.29275, 0.70725, 0}, {-0.02234, 0.02234, 1}}};
/// From linear sRGB to CIE XYZ, with the white point D65.
constexpr Matrix kXyz{{{0.43388, 0.37622, 0.18990}, {0.2126, 0.7152, 0.0722}, {0.01772, 0.10946, 0.87282}}};

Vector times(const Matrix& matrix, const Vector& v) {
  Vector out{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t i = 0; i < 3; ++i) out[row] += matrix[row][i] * v[i];
    out[row] = std::max(0.0, out[row]);
  }
  return out;
}

Vector linear(const QColor& color) {
  const auto one = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return {one(color.redF()), one(color.greenF()), one(color.blueF())};
}

/// CIE 1976 L*a*b*; the first is the lightness, 0 to 100.
Vector lab(const QColor& color, const Matrix& sight) {
  Vector xyz = times(kXyz, times(sight, linear(color)));
  for (double& v : xyz) v = v > 0.008856 ? std::cbrt(v) : 7.787 * v + 16.0 / 116;
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

/// CIE 1976: 2 is just distinguishable side by side.
double distance(const QColor& one, const QColor& other, const Matrix& sight) {
  const Vector a = lab(one, sight), b = lab(other, sight);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/// WCAG 2.1: 4.5 for text, 3 for graphics.
double contrast(const QColor& one, const QColor& other) {
  const double a = times(kXyz, linear(one))[1], b = times(kXyz, linear(other))[1];
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

class Colors : public testing::TestWithParam<bool> {
 protected:
  [[nodiscard]] static QPalette palette() {
    QPalette colors(GetParam() ? QColor(0x32, 0x32, 0x34) : QColor(0xEF, 0xEF, 0xEF));
    colors.setColor(QPalette::Base, GetParam() ? QColor(0x22, 0x22, 0x24) : QColor(Qt::white));
    colors.setColor(QPalette::AlternateBase, GetParam() ? QColor(0x2B, 0x2B, 0x2E) : QColor(0xF5, 0xF5, 0xF5));
    return colors;
  }
};

TEST_P(Colors, OfSeriesAreDistinguishedWithoutRedOrGreen) {
  const QPalette colors = palette();
  ASSERT_EQ(is_dark(colors), GetParam());
  for (const Matrix& sight : {kAll, kNoRed, kNoGreen}) {
    for (int one = 0; one < kSeries; ++one) {
      for (int other = 0; other < one; ++other) {
        EXPECT_GE(distance(series_color(one, colors), series_color(other, colors), sight), 14)
            << other << " and " << one
            << (sight == kAll     ? ""
                : sight == kNoRed ? ", no red"
                                  : ", no green");
      }
    }
  }
}

TEST_P(Colors, OfTextAndOfCurvesStandOutFromTheWindow) {
  const QPalette colors = palette();
  for (int one = 0; one < kSeries; ++one) {
    EXPECT_GE(contrast(series_color(one, colors), colors.color(QPalette::Base)), 3) << one;
  }
  using enum findings::Severity;
  for (const auto role : {QPalette::Base, QPalette::AlternateBase}) {
    const QColor base = colors.color(role);
    for (const auto severity : {error, warning, note}) {
      EXPECT_GE(contrast(severity_color(severity, colors), base), 4.5) << static_cast<int>(severity);
    }
    for (const auto outcome : {qp::Outcome::completed, qp::Outcome::failed, qp::Outcome::refused, qp::Outcome::stalled,
                               qp::Outcome::running, qp::Outcome::unknown}) {
      EXPECT_GE(contrast(outcome_color(outcome, colors), base), 4.5) << static_cast<int>(outcome);
    }
    EXPECT_GE(contrast(faint_color(colors), base), 3);
  }
  for (const auto severity : {error, warning, note}) {
    const QColor tinted = severity_background(severity, colors);
    EXPECT_GE(contrast(colors.color(QPalette::Text), tinted), 4.5) << static_cast<int>(severity);
    EXPECT_GE(contrast(severity_color(severity, colors), tinted), 4.5) << static_cast<int>(severity);
    const QColor worst = worst_background(severity, colors);
    EXPECT_GE(contrast(colors.color(QPalette::Text), worst), 4.5) << static_cast<int>(severity);
    EXPECT_GE(contrast(worst, colors.color(QPalette::Base)), contrast(tinted, colors.color(QPalette::Base)))
        << static_cast<int>(severity);
  }
}

TEST_P(Colors, TheWordsOfAnEmptyFieldAreLegibleWhateverTheDesktopSays) {
  QPalette colors = palette();
  for (const QColor& set : {QColor(0, 0, 0, 128), QColor(255, 255, 255, 128), QColor(0x80, 0x80, 0x80)}) {
    colors.setColor(QPalette::PlaceholderText, set);
    const QColor base = colors.color(QPalette::Base), color = placeholder_color(colors);
    EXPECT_GE(contrast(mixed(color, base, color.alphaF()), base), 3) << set.name().toStdString();
  }
  const QColor good = mixed(colors.color(QPalette::Text), colors.color(QPalette::Base), 0.7);
  colors.setColor(QPalette::PlaceholderText, good);
  EXPECT_EQ(placeholder_color(colors), good) << "that of the desktop, if it is legible";
}

TEST_P(Colors, AnErrorAndAWarningDifferInLightnessToo) {
  const QColor error = severity_color(findings::Severity::error, palette());
  const QColor warning = severity_color(findings::Severity::warning, palette());
  for (const Matrix& sight : {kAll, kNoRed, kNoGreen}) {
    EXPECT_GE(std::abs(lab(error, sight)[0] - lab(warning, sight)[0]), 9);
    EXPECT_GE(distance(error, warning, sight), 14);
  }
}

INSTANTIATE_TEST_SUITE_P(LightAndDark, Colors, testing::Values(false, true));

}  // namespace
}  // namespace iwarpscope::gui::colors_test
