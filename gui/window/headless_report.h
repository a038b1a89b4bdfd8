// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A report of capture files without a window.
#pragma once

#include <QObject>
#include <QString>

#include <optional>

#include "session/session.h"

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
  void look(const StatusPtr& status);

  Session session_;
  const QString output_;
  const std::optional<std::uint64_t> qp_;
  bool is_asked_ = false;
};

}  // namespace iwarpscope::gui
