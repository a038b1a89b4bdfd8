// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Records about a whole capture, and who takes records.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time_point.h"
#include "findings/finding.h"
#include "hosts/failed_openings.h"
#include "qp/records.h"
#include "qp/transport_event.h"

namespace iwarpscope::analysis {

/// What the reader of a capture knows and the frames do not tell.
struct InterfaceInfo {
  std::string link_type;  ///< "EN10MB"
  std::uint32_t snap_length = 0;
  std::optional<std::uint64_t> dropped;  ///< pcapng interface statistics: by interface, operating system and filter
};
/// Where reading a file ended before the file did.
struct ReadingStopped {
  enum class Why : std::uint8_t { damaged, filter_failed, interrupted };
  Why why{};
  std::uint64_t at = 0;  ///< octet of the file, or of its decompressed data
  std::string cause;     ///< a phrase; empty when interrupted
};
struct CaptureInfo {
  std::string file;
  std::string file_format;  ///< "pcap" or "pcapng"
  std::vector<InterfaceInfo> interfaces;
  bool truncated_file = false;
  std::optional<ReadingStopped> stopped{};
};

struct CaptureRecord {
  CaptureInfo info;
  std::uint64_t frames = 0, octets = 0;
  std::optional<TimePoint> first_time, last_time;
  std::uint64_t truncated_frames = 0, ip_fragments = 0, mirror_duplicates = 0, undecoded_frames = 0;
  hosts::FailedOpenings refused;     ///< a SYN or INIT was answered by a reset or an ABORT
  hosts::FailedOpenings unanswered;  ///< a SYN or INIT was repeated and never answered
};

struct SummaryRecord {
  std::uint64_t qps = 0, messages = 0, errors = 0, warnings = 0, notes = 0;
  std::map<std::string_view, std::uint64_t> findings;  ///< by rule name
  std::uint64_t findings_suppressed = 0;               ///< counted but not listed
  std::optional<std::int64_t> elapsed_ns;
};

/// A queue pair's place: its shard and its index there, in the order in which the shard confirmed its queue pairs.
struct QpPlace {
  std::uint32_t shard = 0;
  std::uint32_t index = 0;
};

/// Takes records in the order reports print them. Everything is passed by reference for the duration of the call.
class Observer {
 public:
  /// A connection proved to be a queue pair, and this is its number. Before any other record of it.
  virtual void numbered(QpPlace, std::uint64_t /*qp*/) {}
  virtual void message(const qp::MessageRecord&) {}
  virtual void finding(const findings::Finding&) {}
  /// If Options::transport.
  virtual void transport(const qp::TransportEvent&) {}
  virtual void capture(const CaptureRecord&) {}
  virtual void qp(const qp::QpRecord&) {}
  /// qp() has any effect. A report may list enough of them, and the last judgement of each takes time.
  [[nodiscard]] virtual bool takes_qps() const { return true; }
  virtual void summary(const SummaryRecord&) {}

 protected:
  ~Observer() = default;
};

}  // namespace iwarpscope::analysis
