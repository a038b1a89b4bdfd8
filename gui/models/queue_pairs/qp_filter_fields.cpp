// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/queue_pairs/qp_filter_fields.h"

#include <array>

namespace iwarpscope::gui {
namespace {

QString small(std::string_view text) {
  return QString::fromUtf8(text).toLower();
}
double real(std::uint64_t value) {
  return static_cast<double>(value);
}

QStringList hosts(const QpRow& row) {
  return {small(row.a.address.text()), small(row.b.address.text())};
}
QStringList initiator(const QpRow& row) {
  return {small(row.a.address.text())};
}
QStringList responder(const QpRow& row) {
  return {small(row.b.address.text())};
}
QStringList ulp(const QpRow& row) {
  return row.ulp.empty() ? QStringList() : QStringList{small(row.ulp)};
}
QStringList sensor(const QpRow& row) {
  return row.sensor.empty() ? QStringList() : QStringList{small(row.sensor)};
}
QStringList state(const QpRow& row) {
  return {small(qp::name(row.state))};
}
QStringList outcome(const QpRow& row) {
  return row.outcome ? QStringList{small(qp::name(*row.outcome))} : QStringList();
}
QStringList verdict(const QpRow& row) {
  if (row.verdict_code.empty()) return outcome(row);
  return outcome(row) + QStringList{small(row.verdict_code), small(row.verdict_id)};
}
QStringList blame(const QpRow& row) {
  return row.outcome ? QStringList{small(qp::name(row.blame))} : QStringList();
}
QStringList confidence(const QpRow& row) {
  return row.outcome ? QStringList{small(qp::name(row.confidence))} : QStringList();
}
QStringList rule(const QpRow& row) {
  if (!row.worst) return {};
  const findings::Rule& worst = findings::rule(*row.worst);
  return {small(worst.code), small(worst.name)};
}
QStringList severity(const QpRow& row) {
  return {row.worst ? small(findings::name(*row.severity())) : QStringLiteral("none")};
}
QString flag(std::optional<bool> on) {
  return !on ? QStringLiteral("unknown") : *on ? QStringLiteral("on") : QStringLiteral("off");
}
QStringList crc(const QpRow& row) {
  return {flag(row.crc)};
}
QStringList markers(const QpRow& row) {
  return {flag(row.markers[0]), flag(row.markers[1])};
}
std::vector<double> depth(const QpRow& row) {
  std::vector<double> known;
  for (const auto& depth : row.depth) {
    if (depth) known.push_back(*depth);
  }
  return known;
}

using FieldKind = QpField::Kind;
using Numbers = std::vector<double>;

constexpr auto kFields = std::to_array<QpField>({
    {"blame", FieldKind::choice, "a b path capture none unknown", blame, nullptr},
    {"confidence", FieldKind::ordered, "limited likely certain", confidence, nullptr},
    {"continued", FieldKind::truth, "", nullptr, [](const QpRow& r) { return Numbers{r.continued ? 1.0 : 0.0}; }},
    {"crc", FieldKind::choice, "on off unknown", crc, nullptr},
    {"depth", FieldKind::number, "", nullptr, depth},
    {"ended", FieldKind::truth, "", nullptr, [](const QpRow& r) { return Numbers{r.ended ? 1.0 : 0.0}; }},
    {"errors", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.errors)}; }},
    {"findings", FieldKind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.errors) + real(r.warnings) + real(r.notes)}; }},
    {"gaps", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.gaps + r.gap_messages)}; }},
    {"host", FieldKind::text, "", hosts, nullptr},
    {"initiator", FieldKind::text, "", initiator, nullptr},
    {"lasted", FieldKind::duration, "", nullptr,
     [](const QpRow& r) { return Numbers{static_cast<double>(elapsed_ns(r.began, r.last)) * 1e-9}; }},
    {"lost", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.lost_frames)}; }},
    {"markers", FieldKind::choice, "on off unknown", markers, nullptr},
    {"messages", FieldKind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.messages[0]) + real(r.messages[1])}; }},
    {"notes", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.notes)}; }},
    {"octets", FieldKind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.octets[0]) + real(r.octets[1])}; }},
    {"outcome", FieldKind::choice, "completed refused failed stalled running unknown", outcome, nullptr},
    {"port", FieldKind::number, "", nullptr,
     [](const QpRow& r) {
       return Numbers{real(r.a.port), real(r.b.port)};
     }},
    {"qp", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.number)}; }},
    {"rate", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{r.rate}; }},
    {"reads", FieldKind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.waiting[0]) + real(r.waiting[1])}; }},
    {"responder", FieldKind::text, "", responder, nullptr},
    {"retransmitted", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.retransmitted)}; }},
    {"rule", FieldKind::text, "", rule, nullptr},
    {"sensor", FieldKind::text, "", sensor, nullptr},
    {"severity", FieldKind::ordered, "none note warning error", severity, nullptr},
    {"state", FieldKind::choice,
     "mpa_requested mpa_rejected awaiting_first_fpdu rts terminate closing closed error unconfirmed", state, nullptr},
    {"ulp", FieldKind::text, "", ulp, nullptr},
    {"verdict", FieldKind::text, "", verdict, nullptr},
    {"warnings", FieldKind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.warnings)}; }},
});

/// Titles of columns that are not the names of their fields.
struct Alias {
  const char* title;
  const char* name;
};
constexpr auto kAliases = std::to_array<Alias>({
    {"ird_ord", "depth"},
    {"lost_frames", "lost"},
    {"outstanding", "reads"},
    {"worst_finding", "rule"},
});

}  // namespace

QStringList QpField::choice_list() const {
  return QString::fromLatin1(choices).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

std::span<const QpField> qp_fields() noexcept {
  return kFields;
}

const QpField* find_field(const QString& name) noexcept {
  const auto is = [&](const char* other) { return name.compare(QLatin1String(other), Qt::CaseInsensitive) == 0; };
  for (const QpField& field : kFields) {
    if (is(field.name)) return &field;
  }
  for (const Alias& alias : kAliases) {
    if (is(alias.title)) return find_field(QLatin1String(alias.name));
  }
  return nullptr;
}

QString field_names() {
  QStringList names;
  for (const QpField& field : kFields) names.append(QLatin1String(field.name));
  return names.join(QStringLiteral(", "));
}

}  // namespace iwarpscope::gui
