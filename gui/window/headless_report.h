// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// `iwarpscope-gui --export-report`: a report without a window or a display.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>

#include "session/session.h"
#include "window/report.h"

namespace iwarpscope::gui {

/// Reads the source to its end, then writes the report. Needs only a QCoreApplication.
class HeadlessReport : public QObject {
  Q_OBJECT

 public:
  HeadlessReport(Source source, QString output, std::optional<std::uint64_t> qp, QObject* parent = nullptr);
  void start();

 signals:
  /// Empty: the report is written; else a sentence.
  void done(const QString& trouble);

 private:
  void look();
  [[nodiscard]] bool is_complete() const;
  void make();
  Session session_;
  const QString output_;
  const std::optional<std::uint64_t> qp_;
  std::map<std::uint64_t, live::QpView> rows_;
  std::vector<live::FindingView> findings_;
  QTimer timer_;
  int looks_at_end_ = 0;
  std::unique_ptr<ReportMaker> maker_;
};

}  // namespace iwarpscope::gui
