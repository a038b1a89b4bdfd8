// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The reverse of LogReader: lines that drivers may have logged when a rule was violated.
#pragma once

#include <QStringList>

#include <cstddef>

#include "findings/catalogue.h"

namespace iwarpscope::gui {

/// A pattern of LogTable in a form to search for: "siw: crc error. in: …, own …, op …".
[[nodiscard]] QString log_excerpt(const char* pattern);

/// With the driver first; the first `most` line types, those whose first rule is this one.
[[nodiscard]] QStringList log_excerpts(const findings::Rule& rule, std::size_t most = 4);

}  // namespace iwarpscope::gui
