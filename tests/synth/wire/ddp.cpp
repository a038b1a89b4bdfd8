// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/ddp.h"

namespace iwarpscope::synth::wire {

Buffer write(const DdpTagged& header, Octets payload) {
  Writer w;
  w.reserve(14 + payload.size());
  w.u8(header.control).u8(header.rdmap_control).u32(header.stag.value).u64(header.to.value).octets(payload);
  return w.take();
}

Buffer write(const DdpUntagged& header, Octets payload) {
  Writer w;
  w.reserve(18 + payload.size());
  w.u8(header.control).u8(header.rdmap_control).u32(header.invalidate_stag);
  w.u32(header.qn.value).u32(header.msn.value).u32(header.mo.value).octets(payload);
  return w.take();
}

}  // namespace iwarpscope::synth::wire
