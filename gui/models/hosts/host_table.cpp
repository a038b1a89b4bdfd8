// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/hosts/host_table.h"

#include <algorithm>

#include "models/plots/latency_counts.h"
#include "models/queue_pairs/qp_columns.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

bool is_number_of_host(int column) {
  return column == WorstTable::kQp || (column >= WorstTable::kErrors && column <= WorstTable::kOctets);
}

QString host_text(const net::IpAddress& host) {
  return QString::fromStdString(host.text());
}
QString rule_text(const findings::Rule& rule) {
  return HostTable::tr("%1 %2 %3")
      .arg(severity_sign(rule.severity), QString::fromUtf8(rule.code), QString::fromUtf8(rule.name));
}
/// How bad the state of a host is: its worst pair, then the number of bad ones.
struct HostSeverity {
  int worst = 0;
  std::uint64_t bad_pairs = 0;

  void add(const HostsSum& sum) {
    const int severity = sum.finding ? 1 + static_cast<int>(findings::rule(*sum.finding).severity) : 0;
    worst = std::max(worst, severity_order(sum.worst) * 4 + severity);
    bad_pairs += sum.worst && qp::ended_badly(*sum.worst) ? 1 : 0;
  }
};

/// The worst first, then by address: rates do not change this order.
std::vector<net::IpAddress> by_severity(const std::map<net::IpAddress, HostSeverity>& hosts) {
  std::vector<net::IpAddress> sorted;
  sorted.reserve(hosts.size());
  for (const auto& [host, grave] : hosts) sorted.push_back(host);
  const auto key = [&hosts](const net::IpAddress& host) {
    const HostSeverity& grave = hosts.at(host);
    return std::pair(grave.worst, grave.bad_pairs);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&key](const net::IpAddress& a, const net::IpAddress& b) { return key(a) > key(b); });
  return sorted;
}

}  // namespace

void HostTable::show(std::map<HostsKey, HostsSum> sums) {
  sums_ = std::move(sums);
  arrange();
}

void HostTable::set_words(const QString& words) {
  words_ = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  arrange();
}

bool HostTable::matches(const HostsKey& key, const HostsSum& sum) const {
  if (words_.isEmpty()) return true;
  QStringList all{host_text(key.initiator), host_text(key.responder)};
  if (sum.worst) all << outcome_word(*sum.worst) << QString::fromUtf8(qp::name(*sum.worst));
  if (sum.finding)
    all << QString::fromUtf8(findings::rule(*sum.finding).code) << QString::fromUtf8(findings::rule(*sum.finding).name);
  return std::all_of(words_.begin(), words_.end(), [&](const QString& word) {
    return std::any_of(all.begin(), all.end(),
                       [&](const QString& text) { return text.contains(word, Qt::CaseInsensitive); });
  });
}

void HostTable::arrange() {
  std::map<HostsKey, HostsSum> shown;
  std::map<net::IpAddress, HostSeverity> initiators, responders;
  for (const auto& [key, sum] : sums_) {
    if (!matches(key, sum)) continue;
    shown.emplace(key, sum);
    initiators[key.initiator].add(sum);
    responders[key.responder].add(sum);
  }
  Hosts rows = by_severity(initiators), columns = by_severity(responders);
  hosts_left_out_ = 0;
  for (Hosts* hosts : {&rows, &columns}) {
    if (hosts->size() <= kMostHosts) continue;
    hosts_left_out_ += hosts->size() - kMostHosts;
    hosts->resize(kMostHosts);
  }
  if (rows == rows_ && columns == columns_) {
    shown_ = std::move(shown);
    if (!rows_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  shown_ = std::move(shown);
  rows_ = std::move(rows);
  columns_ = std::move(columns);
  endResetModel();
}

std::optional<HostsKey> HostTable::key_at(const QModelIndex& index) const {
  if (!index.isValid()) return {};
  return HostsKey{rows_[static_cast<std::size_t>(index.row())], columns_[static_cast<std::size_t>(index.column())]};
}

const HostsSum* HostTable::at(const QModelIndex& index) const {
  const auto key = key_at(index);
  const auto found = key ? shown_.find(*key) : shown_.end();
  return found == shown_.end() ? nullptr : &found->second;
}

QModelIndex HostTable::index_of(const HostsKey& key) const {
  const auto row = std::find(rows_.begin(), rows_.end(), key.initiator);
  const auto column = std::find(columns_.begin(), columns_.end(), key.responder);
  if (row == rows_.end() || column == columns_.end()) return {};
  return index(static_cast<int>(row - rows_.begin()), static_cast<int>(column - columns_.begin()));
}

int HostTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int HostTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QString HostTable::text(const HostsSum& sum) {
  QString verdict =
      sum.worst ? tr("%1 %2").arg(outcome_sign(*sum.worst, sum.finding), outcome_word(*sum.worst)) : tr("? no verdict");
  if (!sum.finding) return verdict;
  return tr("%1 %2").arg(verdict, severity_sign(findings::rule(*sum.finding).severity));
}

QString HostTable::tip(const HostsKey& key, const HostsSum& sum) {
  QStringList lines{tr("Initiator %1, Responder %2").arg(host_text(key.initiator), host_text(key.responder))};
  QStringList outcomes;
  for (std::size_t i = 0; i < HostsSum::kOutcomes; ++i) {
    if (sum.outcomes[i] == 0) continue;
    outcomes << tr("%1 %2").arg(number_text(sum.outcomes[i]), outcome_word(static_cast<qp::Outcome>(i)));
  }
  lines << tr("QPs: %1, not ended: %2").arg(number_text(sum.qps), number_text(sum.followed));
  if (!outcomes.isEmpty()) lines << tr("Verdicts: %1").arg(outcomes.join(tr(", ")));
  lines << tr("Current rate: %1").arg(rate_words(sum.rate));
  lines << tr("ULP payload: %1").arg(QpWords::octets(sum.octets));
  lines << tr("Errors: %1, warnings: %2, notes: %3")
               .arg(number_text(sum.errors), number_text(sum.warnings), number_text(sum.notes));
  if (sum.finding) lines << tr("Worst: %1").arg(rule_text(findings::rule(*sum.finding)));
  return lines.join(QLatin1Char('\n'));
}

QVariant HostTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const HostsSum* const sum = at(index);
  if (role == Qt::TextAlignmentRole) return int{Qt::AlignCenter};
  if (sum == nullptr) {
    return role == Qt::AccessibleTextRole ? QVariant(tr("no queue pair")) : QVariant();
  }
  switch (role) {
    case Qt::DisplayRole: return text(*sum);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return tip(*key_at(index), *sum);
    case outcome_role: return sum->worst ? QVariant(static_cast<int>(*sum->worst)) : QVariant();
    case kValueRole: return sum->worst ? QVariant(QString::fromUtf8(qp::name(*sum->worst))) : QVariant();
    default: return {};
  }
}

QVariant HostTable::headerData(int section, Qt::Orientation orientation, int role) const {
  const Hosts& hosts = orientation == Qt::Vertical ? rows_ : columns_;
  if (section < 0 || static_cast<std::size_t>(section) >= hosts.size()) return {};
  const QString host = host_text(hosts[static_cast<std::size_t>(section)]);
  switch (role) {
    case Qt::DisplayRole:
    case kValueRole: return host;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
      return orientation == Qt::Vertical ? tr("Initiator %1").arg(host) : tr("Responder %1").arg(host);
    default: return {};
  }
}

void WorstTable::show(std::vector<RankedQp> worst) {
  const bool same = std::equal(worst.begin(), worst.end(), worst_.begin(), worst_.end(),
                               [](const RankedQp& a, const RankedQp& b) { return a.number == b.number; });
  if (same) {
    worst_ = std::move(worst);
    if (!worst_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  worst_ = std::move(worst);
  endResetModel();
}

int WorstTable::row_of(std::uint64_t qp) const {
  const auto found = std::find_if(worst_.begin(), worst_.end(), [qp](const RankedQp& one) { return one.number == qp; });
  return found == worst_.end() ? -1 : static_cast<int>(found - worst_.begin());
}

int WorstTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(worst_.size());
}

int WorstTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QString WorstTable::text(const RankedQp& qp, int column) {
  switch (column) {
    case kQp: return number_text(qp.number);
    case kEnds: return ends_text(qp.a, qp.b);
    case kVerdict:
      return qp.outcome ? tr("%1 %2").arg(outcome_sign(*qp.outcome, qp.finding), outcome_word(*qp.outcome)) : tr("?");
    case kFinding: return qp.finding ? rule_text(findings::rule(*qp.finding)) : tr("none");
    case kErrors: return number_text(qp.errors);
    case kWarnings: return number_text(qp.warnings);
    case kWait: return qp.wait.what == LongestWait::For::nothing ? tr("none") : duration_text(qp.wait.ns);
    case kRate: return rate_words(qp.rate);
    case kOctets: return QpWords::octets(qp.octets);
    default: return {};
  }
}

QVariant WorstTable::value(const RankedQp& qp, int column) {
  switch (column) {
    case kQp: return static_cast<qulonglong>(qp.number);
    case kEnds:
      return QStringLiteral("%1 %2").arg(QString::fromStdString(qp.a.text()), QString::fromStdString(qp.b.text()));
    case kVerdict: return qp.outcome ? QVariant(QString::fromUtf8(qp::name(*qp.outcome))) : QVariant();
    case kFinding: return qp.finding ? QVariant(QString::fromUtf8(findings::rule(*qp.finding).code)) : QVariant();
    case kErrors: return static_cast<qulonglong>(qp.errors);
    case kWarnings: return static_cast<qulonglong>(qp.warnings);
    case kWait: return static_cast<qlonglong>(qp.wait.ns);
    case kRate: return qp.rate;
    case kOctets: return static_cast<qulonglong>(qp.octets);
    default: return {};
  }
}

QString WorstTable::tip(const RankedQp& qp, int column) {
  if (column == kFinding && qp.finding) return QString::fromUtf8(findings::rule(*qp.finding).what);
  if (column != kWait) return text(qp, column);
  switch (qp.wait.what) {
    case LongestWait::For::hole:
      return tr("A message that had arrived waited this long for earlier octets (RFC 5041 §5.3)");
    case LongestWait::For::response:
      return tr("At the last frame, the oldest request without a response had waited this long");
    case LongestWait::For::nothing: break;
  }
  return tr("No wait was seen");
}

QVariant WorstTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RankedQp& qp = at(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(qp, column);
    case Qt::ToolTipRole: return tip(qp, column);
    case Qt::TextAlignmentRole: return alignment_of(is_number_of_host(column));
    case kValueRole: return value(qp, column);
    default: return {};
  }
}

QVariant WorstTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(is_number_of_host(section));
  const std::array keys{
      "qp",        "ends", "outcome", "errors", "warnings", "longest_wait_ns", "octets_per_second", "payload_octets",
      "worst_rule"};
  const std::array titles{tr("QP"),           tr("A → B"), tr("Verdict"),     tr("Errors"),       tr("Warnings"),
                          tr("Longest wait"), tr("Rate"),  tr("ULP payload"), tr("Worst finding")};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  if (role == kValueRole) return QString::fromLatin1(keys[place]);
  if (role == Qt::ToolTipRole && section == kWait) {
    return tr(
        "The longest time that a message waited for earlier octets (RFC 5041 §5.3), or that the oldest request has "
        "waited for its response");
  }
  return {};
}

}  // namespace iwarpscope::gui
