// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis/analyzer.h"

#include "analysis/engine.h"

namespace iwarpscope::analysis {

Analyzer::Analyzer(const Options& options, Observer& observer, Trace* trace)
    : engine_(std::make_unique<Engine>(options, observer, trace)) {}
Analyzer::~Analyzer() = default;

void Analyzer::feed(const net::Frame& frame) {
  engine_->feed(frame);
}

void Analyzer::finish(const CaptureInfo& info) {
  engine_->conclude(info);
}

}  // namespace iwarpscope::analysis
