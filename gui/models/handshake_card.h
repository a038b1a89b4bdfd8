// MPA startup of one queue pair in words: what was asked for, what was answered, what is in force.
#pragma once

#include <QString>

#include <optional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

struct HandshakeCard {
  /// How the two frames stand to each other in one field.
  enum class Difference : std::uint8_t {
    same,
    differs,   ///< and that is no fault: each end says what it wants
    conflict,  ///< one end gets less than it asked for, or refuses
  };
  struct Field {
    QString label;    ///< "CRC (C)"
    QString meaning;  ///< what the field is for, in a sentence
    QString request, reply;
    Difference difference = Difference::same;
    QString remark;  ///< what the difference comes to; empty: there is nothing to say
  };
  struct Setting {
    QString label, meaning;
    QString a_to_b, b_to_a;
  };
  QString request_from, reply_from;  ///< titles of the two columns
  std::vector<Field> fields;         ///< empty: startup was not seen
  std::vector<Setting> settings;     ///< in force
  std::vector<QString> sentences;    ///< what happened, in order
};

/// Source: RFC 5044 §7.1, RFC 6581 §9.
[[nodiscard]] HandshakeCard handshake_card(const qp::QpRecord& record);

/// "≠ differs", "✗ conflict" or nothing.
[[nodiscard]] QString difference_text(HandshakeCard::Difference difference);

}  // namespace iwarpscope::gui
