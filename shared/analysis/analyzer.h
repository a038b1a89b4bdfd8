// The engine: frames in, records out.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "mpa/framer.h"
#include "net/decoder.h"
#include "net/frame.h"
#include "qp/records.h"
#include "tcp/connection.h"

namespace iwarpscope::analysis {

/// Every table and buffer has a bound; what a bound costs is counted and reported.
struct Limits {
  net::DecoderLimits net;
  tcp::Limits tcp;
  mpa::FramerLimits mpa;
  std::size_t max_flows = 4u << 20;            ///< TCP connections not known to be iWARP
  std::size_t max_qps = 1u << 20;
  std::size_t buffer_octets = 64u << 20;       ///< out-of-order TCP data and unfinished FPDUs, all connections
  std::size_t max_outstanding_requests = 4096;  ///< remembered per direction
  std::uint64_t findings_per_rule = 100;       ///< listed per QP, direction and rule; all are counted
};

struct Options {
  bool messages = false;  ///< make MessageRecords
  bool digest = false;    ///< with SHA-256 of each message
  Limits limits;
};

/// What the reader of a capture knows and the frames do not tell.
struct InterfaceInfo {
  std::string link_type;  ///< "EN10MB"
  std::uint32_t snap_length = 0;
  std::optional<std::uint64_t> dropped;  ///< pcapng interface statistics: by interface, operating system and filter
};
struct CaptureInfo {
  std::string file;
  std::string file_format;  ///< "pcap" or "pcapng"
  std::vector<InterfaceInfo> interfaces;
  bool truncated_file = false;
};

struct CaptureRecord {
  CaptureInfo info;
  std::uint64_t frames = 0, octets = 0;
  std::optional<TimePoint> first_time, last_time;
  std::uint64_t truncated_frames = 0, ip_fragments = 0, mirror_duplicates = 0, undecoded_frames = 0;
};

struct SummaryRecord {
  std::uint64_t qps = 0, messages = 0, errors = 0, warnings = 0, notes = 0;
  std::map<std::string_view, std::uint64_t> findings;  ///< by rule name
  std::uint64_t findings_suppressed = 0;               ///< counted but not listed
  std::optional<std::int64_t> elapsed_ns;
};

/// Takes records in the order reports print them. Everything is passed by reference for the duration of the call.
class Observer {
 public:
  virtual void message(const qp::MessageRecord&) {}
  virtual void finding(const findings::Finding&) {}
  virtual void capture(const CaptureRecord&) {}
  virtual void qp(const qp::QpRecord&) {}
  virtual void summary(const SummaryRecord&) {}

 protected:
  ~Observer() = default;
};

/// Analyses one capture on the caller's thread. The same frames give the same records. Not thread-safe; never throws on
/// any input. The observer must outlive it.
class Analyzer {
 public:
  Analyzer(const Options& options, Observer& observer);
  ~Analyzer();

  /// Takes the next frame, in capture order. Borrows it for the call.
  void feed(const net::Frame& frame);
  /// The capture ends (or is interrupted): everything found and not yet told is told, then the capture record, QPs and the
  /// summary. Call once, last.
  void finish(const CaptureInfo& info);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace iwarpscope::analysis
