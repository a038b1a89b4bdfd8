// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/start_page.h"

#include <QCommandLinkButton>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <memory>

#include "views/headings.h"

namespace iwarpscope::gui {
namespace {

constexpr int kMostRecent = 5;

QCommandLinkButton* link(const QString& title, const QString& description) {
  auto* button = new QCommandLinkButton(title, description);
  button->setAccessibleName(title);
  button->setAccessibleDescription(description);
  return button;
}

/// An ampersand in a name is not a shortcut.
QString plain(QString name) {
  return name.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QWidget(parent), recent_(new QWidget) {
  setAccessibleName(tr("Nothing is open"));
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->addWidget(heading(tr("What went wrong on an iWARP connection?")));
  auto* open =
      link(tr("Open captures..."), tr("pcap or pcapng, also compressed. You can also drop files here. Ctrl+O"));
  auto* connect_button = link(tr("Connect to a daemon..."), tr("Live: a running iwarpscoped on a mirror port. Ctrl+D"));
  connect(open, &QAbstractButton::clicked, this, &StartPage::open_wanted);
  connect(connect_button, &QAbstractButton::clicked, this, &StartPage::connect_wanted);
  auto* ways = new QHBoxLayout;
  ways->addWidget(open);
  ways->addWidget(connect_button);
  column->addLayout(ways);
  recent_->setLayout(new QVBoxLayout);
  recent_->layout()->setContentsMargins({});
  recent_->hide();
  column->addWidget(recent_);
  add_samples(*column);
  column->addStretch(1);
  auto* scroll = new QScrollArea(this);  // for small windows and large fonts
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(page);
  auto* around = new QHBoxLayout(this);
  around->addStretch(1);
  around->addWidget(scroll, 4);
  around->addStretch(1);
  setFocusProxy(open);
}

/// The captures that docs/dashboard.md explains step by step.
void StartPage::add_samples(QVBoxLayout& column) {
  struct Sample {
    const char* file;
    QString title, description;
  };
  const std::initializer_list<Sample> samples{
      {"viol-crc-error.pcap", tr("A wrong CRC"), tr("A transfer ends suddenly. Which FPDU was damaged, and where?")},
      {"viol-mpa-reply-ird-insufficient.pcap", tr("Unequal read depths"),
       tr("The connection closes at once. Which end must change its setting?")},
      {"term-write-bad-stag.pcap", tr("A Terminate about an STag"),
       tr("A Write is refused. Was the STag ever advertised?")},
      {"read-never-answered.pcapng", tr("The connection stalls"),
       tr("The application hangs, without an error. Which end must send next?")},
      {"atomic-result-impossible.pcapng", tr("An atomic returns an impossible value"),
       tr("A lock in remote memory is sometimes wrong. Which operation was it?")},
  };
  column.addWidget(heading(tr("Captures to try")));
  auto* grid = new QGridLayout;
  int place = 0;
  for (const Sample& sample : samples) {
    auto* button = link(sample.title, sample.description);
    connect(button, &QAbstractButton::clicked, this, [this, file = QString::fromLatin1(sample.file)] {
      emit sample_wanted(QStringLiteral(":/samples/") + file);
    });
    grid->addWidget(button, place / 2, place % 2);
    ++place;
  }
  column.addLayout(grid);
}

void StartPage::set_recent(const QStringList& files) {
  QLayout& column = *recent_->layout();
  while (const std::unique_ptr<QLayoutItem> item{column.takeAt(0)}) delete item->widget();
  recent_->setVisible(!files.isEmpty());
  if (files.isEmpty()) return;
  column.addWidget(heading(tr("Recent")));
  for (const QString& file : files.mid(0, kMostRecent)) {
    const QFileInfo facts(file);
    auto* button = link(plain(facts.fileName()), facts.absolutePath());
    connect(button, &QAbstractButton::clicked, this, [this, file] { emit file_wanted(file); });
    column.addWidget(button);
  }
}

}  // namespace iwarpscope::gui
