// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The chapters of the guides, as built into the program.
#pragma once

#include <QString>
#include <QStringList>

namespace iwarpscope::gui {

/// Titles, in the order of the guides.
[[nodiscard]] QStringList guide_chapters();
/// Without pictures. Empty: no chapter has this title.
[[nodiscard]] QString guide_chapter_html(const QString& title);
/// All titles as links: "chapter:Title".
[[nodiscard]] QString guide_contents_html();

}  // namespace iwarpscope::gui
