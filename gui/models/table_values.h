// What all tables tell programs beside what they show people.
#pragma once

#include <QVariant>
#include <Qt>

namespace iwarpscope::gui {

/// Of a cell: its value for programs, a number or words that are not translated; invalid: not known. Of a header: the
/// column's key, "last_octet_ns". Models without it are exported as they are shown.
inline constexpr int kValueRole = Qt::UserRole + 100;

/// Of the cells of a column, and of its header: numbers stand below each other's last digit.
[[nodiscard]] inline QVariant alignment_of(bool is_number) {
  return QVariant::fromValue((is_number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

}  // namespace iwarpscope::gui
