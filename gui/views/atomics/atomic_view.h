// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The words that atomics used, and the history of the chosen word.
#pragma once

#include <QWidget>

#include "models/atomics/atomic_words.h"
#include "models/selection.h"
#include "models/time_proxy.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace iwarpscope::gui {

class AtomicView : public QWidget {
  Q_OBJECT

 public:
  AtomicView(const MessageStore& store, MessageStore::AskMessages ask, Selection& selection, QWidget* parent = nullptr);
  /// The queue pair of the store, before its messages arrive; empty: none.
  void set_qp(const std::optional<live::QpView>& qp);
  /// All queue pairs with atomics: those with the same responder are among them.
  void set_all(std::vector<live::QpView> qps);
  /// Findings of the queue pair: results with a finding are marked.
  void set_findings(std::span<const live::FindingView> findings);
  [[nodiscard]] QTreeView* words() const noexcept { return words_; }
  [[nodiscard]] QTreeView* uses() const noexcept { return uses_; }
  [[nodiscard]] QPushButton* others() const noexcept { return others_; }
  /// Links to the findings of the chosen word.
  [[nodiscard]] QLabel* links() const noexcept { return links_; }

 signals:
  /// Request to show this finding: its sequence number.
  void finding_wanted(quint64 sequence);

 private:
  void dress_tables();
  void lay_out();
  void choose();
  void show_word();
  void show_links(const AtomicFindings& findings);
  void follow(const iwarpscope::gui::Focus& focus);
  void go_where_wanted();
  void ask_or_cancel();
  /// A contradiction between queue pairs is only visible together with the others.
  void ask_where_needed();
  void tell_asked(const QString& trouble);
  void tell_others();
  void look_at(const QModelIndex& index);

  Selection& selection_;
  AtomicWordsModel words_model_;
  AtomicUsesModel uses_model_;
  TimeProxy words_shown_, uses_shown_;
  QTreeView *words_, *uses_;
  QLabel *sentence_, *links_;
  QPushButton* others_;
  QProgressBar* progress_;
  std::vector<live::QpView> all_;
  std::optional<std::uint64_t> qp_;
  bool asked_by_itself_ = false;  ///< of this queue pair
  std::optional<Focus> wanted_;   ///< a message to show when it is known
};

}  // namespace iwarpscope::gui
