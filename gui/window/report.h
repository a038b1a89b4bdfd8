// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The file of a report.
#pragma once

#include <QByteArray>
#include <QString>

namespace iwarpscope::gui {

/// Writes the complete file or nothing. Fails with one sentence; empty: written.
[[nodiscard]] QString write_report(const QByteArray& html, const QString& file);

}  // namespace iwarpscope::gui
