// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/ladder/ladder_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

#include "models/words.h"
#include "views/colors.h"

namespace iwarpscope::gui {
namespace {

struct PainterWords {
  Q_DECLARE_TR_FUNCTIONS(Ladder)
};

constexpr double kTwoLines = 2.4;       ///< height of a row that has room for a label of two lines, in lines
constexpr double kBetweenLines = 0.85;  ///< from the middle of the first line to that of the second, in lines

class Drawing {
 public:
  Drawing(QPainter& painter, const QRectF& area, double row, const LadderLook& look)
      : p_(painter),
        area_(area),
        row_(row),
        look_(look),
        metrics_(look.font),
        at_(metrics_, area.width()),
        body_(area.adjusted(0, ladder_header(metrics_), 0, 0)),
        thin_(std::max(1.0, at_.line / 16)) {}

  void draw(const LadderScene& scene) {
    p_.save();
    p_.setFont(look_.font);
    p_.fillRect(area_, look_.palette.base());
    p_.translate(area_.topLeft());
    p_.setRenderHint(QPainter::Antialiasing);
    p_.save();
    p_.translate(0, body_.top() - area_.top());
    p_.setClipRect(QRectF(0, 0, area_.width(), body_.height()));
    for (const LadderRow& row : scene.rows) background(row);
    if (!scene.rows.empty() || !scene.bands.empty()) lifelines(scene.rows);
    for (const LadderBand& one : scene.bands) band(one);
    for (const LadderBracket& one : scene.brackets) bracket(one);
    for (const LadderRow& row : scene.rows) message(row);
    for (const LadderMark& one : scene.marks) mark(one);
    for (const LadderQuiet& one : scene.quiet) quiet(one);
    p_.restore();
    header();
    p_.restore();
  }

 private:
  [[nodiscard]] QColor ink() const { return look_.palette.color(QPalette::Text); }
  [[nodiscard]] QColor faint() const { return faint_color(look_.palette); }
  [[nodiscard]] QColor tone(QColor color, bool dimmed) const {
    return dimmed ? mixed(color, look_.palette.color(QPalette::Base), 0.35) : color;
  }
  [[nodiscard]] QPen pen(const QColor& color, double width = 1, Qt::PenStyle style = Qt::SolidLine) const {
    return {color, thin_ * width, style, Qt::FlatCap};
  }
  /// Room for one line of text; `y` is its middle.
  struct Room {
    double x, y, width;
  };
  void text(const Room& room, const QString& words, const QColor& color, Qt::Alignment alignment = Qt::AlignLeft) {
    if (words.isEmpty() || room.width <= 0) return;
    p_.setPen(color);
    p_.drawText(QRectF(room.x, room.y - at_.line / 2, room.width, at_.line),
                static_cast<int>(alignment | Qt::AlignVCenter), metrics_.elidedText(words, Qt::ElideRight, room.width));
  }

  /// Names of findings have the colours of their severities, but not on the worst row, which has it itself. Returns the
  /// width.
  double finding_words(double x, double width, const LadderRow& row) {
    return text({x, row.y, width}, row.findings, row.dimmed, row.worst);
  }
  double text(const Room& room, const std::vector<LadderWord>& words, bool dimmed, bool plain = false) {
    const QString between = QLatin1String(kBetweenLadderWords);
    double used = 0;
    for (const LadderWord& word : words) {
      const bool is_last = &word == &words.back();
      const QString said = is_last ? word.text : word.text + between;
      const QColor color = word.severity && !plain ? severity_color(*word.severity, look_.palette) : ink();
      text({room.x + used, room.y, room.width - used}, said, tone(color, dimmed));
      used += metrics_.horizontalAdvance(said);
    }
    return std::min(used, room.width);
  }

  void header() {
    const double height = body_.top() - area_.top();
    p_.fillRect(QRectF(0, 0, area_.width(), height), look_.palette.window());
    const double y = height / 2;
    const QColor color = look_.palette.color(QPalette::WindowText);
    const double room = at_.name_room(), before = at_.initiator - at_.times - at_.line / 2;
    const auto fits = [&](const QStringList& forms, double wide) { return first_that_fits(forms, metrics_, wide); };
    text({at_.times, y, before},
         fits({PainterWords::tr("time, time since the previous row"), PainterWords::tr("time, since previous"),
               PainterWords::tr("time")},
              before),
         color);
    const auto [left, right] = names_that_fit(look_.left, look_.right, metrics_, room);
    text({at_.initiator, y, room}, left, color);
    text({at_.tap - at_.line, y, 2 * at_.line}, PainterWords::tr("tap"), color, Qt::AlignHCenter);
    text({at_.responder - room, y, room}, right, color, Qt::AlignRight);
    const double rest = at_.right - at_.notes;
    text({at_.notes, y, rest},
         fits({PainterWords::tr("findings, transport, waits"), PainterWords::tr("findings")}, rest), color);
    p_.setPen(pen(faint()));
    p_.drawLine(QPointF(0, height), QPointF(area_.width(), height));
  }

  /// That of the tap leaves room for the labels.
  void lifelines(const std::vector<LadderRow>& rows) {
    p_.setPen(pen(faint(), 1.5));
    for (const double x : {at_.initiator, at_.responder}) p_.drawLine(QPointF(x, 0), QPointF(x, body_.height()));
    p_.setPen(pen(faint(), 1, Qt::DotLine));
    double from = 0;
    const auto draw_to = [&](double to) {
      if (to > from) p_.drawLine(QPointF(at_.tap, from), QPointF(at_.tap, to));
    };
    for (const LadderRow& row : rows) {
      if (row.label.isEmpty()) continue;
      const double above = static_cast<double>(label_lines(row).size() - 1) * kBetweenLines * at_.line;
      draw_to(label_middle(row) - above - at_.line / 2);
      from = label_middle(row) + at_.line / 2;
    }
    draw_to(body_.height());
  }
  /// The middle of its last line.
  [[nodiscard]] double label_middle(const LadderRow& row) const {
    return row.y - at_.line * (label_lines(row).size() > 1 ? 0.1 : 0.35);
  }
  [[nodiscard]] double label_margin() const { return at_.line / 2; }
  [[nodiscard]] double label_room() const { return at_.responder - at_.initiator - 2 * label_margin(); }
  /// Two where there is room for them above the arrow.
  [[nodiscard]] QStringList label_lines(const LadderRow& row) const {
    const bool has_room = row_ >= kTwoLines * at_.line;
    return has_room ? lines_that_fit(row.label, metrics_, label_room())
                    : QStringList{parts_that_fit(row.label, metrics_, label_room())};
  }

  void background(const LadderRow& row) {
    const QRectF place(0, row.y - row_ / 2, area_.width(), row_);
    const bool chosen = look_.chosen && row.place >= look_.chosen->first && row.place <= look_.chosen->second;
    if (row.severity) p_.fillRect(place, severity_background(*row.severity, look_.palette));
    if (row.worst) worst(place, *row.severity);
    const QColor base = look_.palette.color(QPalette::Base), highlight = look_.palette.color(QPalette::Highlight);
    if (chosen) p_.fillRect(place, mixed(highlight, base, 0.25));
    if (look_.current != row.place) return;
    p_.fillRect(place, mixed(highlight, base, look_.focused ? 0.3 : 0.15));
    p_.setPen(pen(look_.focused ? highlight : faint(), 2));
    p_.drawRect(place.adjusted(thin_, thin_, -thin_, -thin_));
  }

  /// Stronger than other rows with findings, and with a bar at its edge.
  void worst(const QRectF& place, findings::Severity severity) {
    p_.fillRect(place, worst_background(severity, look_.palette));
    p_.fillRect(QRectF(place.topLeft(), QSizeF(at_.line / 4, place.height())), severity_color(severity, look_.palette));
  }

  /// A frame of startup or end: as a message, in the colour of text.
  void life(const LadderRow& row) {
    using Kind = LadderLife::Kind;
    const bool to_right = row.life->direction == Direction::a_to_b;
    const double from = to_right ? at_.initiator : at_.responder, to = to_right ? at_.responder : at_.initiator;
    const double y = row.label.isEmpty() ? row.y : row.y + at_.line * 0.55;
    const bool is_bad = row.life->kind == Kind::reset || row.life->kind == Kind::rejected;
    const auto severity = row.severity ? row.severity
                          : is_bad     ? std::optional(findings::Severity::error)
                                       : std::nullopt;
    const QColor color = tone(severity ? severity_color(*severity, look_.palette) : faint(), row.dimmed);
    p_.setPen(pen(color, row.severity ? 2.5 : 1.5));
    p_.drawLine(QPointF(from, y), QPointF(to, y));
    const double head = std::min(at_.line * 0.55, row_ * 0.45) * (to_right ? -1 : 1);
    arrow(QPointF(to, y), head, color);
    if (row.life->kind == Kind::reset) {
      p_.setPen(pen(color, 2));
      cross(QPointF(at_.tap, y), std::abs(head) / 2);
    }
    label_and_times(row);
    finding_words(at_.notes, at_.right - at_.notes, row);
  }

  void arrow(QPointF tip, double head, const QColor& color) {
    const std::array<QPointF, 3> corners{tip, tip + QPointF(head, -head / 2.5), tip + QPointF(head, head / 2.5)};
    p_.setBrush(color);
    p_.setPen(Qt::NoPen);
    p_.drawConvexPolygon(corners.data(), 3);
  }

  /// The label and the times.
  void label_and_times(const LadderRow& row) {
    if (row.label.isEmpty()) return;
    const QColor color = tone(ink(), row.dimmed);
    double middle = label_middle(row);
    const QStringList lines = label_lines(row);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line, middle -= kBetweenLines * at_.line) {
      text({at_.initiator + label_margin(), middle, label_room()}, *line, color, Qt::AlignHCenter);
    }
    const double time = metrics_.horizontalAdvance(row.time) + label_margin();
    const double wide = at_.initiator - LadderBracket::kLanes * at_.lane - at_.times;
    const QColor less = tone(row.severity ? ink() : faint(), row.dimmed);
    if (!at_.two_lines) {
      text({at_.times, row.y, time}, row.time, color);
      return text({at_.times + time, row.y, wide - time}, row.delta, less);
    }
    const bool is_high = row_ >= 2 * at_.line && !row.delta.isEmpty();
    text({at_.times, is_high ? row.y - at_.line / 2 : row.y, time}, row.time, color);
    if (is_high) text({at_.times, row.y + at_.line / 2, wide}, row.delta, less);
  }

  void message(const LadderRow& row) {
    if (row.life != nullptr) return life(row);
    if (row.message == nullptr) return absent(row);
    const qp::MessageRecord& m = *row.message;
    const bool to_right = m.direction == Direction::a_to_b;
    const double from = to_right ? at_.initiator : at_.responder, to = to_right ? at_.responder : at_.initiator;
    const double y = row.label.isEmpty() ? row.y : row.y + at_.line * 0.55;
    const QColor color =
        tone(row.severity ? severity_color(*row.severity, look_.palette) : opcode_color(m.opcode, look_.palette),
             row.dimmed);
    p_.setPen(pen(color, row.severity ? 2.5 : 1.5, m.complete && !row.refused ? Qt::SolidLine : Qt::DashLine));
    p_.drawLine(QPointF(from, y), QPointF(to, y));
    const double head = std::min(at_.line * 0.55, row_ * 0.45) * (to_right ? -1 : 1);
    if (m.complete && !row.refused) {
      arrow(QPointF(to, y), head, color);
    } else {
      cross(QPointF(to + head, y), std::abs(head) / 2);
    }
    if (row.label.isEmpty()) return;
    label_and_times(row);
    notes(row, y, to, to_right, tone(ink(), row.dimmed));
  }

  /// Placed and Delivered at the receiver, and the other text on a message.
  void notes(const LadderRow& row, double y, double to, bool to_right, const QColor& words) {
    const double size = at_.line * 0.22, side = to_right ? 1 : -1;
    QString said;
    if (row.refused) {
      said = PainterWords::tr("refused, not placed");
    } else if (row.apart) {
      const double x = to + side * at_.line * 0.6;
      p_.setPen(pen(words, 1.5));
      p_.setBrush(Qt::NoBrush);
      p_.drawEllipse(QPointF(x, y), size, size);
      p_.setBrush(words);
      p_.drawEllipse(QPointF(x, y + at_.line * 0.7), size, size);
      p_.drawLine(QPointF(x, y + size), QPointF(x, y + at_.line * 0.7));
      said = PainterWords::tr("○ Placed, ● Delivered %1 later").arg(row.waited);
    } else if (!row.message->complete) {
      said = PainterWords::tr("not complete");
    }
    double x = at_.notes;
    if (row.severity) x += finding_words(x, at_.right - x, row) + at_.line;
    text({x, row.y, at_.right - x}, said, words);
  }

  void absent(const LadderRow& row) {
    const QRectF place(at_.initiator, row.y - row_ * 0.2, at_.responder - at_.initiator, row_ * 0.4);
    p_.fillRect(place, mixed(faint(), look_.palette.color(QPalette::Base), 0.25));
  }

  void cross(QPointF middle, double size) {
    p_.drawLine(middle - QPointF(size, size), middle + QPointF(size, size));
    p_.drawLine(middle - QPointF(size, -size), middle + QPointF(size, -size));
  }

  void bracket(const LadderBracket& one) {
    const bool left = one.direction == Direction::a_to_b;
    const double side = left ? -1 : 1, life = left ? at_.initiator : at_.responder;
    const double x = life + side * at_.lane * (one.lane + 1), down = row_ > at_.line * 1.5 ? at_.line * 0.55 : 0;
    const double from = one.from_seen ? one.from + down : one.from, to = one.to_seen ? one.to + down : one.to;
    const QColor words = tone(ink(), one.dimmed);
    p_.setPen(pen(tone(faint(), one.dimmed), 1.2, one.answered ? Qt::SolidLine : Qt::DotLine));
    if (!one.answered) {
      p_.drawLine(QPointF(life, from), QPointF(x, from));
      text({left ? x - at_.line : x + at_.line * 0.2, from, at_.line}, QStringLiteral("?"), words);
      return;
    }
    if (one.from_seen) p_.drawLine(QPointF(life, from), QPointF(x, from));
    if (one.to_seen) p_.drawLine(QPointF(life, to), QPointF(x, to));
    p_.drawLine(QPointF(x, from), QPointF(x, to));
    if (row_ <= at_.line * 1.5 || one.latency.isEmpty()) return;
    // It may cover outer lanes, but not the text beside the ladder.
    const double gap = at_.line * 0.2, edge = at_.notes - 2 * gap;
    const double room = left ? x - gap - at_.times : edge - life - gap;
    const double width = std::min(metrics_.horizontalAdvance(one.latency) + thin_, room);
    const double middle = (std::max(std::min(from, to), 0.0) + std::min(std::max(from, to), body_.height())) / 2;
    const double begin = left ? x - width - gap : std::min(x + gap, edge - width);
    const QRectF place(begin, middle - at_.line / 2, width, at_.line);
    p_.fillRect(place, look_.palette.base());
    text({place.left(), middle, width}, one.latency, words);
  }

  void mark(const LadderMark& one) {
    const bool to_right = one.direction != Direction::b_to_a;
    const double from = to_right ? at_.initiator : at_.responder;
    const double size = std::min(at_.line * 0.25, row_ * 0.3);
    const QColor color = tone(one.severity ? severity_color(*one.severity, look_.palette) : ink(), one.dimmed);
    p_.setPen(pen(color, 1.2, Qt::DashLine));
    if (one.direction) p_.drawLine(QPointF(from, one.y), QPointF(at_.tap, one.y));
    p_.setPen(pen(color, 1.5));
    sign(one, QPointF(at_.tap, one.y), size);
    if (one.text.empty()) return;
    const double width = std::min(metrics_.horizontalAdvance(joined(one.text)) + thin_, at_.right - at_.notes);
    const double y = std::max(one.y, at_.line / 2);
    p_.fillRect(QRectF(at_.notes, y - at_.line / 2, width, at_.line), look_.palette.base());
    text({at_.notes, y, at_.right - at_.notes}, one.text, one.dimmed);
  }

  /// The lifelines break where no message was seen for a long time; the column of times shows how long.
  void quiet(const LadderQuiet& one) {
    const double half = std::min(at_.line * 0.25, row_ * 0.3), y = std::min(one.y, body_.height() - at_.line / 2);
    const QColor words = tone(ink(), one.dimmed);
    for (const double x : {at_.initiator, at_.responder}) {
      p_.fillRect(QRectF(x - half, y - half / 2, 2 * half, half), look_.palette.base());
      p_.setPen(pen(words, 1.5));
      for (const double edge : {y - half / 2, y + half / 2}) {
        p_.drawLine(QPointF(x - 1.5 * half, edge + half / 2), QPointF(x + 1.5 * half, edge - half / 2));
      }
    }
    if (row_ < at_.line * 2 || one.text.isEmpty()) return;
    const double width = std::min(metrics_.horizontalAdvance(one.text) + thin_, at_.initiator - at_.times - at_.line);
    p_.fillRect(QRectF(at_.times, y - at_.line / 2, width, at_.line), look_.palette.base());
    text({at_.times, y, width}, one.text, words);
  }

  /// Each type has its own shape.
  void sign(const LadderMark& one, QPointF at, double size) {
    p_.setBrush(look_.palette.base());
    if (!one.event) {
      const std::array<QPointF, 3> triangle{at + QPointF(0, -size), at + QPointF(size, size),
                                            at + QPointF(-size, size)};
      p_.setBrush(p_.pen().color());
      p_.drawConvexPolygon(triangle.data(), 3);
      return;
    }
    switch (*one.event) {
      case qp::TransportEventKind::retransmission: p_.drawEllipse(at, size, size); break;
      case qp::TransportEventKind::out_of_order:
        p_.drawLine(at + QPointF(-size, -size / 2), at + QPointF(size, size / 2));
        p_.drawLine(at + QPointF(-size, size / 2), at + QPointF(size, size * 1.5));
        break;
      case qp::TransportEventKind::capture_gap: {
        const std::array<QPointF, 5> zigzag{at + QPointF(-2 * size, 0), at + QPointF(-size, -size), at,
                                            at + QPointF(size, -size), at + QPointF(2 * size, 0)};
        p_.drawPolyline(zigzag.data(), 5);
        break;
      }
      case qp::TransportEventKind::damaged: cross(at, size); break;
      case qp::TransportEventKind::window_closed:
        p_.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size));
        break;
    }
  }

  /// Events of the initiator's octets are to the left of the tap, those of the responder's to the right; signs are on
  /// the right.
  void band(const LadderBand& one) {
    const QRectF all(at_.initiator, one.y, at_.responder - at_.initiator, one.height);
    const QColor base = look_.palette.color(QPalette::Base);
    if (!one.known) return p_.fillRect(all, mixed(faint(), base, 0.15));
    const double half = at_.tap - at_.initiator;
    const QColor left = tone(series_color(0, look_.palette), one.dimmed);
    const QColor right = tone(series_color(1, look_.palette), one.dimmed);
    const double a = half * std::min(1.0, one.share[0]), b = half * std::min(1.0, one.share[1]);
    p_.fillRect(QRectF(at_.tap - a, one.y, a, one.height), left);
    p_.fillRect(QRectF(at_.tap, one.y, b, one.height), right);
    if (one.events || one.incomplete) {
      p_.fillRect(QRectF(at_.notes, one.y, at_.line / (one.gap ? 1 : 2), one.height), ink());
    }
    if (!one.severity) return;
    const QColor color = severity_color(*one.severity, look_.palette);
    p_.fillRect(QRectF(at_.notes + at_.line * 1.5, one.y, at_.line, one.height), color);
    if (one.y < letter_below_) return;
    text({at_.notes + at_.line * 3, one.y, at_.line}, severity_sign(*one.severity), color);
    letter_below_ = one.y + at_.line;
  }

  QPainter& p_;
  const QRectF area_;
  const double row_;
  const LadderLook& look_;
  const QFontMetricsF metrics_;
  const LadderColumns at_;
  const QRectF body_;
  const double thin_;
  double letter_below_ = 0;  ///< the position of the next letter
};

}  // namespace

LadderColumns::LadderColumns(const QFontMetricsF& metrics, double width)
    : line(metrics.height()), times(line / 2), lane(line * 0.4), right(width - line / 2) {
  const double brackets = lane * LadderBracket::kLanes + line;
  const auto notes_from = [&](double least, double share, double least_notes) {
    return std::max(initiator + line * least, width - std::clamp(width * share, line * least_notes, line * 22));
  };
  constexpr double kLeast = 14, kLeastBelow = 16;  // lines high
  initiator = times + metrics.horizontalAdvance(QStringLiteral("+0000.000000000  000.00 us")) + brackets;
  notes = notes_from(kLeast, 0.25, 11);
  // In a narrow window, the names of the messages need the room more.
  constexpr double kNarrow = 28;  // lines high: a name such as "MPA Request, Rev 2, CRC, IRD 1, ORD 1" fits
  two_lines = notes - initiator < line * kNarrow;
  if (two_lines) {
    initiator = times + metrics.horizontalAdvance(QStringLiteral("+0000.000000000 ")) + brackets;
    notes = notes_from(kLeastBelow, 0.15, 5);
  }
  responder = notes - std::max(brackets, metrics.horizontalAdvance(QStringLiteral("000.00 us")) + lane + line);
  tap = (initiator + responder) / 2;
}

double ladder_header(const QFontMetricsF& metrics) {
  return metrics.height() * 1.4;
}

void paint_ladder(QPainter& painter, const QRectF& area, const LadderScene& scene, double row, const LadderLook& look) {
  Drawing(painter, area, row, look).draw(scene);
}

}  // namespace iwarpscope::gui
