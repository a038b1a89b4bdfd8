// What the dashboard looks at.
#pragma once

#include <QString>
#include <QStringList>

#include "api/client.h"

namespace iwarpscope::gui {

/// A running daemon, or capture files that a private one replays.
struct Source {
  api::Place place{};  ///< of the daemon; with files the private one's is found out
  QString name{};      ///< of a saved server; may be empty
  QStringList files{};
  [[nodiscard]] bool is_file() const noexcept { return !files.isEmpty(); }
  /// For window titles and messages: "capture.pcap", "sensor:7470".
  [[nodiscard]] QString title() const;
};

}  // namespace iwarpscope::gui
