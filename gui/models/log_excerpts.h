// The other way round than LogReader: what drivers may have logged where a rule was broken.
#pragma once

#include <QStringList>

#include <cstddef>

#include "findings/catalogue.h"

namespace iwarpscope::gui {

/// A pattern of LogTable as one would look for it: "siw: crc error. in: …, own …, op …".
[[nodiscard]] QString log_excerpt(const char* pattern);

/// With the driver in front; of the kinds of lines that hint at this rule before all others, the first `most`.
[[nodiscard]] QStringList log_excerpts(const findings::Rule& rule, std::size_t most = 4);

}  // namespace iwarpscope::gui
