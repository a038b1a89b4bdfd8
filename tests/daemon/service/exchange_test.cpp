// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace iwarpscope::service {
namespace {

using testing::ElementsAre;

/// Records its calls.
class Witness final : public outputs::Sink {
 public:
  Witness(std::string name, std::vector<std::string>& said) : name_(std::move(name)), said_(said) { say("made"); }
  ~Witness() override { say("gone"); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  std::string_view name() const noexcept override { return "witness"; }
  live::Wanted wanted() const override { return {}; }
  std::size_t take(const std::vector<live::Event>&) override {
    say("takes");
    return 0;
  }
  void finish() override { say("finishes"); }
  std::string trouble() const override { return name_; }
  void reopen() override { say("reopens"); }

 private:
  void say(const std::string& what) { said_.push_back(name_ + " " + what); }
  const std::string name_;
  std::vector<std::string>& said_;
};

Exchange::Make make(const std::string& name, std::vector<std::string>& said) {
  return [name, &said] { return std::make_unique<Witness>(name, said); };
}

TEST(Exchange, WithoutANextOneReopenIsPassedOn) {
  std::vector<std::string> said;
  Exchange exchange(make("first", said));
  exchange.reopen();
  exchange.take({});
  EXPECT_THAT(said, ElementsAre("first made", "first reopens", "first takes"));
}

TEST(Exchange, NextIsMadeWhenTheFirstHasFinished) {
  std::vector<std::string> said;
  Exchange exchange(make("first", said));
  exchange.become(make("second", said));
  exchange.take({});
  EXPECT_EQ(exchange.trouble(), "first");
  exchange.reopen();
  EXPECT_EQ(exchange.trouble(), "second");
  exchange.take({});
  exchange.finish();
  EXPECT_THAT(said, ElementsAre("first made", "first takes", "first finishes", "second made", "first gone",
                                "second takes", "second finishes"));
}

}  // namespace
}  // namespace iwarpscope::service
