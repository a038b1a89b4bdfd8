// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Reads the headers of requests and responses, for pairing and for message records.
#pragma once

#include <cstdint>
#include <optional>

#include "qp/direction/open_message.h"
#include "qp/records.h"
#include "qp/requests/outstanding.h"
#include "rdmap/headers.h"

namespace iwarpscope::qp {

/// Fills in what the header of a Read Request or Atomic Request says; `record`, where there is one, too. False: it
/// cannot be read; in a tagged message it may be anywhere.
bool read_request(const OpenMessage& open, Request& request, MessageRecord* record);

/// Fills in what a Read Response or Atomic Response says, and which request it answers; null: not known.
void fill_response_detail(const OpenMessage& open, const Request* request, MessageRecord* record);

/// The header of an Atomic Response; nothing where it cannot be read.
[[nodiscard]] std::optional<rdmap::AtomicResponseHeader> atomic_response_of(const OpenMessage& open) noexcept;

/// Writes into the record of a request which response it got.
void link_response(MessageRecord& request, const ResponseLink& link) noexcept;
/// Writes into the record of a response which request it answers.
void link_request(MessageRecord& response, std::uint64_t request) noexcept;

}  // namespace iwarpscope::qp
