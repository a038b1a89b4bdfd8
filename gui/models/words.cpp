// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <limits>

#include "report/human.h"
#include "report/incident_words.h"
#include "report/incidents.h"

namespace iwarpscope::gui {
namespace {

/// The context of translations.
class Words {
  Q_DECLARE_TR_FUNCTIONS(Words)
};

QString endpoint(const net::Endpoint& end) {
  return QString::fromStdString(end.text());
}

}  // namespace

int plural(std::uint64_t count) noexcept {
  return static_cast<int>(std::min<std::uint64_t>(count, std::numeric_limits<int>::max()));
}

QString number_text(std::uint64_t value) {
  return QLocale().toString(static_cast<qulonglong>(value));
}

QString sensor_text(const QString& name) {
  return name == QLatin1String("iwarpscope_centre") ? Words::tr("the centre") : name;
}

QString few_names(QStringList names) {
  constexpr qsizetype kMost = 4;
  std::transform(names.begin(), names.end(), names.begin(), sensor_text);
  if (names.size() <= kMost) return names.join(Words::tr(", "));
  return Words::tr("%1 and %Ln more", nullptr, static_cast<int>(names.size() - kMost))
      .arg(names.first(kMost).join(Words::tr(", ")));
}

QString word_text(std::uint64_t value) {
  return QStringLiteral("0x%1").arg(value, 16, 16, QLatin1Char('0'));
}

QString stag_text(STag stag) {
  return QString::fromStdString(report::stag_text(stag));
}

QString rate_words(double octets_per_second) {
  return QString::fromStdString(report::human_rate(octets_per_second));
}

QString gap_words(std::uint64_t octets, std::uint64_t messages) {
  QString of_tcp = QString::fromStdString(report::human_octets(octets));
  if (messages == 0) return of_tcp;
  const QString of_sctp = Words::tr("%Ln message(s)", nullptr, plural(messages));
  return octets == 0 ? of_sctp : Words::tr("%1 and %2").arg(of_tcp, of_sctp);
}

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
    case findings::Severity::error: return Words::tr("error");
    case findings::Severity::warning: return Words::tr("warning");
    case findings::Severity::note: break;
  }
  return Words::tr("note");
}

QString outcome_word(qp::Outcome outcome) {
  switch (outcome) {
    case qp::Outcome::completed: return Words::tr("completed");
    case qp::Outcome::refused: return Words::tr("refused");
    case qp::Outcome::failed: return Words::tr("failed");
    case qp::Outcome::stalled: return Words::tr("stalled");
    case qp::Outcome::running: return Words::tr("running");
    case qp::Outcome::unknown: break;
  }
  return Words::tr("unknown");
}

std::optional<findings::Severity> flaw(qp::Outcome outcome, std::optional<findings::Severity> worst, bool repaired) {
  const bool went_well = outcome == qp::Outcome::completed || outcome == qp::Outcome::running;
  if (!went_well) return std::nullopt;
  if (worst && *worst != findings::Severity::note) return worst;
  return repaired ? std::optional(findings::Severity::note) : std::nullopt;
}

bool is_repaired(const qp::QpRecord& record) {
  return report::flaw(record) == report::Flaw::repaired;
}

QString outcome_sign(qp::Outcome outcome, const std::optional<findings::FindingId>& worst, bool repaired) {
  return outcome_sign(outcome, worst ? std::optional(findings::rule(*worst).severity) : std::nullopt, repaired);
}

QString flaw_sign(findings::Severity severity) {
  switch (severity) {
    case findings::Severity::error: return QStringLiteral("▲");
    case findings::Severity::warning: return QStringLiteral("△");
    case findings::Severity::note: break;
  }
  return QStringLiteral("◇");
}

QString outcome_sign(qp::Outcome outcome, std::optional<findings::Severity> worst, bool repaired) {
  if (const auto severity = flaw(outcome, worst, repaired)) return flaw_sign(*severity);
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
  QString outcome = outcome_word(verdict.outcome);
  // As on the overview. A fault on the way is named with the end that caused it.
  const report::Flaw its = report::flaw(record);
  if (its == report::Flaw::repaired || (its != report::Flaw::none && verdict.blame == qp::Blame::none)) {
    const std::string_view words = report::flaw_words(its);
    outcome += QLatin1Char(' ') + QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
  }
  const bool went_well = verdict.outcome == qp::Outcome::completed || verdict.outcome == qp::Outcome::running;
  const auto by = [&](const QString& identity) {
    // A queue pair that ended well may have had a fault on the way.
    switch (verdict.confidence) {
      case qp::Confidence::certain:
        return (went_well ? Words::tr("%1, with a fault on the way, certainly by %2")
                          : Words::tr("%1, certainly by %2"))
            .arg(outcome, identity);
      case qp::Confidence::likely:
        return (went_well ? Words::tr("%1, with a fault on the way, likely by %2") : Words::tr("%1, likely by %2"))
            .arg(outcome, identity);
      case qp::Confidence::limited: break;
    }
    return (went_well ? Words::tr("%1, with a fault on the way, perhaps by %2") : Words::tr("%1, perhaps by %2"))
        .arg(outcome, identity);
  };
  switch (verdict.blame) {
    case qp::Blame::a: return by(Words::tr("A (%1)").arg(endpoint(record.a)));
    case qp::Blame::b: return by(Words::tr("B (%1)").arg(endpoint(record.b)));
    case qp::Blame::path: return by(Words::tr("the path between them"));
    case qp::Blame::capture: return Words::tr("%1, limited by the capture").arg(outcome);
    case qp::Blame::unknown: return Words::tr("%1, no end blamed").arg(outcome);
    case qp::Blame::none: break;
  }
  return outcome;
}

QString confidence_sentence(qp::Confidence confidence) {
  switch (confidence) {
    case qp::Confidence::certain: return Words::tr("Certain: the wire shows it.");
    case qp::Confidence::likely: return Words::tr("Likely: it is the usual cause of what the wire shows.");
    case qp::Confidence::limited: break;
  }
  return Words::tr("Limited: octets are missing from this capture, and they could show a different cause.");
}

QString range_text(const TimeRange& range) {
  return Words::tr("%1 to %2 UTC")
      .arg(QString::fromStdString(report::time_of_day(range.from)),
           QString::fromStdString(report::time_of_day(range.to)));
}

QString ends_text(const net::Endpoint& a, const net::Endpoint& b) {
  return Words::tr("%1 \342\206\222 %2").arg(endpoint(a), endpoint(b));
}

}  // namespace iwarpscope::gui
