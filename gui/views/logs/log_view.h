// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A box for lines of drivers' logs: shows their meaning, and the queue pairs that they may refer to.
#pragma once

#include <QTimer>
#include <QWidget>

#include <functional>

#include "models/findings/finding_table.h"
#include "models/logs/log_tables.h"
#include "models/selection.h"
#include "views/summary/html_view.h"

class QLabel;
class QPlainTextEdit;
class QTreeView;

namespace iwarpscope::gui {

class TimeNote;

/// Lines are read soon after they are pasted. Enter or a click on a queue pair chooses it.
class LogView : public QWidget {
  Q_OBJECT

 public:
  /// All known queue pairs; valid until the event loop runs again.
  using AllQps = std::function<const QpRows&()>;

  /// The first three must outlive it.
  LogView(Session& session, Selection& selection, const FindingTable& findings, AllQps all, QWidget* parent = nullptr);
  [[nodiscard]] QPlainTextEdit& box() const noexcept { return *box_; }
  [[nodiscard]] QTreeView& meanings() const noexcept { return *meanings_; }
  [[nodiscard]] QTreeView& matches() const noexcept { return *matches_; }
  [[nodiscard]] QString plain_text() const { return text_->toPlainText(); }

 signals:
  /// Request to read about this rule: its code.
  void rule_wanted(const QString& code);

 private:
  [[nodiscard]] QWidget* make_box();
  [[nodiscard]] QWidget* make_answer();
  void read();
  void show_meaning();
  void look_for_qps();
  void drop_those_outside();
  void ask_next();
  void tell_matches();
  void choose(const QModelIndex& index);

  Session& session_;
  Selection& selection_;
  const FindingTable& findings_;
  const AllQps all_;
  LogMeaningTable meaning_model_;
  LogMatchTable match_model_;
  QTimer reading_, looking_;
  std::vector<LogMatch> found_;
  std::size_t hidden_ = 0;        ///< those that were not active in the marked time
  std::size_t asked_ = 0;         ///< of found_
  std::uint64_t generation_ = 0;  ///< of the requests
  QPlainTextEdit* box_ = nullptr;
  QLabel* understood_ = nullptr;
  QTreeView* meanings_ = nullptr;
  HtmlView* text_ = nullptr;
  QLabel* head_ = nullptr;
  QTreeView* matches_ = nullptr;
  TimeNote* note_ = nullptr;
};

}  // namespace iwarpscope::gui
