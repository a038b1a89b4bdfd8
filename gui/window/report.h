// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A report of a session as one HTML file: for a mail, a ticket, or print.
#pragma once

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

#include "session/session.h"

namespace iwarpscope::gui {

struct ReportContent {
  QString title;     ///< of the source
  StatusPtr status;  ///< may be null
  QpRows rows;
  std::vector<live::QpView> qps;         ///< those in detail, complete
  std::vector<live::FindingView> finds;  ///< of all, by time
  std::size_t left_out = 0;              ///< rows that are not in `qps`
  bool of_one_qp = false;
};

/// Self-contained, without script, suitable for print.
[[nodiscard]] QString report_html(const ReportContent& content);

/// Requests the complete queue pairs, one after the other, then emits the report.
class ReportMaker : public QObject {
  Q_OBJECT

 public:
  /// Maximum number in detail; the worst first.
  static constexpr std::size_t kMostQps = 200;
  /// For one queue pair, or for all. The session must outlive it.
  ReportMaker(Session& session, QpRows rows, std::vector<live::FindingView> findings,
              std::optional<std::uint64_t> only_qp, QObject* parent = nullptr);
  void start();

 signals:
  void made(const QString& html);
  void failed(const QString& sentence);

 private:
  void next();
  Session& session_;
  ReportContent content_;
  std::vector<std::uint64_t> wanted_;  ///< numbers, the next one last
};

/// Writes the complete file or nothing. Fails with one sentence; empty: written.
[[nodiscard]] QString write_report(const QString& html, const QString& file);

}  // namespace iwarpscope::gui
