// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The stored records over the API: a real history, a real server, a real client.
#include <gmock/gmock.h>

#include "api/client.h"
#include "daemon/api/kit.h"
#include "daemon/outputs/history_kit.h"
#include "iwarpscope/v1/observer.pb.h"
#include "iwarpscope/v1/status.pb.h"
#include "live/forwarding.h"
#include "outputs/history.h"

namespace iwarpscope::api {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using namespace testing;

struct TailOf : ::testing::Test {
  Folder folder;
  live::FakeDirectory directory;
  live::Forwarding forwarding{std::chrono::milliseconds{0}};
  outputs::HistoryOptions options{.path = folder.file("history.db"), .retire_every = std::chrono::seconds{0}};
  std::unique_ptr<outputs::History> history;
  std::unique_ptr<outputs::HistoryArchive> archive;
  std::unique_ptr<Server> server;
  std::unique_ptr<Client> client;

  void SetUp() override {
    directory.now.origin = std::make_shared<const live::Origin>(outputs::kOrigin);
    history = std::make_unique<outputs::History>(options, outputs::kRun);
    archive = std::make_unique<outputs::HistoryArchive>(options.path);
    Sources sources{directory, nullptr, archive.get(), {}, {}, {}, {}, &forwarding};
    ServerOptions server_options;
    server_options.socket = folder.file("socket");
    auto started = Server::start(server_options, sources);
    ASSERT_TRUE(started) << started.error();
    server = std::move(*started);
    Place place;
    place.socket = server_options.socket;
    client = std::move(*Client::open(place));
  }
  void store(std::uint64_t frame) { EXPECT_EQ(history->take({outputs::finding(1, frame)}), 0u); }
  static v1::TailHistoryRequest begin() {
    v1::TailHistoryRequest request;
    request.set_begin(true);
    return request;
  }
  static v1::TailHistoryRequest stored(std::uint64_t id, const std::string& trouble = {}) {
    v1::TailHistoryRequest request;
    request.set_trouble(trouble);
    v1::HistoryPlace& place = *request.add_stored();
    place.set_kind(v1::QueryHistoryRequest::KIND_FINDINGS);
    place.set_id(id);
    place.set_run_uuid(outputs::kOrigin.run_uuid);
    return request;
  }
};

TEST_F(TailOf, SaysWhoseItIsAndThenSendsWhatIsThereAndWhatComes) {
  store(1);
  store(2);
  const auto tail = client->tail();
  ASSERT_TRUE(tail->say(begin()));
  v1::TailHistoryReply reply;
  ASSERT_TRUE(tail->read(reply));
  EXPECT_EQ(reply.sensor(), "rack 7");
  EXPECT_EQ(reply.sensor_uuid(), outputs::kOrigin.sensor_uuid);
  EXPECT_EQ(reply.records_size(), 0);
  ASSERT_TRUE(tail->read(reply));
  ASSERT_EQ(reply.records_size(), 2);
  EXPECT_TRUE(reply.caught_up());
  EXPECT_EQ(reply.records(0).kind(), v1::QueryHistoryRequest::KIND_FINDINGS);
  EXPECT_EQ(reply.records(0).key(), "mpa.crc-mismatch");
  EXPECT_EQ(reply.records(0).severity(), v1::SEVERITY_ERROR);
  EXPECT_EQ(reply.records(1).id(), 2u);
  store(3);
  ASSERT_TRUE(tail->read(reply));
  ASSERT_EQ(reply.records_size(), 1);
  EXPECT_EQ(reply.records(0).id(), 3u);
}

TEST_F(TailOf, BeginsAfterAPlaceAndCountsWhatExpired) {
  history.reset();
  options.keep = std::chrono::hours{1};
  history = std::make_unique<outputs::History>(options, outputs::kRun);
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store(frame);
  outputs::sql(options.path, "UPDATE findings SET stored = 1 WHERE id <= 6");
  history->tend();
  v1::TailHistoryRequest request = begin();
  *request.mutable_after() = stored(4).stored();
  request.set_most(2);
  const auto tail = client->tail();
  ASSERT_TRUE(tail->say(request));
  v1::TailHistoryReply reply;
  ASSERT_TRUE(tail->read(reply));
  ASSERT_TRUE(tail->read(reply));
  ASSERT_EQ(reply.records_size(), 2);
  EXPECT_EQ(reply.records(0).id(), 7u);
  ASSERT_EQ(reply.expired_size(), 1);
  EXPECT_EQ(reply.expired(0).kind(), v1::QueryHistoryRequest::KIND_FINDINGS);
  EXPECT_EQ(reply.expired(0).count(), 2u);
  EXPECT_FALSE(reply.caught_up());
}

TEST_F(TailOf, ASecondPlaceOfAKindIsRefusedWithASentence) {
  v1::TailHistoryRequest request = begin();
  *request.mutable_after() = stored(4).stored();
  *request.add_after() = request.after(0);
  const auto tail = client->tail();
  ASSERT_TRUE(tail->say(request));
  v1::TailHistoryReply reply;
  EXPECT_FALSE(tail->read(reply));
  EXPECT_THAT(tail->failure().sentence, HasSubstr("two places"));
}

TEST_F(TailOf, WhatTheClientDeliveredIsTheOutputForward) {
  for (std::uint64_t frame = 1; frame <= 9; ++frame) store(frame);
  EXPECT_THAT(forwarding.view().trouble, HasSubstr("not connected"));
  {
    const auto tail = client->tail();
    ASSERT_TRUE(tail->say(begin()));
    v1::TailHistoryReply reply;
    ASSERT_TRUE(tail->read(reply));
    // To read alone is not to deliver.
    EXPECT_FALSE(forwarding.view().healthy);
    ASSERT_TRUE(tail->say(stored(3)));
    EXPECT_TRUE(becomes([&] { return forwarding.view().healthy; }));
    ASSERT_TRUE(tail->say(stored(5, "the centre does not answer")));
    EXPECT_TRUE(becomes([&] { return forwarding.view().trouble == "the centre does not answer"; }));
    EXPECT_EQ(forwarding.view().taken, 2u);
    EXPECT_EQ(forwarding.stored().at(0).id, 5u);
  }
  EXPECT_TRUE(becomes([&] { return forwarding.view().trouble.find("not connected") != std::string::npos; }));
}

TEST_F(TailOf, FewAtATimeAndTheNextAfterOneHasGone) {
  std::vector<std::unique_ptr<Tail>> all;
  v1::TailHistoryReply reply;
  for (int i = 0; i < 4; ++i) {
    all.push_back(client->tail());
    ASSERT_TRUE(all.back()->say(begin()));
    ASSERT_TRUE(all.back()->read(reply));
  }
  const auto opens = [&] {
    const auto another = client->tail();
    return another->say(begin()) && another->read(reply);
  };
  EXPECT_FALSE(opens());
  all.pop_back();
  EXPECT_TRUE(becomes(opens));
}

TEST_F(TailOf, ThoseThatOnlyReportOrSayNothingTakeNoPlace) {
  std::vector<std::unique_ptr<Tail>> all;
  for (int i = 0; i < 8; ++i) {
    all.push_back(client->tail());
    if (i % 2 == 0) ASSERT_TRUE(all.back()->say(stored(1)));
  }
  const auto reader = client->tail();
  v1::TailHistoryReply reply;
  ASSERT_TRUE(reader->say(begin()));
  EXPECT_TRUE(reader->read(reply));
}

TEST_F(TailOf, AnOlderReportMovesNothingBack) {
  const auto tail = client->tail();
  ASSERT_TRUE(tail->say(stored(9)));
  EXPECT_TRUE(becomes([&] { return !forwarding.stored().empty(); }));
  ASSERT_TRUE(tail->say(stored(3)));
  ASSERT_TRUE(tail->say(stored(10)));
  EXPECT_TRUE(becomes([&] { return forwarding.stored().at(0).id == 10; }));
  EXPECT_EQ(forwarding.view().taken, 1u);
}

TEST_F(TailOf, EndsWithASentenceWhenTheServerStops) {
  const auto tail = client->tail();
  ASSERT_TRUE(tail->say(begin()));
  v1::TailHistoryReply reply;
  ASSERT_TRUE(tail->read(reply));
  std::thread stopping([&] { server->stop(); });
  while (tail->read(reply)) {
  }
  EXPECT_THAT(tail->failure().sentence, AnyOf(HasSubstr("stopping"), HasSubstr("socket does not exist")));
  stopping.join();
}

TEST_F(TailOf, WithoutAHistoryIsRefused) {
  ServerOptions server_options;
  server_options.socket = folder.file("other");
  auto other = Server::start(server_options, Sources{directory, nullptr, nullptr, {}, {}});
  ASSERT_TRUE(other);
  Place place;
  place.socket = server_options.socket;
  const auto its = std::move(*Client::open(place));
  const auto tail = its->tail();
  static_cast<void>(tail->say(begin()));
  v1::TailHistoryReply reply;
  EXPECT_FALSE(tail->read(reply));
  EXPECT_THAT(tail->failure().sentence, HasSubstr("keeps no history"));
}

}  // namespace
}  // namespace iwarpscope::api
