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
  /// Retransmissions, reordering, closed windows and waits.
  void show_transport(bool on);
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
  /// The finding whose mark is at this point of the viewport; null: none.
  [[nodiscard]] const live::FindingView* finding_at(const QPointF& point);

  /// Writes the chosen rows, or else the visible part, as SVG or PNG according to the suffix. Fails with one sentence.
  tl::expected<void, QString> save(const QString& file);

 signals:
  void details_changed(const QString& details);
  /// The user has chosen a row: its first frame.
  void frame_chosen(const iwarpscope::gui::Focus& focus);
  /// The mark of a finding was clicked.
  void finding_clicked(quint64 sequence);

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
  /// Rows: those of all messages, and those that are no messages.
  [[nodiscard]] std::uint64_t first_row() const noexcept { return store_.begin(); }
  [[nodiscard]] std::uint64_t last_row() const noexcept { return store_.end() + index_.life_rows(); }
  [[nodiscard]] bool is_empty() const noexcept { return first_row() >= last_row(); }
  [[nodiscard]] double row_count() const noexcept { return static_cast<double>(last_row() - first_row()); }
  /// The message of a row; null: not loaded, or no message.
  [[nodiscard]] const qp::MessageRecord* at(std::uint64_t row) {
    return index_.life_at(row) != nullptr ? nullptr : store_.at(index_.place(row));
  }
  void update_life();
  /// As set_current(), by the user.
  void choose(std::uint64_t place, bool extends);
  /// What the row is about. Empty: it is not loaded.
  [[nodiscard]] std::optional<Focus> focus_of(std::uint64_t row);
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
  bool with_transport_ = false;
  QTimer again_;
};

}  // namespace iwarpscope::gui
