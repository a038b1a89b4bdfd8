// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// One DDP Stream of a scripted SCTP association.
#pragma once

#include "synth/session_stream.h"

namespace iwarpscope::synth {

class Association;

class SctpStream : public SessionStream {
 public:
  SctpStream(Association& association, std::uint16_t id, std::uint64_t seed);

 private:
  void put_chunk(Side side, wire::Data chunk) override;
  void acknowledge_all() override;
  void settle(Side side) override;
  [[nodiscard]] std::size_t usual_mulpdu(Side side) const override;
  [[nodiscard]] Octets owner(Side side) const override;

  Association& association_;
};

}  // namespace iwarpscope::synth
