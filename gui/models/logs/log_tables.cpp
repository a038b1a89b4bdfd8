// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/logs/log_tables.h"

#include <algorithm>
#include <array>
#include <utility>

#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {

void LogMeaningTable::show(std::vector<LogMeaning> meanings) {
  beginResetModel();
  meanings_ = std::move(meanings);
  endResetModel();
}

int LogMeaningTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(meanings_.size());
}

int LogMeaningTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QVariant LogMeaningTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != kValueRole) return {};
  const LogMeaning& meaning = at(index.row());
  switch (index.column()) {
    case kDriver: return meaning.driver;
    case kMeaning: return meaning.sentence;
    case kLine: return meaning.line;
    default: return {};
  }
}

QVariant LogMeaningTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array titles{tr("Driver"), tr("Meaning"), tr("Line")};
  const std::array keys{"driver", "meaning", "line"};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  return role == kValueRole ? QVariant(QString::fromLatin1(keys[place])) : QVariant();
}

void LogMatchTable::show(std::vector<LogMatch> matches) {
  std::erase_if(matches, [](const LogMatch& match) { return match.score == 0; });
  std::stable_sort(matches.begin(), matches.end(),
                   [](const LogMatch& a, const LogMatch& b) { return a.score > b.score; });
  if (matches == matches_) return;  // the reader keeps its position
  beginResetModel();
  matches_ = std::move(matches);
  endResetModel();
}

int LogMatchTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(matches_.size());
}

int LogMatchTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QVariant LogMatchTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LogMatch& match = at(index.row());
  const bool is_value = role == kValueRole;
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole && !is_value) return {};
  switch (index.column()) {
    case kQp: return is_value ? QVariant(static_cast<qulonglong>(match.qp)) : QVariant(QString::number(match.qp));
    case kEnds: return ends_text(match.a, match.b);
    case kVerdict:
      if (!match.outcome) return is_value ? QVariant() : QVariant(tr("?"));
      if (is_value) return QString::fromLatin1(qp::name(*match.outcome).data());
      return tr("%1 %2").arg(outcome_sign(*match.outcome, match.worst), outcome_word(*match.outcome));
    case kReasons: return match.reasons.join(tr("; "));
    default: return {};
  }
}

QVariant LogMatchTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array titles{tr("QP"), tr("A → B"), tr("Verdict"), tr("Why it matches")};
  const std::array keys{"qp", "ends", "outcome", "reasons"};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  return role == kValueRole ? QVariant(QString::fromLatin1(keys[place])) : QVariant();
}

}  // namespace iwarpscope::gui
