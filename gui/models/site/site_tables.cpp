// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/site/site_tables.h"

#include <QLocale>

#include <algorithm>
#include <array>

#include "api/enums.h"
#include "findings/catalogue.h"
#include "iwarpscope/v1/observer.pb.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

constexpr std::int64_t kHourNs = 3'600'000'000'000;
constexpr int kDateLetters = 10, kMinuteLetters = 16, kSecondLetters = 19;

/// "2026-11-28 13:04:05.000000000", so many letters of it.
QString time_text(std::int64_t ns, int letters) {
  return QString::fromStdString(report::date_time(TimePoint{ns})).left(letters);
}

template <class Names>
QStringList list_of(const Names& names) {
  QStringList all;
  for (const std::string& name : names) all << QString::fromStdString(name);
  return all;
}

/// All of them, as they are shown.
QString all_sensors(const QStringList& names) {
  QStringList shown;
  for (const QString& name : names) shown << sensor_text(name);
  return shown.join(SitePairTable::tr(", "));
}

/// "MF-04 mpa.crc-mismatch"; a rule that this program does not know: its id.
QString name_of_rule(const std::string& id) {
  const findings::Rule* const rule = findings::find_rule(id);
  if (rule == nullptr) return QString::fromStdString(id);
  return QStringLiteral("%1 %2").arg(QString::fromUtf8(rule->code), QString::fromUtf8(rule->name));
}

QString ends_of(const std::string& a, const std::string& b) {
  return SitePairTable::tr("%1 – %2").arg(QString::fromStdString(a), QString::fromStdString(b));
}

std::optional<findings::Severity> severity_of_news(const v1::SiteNews& news) {
  return api::enum_from_v1<findings::Severity>(news.severity());
}

std::string key_of(const v1::SitePair& pair) {
  return pair.a() + ' ' + pair.b();
}
std::string key_of(const v1::SiteNews& news) {
  return news.rule();
}
std::string key_of(const v1::JoinedConnection& joined) {
  std::string key;
  for (const v1::JoinedConnection::View& view : joined.views()) key += std::to_string(view.qp()) + ' ';
  return key;
}

/// Whether rows of `before` and `now` are the same ones in the same order: cells changed, no rows.
template <class Rows>
bool are_same(const Rows& before, const Rows& now) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](const auto& one, const auto& other) { return key_of(one) == key_of(other); });
}

}  // namespace

// Pairs of hosts over time.

const v1::SitePair& SitePairTable::at(int row) const {
  return site_->pairs(row);
}

std::pair<QString, QString> SitePairTable::hosts(int row) const {
  return {QString::fromStdString(at(row).a()), QString::fromStdString(at(row).b())};
}

void SitePairTable::show(const SitePtr& site, const SiteQuestion& question) {
  if (!site) return;
  const auto buckets = static_cast<int>(question.buckets);
  const bool same = site_ && question == question_ && site->first_time_ns() == site_->first_time_ns() &&
                    are_same(site_->pairs(), site->pairs());
  if (!same) beginResetModel();
  site_ = site;
  question_ = question;
  buckets_ = buckets;
  most_ = 0;
  for (const v1::SitePair& pair : site_->pairs()) {
    for (int i = 0; i < buckets_; ++i) most_ = std::max(most_, failed(pair, i));
  }
  if (!same) return endResetModel();
  if (rowCount() != 0) emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::uint32_t SitePairTable::failed(const v1::SitePair& pair, int bucket) const {
  return bucket < pair.failed_by_bucket_size() ? pair.failed_by_bucket(bucket) : 0;
}

bool SitePairTable::is_by_hour() const {
  return site_ && site_->bucket_ns() < 24 * kHourNs;
}

std::int64_t SitePairTable::begin_of(int bucket) const {
  return site_->first_time_ns() + bucket * site_->bucket_ns();
}

int SitePairTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !site_ ? 0 : site_->pairs_size();
}

int SitePairTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : buckets_ + kSums;
}

QVariant SitePairTable::text(const v1::SitePair& pair, int column) const {
  if (column < buckets_) {
    const std::uint32_t count = failed(pair, column);
    return count == 0 ? QVariant() : QVariant(number_text(count));
  }
  switch (column - buckets_) {
    case kFailed: return number_text(pair.failed());
    case kQps: return number_text(pair.qps());
    case kDays: return number_text(pair.days());
    case kRule: return pair.rule().empty() ? tr("none") : name_of_rule(pair.rule());
    case kSensors: return few_names(list_of(pair.sensors()));
    default: return {};
  }
}

QVariant SitePairTable::value(const v1::SitePair& pair, int column) const {
  if (column < buckets_) return failed(pair, column);
  switch (column - buckets_) {
    case kFailed: return static_cast<qulonglong>(pair.failed());
    case kQps: return static_cast<qulonglong>(pair.qps());
    case kDays: return pair.days();
    case kRule: return pair.rule().empty() ? QVariant() : QVariant(QString::fromStdString(pair.rule()));
    case kSensors: return list_of(pair.sensors()).join(QLatin1Char(' '));
    default: return text(pair, column);
  }
}

QString SitePairTable::tip(const v1::SitePair& pair, int column) const {
  QStringList lines{ends_of(pair.a(), pair.b())};
  if (column < buckets_) {
    lines << tr("%1: %2").arg(time_text(begin_of(column), is_by_hour() ? kMinuteLetters : kDateLetters),
                              tr("%Ln queue pair(s) failed", nullptr, plural(failed(pair, column))));
  }
  lines << tr("In %1: %2 of %3, on %4")
               .arg(tr("%Ln day(s)", nullptr, plural(question_.days)),
                    tr("%Ln queue pair(s) failed", nullptr, plural(pair.failed())), number_text(pair.qps()),
                    tr("%Ln day(s)", nullptr, plural(pair.days())));
  lines << tr("Last failure: in the hour from %1 UTC").arg(time_text(pair.last_time_ns(), kMinuteLetters));
  if (!pair.rule().empty()) lines << tr("Most frequent error: %1").arg(name_of_rule(pair.rule()));
  lines << tr("Seen by: %1").arg(all_sensors(list_of(pair.sensors())));
  return lines.join(QLatin1Char('\n'));
}

QVariant SitePairTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const v1::SitePair& pair = at(index.row());
  const int column = index.column();
  const bool is_bucket = column < buckets_;
  switch (role) {
    case Qt::DisplayRole: return text(pair, column);
    case Qt::ToolTipRole: return tip(pair, column);
    case Qt::AccessibleTextRole:
      return is_bucket ? tip(pair, column).section(QLatin1Char('\n'), 0, 1).replace(QLatin1Char('\n'), tr("; "))
                       : text(pair, column);
    case Qt::TextAlignmentRole:
      return is_bucket ? QVariant(int{Qt::AlignCenter}) : alignment_of(column - buckets_ < kRule);
    case site_key_role: return QString::fromStdString(key_of(pair));
    case site_share_role: {
      if (!is_bucket || failed(pair, column) == 0) return {};
      return static_cast<double>(failed(pair, column)) / most_;
    }
    case kValueRole: return value(pair, column);
    default: return {};
  }
}

QVariant SitePairTable::bucket_header(int bucket, int role) const {
  const QString day = time_text(begin_of(bucket), kDateLetters);
  const QString minute = time_text(begin_of(bucket), kMinuteLetters);
  switch (role) {
    case Qt::DisplayRole: {
      constexpr int kMonth = 5, kHour = 11;
      return is_by_hour() ? tr("%1\n%2").arg(minute.mid(kMonth, 5), minute.mid(kHour)) : day.mid(kMonth);
    }
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: return is_by_hour() ? tr("The hour from %1 UTC").arg(minute) : tr("%1 UTC").arg(day);
    case Qt::TextAlignmentRole: return int{Qt::AlignCenter};
    case kValueRole:
      return is_by_hour() ? QStringLiteral("failed_") + QString(minute).replace(QLatin1Char(' '), QLatin1Char('T'))
                          : QStringLiteral("failed_") + day;
    default: return {};
  }
}

QVariant SitePairTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (section < 0) return {};
  if (orientation == Qt::Vertical) {
    if (section >= rowCount()) return {};
    const v1::SitePair& pair = at(section);
    if (role == kValueRole) return QString::fromStdString(key_of(pair));
    const bool is_text = role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole;
    return is_text ? QVariant(ends_of(pair.a(), pair.b())) : QVariant();
  }
  if (section < buckets_) return bucket_header(section, role);
  if (section >= columnCount()) return {};
  const auto place = static_cast<std::size_t>(section - buckets_);
  const std::array keys{"failed", "qps", "days_with_failures", "most_frequent_error", "sensors"};
  const std::array titles{tr("Failed"), tr("Of QPs"), tr("On days"), tr("Most frequent error"), tr("Seen by")};
  const std::array tips{tr("Queue pairs that were refused, failed or stalled, in all of this time"),
                        tr("Queue pairs that ended, in all of this time"), tr("Days on which queue pairs failed"),
                        tr("The error that occurred between these hosts in most hours"),
                        tr("Sensors that saw failures of these hosts")};
  if (role == Qt::DisplayRole) return titles[place];
  if (role == Qt::ToolTipRole) return tips[place];
  if (role == Qt::TextAlignmentRole) return alignment_of(static_cast<int>(place) < kRule);
  if (role == kValueRole) return QString::fromLatin1(keys[place]);
  return {};
}

// Rules that are new.

const v1::SiteNews& SiteNewsTable::at(int row) const {
  return site_->news(row);
}

void SiteNewsTable::show(const SitePtr& site) {
  if (!site) return;
  const bool same = site_ && are_same(site_->news(), site->news());
  if (!same) beginResetModel();
  site_ = site;
  if (!same) return endResetModel();
  if (rowCount() != 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int SiteNewsTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !site_ ? 0 : site_->news_size();
}

int SiteNewsTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QString SiteNewsTable::text(const v1::SiteNews& news, int column) {
  switch (column) {
    case kSeverity: {
      const auto severity = severity_of_news(news);
      return severity ? tr("%1 %2").arg(severity_sign(*severity), severity_word(*severity)) : tr("? unknown");
    }
    case kRule: return name_of_rule(news.rule());
    case kCount: return number_text(news.count());
    case kFirst: return time_text(news.first_time_ns(), kMinuteLetters);
    case kBetween: return news.a().empty() ? tr("no pair of hosts") : ends_of(news.a(), news.b());
    case kSensors: return few_names(list_of(news.sensors()));
    default: return {};
  }
}

QVariant SiteNewsTable::value(const v1::SiteNews& news, int column) {
  switch (column) {
    case kSeverity: {
      const auto severity = severity_of_news(news);
      return severity ? QVariant(QString::fromUtf8(findings::name(*severity))) : QVariant();
    }
    case kRule: return QString::fromStdString(news.rule());
    case kCount: return static_cast<qulonglong>(news.count());
    case kBetween: return news.a().empty() ? QVariant() : QVariant(QString::fromStdString(news.a() + ' ' + news.b()));
    case kSensors: return list_of(news.sensors()).join(QLatin1Char(' '));
    default: return text(news, column);
  }
}

QVariant SiteNewsTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const v1::SiteNews& news = at(index.row());
  const findings::Rule* const rule = findings::find_rule(news.rule());
  const auto severity = severity_of_news(news);
  switch (role) {
    case Qt::DisplayRole: return text(news, index.column());
    case Qt::ToolTipRole:
      if (index.column() == kSensors) return all_sensors(list_of(news.sensors()));
      return index.column() == kRule && rule != nullptr ? QString::fromUtf8(rule->what) : text(news, index.column());
    case Qt::AccessibleTextRole:
      return index.column() == kSeverity && severity ? severity_word(*severity) : text(news, index.column());
    case Qt::TextAlignmentRole: return alignment_of(index.column() == kCount);
    case site_key_role: return QString::fromStdString(news.rule());
    case site_severity_role:
      return index.column() == kSeverity && severity ? QVariant(static_cast<int>(*severity)) : QVariant();
    case kValueRole: return value(news, index.column());
    default: return {};
  }
}

QVariant SiteNewsTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array keys{"severity", "rule", "count", "first", "hosts", "sensors"};
  const std::array titles{tr("Severity"),         tr("Rule"),         tr("Findings"),
                          tr("First hour (UTC)"), tr("Most between"), tr("Seen by")};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  if (role == Qt::TextAlignmentRole) return alignment_of(section == kCount);
  if (role == kValueRole) return QString::fromLatin1(keys[place]);
  return {};
}

// Connections at several taps.

const v1::JoinedConnection& SiteConnectionTable::at(int row) const {
  return site_->connections(row);
}

std::optional<std::uint64_t> SiteConnectionTable::qp(int row) const {
  return at(row).views().empty() ? std::nullopt : std::optional<std::uint64_t>(at(row).views(0).qp());
}

void SiteConnectionTable::show(const SitePtr& site) {
  if (!site) return;
  const bool same = site_ && are_same(site_->connections(), site->connections());
  if (!same) beginResetModel();
  site_ = site;
  if (!same) return endResetModel();
  if (rowCount() != 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

int SiteConnectionTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() || !site_ ? 0 : site_->connections_size();
}

int SiteConnectionTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QString SiteConnectionTable::text(const v1::JoinedConnection& joined, int column) {
  QStringList parts;
  switch (column) {
    case kTime: return time_text(joined.last_time_ns(), kSecondLetters);
    case kTaps:
      for (const v1::JoinedConnection::View& view : joined.views()) parts << QString::fromStdString(view.tap());
      return parts.join(tr(", "));
    case kWhat:
      for (const std::string& sentence : joined.sentences()) parts << QString::fromStdString(sentence);
      return parts.join(QLatin1Char(' '));
    default: return {};
  }
}

QVariant SiteConnectionTable::value(const v1::JoinedConnection& joined, int column) {
  return column == kTime ? time_text(joined.last_time_ns(), -1) : text(joined, column);
}

QString SiteConnectionTable::tip(const v1::JoinedConnection& joined) {
  QStringList lines;
  for (const std::string& sentence : joined.sentences()) lines << QString::fromStdString(sentence);
  for (const v1::JoinedConnection::View& view : joined.views()) {
    lines << tr("QP %1 of sensor %2, at %3")
                 .arg(view.qp())
                 .arg(QString::fromStdString(view.sensor()), QString::fromStdString(view.tap()));
  }
  if (joined.has_clock_bound_ns()) {
    lines << tr("The clocks of these sensors differ by at most %1.")
                 .arg(QString::fromStdString(report::human_duration(joined.clock_bound_ns())));
  }
  return lines.join(QLatin1Char('\n'));
}

QVariant SiteConnectionTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const v1::JoinedConnection& joined = at(index.row());
  switch (role) {
    case Qt::DisplayRole: return text(joined, index.column());
    case Qt::ToolTipRole: return tip(joined);
    case site_key_role: return QString::fromStdString(key_of(joined));
    case kValueRole: return value(joined, index.column());
    default: return {};
  }
}

QVariant SiteConnectionTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array keys{"last", "taps", "sentences"};
  const std::array titles{tr("Time (UTC)"), tr("Seen at"), tr("Between the taps")};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  if (role == kValueRole) return QString::fromLatin1(keys[place]);
  return {};
}

}  // namespace iwarpscope::gui
