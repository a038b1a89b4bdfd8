// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/plots/time_bar.h"

#include <QHBoxLayout>
#include <QLabel>

#include "models/selection.h"
#include "views/text_button.h"

namespace iwarpscope::gui {

TimeBar::TimeBar(Selection& selection, QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)), note_(new QLabel(this)) {
  row_->setContentsMargins({});
  note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  row_->addWidget(note_, 1);
  connect(add_button(tr("Show &all"), tr("Show the whole time in all plots (0)")), &QPushButton::clicked, this,
          &TimeBar::all_wanted);
  connect(add_button(tr("&Clear mark"), tr("Show the whole time in all views (Esc)")), &QPushButton::clicked,
          &selection, [&selection] { selection.set_range(std::nullopt); });
}

QPushButton* TimeBar::add_button(const QString& text, const QString& tip) {
  auto* const button = new TextButton(text, this);
  button->set_tip(tip);
  row_->insertWidget(buttons_++, button);
  return button;
}

void TimeBar::put_first(QWidget* widget) {
  row_->insertWidget(0, widget);
  ++buttons_;
}

void TimeBar::describe(const QString& description) {
  note_->setAccessibleDescription(description);
}

void TimeBar::say(const QString& sentence) {
  note_->setText(sentence);
}

QString TimeBar::said() const {
  return note_->text();
}

}  // namespace iwarpscope::gui
