// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// libpcap's filter expressions over frames from any file.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <tl/expected.hpp>

#include "net/frame.h"

struct bpf_program;

namespace iwarpscope::capture {

/// A filter expression (pcap-filter(7)), compiled for each link type when a frame of it comes.
class Filter {
 public:
  /// An empty expression lets everything through.
  explicit Filter(std::string expression) : expression_(std::move(expression)) {}

  /// Whether the frame matches. Fails with libpcap's words when the expression does not compile for its link type.
  [[nodiscard]] tl::expected<bool, std::string> matches(const net::Frame& frame);
  [[nodiscard]] bool is_empty() const noexcept { return expression_.empty(); }
  /// Compiles for a link type now. Fails as matches() does.
  [[nodiscard]] tl::expected<const bpf_program*, std::string> compile(net::LinkType link);

 private:
  struct Free {
    void operator()(bpf_program* program) const noexcept;
  };
  std::string expression_;
  std::map<net::LinkType, std::unique_ptr<bpf_program, Free>> programs_;
};

}  // namespace iwarpscope::capture
