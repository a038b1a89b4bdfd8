// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The Edit menu: it acts on the view that has the focus.
#pragma once

namespace iwarpscope::gui {

/// Copies from the focused widget: its selected text, or its current row. False: it has nothing to copy.
bool copy_from_focus();
/// Triggers the action of that object name of the focused widget, or of one around it. False: no widget has it.
bool trigger_in_focus(const char* name);

}  // namespace iwarpscope::gui
