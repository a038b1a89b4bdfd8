// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Data that all tables offer to programs, in addition to the displayed text.
#pragma once

#include <QVariant>
#include <Qt>

namespace iwarpscope::gui {

/// For a cell: its value for programs, a number or words that are not translated; invalid: not known. For a header: the
/// column's key, "last_octet_ns". Models without it are exported as they are shown.
inline constexpr int kValueRole = Qt::UserRole + 100;

/// For the cells of a column and its header: numbers are right-aligned.
[[nodiscard]] inline QVariant alignment_of(bool is_number) {
  return QVariant::fromValue((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace iwarpscope::gui
