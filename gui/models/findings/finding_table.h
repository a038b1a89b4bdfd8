// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The findings of all queue pairs, merged by the time of the first frames that show them.
#pragma once

#include <QAbstractTableModel>

#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/selection.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// The frame to which a finding belongs: the first frame of its evidence. If the daemon has discarded that frame, the
/// frame that decided it. That can be the last frame of the capture.
struct FindingPlace {
  FrameNumber frame;
  TimePoint time;
};
[[nodiscard]] FindingPlace place_of(const live::FindingView& view) noexcept;
/// That place, to show it in all views.
[[nodiscard]] Focus focus_of(const live::FindingView& view);

/// The name of the sensor that found it; empty: unknown.
[[nodiscard]] QString sensor_of(const live::FindingView& view);

/// Rows are ordered by time, then by the daemon's sequence number. Follows a session.
class FindingTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column : int { kTime, kSeverity, kFirst, kQp, kSensor, kEnds, kRule, kText, kColumns };
  enum Role : int {
    finding_role = Qt::UserRole,  ///< the row, for FindingFilter and views: see at()
    severity_role,                ///< int(findings::Severity)
    sort_role,
  };

  /// Above this number, the oldest are discarded.
  static constexpr std::size_t kMost = 200'000;

  explicit FindingTable(QObject* parent = nullptr, std::size_t most = kMost);
  void follow(Session& session);

  void replace(const FindingRows& rows);
  void add(const FindingRows& rows);
  /// Number of older findings that were received and discarded.
  [[nodiscard]] std::uint64_t not_kept() const noexcept { return not_kept_; }
  void count_not_kept(quint64 more);

  [[nodiscard]] const live::FindingView& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  /// The earliest error or warning between these two hosts. A finding about only the capture is never the earliest.
  [[nodiscard]] bool is_first(int row) const;
  /// The findings of one queue pair, by time.
  [[nodiscard]] std::vector<live::FindingView> of_qp(std::uint64_t qp) const;
  struct OfNoQp {
    std::vector<live::FindingView> worst;  ///< then by time
    std::size_t more = 0;                  ///< further findings
  };
  /// At most `most` findings that belong to no queue pair and have this severity or a higher one.
  [[nodiscard]] OfNoQp of_no_qp(findings::Severity at_least, std::size_t most) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  using Hosts = std::pair<net::IpAddress, net::IpAddress>;
  [[nodiscard]] static QString time_tip(const live::FindingView& view);
  [[nodiscard]] QString words(const live::FindingView& view, int row, int column) const;
  [[nodiscard]] QVariant value(const live::FindingView& view, int row, int column) const;
  [[nodiscard]] QVariant sort_key(const live::FindingView& view, int row, int column) const;
  void note_first(const live::FindingView& view);
  void set_rows(const FindingRows& rows);
  void append(std::vector<live::FindingView> rows);
  void forget(std::size_t count);
  [[nodiscard]] static std::optional<Hosts> hosts(const live::FindingView& view);

  /// The findings between two hosts.
  struct Between {
    std::pair<std::int64_t, std::uint64_t> first;  ///< time and sequence of the earliest finding received
    std::size_t rows = 0;
  };

  const std::size_t most_;
  std::deque<live::FindingView> rows_;
  std::uint64_t not_kept_ = 0;
  std::map<Hosts, Between> first_;  ///< the lower address first
};

}  // namespace iwarpscope::gui
