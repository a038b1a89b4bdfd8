// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The memory that subscribers share: its budget, and the events that they lose.
#include "live/shared_events.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "live/hub.h"
#include "shared/report/sample_records.h"

namespace iwarpscope::live {
namespace {

constexpr std::size_t kBudget = 100'000;
constexpr std::uint64_t kEvents = 3000;  // more than the budget holds

Event message_number(std::uint64_t index) {
  auto record = std::make_shared<qp::MessageRecord>(report::sample::message(rdmap::Opcode::send));
  record->index = index;
  return MessageReported{std::move(record)};
}
Event finding_number(std::uint64_t sequence) {
  auto view = std::make_shared<FindingView>();
  view->finding = report::sample::crc_finding(3);
  view->sequence = view->name.sequence = sequence;
  return FindingReported{std::move(view)};
}
Wanted sharing(bool messages, bool findings) {
  return {.messages = messages, .findings = findings, .queue = kEvents, .shared = true};
}
std::uint64_t number_of(const Event& event) {
  if (const auto* const message = std::get_if<MessageReported>(&event)) return message->message->index;
  return name_of(event).sequence;
}

TEST(SharedEvents, AreKeptOnceForAllThatWantThem) {
  Hub hub(std::size_t{1} << 20);
  std::vector<std::unique_ptr<Subscription>> all;
  for (int i = 0; i < 50; ++i) all.push_back(hub.subscribe(sharing(true, true)));
  std::size_t octets = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Event event = message_number(i);
    octets += octets_of(event);
    hub.tell(event);
  }
  EXPECT_LT(hub.shared_octets(), 2 * octets);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_EQ(all[i]->take(1000).size(), 100u);
  EXPECT_GE(hub.shared_octets(), octets);
  EXPECT_EQ(all.front()->take(40).size(), 40u);
  EXPECT_LT(hub.shared_octets(), octets);
  all.clear();
  EXPECT_EQ(hub.shared_octets(), 0u);
}

TEST(SharedEvents, ThatFindNoRoom_PushOutTheOldestAndAreCountedForThoseThatWantedThem) {
  Hub hub(kBudget);
  const auto silent = hub.subscribe(sharing(true, true)), findings = hub.subscribe(sharing(false, true));
  const auto reads = hub.subscribe(sharing(true, true));
  const auto own = hub.subscribe({.messages = true, .findings = true, .queue = kEvents, .patient = true});
  const auto gone = hub.subscribe(sharing(true, true));
  std::uint64_t findings_reported = 0, read = 0;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    hub.tell(i % 10 == 0 ? finding_number(i) : message_number(i));
    findings_reported += i % 10 == 0 ? 1 : 0;
    EXPECT_LE(hub.shared_octets(), kBudget);
    for (const Event& event : reads->take(3)) EXPECT_EQ(number_of(event), read++);
  }
  EXPECT_EQ(read, kEvents);
  EXPECT_EQ(reads->lost(), 0u);
  EXPECT_EQ(own->take(2 * kEvents).size(), kEvents);  // it shares nothing
  EXPECT_GT(silent->lost(), 0u);
  EXPECT_EQ(silent->lost() + silent->waiting(), kEvents);
  EXPECT_GT(findings->lost(), 0u);
  EXPECT_EQ(findings->lost() + findings->waiting(), findings_reported);
  std::uint64_t next = silent->lost();  // the oldest were lost, no other
  for (const Event& event : silent->take(kEvents)) EXPECT_EQ(number_of(event), next++);
  EXPECT_EQ(next, kEvents);
  EXPECT_EQ(silent->waiting(), 0u);
  for (const Event& event : findings->take(kEvents)) EXPECT_TRUE(std::holds_alternative<FindingReported>(event));
}

TEST(SharedEvents, AboveTheQueueOfOneReader_AreLostForItAlone) {
  Hub hub(std::size_t{1} << 20);
  Wanted few = sharing(true, false);
  few.queue = 10;
  const auto narrow = hub.subscribe(few), wide = hub.subscribe(sharing(true, false));
  for (std::uint64_t i = 0; i < 100; ++i) hub.tell(message_number(i));
  EXPECT_EQ(narrow->lost(), 90u);
  EXPECT_EQ(wide->lost(), 0u);
  const std::vector<Event> last = narrow->take(100);
  ASSERT_EQ(last.size(), 10u);
  EXPECT_EQ(number_of(last.front()), 90u);
}

TEST(SharedEvents, OfReadersThatComeAndGoWhileEventsCome_AddUp) {
  constexpr std::uint64_t kReported = 50'000;
  Hub hub(kBudget);
  const auto stays = hub.subscribe({.messages = true, .queue = kReported, .shared = true});
  std::thread reporting([&] {
    for (std::uint64_t i = 0; i < kReported; ++i) hub.tell(message_number(i));
    hub.close();
  });
  std::uint64_t taken = 0, lost = 0;
  while (!stays->is_closed() || stays->waiting() != 0) {
    const auto comes = hub.subscribe(sharing(true, true)), leaves = hub.subscribe(sharing(true, false));
    const std::size_t some = comes->take(5).size();
    EXPECT_LE(some, 5u);
    taken += stays->wait(std::chrono::milliseconds{1}).size();
  }
  reporting.join();
  lost = stays->lost();
  EXPECT_EQ(taken + lost, kReported);
  EXPECT_EQ(hub.shared_octets(), 0u);
}

TEST(Subscriptions, EndWhenRecordsGetOtherNumbers_AndLaterOnesGoOn) {
  Hub hub(kBudget);
  const auto shared = hub.subscribe(sharing(true, true)), own = hub.subscribe({.findings = true});
  hub.tell(finding_number(1));
  hub.begin_again();
  const auto later = hub.subscribe(sharing(true, true));
  for (const auto* const earlier : {&shared, &own}) {
    EXPECT_TRUE((*earlier)->is_closed());
    EXPECT_TRUE((*earlier)->is_superseded());
    EXPECT_EQ((*earlier)->take(10).size(), 1u);
  }
  EXPECT_FALSE(later->is_closed());
  hub.close();
  EXPECT_TRUE(later->is_closed());
  EXPECT_FALSE(later->is_superseded()) << "it has everything";
  EXPECT_TRUE(own->is_superseded());
}

}  // namespace
}  // namespace iwarpscope::live
