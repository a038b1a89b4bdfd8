// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "views/picture_export.h"

#include <QAction>
#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QPixmap>
#include <QSvgGenerator>
#include <QWidget>

#include <qcustomplot.h>

#include <utility>

#include "views/table_actions.h"

namespace iwarpscope::gui {
namespace {

constexpr double kScale = 2;  // of PNGs: for print and for screens with high resolution

class PictureExport {
  Q_DECLARE_TR_FUNCTIONS(PictureExport)
};

bool has_ending(const QString& file, const char* ending) {
  return file.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

/// `paint` begins, paints and ends with the generator.
bool save_svg(const QString& title, const QString& file, const QSize& size,
              const std::function<bool(QSvgGenerator&)>& paint) {
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly)) return false;
  QSvgGenerator svg;
  svg.setOutputDevice(&out);
  svg.setSize(size);
  svg.setViewBox(QRect(QPoint(0, 0), size));
  svg.setTitle(title);
  return paint(svg) && out.flush();
}

}  // namespace

bool save_plot(QCustomPlot& plot, const QString& title, const QString& file) {
  if (has_ending(file, ".png")) return plot.savePng(file, 0, 0, kScale);
  if (!has_ending(file, ".svg")) return false;
  return save_svg(title, file, plot.size(), [&plot](QSvgGenerator& svg) {
    QCPPainter painter;
    if (!painter.begin(&svg)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    plot.toPainter(&painter, plot.width(), plot.height());
    return painter.end();
  });
}

bool save_picture(QWidget& widget, const QString& title, const QString& file) {
  if (has_ending(file, ".png")) {
    QPixmap picture(widget.size() * kScale);
    picture.setDevicePixelRatio(kScale);
    widget.render(&picture);
    return picture.save(file, "PNG");
  }
  if (!has_ending(file, ".svg")) return false;
  return save_svg(title, file, widget.size(), [&widget](QSvgGenerator& svg) {
    QPainter painter;
    if (!painter.begin(&svg)) return false;
    widget.render(&painter);
    return painter.end();
  });
}

void add_save_action(QWidget& widget, const QString& stem, bool values, std::function<bool(const QString&)> save) {
  auto* const action = new QAction(PictureExport::tr("&Save Picture..."), &widget);
  widget.addAction(action);
  widget.setContextMenuPolicy(Qt::ActionsContextMenu);
  QObject::connect(action, &QAction::triggered, &widget, [&widget, stem, values, save = std::move(save)] {
    const QString kinds = values ? PictureExport::tr("Picture (*.png);;Drawing (*.svg);;Values (*.csv)")
                                 : PictureExport::tr("Picture (*.png);;Drawing (*.svg)");
    const QString file = QFileDialog::getSaveFileName(widget.window(), PictureExport::tr("Save picture"),
                                                      stem + QStringLiteral(".png"), kinds);
    if (file.isEmpty()) return;
    tell(widget, save(file) ? PictureExport::tr("Picture saved in %1.").arg(file)
                            : PictureExport::tr("%1 cannot be written.").arg(file));
  });
}

}  // namespace iwarpscope::gui
