// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/banner.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include "models/words.h"
#include "views/colors.h"

namespace iwarpscope::gui {

Banner::Banner(const QString& name, QWidget* parent)
    : QFrame(parent), sign_(new QLabel(this)), text_(new QLabel(this)) {
  setAccessibleName(name);
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  auto* row = new QHBoxLayout(this);
  row->addWidget(sign_);
  row->addWidget(text_, 1);
  QFont bold = sign_->font();
  bold.setBold(true);
  sign_->setFont(bold);
  sign_->setAccessibleDescription(tr("Severity"));
  text_->setAccessibleDescription(name);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  hide();
}

void Banner::say(findings::Severity severity, const QString& sentence) {
  if (severity == severity_ && sentence == sentence_) return;
  severity_ = severity;
  sentence_ = sentence;
  sign_->setText(tr("▲ %1").arg(severity_word(severity)));
  text_->setText(sentence);
  apply_colors();
  setVisible(!sentence.isEmpty());
}

void Banner::add(QWidget* widget) {
  layout()->addWidget(widget);
}

void Banner::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::ApplicationPaletteChange) apply_colors();
}

void Banner::apply_colors() {
  QPalette colors = parentWidget() != nullptr ? parentWidget()->palette() : QPalette();
  colors.setColor(QPalette::Window, severity_background(severity_, colors));
  setPalette(colors);
}

}  // namespace iwarpscope::gui
