// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "statistics/statistics.h"

#include "statistics/registrations.h"

namespace iwarpscope::plugin {

void register_statistics(int protocol) {
  register_qp_table();
  register_findings_table();
  register_operations();
  register_response_times(protocol);
  register_follow(protocol);
  register_flow(protocol);
  register_conversations(protocol);
}

}  // namespace iwarpscope::plugin
