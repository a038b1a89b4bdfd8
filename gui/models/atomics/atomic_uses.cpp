// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <QLocale>

#include <array>
#include <utility>

#include "models/atomics/atomic_words.h"
#include "models/plots/latency_counts.h"
#include "models/words.h"

namespace iwarpscope::gui {
namespace {

bool is_number_of_use(int column) {
  return column == AtomicUsesModel::kOrder || column == AtomicUsesModel::kQp;
}

constexpr std::uint64_t kAll = ~std::uint64_t{0};

QString verdict_text(const AtomicUse& use) {
  if (use.verdict == "verified") return AtomicUsesModel::tr("verified");
  if (use.verdict == "first") return AtomicUsesModel::tr("first known value");
  if (use.verdict == "inconsistent") return AtomicUsesModel::tr("contradiction");
  if (use.verdict == "undecidable") return AtomicUsesModel::tr("cannot be judged");
  return use.original ? QString() : AtomicUsesModel::tr("no response seen");
}

}  // namespace

QString operation_text(const AtomicUse& use) {
  if (use.operation == "fetch_add") {
    if (use.mask == 0) return AtomicUsesModel::tr("FetchAdd %1").arg(word_text(use.data));
    return AtomicUsesModel::tr("FetchAdd %1 in fields %2").arg(word_text(use.data), word_text(use.mask));
  }
  if (use.operation == "cmp_swap") {
    QString plain = AtomicUsesModel::tr("CmpSwap: if %1 then %2").arg(word_text(use.compare), word_text(use.data));
    if (use.mask == kAll && use.compare_mask == kAll) return plain;
    return AtomicUsesModel::tr("CmpSwap: if %1 under %2 then %3 under %4")
        .arg(word_text(use.compare), word_text(use.compare_mask), word_text(use.data), word_text(use.mask));
  }
  if (use.operation == "swap") return AtomicUsesModel::tr("Swap %1").arg(word_text(use.data));
  return AtomicUsesModel::tr("unknown operation");
}

void AtomicUsesModel::show(const WordHistory& history, AtomicFindings findings) {
  beginResetModel();
  history_ = history;
  findings_ = std::move(findings);
  order_ = order_of(history_);
  endResetModel();
}

QString AtomicUsesModel::sentence() const {
  if (order_.order.empty()) return {};
  const auto wrong = static_cast<int>(history_.count("inconsistent"));
  if (wrong != 0) {
    return tr(
        "The analysis found %n impossible result(s): no earlier operation left the returned value (RFC 7306 §5.3).",
        nullptr, wrong);
  }
  switch (order_.found) {
    case AtomicOrder::Found::yes: return tr("In this order each operation found the value that the previous one left.");
    case AtomicOrder::Found::no:
      return tr(
          "No order of the operations shown explains all results. The analysis reports no error: another queue pair, "
          "an RDMA Write or the host may have written the word.");
    case AtomicOrder::Found::undecided: break;
  }
  return order_.unanswered != 0 ? tr("Operations without a response may or may not have taken effect. Without them, no "
                                     "complete order exists.")
                                : tr("No complete order was found in the time allowed; the longest chains are shown.");
}

const live::FindingView* AtomicUsesModel::finding(int row) const {
  const AtomicUse& use = at(row);
  for (const live::FindingView& view : findings_) {
    const findings::Finding& f = view.finding;
    if (f.qp == use.qp && f.direction == opposite(use.direction) && f.message == use.response) return &view;
  }
  return nullptr;
}

int AtomicUsesModel::row_of(std::uint64_t qp, Direction direction, std::uint64_t message) const {
  for (int row = 0; row < rowCount(); ++row) {
    const AtomicUse& use = at(row);
    if (use.qp != qp) continue;
    if (use.direction == direction ? use.index == message : use.response == message) return row;
  }
  return -1;
}

Focus AtomicUsesModel::focus(int row) const {
  const AtomicUse& use = at(row);
  return {.qp = use.qp, .frame = use.frame, .time = use.invoked, .direction = use.direction, .message = use.index};
}

int AtomicUsesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.order.size());
}

int AtomicUsesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QString AtomicUsesModel::remark(int row) const {
  const AtomicUse& use = at(row);
  if (!use.original) return tr("may or may not have taken effect");
  if (!is_break(row) || row == 0 || !at(row - 1).result) return {};
  return tr("found %1, but the previous operation left %2")
      .arg(word_text(*use.original), word_text(*at(row - 1).result));
}

QString AtomicUsesModel::text(int row, int column) const {
  const AtomicUse& use = at(row);
  switch (column) {
    case kOrder: return use.original ? QLocale().toString(row + 1) : tr("?");
    case kQp: return QString::number(use.qp);
    case kOperation: return operation_text(use);
    case kOriginal: return use.original ? word_text(*use.original) : QString();
    case kResult: return use.result ? word_text(*use.result) : QString();
    case kVerdict: return verdict_text(use);
    case kFinding: {
      const live::FindingView* const reported = finding(row);
      if (reported == nullptr) return {};
      const findings::Rule& rule = findings::rule(reported->finding.id);
      return tr("%1 %2").arg(severity_sign(rule.severity), QString::fromLatin1(rule.code.data()));
    }
    case kFrames:
      return use.response_frame.value == 0
                 ? QString::number(use.frame.value)
                 : tr("%1, %2").arg(QString::number(use.frame.value), QString::number(use.response_frame.value));
    case kRemark: return remark(row);
    default: return {};
  }
}

QVariant AtomicUsesModel::value(int row, int column) const {
  const AtomicUse& use = at(row);
  const QString words = text(row, column);
  switch (column) {
    case kOrder: return use.original ? QVariant(row + 1) : QVariant();
    case kQp: return static_cast<qulonglong>(use.qp);
    case kVerdict:
      return use.verdict.empty() ? QVariant()
                                 : QString::fromLatin1(use.verdict.data(), static_cast<qsizetype>(use.verdict.size()));
    default: return words.isEmpty() ? QVariant() : QVariant(words);
  }
}

QVariant AtomicUsesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  if (role == Qt::DisplayRole) return text(index.row(), index.column());
  if (role == kValueRole) return value(index.row(), index.column());
  if (role == Qt::ToolTipRole) {
    const live::FindingView* const reported = finding(index.row());
    if (reported == nullptr || (index.column() != kFinding && index.column() != kVerdict)) return {};
    return QString::fromStdString(reported->finding.text);
  }
  return role == Qt::TextAlignmentRole ? alignment_of(is_number_of_use(index.column())) : QVariant();
}

QVariant AtomicUsesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return alignment_of(is_number_of_use(section));
  const std::array<std::pair<QString, QString>, kColumns> heads{{
      {tr("Order"), tr("A possible order in which the operations took effect; ?: not known")},
      {tr("QP"), tr("Number of the queue pair")},
      {tr("Operation"), tr("The requested operation (RFC 7306 §5.1)")},
      {tr("Found"), tr("The original value that the Atomic Response returned")},
      {tr("Left"), tr("The value of the word after the operation")},
      {tr("Analysis"), tr("Verdict of the analysis on this result")},
      {tr("Finding"), tr("The finding on this result if it is impossible: AT-14, AT-15")},
      {tr("Frames"), tr("Frames of the request and of the response")},
      {tr("Remark"), tr("Where the chain of values breaks")},
  }};
  const auto& [name, tip] = heads[static_cast<std::size_t>(section)];
  const std::array keys{"order", "qp", "operation", "found", "left", "analysis", "finding", "frames", "remark"};
  if (role == kValueRole) return QString::fromLatin1(keys[static_cast<std::size_t>(section)]);
  if (role == Qt::DisplayRole) return name;
  return role == Qt::ToolTipRole ? QVariant(tip) : QVariant();
}

}  // namespace iwarpscope::gui
