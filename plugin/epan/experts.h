// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Every rule of the catalogue as expert information.
#pragma once

#include "epan/wireshark.h"
#include "findings/catalogue.h"

namespace iwarpscope::plugin {

/// Registers iwarp.finding.<layer>.<what_is_wrong> for each rule.
void register_experts(int protocol);
/// Adds the rule's expert information to `item`, with `text`, which is copied. Fails by longjmp.
void add_expert(packet_info* pinfo, proto_item* item, findings::FindingId id, const char* text);

}  // namespace iwarpscope::plugin
