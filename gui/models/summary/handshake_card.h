// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// MPA startup of one queue pair as text: the request, the answer and the settings in use.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

struct HandshakeCard {
  /// How the values of one field in both frames compare.
  enum class Difference : std::uint8_t {
    same,
    differs,   ///< different, but not a fault: each end states its own values
    conflict,  ///< one end gets less than it requested, or refuses
  };
  struct Field {
    QString label;    ///< "CRC (C)"
    QString meaning;  ///< meaning of the field, in one sentence
    QString request, reply;
    Difference difference = Difference::same;
    QString remark;  ///< effect of the difference; empty: no remark
  };
  struct Setting {
    QString label, meaning;
    QString a_to_b, b_to_a;
  };
  QString request_from, reply_from;  ///< titles of the two columns
  std::vector<Field> fields;         ///< empty: startup was not seen
  std::vector<Setting> settings;     ///< in force
  std::vector<QString> sentences;    ///< events in order
};

/// Source: RFC 5044 §7.1, RFC 6581 §9.
[[nodiscard]] HandshakeCard handshake_card(const qp::QpRecord& record);

/// "≠ differs", "✗ conflict" or nothing.
[[nodiscard]] QString difference_text(HandshakeCard::Difference difference);

}  // namespace iwarpscope::gui
