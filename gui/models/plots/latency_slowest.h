// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The requests that took longest.
#pragma once

#include <QAbstractTableModel>

#include <optional>
#include <vector>

#include "models/ladder/message_store.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// An RDMA Read or Atomic Operation that was answered.
struct SlowRequest {
  Direction direction{};
  std::uint64_t index = 0;  ///< index among the messages of its direction
  rdmap::Opcode opcode{};
  FrameNumber first_frame, last_frame;
  TimePoint placed;  ///< its last octet
  std::int64_t first_octet_ns = 0, last_octet_ns = 0;
  std::uint64_t octets = 0;  ///< asked for
};

/// The kMost slowest requests from a message store, the slowest first; only those in the marked time span.
class SlowestModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 200;
  enum Column { kOperation, kFrom, kBegan, kLatency, kFirstOctet, kOctets, kFrame, kColumns };
  enum Role { kSortRole = Qt::UserRole };  ///< a number, or the text if there is no number

  explicit SlowestModel(const MessageStore& store, QObject* parent = nullptr);
  /// Times are shown relative to this one.
  void set_origin(TimePoint origin);
  void set_range(const std::optional<TimeRange>& range);
  [[nodiscard]] const SlowRequest& at(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  [[nodiscard]] Focus focus(int row) const;
  /// All that are kept, inside or outside the time span.
  [[nodiscard]] std::size_t kept() const noexcept { return kept_.size(); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void clear();
  void add(const MessageRows& page);
  void choose();
  [[nodiscard]] QString text(const SlowRequest& request, int column) const;

  const MessageStore& store_;
  std::vector<SlowRequest> kept_;  ///< a heap: the fastest one is first
  std::vector<SlowRequest> rows_;
  TimePoint origin_;
  std::optional<TimeRange> range_;
};

}  // namespace iwarpscope::gui
