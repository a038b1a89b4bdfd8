// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Losses and damage that the transport repaired: what is worth a sentence of a verdict.
#pragma once

#include "qp/records.h"

namespace iwarpscope::verdict {

/// Loss or reordering held messages back for so long that a person would notice.
[[nodiscard]] bool is_held_back(const qp::DirectionRecord& record) noexcept;
/// So much was sent again that it cost speed.
[[nodiscard]] bool is_sent_again(const qp::DirectionRecord& record) noexcept;

/// The queue pair did not end badly, and its verdict names losses, damage or waits that the transport repaired.
[[nodiscard]] bool has_repairs(const qp::QpRecord& record) noexcept;

}  // namespace iwarpscope::verdict
