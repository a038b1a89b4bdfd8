// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The octets of a frame in hexadecimal and as text.
#pragma once

#include <QAbstractScrollArea>
#include <QByteArray>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/frame/frame_model.h"

namespace iwarpscope::gui {

class HexView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit HexView(QWidget* parent = nullptr);

  /// `wrong`: octets that findings are about.
  void set_octets(const QByteArray& octets, std::vector<OctetRange> wrong);
  /// Marks octets and scrolls to the first of them.
  void choose(const OctetRange& octets);
  /// Scrolls to what is chosen as if nothing was seen before, and again at each new size until a person scrolls or
  /// something else is chosen: where a new frame is shown does not depend on when the view got its size.
  void place();
  [[nodiscard]] const OctetRange& chosen() const noexcept { return chosen_; }
  /// The octet at a point of the viewport; empty: none.
  [[nodiscard]] std::optional<std::uint32_t> octet_at(const QPointF& point) const;
  /// Where an octet is drawn in hexadecimal.
  [[nodiscard]] QRectF place_of(std::uint32_t octet) const;

 signals:
  void octet_clicked(quint32 octet);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;

 private:
  struct Shape;
  [[nodiscard]] Shape shape() const;
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(octets_.size()); }
  void update_scroll_bar();
  void go_to(std::uint32_t octet);
  void go_to_chosen();
  [[nodiscard]] QString chosen_text() const;
  void copy() const;

  QByteArray octets_;
  std::vector<OctetRange> wrong_;
  OctetRange chosen_;
  bool is_placed_ = false;      ///< by place(), and not moved since
  std::uint32_t columns_ = 16;  ///< octets in a line, as the position of the scroll bar counts
};

}  // namespace iwarpscope::gui
