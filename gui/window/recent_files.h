// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The recently opened captures.
#pragma once

#include <QSettings>
#include <QStringList>

namespace iwarpscope::gui {

/// Saved in the settings, the latest first. Files that no longer exist are left out.
class RecentFiles {
 public:
  static constexpr int kMost = 10;
  explicit RecentFiles(QSettings& settings) : settings_(settings) {}
  [[nodiscard]] QStringList all() const;
  void note(const QStringList& files);
  void forget();

 private:
  QSettings& settings_;
};

}  // namespace iwarpscope::gui
