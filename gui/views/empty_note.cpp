// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/empty_note.h"

#include <QAbstractScrollArea>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "views/text_button.h"

namespace iwarpscope::gui {

EmptyNote::EmptyNote(QAbstractScrollArea& table) : QWidget(table.viewport()), text_(new QLabel(this)) {
  setAccessibleName(tr("Why the table is empty"));
  text_->setAccessibleDescription(tr("Why the table is empty"));
  text_->setWordWrap(true);
  text_->setAlignment(Qt::AlignCenter);
  text_->setTextFormat(Qt::PlainText);
  auto* const column = new QVBoxLayout(this);
  column->addStretch(1);
  column->addWidget(text_);
  column->addStretch(1);
  table.viewport()->installEventFilter(this);
  hide();
}

void EmptyNote::say(const QString& sentence) {
  text_->setText(sentence);
  setGeometry(parentWidget()->rect());
  setVisible(!sentence.isEmpty());
}

QPushButton* EmptyNote::add_button(const QString& text, const QString& name) {
  auto* const button = new TextButton(text, this);
  button->setAccessibleName(name);
  button->hide();
  auto* const column = static_cast<QVBoxLayout*>(layout());
  column->insertWidget(column->count() - 1, button, 0, Qt::AlignHCenter);
  return button;
}

QString EmptyNote::sentence() const {
  return isHidden() ? QString() : text_->text();
}

bool EmptyNote::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) setGeometry(parentWidget()->rect());
  return QWidget::eventFilter(watched, event);
}

}  // namespace iwarpscope::gui
