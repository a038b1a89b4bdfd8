// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/site/sensor_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "iwarpscope/v1/status.pb.h"
#include "models/words.h"
#include "report/human.h"

namespace iwarpscope::gui {
namespace {

using findings::Severity;

QString text_of(const std::string& text) {
  return QString::fromStdString(text);
}

/// The value that more than half of them have.
std::string majority(const std::map<std::string, int>& counts) {
  int all = 0;
  for (const auto& [value, count] : counts) all += count;
  for (const auto& [value, count] : counts) {
    if (2 * count > all) return value;
  }
  return {};
}

/// "2026-11-28 13:04:05".
QString second_of(std::int64_t ns) {
  constexpr int kLetters = 19;
  return QString::fromStdString(report::date_time(TimePoint{ns})).left(kLetters);
}

QString loss_words(const live::Losses& losses) {
  QStringList parts;
  if (losses.frames() != 0) parts << SensorTable::tr("%Ln frame(s)", nullptr, plural(losses.frames()));
  if (losses.has_gaps()) parts << gap_words(losses.gap_octets, losses.gap_messages);
  return parts.isEmpty() ? SensorTable::tr("none") : SensorTable::tr("✗ %1").arg(parts.join(SensorTable::tr("; ")));
}

}  // namespace

QStringList sensor_names(const v1::Status& status) {
  QStringList names;
  for (const v1::SensorStatus& sensor : status.sensors()) names << text_of(sensor.name());
  names.sort();
  return names;
}

SensorTable::Common SensorTable::common(const v1::Status& status) {
  std::map<std::string, int> versions, configurations;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    if (!sensor.version().empty()) ++versions[sensor.version()];
    if (sensor.has_configuration()) ++configurations[sensor.configuration().hash()];
  }
  Common most{majority(versions), majority(configurations)};
  if (most.version.empty() && !versions.empty()) most.differences << tr("%L1 versions").arg(versions.size());
  if (most.configuration.empty() && !configurations.empty())
    most.differences << tr("%L1 configurations").arg(configurations.size());
  return most;
}

void SensorTable::add_versions(const v1::SensorStatus& sensor, const Common& common, Row& row) {
  const QString version = text_of(sensor.version()), hash = text_of(sensor.configuration().hash());
  row.cells[kVersion].text = version.isEmpty() ? tr("not known") : version;
  row.cells[kConfiguration].text = sensor.has_configuration() ? hash : tr("not known");
  if (!version.isEmpty() && !common.version.empty() && sensor.version() != common.version) {
    row.cells[kVersion] = {tr("▲ %1").arg(version), Severity::warning};
    row.sentences << tr("Its version differs: most sensors have %1.").arg(text_of(common.version));
  }
  if (sensor.has_configuration() && !common.configuration.empty() &&
      sensor.configuration().hash() != common.configuration) {
    row.cells[kConfiguration] = {tr("▲ %1").arg(hash), Severity::warning};
    row.sentences << tr("Its configuration differs from those of others.");
  }
  if (sensor.configuration().reload_failed()) {
    row.cells[kConfiguration] = {tr("▲ %1, reload failed").arg(hash), Severity::warning};
    row.sentences << tr("Its last reload found a mistake, and the configuration before it is kept: %1")
                         .arg(text_of(sensor.configuration().mistakes()));
  }
  if (!version.isEmpty()) row.values[kVersion] = version;
  if (sensor.has_configuration()) row.values[kConfiguration] = hash;
}

void SensorTable::add_losses(const v1::SensorStatus& sensor, Row& row) {
  const live::Losses losses = api::losses(sensor.losses());
  row.cells[kLoss].text = sensor.has_heartbeat_time_ns() ? loss_words(losses) : tr("not known");
  if (sensor.has_heartbeat_time_ns()) row.values[kLoss] = static_cast<qulonglong>(losses.frames());
  if (losses.any()) {
    row.cells[kLoss].severity = Severity::error;
    row.sentences << tr("Its capture lost frames or octets since its daemon was started.");
  }
  QStringList undelivered;
  if (sensor.expired() != 0) undelivered << tr("✗ %L1 discarded").arg(static_cast<qulonglong>(sensor.expired()));
  if (sensor.waiting() != 0) undelivered << tr("%L1 waiting").arg(static_cast<qulonglong>(sensor.waiting()));
  row.cells[kWaiting].text = undelivered.isEmpty() ? tr("none") : undelivered.join(tr("; "));
  row.values[kWaiting] = static_cast<qulonglong>(sensor.waiting());
  if (sensor.expired() == 0) return;
  row.cells[kWaiting].severity = Severity::error;
  row.sentences << tr("It discarded records before they could be delivered.");
}

void SensorTable::add_state(const v1::SensorStatus& sensor, Row& row) {
  if (sensor.has_clock() && !sensor.clock().synchronized()) row.sentences << tr("Its clock is not synchronized.");
  if (!sensor.trouble().empty()) row.sentences.prepend(text_of(sensor.trouble()));
  row.is_silent = sensor.silent();
  row.values[kState] = row.is_silent             ? QStringLiteral("silent")
                       : row.sentences.isEmpty() ? QStringLiteral("ok")
                                                 : QStringLiteral("check");
  if (row.is_silent) {
    row.cells[kState] = {tr("✗ silent"), Severity::error};
  } else if (!row.sentences.isEmpty()) {
    row.cells[kState] = {tr("▲ check"), Severity::warning};
  } else {
    row.cells[kState] = {tr("✓ OK")};
  }
}

SensorTable::Row SensorTable::row_of(const v1::SensorStatus& sensor, const Common& common) {
  Row row;
  row.cells.resize(kColumns);
  row.values.resize(kColumns);
  row.cells[kName].text = text_of(sensor.name());
  QStringList place{text_of(sensor.site()), text_of(sensor.position())};
  place.removeAll(QString());
  row.cells[kPosition].text = place.join(tr(", "));
  add_versions(sensor, common, row);
  add_losses(sensor, row);
  row.cells[kDelivered].text = tr("never");
  if (sensor.has_delivered_time_ns()) row.cells[kDelivered].text = second_of(sensor.delivered_time_ns());
  add_state(sensor, row);
  for (const int column : {kName, kPosition}) row.values[column] = row.cells[column].text;
  if (sensor.has_delivered_time_ns())
    row.values[kDelivered] = QString::fromStdString(report::date_time(TimePoint{sensor.delivered_time_ns()}));
  return row;
}

void SensorTable::show(const v1::Status& status) {
  const Common most = common(status);
  differences_ = most.differences;
  std::vector<Row> rows;
  for (const v1::SensorStatus& sensor : status.sensors()) rows.push_back(row_of(sensor, most));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& other) {
    const auto rank = [](const Row& row) { return row.is_silent ? 0 : row.sentences.isEmpty() ? 2 : 1; };
    return std::pair(rank(one), one.name()) < std::pair(rank(other), other.name());
  });
  if (rows == rows_) return;
  const bool same = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                               [](const Row& one, const Row& other) { return one.name() == other.name(); });
  if (same) {
    rows_ = std::move(rows);
    emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    return;
  }
  beginResetModel();
  rows_ = std::move(rows);
  endResetModel();
}

std::size_t SensorTable::silent() const noexcept {
  return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [](const Row& r) { return r.is_silent; }));
}

std::size_t SensorTable::noted() const noexcept {
  return static_cast<std::size_t>(std::count_if(
      rows_.begin(), rows_.end(), [](const Row& row) { return !row.is_silent && !row.sentences.isEmpty(); }));
}

int SensorTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SensorTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int{kColumns};
}

QVariant SensorTable::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<std::size_t>(index.row())];
  const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
  switch (role) {
    case Qt::DisplayRole: return cell.text;
    case Qt::ToolTipRole:
      return row.sentences.isEmpty() ? cell.text : (QStringList{row.name()} + row.sentences).join(QLatin1Char('\n'));
    case site_key_role: return row.name();
    case site_severity_role: return cell.severity ? QVariant(static_cast<int>(*cell.severity)) : QVariant();
    case kValueRole: return row.values[static_cast<std::size_t>(index.column())];
    default: return {};
  }
}

QVariant SensorTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  const std::array keys{"sensor",        "state",       "position", "version",
                        "configuration", "lost_frames", "waiting",  "delivered"};
  const std::array titles{tr("Sensor"),        tr("State"),        tr("Position"),      tr("Version"),
                          tr("Configuration"), tr("Capture loss"), tr("Not delivered"), tr("Last delivery (UTC)")};
  const std::array tips{tr("Its name in its certificate"),
                        tr("Silent: nothing came for longer than its heartbeats allow"),
                        tr("Where its tap is, as configured at the centre"),
                        tr("▲: another one than most sensors have"),
                        tr("A hash of its values, equal for equal values. ▲: another one than most sensors have"),
                        tr("What its capture lost since its daemon was started"),
                        tr("Records that wait at the sensor for their delivery, and those that it had to discard"),
                        tr("When it delivered last, by the clock of the centre")};
  const auto place = static_cast<std::size_t>(section);
  if (role == Qt::DisplayRole) return titles[place];
  if (role == Qt::ToolTipRole) return tips[place];
  if (role == kValueRole) return QString::fromLatin1(keys[place]);
  return {};
}

}  // namespace iwarpscope::gui
