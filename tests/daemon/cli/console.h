// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A console whose output can be read back, and an engine that gives what a test configures.
#pragma once

#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "cli/analyze.h"
#include "cli/app.h"
#include "cli/output.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::cli::testing {

/// A nameless file. Closed with the object.
class TemporaryFile {
 public:
  TemporaryFile() : file_(std::tmpfile()) {}
  ~TemporaryFile() { std::fclose(file_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] int descriptor() const { return fileno(file_); }
  [[nodiscard]] std::string text() const {
    std::string out;
    char buffer[4096];
    for (off_t at = 0;;) {
      const ssize_t n = ::pread(descriptor(), buffer, sizeof buffer, at);
      if (n <= 0) return out;
      out.append(buffer, static_cast<std::size_t>(n));
      at += n;
    }
  }

 private:
  std::FILE* file_;
};

/// An engine that reports one clean queue pair for any file, and remembers what it was asked for. `before` runs first.
class FakeEngine {
 public:
  std::vector<engine::Request> requests;
  engine::Outcome outcome;
  std::string error;  ///< not empty: the file cannot be read
  std::vector<findings::Finding> findings;
  std::vector<qp::MessageRecord> messages;
  std::vector<qp::QpRecord> qps = {report::sample::queue_pair(0)};
  std::function<void(const engine::Request&)> before;

  tl::expected<engine::Outcome, std::string> operator()(const engine::Request& request, analysis::Observer& observer) {
    requests.push_back(request);
    if (before) before(request);
    if (!error.empty()) return tl::unexpected(error);
    if (request.options.messages) {
      for (const auto& message : messages) observer.message(message);
    }
    for (const auto& finding : findings) observer.finding(finding);
    auto capture = report::sample::capture();
    capture.info.file = request.file;
    observer.capture(capture);
    for (const auto& qp : qps) observer.qp(qp);
    observer.summary(report::sample::summary(qps.size()));
    return outcome;
  }
};

struct Result {
  int status = 0;
  std::string out, err;
};

/// Runs the command line with these arguments against the engine.
inline Result run_with(FakeEngine& engine, const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"iwarpscope"};
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  TemporaryFile out_file, err_file;
  Output out(out_file.descriptor()), err(err_file.descriptor());
  std::atomic<bool> stop{false};
  const auto borrowed = [&](const engine::Request& r, analysis::Observer& o) { return engine(r, o); };
  Result result;
  result.status = run(static_cast<int>(argv.size()), argv.data(), {out, err}, borrowed, stop);
  result.out = out_file.text();
  result.err = err_file.text();
  return result;
}

inline Result run_with(const std::vector<std::string>& arguments) {
  FakeEngine engine;
  return run_with(engine, arguments);
}

}  // namespace iwarpscope::cli::testing
