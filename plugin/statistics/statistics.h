// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics of the plugin: tshark's -z and Wireshark's Statistics menu.
#pragma once

namespace iwarpscope::plugin {

/// Registers all of them. Call it once, after the tap "iwarp".
void register_statistics(int protocol);

}  // namespace iwarpscope::plugin
