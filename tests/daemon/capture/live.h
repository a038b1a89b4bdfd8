// What tests of live capture have in common.
#pragma once

#include <cstdint>
#include <memory>
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
