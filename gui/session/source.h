// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The source of the dashboard's data.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "api/client.h"

namespace iwarpscope::gui {

/// Converts a file's name of any octets to text, and back: an octet that is not UTF-8 becomes a lone surrogate, U+DC00
/// plus its value.
[[nodiscard]] QString name_of(const QByteArray& native);
[[nodiscard]] QByteArray native_name(const QString& name);
/// For people: octets that are not UTF-8 become U+FFFD.
[[nodiscard]] QString shown_name(const QString& name);

/// A running daemon, or capture files that a private daemon replays.
struct Source {
  api::Place place{};   ///< address of the daemon; with files, set when the private daemon is started
  QString name{};       ///< name of a saved server; may be empty
  QStringList files{};  ///< as from name_of()
  [[nodiscard]] bool is_file() const noexcept { return !files.isEmpty(); }
  /// For window titles and messages: "capture.pcap", "sensor:7470".
  [[nodiscard]] QString title() const;
};

}  // namespace iwarpscope::gui
