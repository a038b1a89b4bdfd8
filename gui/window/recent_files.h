// The captures that were opened last.
#pragma once

#include <QSettings>
#include <QStringList>

namespace iwarpscope::gui {

/// Kept in the settings, the latest first. Those that are gone are left out.
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
