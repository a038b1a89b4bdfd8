// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The ladder itself: scrolls over millions of messages and requests only the visible ones.
#pragma once

#include <QAbstractScrollArea>
#include <QTimer>

#include <optional>
#include <vector>

#include <tl/expected.hpp>

#include "models/ladder/ladder_layout.h"
#include "models/ladder/message_store.h"
#include "models/selection.h"

namespace iwarpscope::gui {

class LadderCanvas : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr std::uint64_t kMostExported = 1000;  ///< rows

  /// Both outlive it.
  LadderCanvas(Selection& selection, MessageStore& store, QWidget* parent = nullptr);
  ~LadderCanvas() override;

  void set_qp(const live::QpView& qp);
  /// While no queue pair is chosen: why, and what to do.
  void set_hint(const QString& hint);
  /// All findings of the queue pair.
  void set_findings(std::vector<live::FindingView> findings);

  [[nodiscard]] std::optional<std::uint64_t> current() const noexcept { return current_; }
  void set_current(std::uint64_t place, bool extends = false);
  /// False: no further one exists.
  bool jump_to_finding(bool forward);
  void go_to_frame(FrameNumber frame);
  void zoom(int steps);
  void zoom_to_all();
  [[nodiscard]] double row() const noexcept { return row_; }
  [[nodiscard]] bool is_density() const noexcept { return row_ < LadderQuestion::kLeastRow; }
  /// The text on the current message. Empty: no message is current.
  [[nodiscard]] QString details() const;
  /// The text on the item at this height below the header, including text that is cut off on the screen.
  [[nodiscard]] QString tip_at(double y);

  /// Writes the chosen rows, or else the visible part, as SVG or PNG according to the suffix. Fails with one sentence.
  tl::expected<void, QString> save(const QString& file);

 signals:
  void details_changed(const QString& details);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void changeEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  void forget();
  void resized();
  /// The message of a row; null: not loaded.
  [[nodiscard]] const qp::MessageRecord* at(std::uint64_t row) { return store_.at(index_.place(row)); }
  /// Afterwards rows may have changed; the current and chosen messages stay the same.
  template <class Change>
  void change_rows(Change change);
  void look_at(const Focus& focus);
  /// The first row of the marked time.
  void look_at_range();
  /// Completes requests for messages that had not arrived yet.
  void look_again();
  void tell();
  void set_row(double row);
  void show_place(std::uint64_t place);
  void update_scroll_bar();
  void set_top(double top);
  [[nodiscard]] double top() const;
  [[nodiscard]] double line() const;
  [[nodiscard]] double least_row() const;
  [[nodiscard]] double body_height() const;
  [[nodiscard]] LadderQuestion question(double from, double height);
  [[nodiscard]] struct LadderLook look() const;
  /// Precondition: a queue pair is set.
  [[nodiscard]] TimePoint last_known() const;
  [[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> chosen() const;

  Selection& selection_;
  QString hint_;
  MessageStore& store_;
  std::optional<live::QpView> qp_;
  LadderIndex index_;
  LadderFindings findings_;
  double row_ = 0;
  std::optional<std::uint64_t> current_, anchor_;
  std::optional<Focus> wanted_;  ///< to be shown when it has arrived
  std::optional<TimeRange> wanted_range_;
  bool reported_ = false;  ///< the details of the current message were emitted
  bool at_end_ = false;    ///< follows a queue pair that grows
  QTimer again_;
};

}  // namespace iwarpscope::gui
