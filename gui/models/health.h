// How the sensor does: what was lost at each stage on the way from the wire to the analysis and to the outputs.
#pragma once

#include <QString>

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

/// In the order in which frames pass them: interface, kernel, queue, capture gaps, outputs, tables.
[[nodiscard]] std::vector<HealthStage> health_stages(const v1::Status& status);
/// "✓ well", "▲ strained", "✗ losses", "? unknown".
[[nodiscard]] QString health_word(HealthStage::State state);

/// Why verdicts may say less than they could; empty: nothing known limits them. With a queue pair only what was lost
/// while it was there.
[[nodiscard]] QString loss_sentence(const v1::Status* status, const live::QpView* qp);

}  // namespace iwarpscope::gui
