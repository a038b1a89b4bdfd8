// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/ladder_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <string_view>
#include <variant>

#include "base/wording.h"
#include "models/findings/finding_table.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

struct LadderWords {
  Q_DECLARE_TR_FUNCTIONS(Ladder)
};

QString text_of(TaggedOffset to) {
  return QString::fromStdString(report::to_text(to));
}
QString octets(std::uint64_t value) {
  return value == 1 ? LadderWords::tr("1 octet") : LadderWords::tr("%1 octets").arg(number_text(value));
}

QString answer(const std::optional<qp::ResponseLink>& link) {
  if (!link) return LadderWords::tr("No response was seen.");
  if (link->last_octet_ns < 0) {
    return LadderWords::tr(
               "Its response, #%1, has an earlier time: it was captured before this Request, or the clock went back.")
        .arg(number_text(link->index));
  }
  if (link->first_octet_ns < 0) {
    return LadderWords::tr(
               "Answered by #%1: its first octet was captured before the last octet of this Request, its last octet "
               "after %2.")
        .arg(number_text(link->index), ladder_duration(link->last_octet_ns));
  }
  return LadderWords::tr("Answered by #%1: first octet after %2, last after %3.")
      .arg(number_text(link->index), ladder_duration(link->first_octet_ns), ladder_duration(link->last_octet_ns));
}
QString question(const std::optional<std::uint64_t>& request) {
  if (!request) return LadderWords::tr("It answers no captured request.");
  return LadderWords::tr("It answers request #%1.").arg(number_text(*request));
}

QString operation(std::string_view name) {
  if (name == "fetch_add") return QStringLiteral("FetchAdd");
  if (name == "swap") return QStringLiteral("Swap");
  if (name == "cmp_swap") return QStringLiteral("CmpSwap");
  return LadderWords::tr("unknown operation");
}

struct DetailText {
  QString operator()(std::monostate) const { return {}; }
  QString operator()(const qp::ReadRequestDetail& d) const {
    return LadderWords::tr("Reads %1 from STag %2 TO %3 into STag %4 TO %5. %6")
        .arg(octets(d.size), stag_text(d.source_stag), text_of(d.source_to), stag_text(d.sink_stag), text_of(d.sink_to),
             answer(d.response));
  }
  QString operator()(const qp::ReadResponseDetail& d) const { return question(d.request_index); }
  QString operator()(const qp::AtomicRequestDetail& d) const {
    return LadderWords::tr("%1 at STag %2 TO %3, identifier %4, data %5 mask %6, compare %7 mask %8. %9")
        .arg(operation(d.operation), stag_text(d.remote_stag), text_of(d.remote_to), number_text(d.request_id),
             word_text(d.data), word_text(d.mask), word_text(d.compare), word_text(d.compare_mask), answer(d.response));
  }
  QString operator()(const qp::AtomicResponseDetail& d) const {
    QString text = LadderWords::tr("Identifier %1, original value %2. %3")
                       .arg(number_text(d.request_id), word_text(d.original), question(d.request_index));
    if (!d.result) return text;
    return LadderWords::tr("%1 The operation left %2.").arg(text, word_text(*d.result));
  }
  QString operator()(const qp::ImmediateDetail& d) const { return LadderWords::tr("Data %1.").arg(word_text(d.data)); }
  QString operator()(const qp::TerminateDetail& d) const {
    const QString code = QStringLiteral("%1/%2/%3")
                             .arg(d.layer)
                             .arg(d.error_type)
                             .arg(static_cast<unsigned>(d.error_code), 2, 16, QLatin1Char('0'));
    QString text = LadderWords::tr("%1 (layer/type/code %2).").arg(QString::fromStdString(d.name), code);
    if (!d.names) return text;
    return LadderWords::tr("%1 It names message #%2 of %3.")
        .arg(text, number_text(d.names->index), QString::fromUtf8(direction_text(d.names->direction)));
  }
};

/// The destination: the tagged buffer, or the queue.
QString address(const qp::MessageRecord& m) {
  if (m.tagged) return LadderWords::tr("Tagged, to STag %1 TO %2.").arg(stag_text(m.stag), text_of(m.to));
  const QString queue = QString::fromStdString(queue_text(m.qn));
  if (m.invalidate_stag) {
    return LadderWords::tr("Untagged, %1 MSN %2; invalidates STag %3.")
        .arg(queue, QString::number(m.msn.value), stag_text(*m.invalidate_stag));
  }
  return LadderWords::tr("Untagged, %1 MSN %2.").arg(queue, QString::number(m.msn.value));
}

QString times(const qp::MessageRecord& m, TimePoint start) {
  const QString first = ladder_time(start, m.first_time);
  if (!m.complete) return LadderWords::tr("First octet at %1; the message is not complete.").arg(first);
  if (elapsed_ns(m.placed_time, m.delivered_time) <= 0) {
    return LadderWords::tr("First octet at %1, Placed and Delivered at %2.")
        .arg(first, ladder_time(start, m.placed_time));
  }
  return LadderWords::tr("First octet at %1, Placed at %2, Delivered at %3: it waited %4 for earlier octets.")
      .arg(first, ladder_time(start, m.placed_time), ladder_time(start, m.delivered_time),
           ladder_duration(elapsed_ns(m.placed_time, m.delivered_time)));
}

}  // namespace

QString ladder_label(const qp::MessageRecord& m) {
  const QString title = QString::fromUtf8(rdmap::title(m.opcode));
  if (const auto* request = std::get_if<qp::ReadRequestDetail>(&m.detail)) {
    return LadderWords::tr("%1, for %2, source STag %3")
        .arg(title, octets(request->size), stag_text(request->source_stag));
  }
  if (const auto* request = std::get_if<qp::AtomicRequestDetail>(&m.detail)) {
    return LadderWords::tr("%1, %2, STag %3")
        .arg(title, operation(request->operation), stag_text(request->remote_stag));
  }
  if (const auto* terminate = std::get_if<qp::TerminateDetail>(&m.detail)) {
    return LadderWords::tr("%1: %2").arg(title, QString::fromStdString(terminate->name));
  }
  if (m.tagged) return LadderWords::tr("%1, %2, STag %3").arg(title, octets(m.length), stag_text(m.stag));
  if (!rdmap::traits(m.opcode).has_payload)
    return LadderWords::tr("%1, MSN %2").arg(title, QString::number(m.msn.value));
  return LadderWords::tr("%1, %2, MSN %3").arg(title, octets(m.length), QString::number(m.msn.value));
}

QString ladder_details(const qp::MessageRecord& m, TimePoint start, const StreamEnd* end) {
  const QString frames = m.first_frame == m.last_frame
                             ? LadderWords::tr("frame %1").arg(m.first_frame.value)
                             : LadderWords::tr("frames %1-%2").arg(m.first_frame.value).arg(m.last_frame.value);
  const QString size = octets(m.length);
  QStringList lines;
  lines << LadderWords::tr("#%1 %2: %3, %4, DDP segments: %5, %6 (%7)")
               .arg(number_text(m.index), QString::fromUtf8(direction_text(m.direction)),
                    QString::fromUtf8(rdmap::title(m.opcode)),
                    rdmap::traits(m.opcode).has_payload ? size : LadderWords::tr("RDMAP header of %1").arg(size),
                    number_text(m.ddp_segments), frames, ladder_reference(m.opcode));
  QStringList rest{address(m), std::visit(DetailText{}, m.detail)};
  rest.removeAll(QString());
  lines << rest.join(QLatin1Char(' '));
  if (end != nullptr && end->refuses(m.index, m.first_frame)) {
    lines << refusal_text(*end, m.index) + QLatin1Char(' ') +
                 LadderWords::tr("First octet at %1.").arg(ladder_time(start, m.first_time));
  } else {
    lines << times(m, start);
  }
  return lines.join(QLatin1Char('\n'));
}

QString refusal_text(const StreamEnd& end, std::uint64_t index) {
  const QString name = QString::fromStdString(end.name);
  if (end.index == index) {
    return LadderWords::tr(
               "Refused: the receiver ended the stream with the Terminate in frame %1 (%2). The message was not placed "
               "completely.")
        .arg(end.frame.value)
        .arg(name);
  }
  return LadderWords::tr("Not placed: the receiver had already ended the stream with the Terminate in frame %1 (%2).")
      .arg(end.frame.value)
      .arg(name);
}

QString ladder_before() {
  return LadderWords::tr("captured before its Request");
}

QString ladder_clock_back() {
  return LadderWords::tr("the clock went back");
}

QString ladder_reference(rdmap::Opcode opcode) {
  const std::string_view section = rdmap::traits(opcode).section;
  return QString::fromUtf8(section.data(), static_cast<qsizetype>(section.size()));
}

QString ladder_time(TimePoint start, TimePoint time) {
  return QString::fromStdString(report::since(start, time));
}

QString ladder_duration(std::int64_t ns) {
  return QString::fromStdString(report::human_duration(ns));
}

QString ladder_event(qp::TransportEventKind kind, std::uint64_t count, std::uint64_t size, FrameNumber first) {
  QString what;
  switch (kind) {
    case qp::TransportEventKind::retransmission: what = LadderWords::tr("retransmission"); break;
    case qp::TransportEventKind::out_of_order: what = LadderWords::tr("out of order"); break;
    case qp::TransportEventKind::capture_gap: what = LadderWords::tr("capture gap"); break;
    case qp::TransportEventKind::damaged: what = LadderWords::tr("damaged, dropped"); break;
    case qp::TransportEventKind::window_closed: what = LadderWords::tr("window closed"); break;
  }
  const QString frame = LadderWords::tr("frame %1").arg(first.value);
  if (count > 1) return LadderWords::tr("%1 × %2, %3, from %4").arg(number_text(count), what, octets(size), frame);
  // Over SCTP, a gap is known only in messages.
  if (kind == qp::TransportEventKind::window_closed || size == 0) return LadderWords::tr("%1, %2").arg(what, frame);
  return LadderWords::tr("%1, %2, %3").arg(what, octets(size), frame);
}

QString ladder_finding(findings::FindingId id) {
  const findings::Rule& rule = findings::rule(id);
  return LadderWords::tr("%1 %2", "severity letter, rule")
      .arg(severity_sign(rule.severity), QString::fromUtf8(rule.code));
}

QString ladder_quiet(std::int64_t ns) {
  return LadderWords::tr("no message for %1").arg(ladder_duration(ns));
}

namespace {

QString finding_details(const live::FindingView& view, FrameNumber frame) {
  const findings::Rule& rule = findings::rule(view.finding.id);
  return LadderWords::tr("%1 %2 in frame %3: %4 (%5)")
      .arg(severity_word(rule.severity), QString::fromUtf8(rule.code))
      .arg(frame.value)
      .arg(QString::fromStdString(view.finding.text), QString::fromUtf8(rule.reference));
}

}  // namespace

QString ladder_finding_details(const live::FindingView& view, const qp::MessageRecord& about) {
  const findings::Finding& finding = view.finding;
  const bool is_of_it = finding.frame >= about.first_frame && finding.frame <= about.last_frame;
  return finding_details(view, is_of_it ? finding.frame : place_of(view).frame);
}

QString ladder_finding_details(const live::FindingView& view) {
  return finding_details(view, place_of(view).frame);
}

QString ladder_rtr(const QString& label) {
  return LadderWords::tr("RTR: %1").arg(label);
}

const qp::ResponseLink* response_of(const qp::MessageRecord& m) {
  if (const auto* read = std::get_if<qp::ReadRequestDetail>(&m.detail)) {
    return read->response ? &*read->response : nullptr;
  }
  if (const auto* atomic = std::get_if<qp::AtomicRequestDetail>(&m.detail)) {
    return atomic->response ? &*atomic->response : nullptr;
  }
  return nullptr;
}

std::optional<std::uint64_t> request_of(const qp::MessageRecord& m) {
  if (const auto* read = std::get_if<qp::ReadResponseDetail>(&m.detail)) return read->request_index;
  if (const auto* atomic = std::get_if<qp::AtomicResponseDetail>(&m.detail)) return atomic->request_index;
  return std::nullopt;
}

bool wants_response(const qp::MessageRecord& m) {
  return std::holds_alternative<qp::ReadRequestDetail>(m.detail) ||
         std::holds_alternative<qp::AtomicRequestDetail>(m.detail);
}

}  // namespace iwarpscope::gui
