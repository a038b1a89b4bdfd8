// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The meaning of a line of a driver's log, and the queue pairs that it may refer to.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

#include "models/logs/log_table.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// Data in a line that can identify a queue pair.
struct LogClues {
  std::vector<net::IpAddress> addresses{};
  std::vector<net::Endpoint> endpoints{};  ///< addresses with a port
  std::vector<std::uint16_t> ports{};      ///< without an address, as "port 4420"
  std::vector<STag> stags{};
  std::optional<std::array<std::uint8_t, 3>> terminate{};  ///< layer, error type, error code
  LogHint hint = LogHint::nothing;
};

/// One known line.
struct LogMeaning {
  QString line;
  QString driver;
  QString sentence;
  std::vector<const findings::Rule*> rules{};  ///< related rules, the most likely first; static storage
  LogClues clues{};
};

/// A queue pair that a line may refer to.
struct LogMatch {
  std::uint64_t qp = 0;
  net::Endpoint a, b;
  std::optional<qp::Outcome> outcome{};
  std::optional<findings::FindingId> worst{};
  int score = 0;  ///< higher: more of the line's data matches
  QStringList reasons{};

  friend bool operator==(const LogMatch&, const LogMatch&) = default;
};

/// Interprets lines of the kernel's log and of Windows' Event Viewer with LogTable.
class LogReader {
  Q_DECLARE_TR_FUNCTIONS(LogTable)

 public:
  static constexpr qsizetype kMostLines = 200;
  static constexpr qsizetype kMostCharacters = 2000;  ///< of a line
  static constexpr std::size_t kMostMatches = 50;

  /// Empty: the type of line is not known.
  [[nodiscard]] static std::optional<LogMeaning> read_line(const QString& line);
  /// The known lines among the first kMostLines; each meaning once, with its first line.
  [[nodiscard]] static std::vector<LogMeaning> read(const QString& text);
  [[nodiscard]] static LogClues clues_of(const QString& line);
  /// The most likely first. A queue pair with other addresses, other ports or another Terminate than in the line does
  /// not match. If the line has STags, also returns queue pairs without known clues, with score 0: see add_stags().
  [[nodiscard]] static std::vector<LogMatch> matches(const LogMeaning& meaning, std::span<const live::QpView> qps,
                                                     std::span<const live::FindingView> findings);
  /// Adds the queue pair's data on the line's STags to the reasons.
  static void add_stags(const LogClues& clues, const qp::QpRecord& whole, LogMatch& match);
};

}  // namespace iwarpscope::gui
