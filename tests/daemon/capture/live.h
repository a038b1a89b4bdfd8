// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What tests of live capture have in common.
#pragma once

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "capture/intake.h"
#include "network.h"
#include "taken.h"

namespace iwarpscope::capture::test {

inline IntakeOptions capture_of(const std::string& name, unsigned workers = 1) {
  InterfaceOptions interface;
  interface.name = name;
  interface.workers = workers;
  interface.ring_octets = std::size_t{8} << 20;
  IntakeOptions options;
  options.interfaces.push_back(interface);
  return options;
}

/// Takes capabilities from this thread and from the threads it starts; if none is named, that of capture sockets.
class WithoutPrivileges {
 public:
  explicit WithoutPrivileges(std::initializer_list<unsigned> capabilities = {CAP_NET_RAW}) {
    ::syscall(SYS_capget, &header_, before_);
    __user_cap_data_struct without[2] = {before_[0], before_[1]};
    for (const unsigned each : capabilities) without[each / 32].effective &= ~(1u << each % 32);
    if (::syscall(SYS_capset, &header_, without) != 0) throw std::runtime_error("capset failed");
  }
  WithoutPrivileges(const WithoutPrivileges&) = delete;
  WithoutPrivileges& operator=(const WithoutPrivileges&) = delete;
  ~WithoutPrivileges() { ::syscall(SYS_capset, &header_, before_); }

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct before_[2]{};
};

/// A namespace with a cable from "tx" to "rx".
class Live : public ::testing::Test {
 protected:
  void SetUp() override {
    space_ = Namespace::make();
    if (!space_) GTEST_SKIP() << "This test makes a network namespace, which needs root.";
    make_cable("tx", "rx");
  }
  std::unique_ptr<Intake> open(const IntakeOptions& options) {
    auto intake = Intake::open(options);
    EXPECT_TRUE(intake) << intake.error().text();
    return intake ? std::move(*intake) : nullptr;
  }
  static std::string error_of(const IntakeOptions& options) {
    const auto intake = Intake::open(options);
    return intake ? "" : intake.error().text();
  }
  static std::uint64_t lost(const IntakeCounters& c) { return c.dropped_by_kernel + c.dropped_by_queue; }

  std::unique_ptr<Namespace> space_;
};

}  // namespace iwarpscope::capture::test
