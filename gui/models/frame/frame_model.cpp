// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/frame/frame_model.h"

#include <algorithm>
#include <utility>

#include "findings/catalogue.h"
#include "models/ladder/ladder_text.h"
#include "models/table_values.h"

namespace iwarpscope::gui {
namespace {

/// An FPDU: the fields inside it are its children.
bool is_container(const DecodedField& field) {
  return field.layer == QStringLiteral("MPA") && field.name == QStringLiteral("FPDU");
}

bool is_upper(const QString& layer) {
  return layer == QStringLiteral("MPA") || layer == QStringLiteral("DDP") || layer == QStringLiteral("RDMAP");
}

OctetRange octets_of(const DecodedField& field) {
  return {field.offset, field.offset + field.length};
}

/// The layers of the part of the tree that is being filled.
struct Layers {
  std::size_t parent = 0;
  std::uint32_t end = 0;                   ///< of the container; 0: none
  std::map<QString, std::size_t> nodes{};  ///< by layer
  QString last{};
};

}  // namespace

void FrameModel::clear() {
  set_frame({}, {});
}

void FrameModel::set_frame(DecodedFrame frame, const std::vector<live::FindingView>& findings) {
  beginResetModel();
  frame_ = std::move(frame);
  nodes_.assign(1, Node{});
  build(findings);
  endResetModel();
}

std::size_t FrameModel::add(std::size_t parent, Node node) {
  node.parent = parent;
  node.row = static_cast<int>(nodes_[parent].children.size());
  nodes_.push_back(std::move(node));
  nodes_[parent].children.push_back(nodes_.size() - 1);
  return nodes_.size() - 1;
}

void FrameModel::build(const std::vector<live::FindingView>& findings) {
  std::map<std::uint64_t, findings::FindingId> ids;
  for (const live::FindingView& view : findings) ids.emplace(view.sequence, view.finding.id);
  Layers layers;
  for (const DecodedField& field : frame_.fields) {
    Node node{.name = field.name, .value = field.value, .octets = octets_of(field), .is_field = true};
    for (const std::uint64_t sequence : field.findings) {
      const auto id = ids.find(sequence);
      if (id == ids.end()) continue;
      const findings::Severity severity = findings::rule(id->second).severity;
      node.severity = std::max(node.severity.value_or(severity), severity);
      node.finding += (node.finding.isEmpty() ? QString() : QStringLiteral(", ")) + ladder_finding(id->second);
      node.findings.push_back(sequence);
    }
    if (layers.end != 0 && node.octets.end > layers.end) layers = {};
    if (is_container(field)) {
      const std::size_t at = add(kRoot, std::move(node));
      layers = {.parent = at, .end = nodes_[at].octets.end};
      continue;
    }
    // Headers of the network can follow themselves, in a tunnel. Those of DDP share octets with RDMAP.
    if (!is_upper(field.layer) && field.layer != layers.last) layers.nodes.clear();
    layers.last = field.layer;
    const auto [group, is_new] = layers.nodes.try_emplace(field.layer, 0);
    if (is_new) group->second = add(layers.parent, Node{.name = field.layer, .octets = node.octets});
    OctetRange& all = nodes_[group->second].octets;
    all = {std::min(all.begin, node.octets.begin), std::max(all.end, node.octets.end)};
    add(group->second, std::move(node));
  }
}

const FrameModel::Node* FrameModel::node(const QModelIndex& index) const {
  return index.isValid() ? &nodes_[static_cast<std::size_t>(index.internalId())] : nullptr;
}

QModelIndex FrameModel::index_of(std::size_t node) const {
  return node == kRoot ? QModelIndex() : createIndex(nodes_[node].row, 0, static_cast<quintptr>(node));
}

OctetRange FrameModel::octets(const QModelIndex& index) const {
  const Node* const at = node(index);
  return at == nullptr ? OctetRange{} : at->octets;
}

QModelIndex FrameModel::field_at(std::uint32_t octet) const {
  std::size_t best = kRoot;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const OctetRange& in = nodes_[i].octets;
    if (!nodes_[i].is_field || octet < in.begin || octet >= in.end) continue;
    const OctetRange& than = nodes_[best].octets;
    if (best == kRoot || in.end - in.begin < than.end - than.begin) best = i;
  }
  return index_of(best);
}

QModelIndex FrameModel::wrong_field(std::optional<std::uint64_t> finding) const {
  std::size_t best = kRoot;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& one = nodes_[i];
    if (!one.severity) continue;
    if (finding && std::find(one.findings.begin(), one.findings.end(), *finding) != one.findings.end()) {
      return index_of(i);
    }
    if (!finding && (best == kRoot || *one.severity > *nodes_[best].severity)) best = i;
  }
  return index_of(best);
}

std::vector<OctetRange> FrameModel::wrong_octets() const {
  std::vector<OctetRange> all;
  for (const Node& one : nodes_) {
    if (one.severity) all.push_back(one.octets);
  }
  return all;
}

QString FrameModel::sentence(const QModelIndex& index) const {
  const Node* const at = node(index);
  if (at == nullptr) return {};
  const QString name = at->parent == kRoot ? at->name : nodes_[at->parent].name + QStringLiteral(", ") + at->name;
  return at->value.isEmpty() ? name : tr("%1: %2").arg(name, at->value);
}

QModelIndex FrameModel::index(int row, int column, const QModelIndex& parent) const {
  const auto in = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : kRoot;
  const auto& children = nodes_[in].children;
  if (row < 0 || column < 0 || column >= kColumns || static_cast<std::size_t>(row) >= children.size()) return {};
  return createIndex(row, column, static_cast<quintptr>(children[static_cast<std::size_t>(row)]));
}

QModelIndex FrameModel::parent(const QModelIndex& index) const {
  const Node* const at = node(index);
  return at == nullptr ? QModelIndex() : index_of(at->parent);
}

int FrameModel::rowCount(const QModelIndex& parent) const {
  if (parent.column() > 0) return 0;
  const auto in = parent.isValid() ? static_cast<std::size_t>(parent.internalId()) : kRoot;
  return static_cast<int>(nodes_[in].children.size());
}

int FrameModel::columnCount(const QModelIndex&) const {
  return kColumns;
}

QVariant FrameModel::data(const QModelIndex& index, int role) const {
  const Node* const at = node(index);
  if (at == nullptr) return {};
  if (role == severity_role) return at->severity ? QVariant(static_cast<int>(*at->severity)) : QVariant();
  if (role == Qt::ToolTipRole || role == Qt::AccessibleDescriptionRole) {
    return tr("%1 (octets %2 to %3)").arg(sentence(index)).arg(at->octets.begin).arg(at->octets.end - 1);
  }
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kField: return at->name;
    case kValue: return at->value;
    case kFinding: return at->finding;
    default: return {};
  }
}

QVariant FrameModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == kValueRole) return section == kField ? "field" : section == kValue ? "value" : "finding";
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case kField: return tr("Field");
    case kValue: return tr("Value");
    case kFinding: return tr("Finding");
    default: return {};
  }
}

}  // namespace iwarpscope::gui
