// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair as HTML, for views: rich text of Qt's documents, with links such as "frame:12" and "rule:MF-04". Data
// from the wire is escaped.
#pragma once

#include <QString>

#include <functional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

/// The sentence, the confidence, the evidence and what to check next. `remark`: text after a frame of the evidence; may
/// be empty.
[[nodiscard]] QString verdict_html(const live::QpView& view, const std::function<QString(FrameNumber)>& remark = {});
/// Both startup frames side by side, and the settings in use.
[[nodiscard]] QString handshake_html(const qp::QpRecord& record);
/// Each with its rule: what is wrong, why, what to check next. At most `most` of them, and the number of the others.
[[nodiscard]] QString findings_html(const std::vector<live::FindingView>& findings, std::size_t most);
/// One paragraph each: its rule, its sentence, and a link "finding:12" with its sequence number; then the number of the
/// others.
[[nodiscard]] QString finding_lines_html(const std::vector<live::FindingView>& findings, std::size_t more);
[[nodiscard]] QString rule_html(const findings::Rule& rule);

}  // namespace iwarpscope::gui
