// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Frames in, records out.
#pragma once

#include <memory>

#include "analysis/options.h"
#include "analysis/records.h"
#include "net/frame.h"

namespace iwarpscope::analysis {

class Engine;
class Trace;

/// Analyses one capture on the caller's thread. The same frames give the same records. Not thread-safe; never throws on
/// any input. The observer must outlive it.
class Analyzer {
 public:
  /// `trace` follows connections octet by octet; null: none. It must outlive the analyser.
  Analyzer(const Options& options, Observer& observer, Trace* trace = nullptr);
  ~Analyzer();

  /// Takes the next frame, in capture order. Borrows it for the call.
  void feed(const net::Frame& frame);
  /// The capture ends (or is interrupted): everything found and not yet reported is reported, then the capture record,
  /// QPs and the summary. Call once, last.
  void finish(const CaptureInfo& info);

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace iwarpscope::analysis
