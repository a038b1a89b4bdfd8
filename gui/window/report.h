// A report of what a session knows as one HTML file: for a mail, a ticket, or paper.
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
  std::vector<live::QpView> qps;         ///< those in detail, whole
  std::vector<live::FindingView> finds;  ///< of all, by time
  std::size_t left_out = 0;              ///< rows that are not in `qps`
  bool of_one_qp = false;
};

/// Self-contained, without script, fit for printing.
[[nodiscard]] QString report_html(const ReportContent& content);

/// Asks for the queue pairs whole, one after the other, then tells the report.
class ReportMaker : public QObject {
  Q_OBJECT

 public:
  /// In detail at most; the worst first.
  static constexpr std::size_t kMostQps = 200;
  /// Of one queue pair, or of all. The session must outlive it.
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

/// Writes it whole or not at all. Fails with a sentence; empty: it is written.
[[nodiscard]] QString write_report(const QString& html, const QString& file);

}  // namespace iwarpscope::gui
