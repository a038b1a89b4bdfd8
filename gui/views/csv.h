// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Cells of comma-separated values.
#pragma once

#include <QString>

namespace iwarpscope::gui {

/// The text as one cell, in quotes where it needs them (RFC 4180 §2). A spreadsheet would compute a text that begins
/// with
/// =, +, -, @, a tab or the end of a line: it gets an apostrophe in front, unless it is a number. Texts of captures and
/// of other hosts may be of any shape.
[[nodiscard]] QString csv_cell(const QString& text);

}  // namespace iwarpscope::gui
