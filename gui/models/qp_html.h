// One queue pair for people as HTML, for views and for reports. Rich text as Qt's documents and every browser show it:
// tables, classes, no script. What comes from the wire is escaped.
#pragma once

#include <QString>

#include <functional>
#include <vector>

#include "api/records.h"

namespace iwarpscope::gui {

/// Views follow links ("frame:12", "rule:MF-04"); paper cannot.
enum class Links : std::uint8_t { none, frames_and_rules };

/// The sentence, how sure it is, the evidence and what to check next.
/// `remark`: what to say behind a frame of the evidence; may be empty.
[[nodiscard]] QString verdict_html(const live::QpView& view, Links links,
                                   const std::function<QString(FrameNumber)>& remark = {});
/// Both startup frames side by side and what is in force.
[[nodiscard]] QString handshake_html(const qp::QpRecord& record);
/// Each with its rule: what is wrong, why, what to check next. At most `most` of them, and how many more there are.
[[nodiscard]] QString findings_html(const std::vector<live::FindingView>& findings, Links links, std::size_t most);
/// Each in one paragraph: its rule, its sentence, and a link "finding:12" by its sequence; then that there are more.
[[nodiscard]] QString finding_lines_html(const std::vector<live::FindingView>& findings, std::size_t more);
[[nodiscard]] QString rule_html(const findings::Rule& rule);

}  // namespace iwarpscope::gui
