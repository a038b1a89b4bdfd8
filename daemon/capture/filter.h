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

/// A filter expression (pcap-filter(7)), compiled for each link type when a frame of it comes. Copies share what was
/// compiled before.
class Filter {
 public:
  /// An empty expression lets everything through.
  explicit Filter(std::string expression) : expression_(std::move(expression)) {}

  /// Whether the frame matches. Fails with libpcap's words when the expression does not compile for its link type.
  [[nodiscard]] tl::expected<bool, std::string> matches(const net::Frame& frame);
  [[nodiscard]] bool is_empty() const noexcept { return expression_.empty(); }
  /// Compiles for a link type now. Fails as matches() does.
  [[nodiscard]] tl::expected<const bpf_program*, std::string> compile(net::LinkType link);
  /// Compiles for all link types that are decoded, as far as it can: names of hosts and ports in the expression are
  /// looked up here, which may take files and the network. An expression that does not compile fails later, as
  /// matches() does.
  void prepare();

 private:
  std::string expression_;
  std::map<net::LinkType, std::shared_ptr<const bpf_program>> programs_;
};

}  // namespace iwarpscope::capture
