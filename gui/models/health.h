// How the sensor does: what was lost at each stage on the way from the wire to the analysis and to the outputs.
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

struct HealthStage {
  enum class State : std::uint8_t { well, strained, lossy, unknown };
  QString name;     ///< "Interface", "Kernel", ...
  State state{};    ///< lossy: something is missing because of it
  QString value;    ///< a few words: "none lost", "12 frames"
  QString meaning;  ///< what it means and what to do
};

/// In the order in which frames pass them: interface or files, kernel, queue, capture gaps, outputs, tables; then what
/// of the frames themselves is missing. `stale`: the daemon is out of reach, and nothing of it is known any more.
[[nodiscard]] std::vector<HealthStage> health_stages(const v1::Status& status, bool stale = false);
/// "✓ well", "▲ strained", "✗ losses", "? unknown".
[[nodiscard]] QString health_word(HealthStage::State state);

/// Why verdicts may say less than they could; empty: nothing known limits them. With a queue pair only what was lost
/// while it was there.
[[nodiscard]] QString loss_sentence(const v1::Status* status, const live::QpView* qp);

/// What the capture itself lacks: files that end in the middle or could not be read, frames that were cut or are of a
/// kind that is not decoded. A sentence each; none: nothing is known to lack.
[[nodiscard]] QStringList capture_faults(const v1::Status& status);
/// Why there is no queue pair, once all was read; empty: there are some, or it is not all read.
[[nodiscard]] QString no_iwarp_sentence(const v1::Status& status);

}  // namespace iwarpscope::gui
