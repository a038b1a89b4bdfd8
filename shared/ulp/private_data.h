// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Private data of MPA startup in words.
#pragma once

#include <string>

#include "base/octets.h"

namespace iwarpscope::ulp {

/// What it looks like, in a few words: "none", "11 octets, the text 'lab says no'", "196 octets, all zero", "32 octets:
/// 0000010080007f00, then zeros", "17 octets: 0102030405060708...". Only printable ASCII is shown as text.
[[nodiscard]] std::string private_data_words(Octets private_data);

}  // namespace iwarpscope::ulp
