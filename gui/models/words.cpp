#include "models/words.h"

#include <QCoreApplication>

#include "report/human.h"

namespace iwarpscope::gui {
namespace {

QString tr(const char* text) {
  return QCoreApplication::translate("Words", text);
}

QString endpoint(const net::Endpoint& end) {
  return QString::fromStdString(report::endpoint_text(end));
}

}  // namespace

QString severity_sign(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: return QStringLiteral("E");
    case findings::Severity::warning: return QStringLiteral("W");
    case findings::Severity::note: break;
  }
  return QStringLiteral("N");
}

QString severity_word(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: return QCoreApplication::translate("Words", "error");
    case findings::Severity::warning: return QCoreApplication::translate("Words", "warning");
    case findings::Severity::note: break;
  }
  return QCoreApplication::translate("Words", "note");
}

QString outcome_word(qp::Outcome outcome) {
  switch (outcome) {
    case qp::Outcome::completed: return QCoreApplication::translate("Words", "completed");
    case qp::Outcome::refused: return QCoreApplication::translate("Words", "refused");
    case qp::Outcome::failed: return QCoreApplication::translate("Words", "failed");
    case qp::Outcome::stalled: return QCoreApplication::translate("Words", "stalled");
    case qp::Outcome::running: return QCoreApplication::translate("Words", "running");
    case qp::Outcome::unknown: break;
  }
  return QCoreApplication::translate("Words", "unknown");
}

QString outcome_sign(qp::Outcome outcome) {
  switch (outcome) {
    case qp::Outcome::completed: return QStringLiteral("✓");
    case qp::Outcome::refused: return QStringLiteral("⊘");
    case qp::Outcome::failed: return QStringLiteral("✗");
    case qp::Outcome::stalled: return QStringLiteral("‖");
    case qp::Outcome::running: return QStringLiteral("▸");
    case qp::Outcome::unknown: break;
  }
  return QStringLiteral("?");
}

QString verdict_headline(const qp::QpRecord& record) {
  const qp::VerdictRecord& verdict = *record.verdict;
  const QString outcome = outcome_word(verdict.outcome);
  const bool went_well = verdict.outcome == qp::Outcome::completed || verdict.outcome == qp::Outcome::running;
  const auto by = [&](const QString& whom) {
    // What ended well may have had a fault on the way.
    switch (verdict.confidence) {
      case qp::Confidence::certain:
        return (went_well ? tr("%1, with a fault on the way, certainly by %2") : tr("%1, certainly by %2"))
            .arg(outcome, whom);
      case qp::Confidence::likely:
        return (went_well ? tr("%1, with a fault on the way, likely by %2") : tr("%1, likely by %2"))
            .arg(outcome, whom);
      case qp::Confidence::limited: break;
    }
    return (went_well ? tr("%1, with a fault on the way, perhaps by %2") : tr("%1, perhaps by %2")).arg(outcome, whom);
  };
  switch (verdict.blame) {
    case qp::Blame::a: return by(tr("A (%1)").arg(endpoint(record.a)));
    case qp::Blame::b: return by(tr("B (%1)").arg(endpoint(record.b)));
    case qp::Blame::path: return by(tr("the path between them"));
    case qp::Blame::capture: return tr("%1, as far as this capture tells").arg(outcome);
    case qp::Blame::unknown: return tr("%1, by whom is not known").arg(outcome);
    case qp::Blame::none: break;
  }
  return outcome;
}

QString confidence_sentence(qp::Confidence confidence) {
  switch (confidence) {
    case qp::Confidence::certain: return tr("Certain: the wire shows it.");
    case qp::Confidence::likely: return tr("Likely: it is the usual cause of what the wire shows.");
    case qp::Confidence::limited: break;
  }
  return tr("Limited: octets are missing from this capture that could explain it otherwise.");
}

QString ends_text(const net::Endpoint& a, const net::Endpoint& b) {
  return tr("%1 - %2").arg(endpoint(a), endpoint(b));
}

}  // namespace iwarpscope::gui
