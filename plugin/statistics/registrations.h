// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The registrations of each file in this folder. Call each once, after the tap "iwarp".
#pragma once

namespace iwarpscope::plugin {

void register_qp_table();
void register_findings_table();
void register_operations();
void register_response_times(int protocol);
void register_follow(int protocol);
void register_flow(int protocol);
void register_conversations(int protocol);

}  // namespace iwarpscope::plugin
