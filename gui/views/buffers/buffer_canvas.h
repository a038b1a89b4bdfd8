// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Draws the memory that an STag names.
#pragma once

#include <QWidget>

#include <map>
#include <optional>

#include "models/buffers/buffer_map.h"
#include "models/selection.h"

namespace iwarpscope::gui {

/// The horizontal axis shows Tagged Offsets. A band at the top shows the current contents of memory. Below, each piece
/// is drawn at the time at which it was placed (time runs down), and invalidations are horizontal lines. Paler: older;
/// hatched: overwritten before the owner was notified of the previous data; crossed: placed after an invalidation;
/// dotted and empty: refused, not placed. Left and Right move from piece to piece, Home and End to the first and last
/// one, Enter shows its message, + and - or the wheel zoom, 0 shows all.
class BufferCanvas : public QWidget {
  Q_OBJECT

 public:
  /// Pieces outside the marked time are faint. The selection must outlive this object.
  explicit BufferCanvas(const Selection& selection, QWidget* parent = nullptr);
  /// Copies the buffer. `keeps_view`: it is the same buffer with changes. `end`: why messages were refused; null: none
  /// was.
  void show_buffer(const BufferKey& key, const Buffer& buffer, const StreamEnd* end, TimePoint origin, bool keeps_view);
  void clear();
  /// Signs of the frames that findings name.
  void set_marked_frames(std::map<std::uint64_t, QString> frames);
  [[nodiscard]] const Extent* current() const;
  [[nodiscard]] QString text_of(const Extent& extent) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void pointed(const QString& text);
  void chosen(const iwarpscope::gui::Placement& message);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  struct Places;  // of the parts of the picture

  [[nodiscard]] Places places() const;
  [[nodiscard]] double x_of(std::uint64_t to) const;
  [[nodiscard]] std::uint64_t to_at(double x) const;
  [[nodiscard]] double age(TimePoint time) const;
  [[nodiscard]] const Extent* at(const QPointF& point) const;
  void paint_extent(QPainter& painter, const Extent& extent, const Places& places) const;
  void paint_refusals(QPainter& painter, const Places& places) const;
  void paint_invalidations(QPainter& painter, const Places& places) const;
  void paint_axes(QPainter& painter, const Places& places) const;
  void step(int pieces);
  void go_to(std::uint64_t begin);
  void zoom(double factor, double around);
  void show_all();

  BufferKey key_;
  std::optional<Buffer> buffer_;
  TimePoint origin_, earliest_, latest_;
  double from_ = 0, to_ = 1;   ///< of the view: TO relative to the buffer's first octet
  std::uint64_t current_ = 0;  ///< begin of the current piece
  const Selection& selection_;
  std::optional<StreamEnd> end_;
  std::map<std::uint64_t, QString> marked_frames_;
};

}  // namespace iwarpscope::gui
