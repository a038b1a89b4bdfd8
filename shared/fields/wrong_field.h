// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The field of a frame that a finding is about.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "fields/field.h"
#include "findings/finding.h"

namespace iwarpscope::fields {

/// Layer and name of a field; an empty name: none.
struct FieldName {
  std::string_view layer, name;
};
/// The field that a rule judges; an empty name: no single field.
[[nodiscard]] FieldName field_of(findings::FindingId id) noexcept;

/// Index in `list` of the field that `finding` is about; nothing: it is not in this frame. With an offset only a field
/// of the FPDU or startup frame at that offset counts; `offsets_agree` is false if those of the list are counted
/// otherwise.
[[nodiscard]] std::optional<std::size_t> wrong_field(const FieldList& list, const findings::Finding& finding,
                                                     bool offsets_agree);

/// Index in `list` of the field because of which a Terminate refused a message of this frame, as far as the error says
/// so: an STag or a TO. `finding`: rdmap.terminate-sent. Nothing: the frame has several that could be meant.
[[nodiscard]] std::optional<std::size_t> refused_field(const FieldList& list, const findings::Finding& finding);

}  // namespace iwarpscope::fields
