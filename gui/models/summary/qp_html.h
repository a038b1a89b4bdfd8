// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One queue pair as HTML, for views and for reports. Rich text that Qt's documents and all browsers show: tables,
// classes, no script. Data from the wire is escaped.
#pragma once

#include <QString>

#include <functional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

/// Views follow links ("frame:12", "rule:MF-04"); paper cannot.
enum class Links : std::uint8_t { none, frames_and_rules };

/// The sentence, the confidence, the evidence and what to check next. `remark`: text after a frame of the evidence; may
/// be empty.
[[nodiscard]] QString verdict_html(const live::QpView& view, Links links,
                                   const std::function<QString(FrameNumber)>& remark = {});
/// Both startup frames side by side, and the settings in use.
[[nodiscard]] QString handshake_html(const qp::QpRecord& record);
/// Each with its rule: what is wrong, why, what to check next. At most `most` of them, and the number of the others.
[[nodiscard]] QString findings_html(const std::vector<live::FindingView>& findings, Links links, std::size_t most);
/// One paragraph each: its rule, its sentence, and a link "finding:12" with its sequence number; then the number of the
/// others.
[[nodiscard]] QString finding_lines_html(const std::vector<live::FindingView>& findings, std::size_t more);
[[nodiscard]] QString rule_html(const findings::Rule& rule);

}  // namespace iwarpscope::gui
