// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/logs/log_excerpts.h"

#include <string_view>

#include "models/logs/log_table.h"

namespace iwarpscope::gui {
namespace {

constexpr QChar kAnything(0x2026);

bool is_first(const char* rules, const findings::Rule& rule) {
  return std::string_view(rules).substr(0, rule.code.size()) == rule.code;
}

/// Length of the class, escape or group at the start of the rest of a pattern.
qsizetype piece(QStringView rest) {
  if (rest.startsWith(u"(?:")) return rest.indexOf(u')') + 1;
  if (rest.startsWith(u"(?<")) return rest.indexOf(u'>') + 1;
  if (rest.startsWith(u'[')) return rest.indexOf(u']') + 1;
  return rest.startsWith(u'\\') ? 2 : 1;
}

/// Minimum and maximum number of repetitions.
qsizetype quantifier(QStringView rest) {
  if (rest.startsWith(u'{')) return rest.indexOf(u'}') + 1;
  return rest.startsWith(u'+') || rest.startsWith(u'*') || rest.startsWith(u'?') ? 1 : 0;
}

/// The text shown for a piece.
QString shown(QStringView one) {
  if (one.startsWith(u"(?<") || one == u")" || one == u"(" || one == u"$" || one == u"\\b") return {};
  const bool is_class = one == u"\\d" || one == u"\\S" || one == u"\\w" || one == u"." || one.startsWith(u'[');
  if (is_class) return kAnything;
  return (one.startsWith(u'\\') ? one.sliced(1) : one).toString();
}

}  // namespace

QString log_excerpt(const char* pattern) {
  const QString whole = QString::fromUtf8(pattern);
  QString text;
  for (QStringView rest = whole; !rest.isEmpty();) {
    const QStringView one = rest.first(piece(rest));
    rest = rest.sliced(one.size());
    const QStringView times = rest.first(quantifier(rest));
    rest = rest.sliced(times.size());
    if (times == u"?") continue;
    const QString next = shown(one);
    if (next != kAnything || !text.endsWith(kAnything)) text += next;
  }
  return text;
}

QStringList log_excerpts(const findings::Rule& rule, std::size_t most) {
  QStringList found;
  const auto add = [&](const char* driver, const QString& words) {
    const QString prefix = QString::fromUtf8(driver) + QStringLiteral(": ");
    if (static_cast<std::size_t>(found.size()) < most) found << (words.startsWith(prefix) ? words : prefix + words);
  };
  for (const LogEntry& entry : log_entries()) {
    if (is_first(entry.rules, rule)) add(entry.driver, log_excerpt(entry.pattern));
  }
  const auto hex = [](std::uint16_t code) { return QStringLiteral("0x%1").arg(code, 0, 16); };
  for (const LogCode& one : irdma_events()) {
    if (is_first(one.rules, rule)) add("irdma", QStringLiteral("abnormal ae_id = %1").arg(hex(one.code)));
  }
  for (const LogCode& one : cxgb4_statuses()) {
    if (is_first(one.rules, rule)) add("cxgb4", QStringLiteral("status %1").arg(hex(one.code)));
  }
  return found;
}

}  // namespace iwarpscope::gui
