// What a line of a driver's log means, and which queue pairs it may speak of.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

#include "models/log_table.h"
#include "session/session.h"

namespace iwarpscope::gui {

/// What in a line tells queue pairs apart.
struct LogClues {
  std::vector<net::IpAddress> addresses{};
  std::vector<net::Endpoint> endpoints{};  ///< addresses that stand with a port
  std::vector<std::uint16_t> ports{};      ///< that stand alone, as "port 4420"
  std::vector<STag> stags{};
  std::optional<std::array<std::uint8_t, 3>> terminate{};  ///< layer, error type, error code
  LogHint hint = LogHint::nothing;
};

/// One line that was understood.
struct LogMeaning {
  QString line;
  QString driver;
  QString sentence;
  std::vector<const findings::Rule*> rules{};  ///< that it hints at, the most likely first; static storage
  LogClues clues{};
};

/// A queue pair that a line may speak of.
struct LogMatch {
  std::uint64_t qp = 0;
  net::Endpoint a, b;
  std::optional<qp::Outcome> outcome{};
  std::optional<findings::FindingId> worst{};
  int score = 0;  ///< higher: more of what the line says fits
  QStringList reasons{};

  friend bool operator==(const LogMatch&, const LogMatch&) = default;
};

/// Understands lines of the kernel's log and of Windows' Event Viewer, by LogTable.
class LogReader {
  Q_DECLARE_TR_FUNCTIONS(LogTable)

 public:
  static constexpr qsizetype kMostLines = 200;
  static constexpr qsizetype kMostCharacters = 2000;  ///< of a line
  static constexpr std::size_t kMostMatches = 50;

  /// Nothing: no kind of line that is known.
  [[nodiscard]] static std::optional<LogMeaning> read_line(const QString& line);
  /// Of the first kMostLines lines those that were understood; the same meaning once, as in its first line.
  [[nodiscard]] static std::vector<LogMeaning> read(const QString& text);
  [[nodiscard]] static LogClues clues_of(const QString& line);
  /// The likeliest first. A queue pair of other addresses, ports or with another Terminate than the line names is none.
  /// Of a line with STags those, too, of which nothing is known for it yet, with score 0: see add_stags().
  [[nodiscard]] static std::vector<LogMatch> matches(const LogMeaning& meaning, std::span<const live::QpView> qps,
                                                     std::span<const live::FindingView> findings);
  /// What the queue pair as a whole knows of the line's STags is added to what speaks for it.
  static void add_stags(const LogClues& clues, const qp::QpRecord& whole, LogMatch& match);
};

}  // namespace iwarpscope::gui
