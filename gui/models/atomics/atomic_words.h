// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Words with atomics, and the history of one of them, as tables.
#pragma once

#include <QAbstractTableModel>
#include <QTimer>

#include <deque>
#include <optional>
#include <vector>

#include "models/atomics/atomic_history.h"
#include "models/ladder/message_store.h"
#include "models/selection.h"
#include "models/table_values.h"

namespace iwarpscope::gui {

/// "FetchAdd 0x0000000000000001", with the masks if they matter.
[[nodiscard]] QString operation_text(const AtomicUse& use);

/// Findings on impossible results of atomics: AT-14, AT-15.
using AtomicFindings = std::vector<live::FindingView>;
[[nodiscard]] bool is_about_result(const live::FindingView& view) noexcept;
[[nodiscard]] bool has_atomics(const live::QpView& qp) noexcept;

/// The words of the queue pair whose messages a store reads. On request, also the operations of all queue pairs with
/// the same responders on these words: their messages are read one queue pair after the other.
class AtomicWordsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr std::uint64_t kMostAsked = 1'000'000;  ///< messages of other queue pairs
  enum Column { kResponder, kStag, kOffset, kUses, kInconsistent, kAnalysis, kFindings, kColumns };

  AtomicWordsModel(const MessageStore& store, MessageStore::AskMessages ask, QObject* parent = nullptr);
  /// The queue pair of the store, before its messages arrive.
  void set_qp(const std::optional<live::QpView>& qp);
  /// Those of `qps` that share a responder with the words so far and have atomics.
  [[nodiscard]] std::vector<live::QpView> others(std::span<const live::QpView> qps) const;
  /// Requests all messages of others(qps). Does nothing while a request is running.
  void ask_others(std::span<const live::QpView> qps);
  void cancel();
  [[nodiscard]] bool is_asking() const noexcept { return asking_; }
  [[nodiscard]] const AtomicHistory& history() const noexcept { return history_; }
  /// Findings that are not about results are left out.
  void set_findings(std::span<const live::FindingView> findings);
  /// Findings on results of this word.
  [[nodiscard]] AtomicFindings findings(const WordName& word) const;
  /// -1: the word has no row.
  [[nodiscard]] int row_of(const WordName& word) const;
  [[nodiscard]] const WordName& word(int row) const { return words_[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  /// Words or their histories have changed.
  void changed();
  /// Progress in the messages of other queue pairs.
  void progressed(quint64 done, quint64 all);
  /// The requests have ended. `trouble`: why not all messages arrived; empty: all arrived.
  void asked(const QString& trouble);

 private:
  [[nodiscard]] QVariant value(const WordName& name, int column) const;

  struct Question {
    net::IpAddress a, b;
    std::uint64_t qp = 0, messages = 0;
  };

  void clear();
  void add(const MessageRows& page);
  void update();
  void ask_next(std::uint64_t from);
  void take(const Question& of, const tl::expected<MessageRows, api::Failure>& answer);
  void end_asking(const QString& trouble);

  const MessageStore::AskMessages ask_;
  AtomicHistory history_;
  AtomicFindings findings_;
  std::optional<live::QpView> qp_;
  std::vector<WordName> words_;  ///< rows, in the order in which they arrived
  std::vector<std::uint64_t> asked_qps_;
  std::deque<Question> questions_;
  bool asking_ = false;
  std::uint64_t generation_ = 0, done_ = 0, all_ = 0;
  QTimer timer_;
};

/// The operations on one word, in an order that explains their results, if such an order exists.
class AtomicUsesModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kOrder, kQp, kOperation, kOriginal, kResult, kVerdict, kFinding, kFrames, kRemark, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  /// Copies the arguments.
  void show(const WordHistory& history, AtomicFindings findings = {});
  /// The finding on this operation's result; null: none.
  [[nodiscard]] const live::FindingView* finding(int row) const;
  /// Row of the operation whose request or response is this message; -1: none.
  [[nodiscard]] int row_of(std::uint64_t qp, Direction direction, std::uint64_t message) const;
  /// A description of the table, in one or two sentences. The verdicts of the analysis are authoritative; the order
  /// explains them.
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] Focus focus(int row) const;
  [[nodiscard]] bool is_break(int row) const { return order_.is_break[static_cast<std::size_t>(row)]; }
  [[nodiscard]] const AtomicUse& at(int row) const { return *order_.order[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(int row, int column) const;
  [[nodiscard]] QString remark(int row) const;
  [[nodiscard]] QVariant value(int row, int column) const;

  WordHistory history_;
  AtomicFindings findings_;
  WordOrder order_;  ///< of history_
};

}  // namespace iwarpscope::gui
