// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Health of the sensor: losses at each stage, from the wire to the analysis and to the outputs.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::v1 {
class Totals;
}  // namespace iwarpscope::v1

namespace iwarpscope::gui {

struct HealthStage {
  enum class State : std::uint8_t { well, strained, lossy, unknown };
  QString name;     ///< "Interface", "Kernel", ...
  State state{};    ///< lossy: data is missing because of it
  QString value;    ///< a few words: "none lost", "12 frames"
  QString meaning;  ///< meaning, and what to do
};

/// In the order in which frames pass the stages: interface or files, kernel, queue, capture gaps, outputs, tables; then
/// the cut frames, and what a restart of the daemon did if it left something. `stale`: the daemon is unreachable, and
/// the current state is not known. `of_file`: the user has opened a file, which has no kernel, queue and outputs.
[[nodiscard]] std::vector<HealthStage> health_stages(const v1::Status& status, bool stale = false,
                                                     bool of_file = false);
/// "✓ OK", "▲ degraded", "✗ losses", "? unknown".
[[nodiscard]] QString health_word(HealthStage::State state);

/// Why verdicts may be incomplete; empty: no limit is known. With a queue pair: only losses during its lifetime.
[[nodiscard]] QString loss_sentence(const v1::Status* status, const live::QpView* qp);

/// About a restart of the daemon during the session: what it did, and what is gone. `time`: when it was.
[[nodiscard]] QString restart_sentence(const v1::Status& status, const QString& time);

/// Faults of the capture itself: files that end early or could not be read, frames that were cut or have an unknown
/// link type. One sentence each; empty: no fault is known.
[[nodiscard]] QStringList capture_faults(const v1::Status& status);
/// How far the files of a replay were read, if the user cancelled it; empty: to their end, or it goes on.
[[nodiscard]] QString partial_sentence(const v1::Status& status);
/// Connections that were refused or never answered: how many, and the first of them. Empty: none.
[[nodiscard]] QString failed_openings(const v1::Totals& totals);
/// Why there are no queue pairs after the whole capture was read; empty: there are some, or reading has not ended.
[[nodiscard]] QString no_iwarp_sentence(const v1::Status& status);

}  // namespace iwarpscope::gui
