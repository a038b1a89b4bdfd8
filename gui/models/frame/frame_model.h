// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The fields of one frame as a tree: layers, and an FPDU with the layers inside it.
#pragma once

#include <QAbstractItemModel>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "api/records.h"
#include "session/decoded_frame.h"

namespace iwarpscope::gui {

/// Octets of a frame: [begin, end).
struct OctetRange {
  std::uint32_t begin = 0, end = 0;
  [[nodiscard]] bool is_empty() const noexcept { return begin >= end; }
  friend bool operator==(const OctetRange&, const OctetRange&) = default;
};

class FrameModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column : int { kField, kValue, kFinding, kColumns };
  enum Role : int {
    severity_role = Qt::UserRole,  ///< int(findings::Severity) of the worst finding about the field; invalid: none
  };

  using QAbstractItemModel::QAbstractItemModel;

  void set_frame(DecodedFrame frame, const std::vector<live::FindingView>& findings);
  void clear();
  [[nodiscard]] const DecodedFrame& frame() const noexcept { return frame_; }
  /// Octets of a field, or of all fields of a layer; empty: the index is invalid.
  [[nodiscard]] OctetRange octets(const QModelIndex& index) const;
  /// The smallest field that has this octet; invalid: none.
  [[nodiscard]] QModelIndex field_at(std::uint32_t octet) const;
  /// The field that this finding is about; without a number, that of the worst finding. Invalid: none.
  [[nodiscard]] QModelIndex wrong_field(std::optional<std::uint64_t> finding) const;
  /// Octets of all fields with findings.
  [[nodiscard]] std::vector<OctetRange> wrong_octets() const;
  /// Copied text of a row: "MPA, CRC: 0x00000001".
  [[nodiscard]] QString sentence(const QModelIndex& index) const;

  [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  static constexpr std::size_t kRoot = 0;
  struct Node {
    std::size_t parent = kRoot;
    int row = 0;
    QString name{}, value{}, finding{};
    OctetRange octets{};
    bool is_field = false;
    std::optional<findings::Severity> severity{};
    std::vector<std::uint64_t> findings{};
    std::vector<std::size_t> children{};
  };
  std::size_t add(std::size_t parent, Node node);
  [[nodiscard]] const Node* node(const QModelIndex& index) const;
  [[nodiscard]] QModelIndex index_of(std::size_t node) const;
  void build(const std::vector<live::FindingView>& findings);

  DecodedFrame frame_;
  std::vector<Node> nodes_{Node{}};
};

}  // namespace iwarpscope::gui
