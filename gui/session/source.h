// What the dashboard looks at.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "api/client.h"

namespace iwarpscope::gui {

/// A file's name of any octets as text, and back: each octet that is not UTF-8 is a lone surrogate, U+DC00 above it.
[[nodiscard]] QString name_of(const QByteArray& native);
[[nodiscard]] QByteArray native_name(const QString& name);
/// For people: what is not UTF-8 is U+FFFD.
[[nodiscard]] QString shown_name(const QString& name);

/// A running daemon, or capture files that a private one replays.
struct Source {
  api::Place place{};   ///< of the daemon; with files the private one's is found out
  QString name{};       ///< of a saved server; may be empty
  QStringList files{};  ///< as name_of() has them
  [[nodiscard]] bool is_file() const noexcept { return !files.isEmpty(); }
  /// For window titles and messages: "capture.pcap", "sensor:7470".
  [[nodiscard]] QString title() const;
};

}  // namespace iwarpscope::gui
