// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// How much of a frame may be given away without the data of the upper layer.
#pragma once

#include <cstddef>

#include "net/decoder.h"
#include "net/frame.h"

namespace iwarpscope::analysis {

/// The number of leading octets of `frame` that hold no ULP payload and no private data. They are the headers from the
/// link layer to RDMAP of the first messages in it: the frame ends before the first octet of ULP payload, and what
/// comes after that in the frame is gone, headers included. A TCP segment keeps headers of MPA, DDP and RDMAP only if
/// it certainly begins with an FPDU or a startup frame: it is filled by whole FPDUs, or one of them has the right CRC.
/// For any other TCP segment with payload, and for a frame that is no single packet of TCP or SCTP, the headers up to
/// IP or TCP remain. `decoded`: what net::Decoder made of `frame`.
[[nodiscard]] std::size_t octets_without_payload(const net::Frame& frame, const net::Decoding& decoded) noexcept;

}  // namespace iwarpscope::analysis
