#include "models/qp_filter_fields.h"

#include <array>

namespace iwarpscope::gui {
namespace {

QString small(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toLower();
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
QStringList state(const QpRow& row) {
  return {small(qp::name(row.state))};
}
QStringList outcome(const QpRow& row) {
  return row.outcome ? QStringList{small(qp::name(*row.outcome))} : QStringList();
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

using Kind = QpField::Kind;
using Numbers = std::vector<double>;

constexpr auto kFields = std::to_array<QpField>({
    {"blame", Kind::choice, "a b path capture none unknown", blame, nullptr},
    {"confidence", Kind::ordered, "limited likely certain", confidence, nullptr},
    {"crc", Kind::choice, "on off unknown", crc, nullptr},
    {"depth", Kind::number, "", nullptr, depth},
    {"ended", Kind::truth, "", nullptr, [](const QpRow& r) { return Numbers{r.ended ? 1.0 : 0.0}; }},
    {"errors", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.errors)}; }},
    {"findings", Kind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.errors) + real(r.warnings) + real(r.notes)}; }},
    {"gaps", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.gaps)}; }},
    {"host", Kind::text, "", hosts, nullptr},
    {"initiator", Kind::text, "", initiator, nullptr},
    {"lasted", Kind::duration, "", nullptr,
     [](const QpRow& r) { return Numbers{static_cast<double>(elapsed_ns(r.began, r.last)) * 1e-9}; }},
    {"lost", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.lost_frames)}; }},
    {"markers", Kind::choice, "on off unknown", markers, nullptr},
    {"messages", Kind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.messages[0]) + real(r.messages[1])}; }},
    {"notes", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.notes)}; }},
    {"octets", Kind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.octets[0]) + real(r.octets[1])}; }},
    {"outcome", Kind::choice, "completed refused failed stalled running unknown", outcome, nullptr},
    {"port", Kind::number, "", nullptr,
     [](const QpRow& r) {
       return Numbers{real(r.a.port), real(r.b.port)};
     }},
    {"qp", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.number)}; }},
    {"rate", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{r.rate}; }},
    {"reads", Kind::number, "", nullptr,
     [](const QpRow& r) { return Numbers{real(r.waiting[0]) + real(r.waiting[1])}; }},
    {"responder", Kind::text, "", responder, nullptr},
    {"retransmitted", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.retransmitted)}; }},
    {"rule", Kind::text, "", rule, nullptr},
    {"severity", Kind::ordered, "none note warning error", severity, nullptr},
    {"state", Kind::choice,
     "mpa_requested mpa_rejected awaiting_first_fpdu rts terminate closing closed error unconfirmed", state, nullptr},
    {"ulp", Kind::text, "", ulp, nullptr},
    {"warnings", Kind::number, "", nullptr, [](const QpRow& r) { return Numbers{real(r.warnings)}; }},
});

}  // namespace

QStringList QpField::choice_list() const {
  return QString::fromLatin1(choices).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

std::span<const QpField> qp_fields() noexcept {
  return kFields;
}

const QpField* find_field(const QString& name) noexcept {
  for (const QpField& field : kFields) {
    if (name.compare(QLatin1String(field.name), Qt::CaseInsensitive) == 0) return &field;
  }
  return nullptr;
}

}  // namespace iwarpscope::gui
