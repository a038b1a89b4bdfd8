// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What a caller chooses, and what bounds the analyser.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/capture_outages.h"
#include "mpa/framer.h"
#include "net/decoder.h"
#include "tcp/connection.h"

namespace iwarpscope::analysis {

/// Every table and buffer has a bound; what a bound costs is counted and reported.
struct Limits {
  net::DecoderLimits net;
  tcp::Limits tcp;
  mpa::FramerLimits mpa;
  std::size_t max_flows = 2u << 20;       ///< TCP connections not known to be iWARP
  std::size_t max_associations = 65'536;  ///< of SCTP, whatever they carry
  std::size_t max_streams = 65'536;       ///< of SCTP associations that carry DDP
  std::size_t max_qps = 1u << 20;
  std::size_t buffer_octets = 128u << 20;       ///< out-of-order TCP data and unfinished FPDUs, all connections
  std::size_t model_octets = 128u << 20;        ///< models of all queue pairs: memory, STags, announcements
  std::size_t max_outstanding_requests = 4096;  ///< remembered per direction
  std::size_t max_host_facts = 45'056;          ///< openings, port mappings and the like, of all hosts together
  std::uint64_t findings_per_rule = 100;        ///< listed per QP, direction and rule; all are counted
};

struct Options {
  bool messages = false;        ///< make MessageRecords
  bool atomic_results = false;  ///< make them of Atomic Responses, if of nothing else
  bool requests = false;        ///< and of Read and Atomic Requests: they have the latencies
  bool digest = false;          ///< with SHA-256 of each message
  bool transport = false;       ///< tell what TCP did to the octets of queue pairs
  /// The capture outages. It grows while it is read, never during a call; it must outlive the analyser.
  /// Null: not known.
  const CaptureOutages* outages = nullptr;
  bool emulation = true;  ///< check placement, STags and atomics: what the ends do with the messages
  Limits limits{};
};

}  // namespace iwarpscope::analysis
