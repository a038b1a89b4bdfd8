// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One frame of the chosen queue pair: what a finding says of it, its fields and its octets.
#pragma once

#include <QAbstractItemView>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

#include "models/frame/frame_model.h"
#include "models/selection.h"
#include "session/session.h"

class QLabel;
class QTreeView;

namespace iwarpscope::gui {

class HexView;

class FrameView : public QWidget {
  Q_OBJECT

 public:
  using Ask =
      std::function<void(std::uint64_t qp, FrameNumber frame, QObject* asker, Session::Then<DecodedFrame> then)>;
  /// Follows frames that others look at. `selection` outlives it.
  FrameView(Selection& selection, Ask ask, QWidget* parent = nullptr);

  /// Empty: no queue pair is chosen. Of a new one the frame of the worst finding is shown, or its last evidence.
  void set_qp(const std::optional<live::QpView>& qp);
  /// All findings of the queue pair; they may come before it.
  void set_findings(std::vector<live::FindingView> findings);
  /// `finding`: the sequence number of the one to show; empty: the worst one about this frame.
  void show_frame(FrameNumber frame, std::optional<std::uint64_t> finding = {});

  [[nodiscard]] FrameModel& model() noexcept { return model_; }
  [[nodiscard]] QTreeView& tree() noexcept { return *tree_; }
  [[nodiscard]] HexView& octets() noexcept { return *octets_; }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void make_tree();
  void fit_names();
  void fit_values();
  [[nodiscard]] int value_width() const;
  void show_first();
  void fetch();
  void take(FrameNumber frame, const tl::expected<DecodedFrame, api::Failure>& answer);
  /// The finding to show; null: none is about this frame.
  [[nodiscard]] const live::FindingView* finding() const;
  void color_headline();
  void show_finding();
  void show_model(DecodedFrame frame);
  void show_highest_layer();
  void choose(const QModelIndex& index);

  const Ask ask_;
  FrameModel model_;
  std::optional<live::QpView> qp_;
  std::vector<live::FindingView> findings_;
  FrameNumber frame_;                     ///< shown or requested; 0: none
  std::optional<std::uint64_t> finding_;  ///< asked for
  bool is_first_ = false;                 ///< the user has not chosen a frame of this queue pair
  bool asking_ = false, ask_again_ = false;
  bool is_resized_ = false;  ///< and the fields have not their places yet
  QLabel *title_, *headline_, *text_, *values_, *note_;
  QTreeView* tree_;
  QAbstractItemView::ScrollHint hint_ = QAbstractItemView::PositionAtTop;  ///< where the chosen field is
  HexView* octets_;
};

}  // namespace iwarpscope::gui
