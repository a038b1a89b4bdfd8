// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The STags of a queue pair as a table.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <vector>

#include "models/buffers/buffer_map.h"
#include "models/ladder/message_store.h"

namespace iwarpscope::gui {

/// Rows are STags that messages named, those in A's memory first. follow() adds data from the queue pair's record. Rows
/// appear and change at most ten times per second. No row is removed while the queue pair stays.
class BufferModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    kStag,
    kOwner,
    kFirstFrame,
    kAnnounced,
    kInvalidated,
    kRights,
    kRange,
    kPlaced,
    kRewritten,
    kRefused,
    kUsers,
    kColumns,
  };
  enum Role { kSortRole = Qt::UserRole };  ///< a number, or the text if there is no number

  explicit BufferModel(const MessageStore& store, QObject* parent = nullptr);
  /// The current state of the queue pair.
  void follow(const live::QpView& qp);
  [[nodiscard]] const BufferKey& key(int row) const { return rows_[static_cast<std::size_t>(row)]; }
  /// Null: only the record names the STag. Valid until the event loop runs again.
  [[nodiscard]] const Buffer* buffer(int row) const;
  [[nodiscard]] const BufferMap& map() const noexcept { return map_; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Facts;  // data of both sources together

  void clear();
  void add(const MessageRows& page);
  void update();
  void insert(const BufferKey& key);
  [[nodiscard]] Facts facts(const BufferKey& key) const;
  [[nodiscard]] QString text(const BufferKey& key, int column) const;
  [[nodiscard]] QVariant value(const BufferKey& key, int column) const;
  [[nodiscard]] QVariant sort_value(const BufferKey& key, int column) const;

  BufferMap map_;
  std::map<BufferKey, qp::StagUse> uses_;
  std::vector<BufferKey> rows_;
  QTimer timer_;
};

}  // namespace iwarpscope::gui
