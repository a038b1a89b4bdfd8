// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The data of the table for Qt's roles.
#include <algorithm>
#include <set>

#include "models/queue_pairs/qp_columns.h"
#include "models/queue_pairs/qp_model.h"
#include "models/table_values.h"
#include "models/words.h"

namespace iwarpscope::gui {

// Questions.

const QpRow* QpModel::find(std::uint64_t number) const {
  const auto known = by_number_.find(number);
  return known == by_number_.end() ? nullptr : &entries_[known->second].row;
}

std::vector<std::uint64_t> QpModel::first(std::size_t most) const {
  std::vector<std::uint64_t> numbers;
  const auto take = [&](const List& list) {
    for (auto slot = list.begin(); slot != list.end() && numbers.size() < most; ++slot) {
      numbers.push_back(entries_[*slot].row.number);
    }
  };
  if (!is_grouped()) {
    take(top_);
    return numbers;
  }
  for (auto pair = top_.begin(); pair != top_.end() && numbers.size() < most; ++pair) take(pairs_[*pair].members);
  return numbers;
}

QModelIndex QpModel::index_of(std::uint64_t number, int column) const {
  const auto known = by_number_.find(number);
  if (known == by_number_.end() || !entries_[known->second].shown) return {};
  const Entry& entry = entries_[known->second];
  return createIndex(entry.place, column, quintptr{grouped_ ? entry.pair + 1 : 0});
}

std::optional<std::uint64_t> QpModel::number_at(const QModelIndex& index) const {
  if (!index.isValid() || is_pair(index)) return std::nullopt;
  return row_at(index).number;
}

QStringList QpModel::occurring(const QpField& field) const {
  constexpr std::size_t kMostValues = 200;
  constexpr int kMostRows = 20'000;
  std::set<QString> words;
  std::set<double> numbers;
  int rows = 0;
  const bool is_port = field.name == std::string_view("port");
  if (!field.has_words() && !is_port) return {};
  for (const Entry& entry : entries_) {
    if (!entry.used) continue;
    if (++rows > kMostRows || words.size() >= kMostValues || numbers.size() >= kMostValues) break;
    if (is_port) {
      for (const double number : field.numbers(entry.row)) numbers.insert(number);
    } else {
      for (const QString& word : field.words(entry.row)) words.insert(word);
    }
  }
  QStringList out;
  for (const double number : numbers) out << QString::number(number, 'f', 0);
  for (const QString& word : words) out << word;
  return out;
}

// The tree.

QModelIndex QpModel::pair_index(Slot pair, int column) const {
  return createIndex(pairs_[pair].place, column, quintptr{0});
}

QModelIndex QpModel::index(int row, int column, const QModelIndex& parent) const {
  if (row < 0 || column < 0 || row >= rowCount(parent) || column >= columnCount(parent)) return {};
  if (!parent.isValid()) return createIndex(row, column, quintptr{0});
  return createIndex(row, column, quintptr{top_[static_cast<std::size_t>(parent.row())]} + 1);
}

QModelIndex QpModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == 0) return {};
  return pair_index(static_cast<Slot>(child.internalId() - 1));
}

int QpModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid()) return static_cast<int>(top_.size());
  if (!is_pair(parent) || parent.column() != 0) return 0;
  return static_cast<int>(pairs_[top_[static_cast<std::size_t>(parent.row())]].members.size());
}

int QpModel::columnCount(const QModelIndex& /*parent*/) const {
  return kQpColumns;
}

const QpRow& QpModel::row_at(const QModelIndex& index) const {
  const auto row = static_cast<std::size_t>(index.row());
  if (index.internalId() != 0) return entries_[pairs_[index.internalId() - 1].members[row]].row;
  return row_of_slot(top_[row], grouped_);
}

QVariant QpModel::activity(const QpRow& row) const {
  constexpr auto kSeconds = static_cast<std::int64_t>(live::Activity::kSeconds);
  const bool is_live = !row.ended && capture_time_ns_ != 0;
  const std::int64_t passed = is_live ? capture_time_ns_ / 1'000'000'000 - row.last_second : 0;
  QList<quint32> seconds(kSeconds, 0);
  for (std::int64_t i = std::clamp<std::int64_t>(passed, 0, kSeconds), to = 0; i < kSeconds; ++i, ++to) {
    seconds[static_cast<qsizetype>(to)] = row.activity[static_cast<std::size_t>(i)];
  }
  return QVariant::fromValue(seconds);
}

void QpModel::set_stale(bool stale) {
  if (stale_ == stale) return;
  stale_ = stale;
  const auto tell = [this](const QModelIndex& parent) {
    const int rows = rowCount(parent), column = static_cast<int>(QpColumn::state);
    if (rows > 0) emit dataChanged(index(0, column, parent), index(rows - 1, column, parent));
  };
  tell({});
  for (int row = 0; grouped_ && row < rowCount(); ++row) tell(index(row, 0));
}

/// At the front, where a narrow column does not cut it off.
QString QpModel::text(const QpRow& row, QpColumn column) const {
  const QString cell = traits(column).cell(row);
  return stale_ && column == QpColumn::state ? tr("stale: %1").arg(cell) : cell;
}

QVariant QpModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const QpRow& row = row_at(index);
  const auto column = static_cast<QpColumn>(index.column());
  switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return QpWords::tip(row, column);
    case Qt::TextAlignmentRole: return alignment_of(traits(column).is_number);
    case Qt::AccessibleTextRole: {
      const QString cell = column == QpColumn::worst && row.worst ? severity_word(*row.severity()) : QString();
      if (column == QpColumn::activity) {
        const std::uint32_t most = *std::max_element(row.activity.begin(), row.activity.end());
        return tr("Activity: at most %1").arg(rate_words(most));
      }
      const QString title = QpWords::title(column);
      const QString said = text(row, column);
      return cell.isEmpty() ? tr("%1: %2").arg(title, said) : tr("%1: %2, %3").arg(title, cell, said);
    }
    case static_cast<int>(QpRole::value): return traits(column).value(row);
    case static_cast<int>(QpRole::sort): return static_cast<qulonglong>(traits(column).sort(row).high);
    case static_cast<int>(QpRole::severity):
      return row.severity() ? QVariant(static_cast<int>(*row.severity())) : QVariant();
    case static_cast<int>(QpRole::repaired): return row.repaired;
    case static_cast<int>(QpRole::activity): return activity(row);
    case static_cast<int>(QpRole::number): return row.is_sum() ? QVariant() : QVariant(qulonglong{row.number});
    default: return {};
  }
}

QVariant QpModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kQpColumns) return {};
  const auto column = static_cast<QpColumn>(section);
  switch (role) {
    case Qt::DisplayRole: return QpWords::title(column);
    case Qt::ToolTipRole: return QpWords::meaning(column);
    case Qt::TextAlignmentRole: return alignment_of(traits(column).is_number);
    case static_cast<int>(QpRole::value): return QLatin1String(traits(column).key);
    case Qt::InitialSortOrderRole: return traits(column).most_first ? Qt::DescendingOrder : Qt::AscendingOrder;
    default: return {};
  }
}

}  // namespace iwarpscope::gui
