// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/logs/log_reader.h"

#include <QRegularExpression>

#include <algorithm>
#include <map>

#include "models/words.h"
#include "rdmap/terminate.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

// The weight of a clue. A clue that only says that something failed has the lowest weight.
constexpr int kSaysHint = 1, kSaysRule = 4, kSaysPort = 4, kSaysAddress = 8, kSaysEndpoint = 16, kSaysTerminate = 16,
              kSaysStag = 32;

const QRegularExpression& pattern(std::size_t entry) {
  static const std::vector<QRegularExpression> all = [] {
    std::vector<QRegularExpression> made;
    for (const LogEntry& one : log_entries()) made.emplace_back(QString::fromUtf8(one.pattern));
    return made;
  }();
  return all[entry];
}

std::vector<const findings::Rule*> rules_of(const char* codes) {
  std::vector<const findings::Rule*> rules;
  for (const QString& code : QString::fromLatin1(codes).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    if (const findings::Rule* rule = findings::find_rule(code.toStdString())) rules.push_back(rule);
  }
  return rules;
}

const LogCode* find_code(std::span<const LogCode> codes, const QString& hex) {
  bool is_number = false;
  const uint number = hex.toUInt(&is_number, 16);
  const auto found = std::find_if(codes.begin(), codes.end(), [number](const LogCode& c) { return c.code == number; });
  return !is_number || found == codes.end() ? nullptr : &*found;
}

template <class T>
bool contains(const std::vector<T>& all, const T& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool fits_hint(LogHint hint, const std::optional<qp::Outcome>& outcome) {
  if (!outcome) return false;
  switch (hint) {
    case LogHint::nothing: return false;
    case LogHint::refused: return *outcome == qp::Outcome::refused;
    case LogHint::failed: return *outcome == qp::Outcome::failed || *outcome == qp::Outcome::refused;
    case LogHint::stalled: return *outcome == qp::Outcome::stalled || *outcome == qp::Outcome::failed;
  }
  return false;
}

}  // namespace

LogClues LogReader::clues_of(const QString& line) {
  LogClues clues;
  static const QRegularExpression v4(
      QStringLiteral(R"((?<![\d.])(\d{1,3}(?:\.\d{1,3}){3})(?![\d.]*\d)(?::(\d{1,5}))?)"));
  static const QRegularExpression v6(
      QStringLiteral(R"((?<![\w:.])\[?([0-9A-Fa-f:]*:[0-9A-Fa-f:]*:[0-9A-Fa-f.:]*)(?:\]:(\d{1,5}))?)"));
  for (const QRegularExpression* kind : {&v4, &v6}) {
    for (auto found = kind->globalMatch(line); found.hasNext();) {
      const QRegularExpressionMatch match = found.next();
      const auto address = net::IpAddress::parse(match.captured(1).toStdString());
      if (!address || *address == net::IpAddress{}) continue;  // "::" is more often something else
      const uint port = match.captured(2).toUInt();
      if (port > 0 && port <= 0xFFFF) {
        clues.endpoints.push_back({*address, static_cast<std::uint16_t>(port)});
      } else if (!contains(clues.addresses, *address)) {
        clues.addresses.push_back(*address);
      }
    }
  }
  static const QRegularExpression port(QStringLiteral(R"(\bport[ =:]+(\d{1,5})\b)"),
                                       QRegularExpression::CaseInsensitiveOption);
  for (auto found = port.globalMatch(line); found.hasNext();) {
    const uint number = found.next().captured(1).toUInt();
    if (number > 0 && number <= 0xFFFF) clues.ports.push_back(static_cast<std::uint16_t>(number));
  }
  static const QRegularExpression stag(
      QStringLiteral(R"(\b(?:stag|rkey)\b[ =:]+(?:0x([0-9a-f]{1,8})|([0-9a-f]{8}|\d[0-9a-f]{0,7}))\b)"),
      QRegularExpression::CaseInsensitiveOption);
  for (auto found = stag.globalMatch(line); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    const STag named{match.captured(match.lastCapturedIndex()).toUInt(nullptr, 16)};
    clues.stags.push_back(named);
  }
  return clues;
}

std::optional<LogMeaning> LogReader::read_line(const QString& whole) {
  const QString line = whole.left(kMostCharacters).trimmed();
  for (std::size_t i = 0; i < log_entries().size(); ++i) {
    const QRegularExpressionMatch match = pattern(i).match(line);
    if (!match.hasMatch()) continue;
    const LogEntry& entry = log_entries()[i];
    LogMeaning meaning{line, QString::fromLatin1(entry.driver), tr(entry.meaning), rules_of(entry.rules),
                       clues_of(line)};
    meaning.clues.hint = entry.hint;
    const bool is_event = match.hasCaptured(QStringLiteral("ae"));
    const LogCode* const code = is_event ? find_code(irdma_events(), match.captured(QStringLiteral("ae")))
                                         : find_code(cxgb4_statuses(), match.captured(QStringLiteral("status")));
    if (code != nullptr) {
      meaning.sentence = tr("%1 Cause: %2 (%3).").arg(meaning.sentence, tr(code->meaning), QLatin1String(code->name));
      meaning.rules = rules_of(code->rules);
    }
    if (match.hasCaptured(QStringLiteral("layer"))) {
      const auto part = [&match](const char* name) {
        return static_cast<std::uint8_t>(std::min(match.captured(QLatin1String(name)).toUInt(), 255U));
      };
      meaning.clues.terminate = {part("layer"), part("type"), part("code")};
      const auto [layer, type, number] = *meaning.clues.terminate;
      const std::string_view name = rdmap::error_name(layer, type, number);
      meaning.sentence = tr("%1 It reports: %2.").arg(meaning.sentence, QString::fromUtf8(name));
    }
    return meaning;
  }
  return {};
}

std::vector<LogMeaning> LogReader::read(const QString& text) {
  std::vector<LogMeaning> meanings;
  const QStringList lines = text.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  for (const QString& line : lines.mid(0, kMostLines)) {
    std::optional<LogMeaning> meaning = read_line(line);
    if (!meaning) continue;
    const auto same = [&meaning](const LogMeaning& other) {
      return other.driver == meaning->driver && other.sentence == meaning->sentence &&
             other.clues.stags == meaning->clues.stags && other.clues.endpoints == meaning->clues.endpoints &&
             other.clues.addresses == meaning->clues.addresses;
    };
    if (std::none_of(meanings.begin(), meanings.end(), same)) meanings.push_back(std::move(*meaning));
  }
  return meanings;
}

void LogReader::add_stags(const LogClues& clues, const qp::QpRecord& whole, LogMatch& match) {
  for (const qp::StagUse& use : whole.stags) {
    if (!contains(clues.stags, use.stag)) continue;
    match.score += kSaysStag;
    match.reasons.prepend(tr("its messages name the STag %1").arg(stag_text(use.stag)));
    return;
  }
}

namespace {

/// Compares one queue pair with the clues of a line.
class Matching {
  Q_DECLARE_TR_FUNCTIONS(LogTable)

 public:
  Matching(const LogMeaning& meaning, const live::QpView& view) : meaning_(meaning), clues_(meaning.clues) {
    match_.qp = view.record.qp;
    match_.a = view.record.a;
    match_.b = view.record.b;
    if (view.record.verdict) match_.outcome = view.record.verdict->outcome;
    match_.worst = view.findings.worst;
  }
  /// False: the line refers to another queue pair.
  [[nodiscard]] bool judge(const std::vector<const live::FindingView*>& findings) {
    if (!ends_fit() || !findings_fit(findings)) return false;
    if (fits_hint(clues_.hint, match_.outcome))
      say(kSaysHint, tr("the queue pair is %1").arg(outcome_word(*match_.outcome)));
    return match_.score > 0 || !clues_.stags.empty();
  }
  [[nodiscard]] LogMatch take() && { return std::move(match_); }

 private:
  void say(int score, const QString& reason) {
    match_.score += score;
    match_.reasons << reason;
  }
  [[nodiscard]] bool ends_fit() {
    for (const net::Endpoint& end : clues_.endpoints) {
      const QString text = QString::fromStdString(end.text());
      if (end == match_.a || end == match_.b) {
        say(kSaysEndpoint, tr("one end is %1").arg(text));
      } else if (end.address == match_.a.address || end.address == match_.b.address) {
        say(kSaysAddress, tr("one host is %1, but with another port").arg(QString::fromStdString(end.address.text())));
      } else {
        return false;
      }
    }
    for (const net::IpAddress& host : clues_.addresses) {
      if (host != match_.a.address && host != match_.b.address) return false;
      say(kSaysAddress, tr("one host is %1").arg(QString::fromStdString(host.text())));
    }
    for (const std::uint16_t port : clues_.ports) {
      if (port != match_.a.port && port != match_.b.port) return false;
      say(kSaysPort, tr("one port is %1").arg(port));
    }
    return true;
  }
  [[nodiscard]] bool findings_fit(const std::vector<const live::FindingView*>& findings) {
    bool sent_terminate = false, terminate_fits = false;
    std::vector<const findings::Rule*> reported;
    for (const live::FindingView* view : findings) {
      const findings::Finding& finding = view->finding;
      const findings::Rule* const rule = &findings::rule(finding.id);
      if (clues_.terminate && finding.id == findings::FindingId::rdmap_terminate_sent) {
        const auto [layer, type, code] = *clues_.terminate;
        const QString wanted = QStringLiteral("%1/%2/%3").arg(layer).arg(type).arg(code, 2, 16, QLatin1Char('0'));
        sent_terminate = true;
        if (QString::fromStdString(finding.seen) == wanted && !terminate_fits) {
          terminate_fits = true;
          say(kSaysTerminate, tr("its Terminate reports %1").arg(wanted));
        }
      }
      for (const STag stag : clues_.stags) {
        if (finding.text.find(stag_text(stag).toStdString()) == std::string::npos) continue;
        say(kSaysStag, tr("the finding %1 names the STag %2").arg(code_of(*rule), stag_text(stag)));
      }
      if (contains(meaning_.rules, rule) && !contains(reported, rule)) reported.push_back(rule);
    }
    for (const findings::Rule* rule : reported) say(kSaysRule, tr("it has the finding %1").arg(code_of(*rule)));
    return !sent_terminate || terminate_fits;
  }
  [[nodiscard]] static QString code_of(const findings::Rule& rule) { return QString::fromUtf8(rule.code); }

  const LogMeaning& meaning_;
  const LogClues& clues_;
  LogMatch match_;
};

}  // namespace

std::vector<LogMatch> LogReader::matches(const LogMeaning& meaning, std::span<const live::QpView> qps,
                                         std::span<const live::FindingView> findings) {
  std::map<std::uint64_t, std::vector<const live::FindingView*>> by_qp;
  for (const live::FindingView& view : findings) {
    if (view.finding.qp) by_qp[*view.finding.qp].push_back(&view);
  }
  std::vector<LogMatch> matches;
  for (const live::QpView& view : qps) {
    Matching matching(meaning, view);
    if (matching.judge(by_qp[view.record.qp])) matches.push_back(std::move(matching).take());
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const LogMatch& a, const LogMatch& b) { return a.score > b.score; });
  if (matches.size() > kMostMatches) matches.resize(kMostMatches);
  return matches;
}

}  // namespace iwarpscope::gui
