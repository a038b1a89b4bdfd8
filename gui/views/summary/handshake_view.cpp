// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/summary/handshake_view.h"

#include <QVBoxLayout>

#include "models/summary/qp_html.h"

namespace iwarpscope::gui {

HandshakeView::HandshakeView(QWidget* parent) : QWidget(parent), text_(new HtmlView(tr("Handshake"), this)) {
  setAccessibleName(tr("Handshake of the queue pair"));
  setWhatsThis(
      tr("Shows how the queue pair was set up: the contents of the Request (over SCTP: of the Initiate) and of the "
         "answer, their differences and what these mean, and the settings in use."));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(text_);
  setFocusProxy(text_);
  clear();
}

void HandshakeView::set_qp(const live::QpView& qp) {
  text_->show_html(handshake_html(qp.record));
}

void HandshakeView::clear() {
  text_->show_html(QStringLiteral("<p>%1</p>").arg(tr("Choose a queue pair to see how it was set up.")));
}

}  // namespace iwarpscope::gui
