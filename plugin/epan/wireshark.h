// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Wireshark's headers, and the differences between 4.0, 4.4 and 4.6.
#pragma once

// A tvbuff accessor and many other functions of epan can leave by longjmp, which runs no destructor. So files that call
// epan hold no object with a destructor across such a call; all such objects are in the session.

#include <ws_version.h>

#ifndef HAVE_SSIZE_T
#define HAVE_SSIZE_T
#endif

#include <epan/column-utils.h>
#include <epan/conversation.h>
#include <epan/epan_dissect.h>
#include <epan/expert.h>
#include <epan/packet.h>
#include <epan/prefs.h>
#include <epan/tap.h>
#if __has_include(<epan/tfs.h>)
#include <epan/tfs.h>
#endif
#if __has_include(<epan/unit_strings.h>)
#include <epan/unit_strings.h>
#endif

#include <cstdint>
#include <type_traits>

namespace iwarpscope::plugin {

/// Return type of heuristics: gboolean before 4.4, bool since.
using Claim = std::invoke_result_t<heur_dissector_t, tvbuff_t*, packet_info*, proto_tree*, void*>;

/// Type of boolean preferences: gboolean before 4.4, bool since.
template <class T>
T preference_type(void (*)(module_t*, const char*, const char*, const char*, T*));
using Preference = decltype(preference_type(&prefs_register_bool_preference));

/// The octet at `at`, by a function that all versions have.
inline std::uint8_t octet_at(tvbuff_t* tvb, int at) {
  return *tvb_get_ptr(tvb, at, 1);
}

}  // namespace iwarpscope::plugin
