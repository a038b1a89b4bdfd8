// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/findings/finding_table.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "findings/catalogue.h"
#include "models/table_values.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

/// If more rows than this are inserted before the end, the table is reset.
constexpr std::size_t kMostInserted = 200;

std::pair<std::int64_t, std::uint64_t> order(const live::FindingView& view) {
  return {place_of(view).time.ns, view.sequence};
}
bool comes_before(const live::FindingView& one, const live::FindingView& other) {
  return order(one) < order(other);
}

}  // namespace

FindingPlace place_of(const live::FindingView& view) noexcept {
  const findings::Finding& finding = view.finding;
  if (finding.frames.empty() || !view.began) return {finding.frame, finding.time};
  return {finding.frames.front(), *view.began};
}

Focus focus_of(const live::FindingView& view) {
  const auto [frame, time] = place_of(view);
  return {view.finding.qp, frame, time, view.finding.direction, view.finding.message, view.sequence};
}

QString sensor_of(const live::FindingView& view) {
  return view.name.origin ? QString::fromStdString(view.name.origin->sensor) : QString();
}

FindingTable::FindingTable(QObject* parent, std::size_t most) : QAbstractTableModel(parent), most_(most) {}

void FindingTable::follow(Session& session) {
  connect(&session, &Session::findings_replaced, this, &FindingTable::replace);
  connect(&session, &Session::findings_added, this, &FindingTable::add);
  connect(&session, &Session::findings_dropped, this, &FindingTable::count_not_kept);
}

void FindingTable::replace(const FindingRows& rows) {
  not_kept_ = 0;
  set_rows(rows);
}

void FindingTable::set_rows(const FindingRows& rows) {
  beginResetModel();
  rows_.assign(rows.begin(), rows.end());
  std::sort(rows_.begin(), rows_.end(), comes_before);
  first_.clear();
  for (const live::FindingView& view : rows_) note_first(view);
  if (rows_.size() > most_) forget(rows_.size() - most_);
  endResetModel();
}

void FindingTable::count_not_kept(quint64 more) {
  not_kept_ += more;
  if (rowCount() != 0) emit dataChanged(index(0, 0), index(0, kColumns - 1));
}

/// Inserts the first rows. The caller announces them if necessary.
void FindingTable::forget(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto between = hosts(rows_.front());
    const auto known = between ? first_.find(*between) : first_.end();
    if (known != first_.end() && --known->second.rows == 0) first_.erase(known);
    rows_.pop_front();
  }
  not_kept_ += count;
}

void FindingTable::add(const FindingRows& rows) {
  if (rows.empty()) return;
  std::vector<live::FindingView> come = rows;
  std::sort(come.begin(), come.end(), comes_before);
  const auto late = rows_.empty() ? come.end() : std::lower_bound(come.begin(), come.end(), rows_.back(), comes_before);
  const auto early = rows_.empty() ? 0 : static_cast<std::size_t>(late - come.begin());
  if (early > kMostInserted) {
    come.insert(come.end(), rows_.begin(), rows_.end());
    return set_rows(come);
  }
  // Filters read it as soon as the row exists.
  for (const live::FindingView& view : come) note_first(view);
  for (std::size_t i = 0; i < early; ++i) {
    const auto at = std::upper_bound(rows_.begin(), rows_.end(), come[i], comes_before);
    const int row = static_cast<int>(at - rows_.begin());
    beginInsertRows({}, row, row);
    rows_.insert(at, come[i]);
    endInsertRows();
  }
  come.erase(come.begin(), come.begin() + static_cast<std::ptrdiff_t>(early));
  append(std::move(come));
  if (rows_.size() > most_) {
    const std::size_t excess = rows_.size() - most_;
    beginRemoveRows({}, 0, static_cast<int>(excess) - 1);
    forget(excess);
    endRemoveRows();
  }
  // The first finding may have changed in any row.
  emit dataChanged(index(0, kFirst), index(rowCount() - 1, kFirst));
}

void FindingTable::append(std::vector<live::FindingView> rows) {
  if (rows.empty()) return;
  const int from = rowCount();
  beginInsertRows({}, from, from + static_cast<int>(rows.size()) - 1);
  rows_.insert(rows_.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
  endInsertRows();
}

std::optional<FindingTable::Hosts> FindingTable::hosts(const live::FindingView& view) {
  const findings::Rule& rule = findings::rule(view.finding.id);
  if (!view.ends || rule.severity == findings::Severity::note || rule.about == findings::About::capture) return {};
  return std::minmax(view.ends->first.address, view.ends->second.address);
}

void FindingTable::note_first(const live::FindingView& view) {
  const auto between = hosts(view);
  if (!between) return;
  const auto [known, is_new] = first_.emplace(*between, Between{order(view)});
  if (!is_new) known->second.first = std::min(known->second.first, order(view));
  ++known->second.rows;
}

bool FindingTable::is_first(int row) const {
  const auto between = hosts(at(row));
  return between && first_.at(*between).first == order(at(row));
}

std::vector<live::FindingView> FindingTable::of_qp(std::uint64_t qp) const {
  std::vector<live::FindingView> some;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(some),
               [&](const live::FindingView& view) { return view.finding.qp == qp; });
  return some;
}

FindingTable::OfNoQp FindingTable::of_no_qp(findings::Severity at_least, std::size_t most) const {
  const auto severity = [](const live::FindingView* view) { return findings::rule(view->finding.id).severity; };
  std::vector<const live::FindingView*> some;
  for (const live::FindingView& view : rows_) {
    if (!view.finding.qp && severity(&view) >= at_least) some.push_back(&view);
  }
  std::stable_sort(some.begin(), some.end(),
                   [&](const auto* one, const auto* other) { return severity(one) > severity(other); });
  OfNoQp reported{{}, some.size() - std::min(most, some.size())};
  some.resize(some.size() - reported.more);
  for (const live::FindingView* view : some) reported.worst.push_back(*view);
  return reported;
}

int FindingTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int FindingTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QString FindingTable::words(const live::FindingView& view, int row, int column) const {
  const findings::Rule& rule = findings::rule(view.finding.id);
  switch (column) {
    case kTime: return QString::fromStdString(report::time_of_day(place_of(view).time));
    case kSeverity: return tr("%1 %2").arg(severity_sign(rule.severity), severity_word(rule.severity));
    case kFirst: return is_first(row) ? tr("◀ first") : QString();
    case kQp: return view.finding.qp ? QString::number(*view.finding.qp) : tr("none");
    case kSensor: return sensor_text(sensor_of(view));
    case kEnds: return view.ends ? ends_text(view.ends->first, view.ends->second) : QString();
    case kRule: return tr("%1 %2").arg(QString::fromUtf8(rule.code), QString::fromUtf8(rule.name));
    case kText: return QString::fromUtf8(view.finding.text);
    default: return {};
  }
}

QVariant FindingTable::sort_key(const live::FindingView& view, int row, int column) const {
  switch (column) {
    case kTime: return row;
    case kSeverity: return static_cast<int>(findings::rule(view.finding.id).severity);
    case kQp: return view.finding.qp ? static_cast<qulonglong>(*view.finding.qp) + 1 : qulonglong{0};
    default: return words(view, row, column);
  }
}

QVariant FindingTable::value(const live::FindingView& view, int row, int column) const {
  const findings::Rule& rule = findings::rule(view.finding.id);
  switch (column) {
    case kTime: return QString::fromUtf8(report::date_time(place_of(view).time));
    case kSeverity: return QString::fromUtf8(findings::name(rule.severity));
    case kFirst: return is_first(row);
    case kQp: return view.finding.qp ? QVariant(static_cast<qulonglong>(*view.finding.qp)) : QVariant();
    case kRule: return QString::fromUtf8(rule.code);
    default: return words(view, row, column);
  }
}

QString FindingTable::time_tip(const live::FindingView& view) {
  const auto [frame, time] = place_of(view);
  QString tip = QString::fromStdString(report::date_time(time));
  if (frame == view.finding.frame) return tip;
  return tr("%1: frame %2 is the first evidence. The analysis decided at frame %3, %4.")
      .arg(tip)
      .arg(frame.value)
      .arg(view.finding.frame.value)
      .arg(QString::fromUtf8(report::time_of_day(view.finding.time)));
}

QVariant FindingTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const live::FindingView& view = at(index.row());
  const findings::Rule& rule = findings::rule(view.finding.id);
  switch (role) {
    case Qt::DisplayRole: return words(view, index.row(), index.column());
    case Qt::ToolTipRole:
      if (index.column() == kFirst) return tr("The earliest error or warning between these two hosts.");
      if (index.column() == kTime) return time_tip(view);
      if (place_of(view).frame == FrameNumber{}) return QString::fromUtf8(view.finding.text);
      return tr("%1\nFrame %L2").arg(QString::fromUtf8(view.finding.text)).arg(place_of(view).frame.value);
    case Qt::AccessibleTextRole:
      if (index.column() == kSeverity) return severity_word(rule.severity);
      return words(view, index.row(), index.column());
    case kValueRole: return value(view, index.row(), index.column());
    case severity_role: return static_cast<int>(rule.severity);
    case sort_role: return sort_key(view, index.row(), index.column());
    case finding_role: return index.row();
    default: return {};
  }
}

QVariant FindingTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array keys{"time", "severity", "first", "qp", "sensor", "ends", "rule", "finding"};
  if (role == kValueRole) return QString::fromLatin1(keys[static_cast<std::size_t>(section)]);
  if (role == Qt::InitialSortOrderRole) return section == kSeverity ? Qt::DescendingOrder : Qt::AscendingOrder;
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kTime: return tr("Time (UTC)");
    case kSeverity: return tr("Severity");
    case kFirst: return tr("First");
    case kQp: return tr("QP");
    case kSensor: return tr("Sensor");
    case kEnds: return tr("Ends");
    case kRule: return tr("Rule");
    case kText: return tr("Finding");
    default: return {};
  }
}

}  // namespace iwarpscope::gui
