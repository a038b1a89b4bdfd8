// The chapters of the guides, as the program carries them.
#pragma once

#include <QString>
#include <QStringList>

namespace iwarpscope::gui {

/// Titles, in the order in which the guides have them.
[[nodiscard]] QStringList guide_chapters();
/// Without pictures. Empty: there is no chapter of that title.
[[nodiscard]] QString guide_chapter_html(const QString& title);
/// All titles as links: "chapter:Title".
[[nodiscard]] QString guide_contents_html();

}  // namespace iwarpscope::gui
