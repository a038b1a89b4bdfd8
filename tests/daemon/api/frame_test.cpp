// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// GetFrame, as a client sees it.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "api/client.h"
#include "daemon/api/kit.h"
#include "iwarpscope/v1/observer.grpc.pb.h"
#include "synth/connection.h"

namespace iwarpscope::api::testing {
namespace {

using synth::kI;

/// A daemon that stores the frames of one connection: a Send with a wrong CRC is its last message.
class StoredFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(daemon.start(), "");
    Place place;
    place.socket = daemon.options.socket;
    auto opened = Client::open(place);
    ASSERT_TRUE(opened);
    client = std::move(*opened);
    synth::Connection c;
    c.connect();
    c.startup();
    c.send(kI, 10);
    c.fault("crc-mismatch");
    c.send(kI, 40);
    for (const synth::Frame& frame : c.frames()) daemon.packets.stored.push_back(frame.octets);
    auto view = std::make_shared<live::QpView>(*qp_view(7));
    view->record.first_frame = FrameNumber{1};
    daemon.directory.known_qps = {view};
  }
  Client::Answer<v1::Frame> ask(std::uint64_t qp, std::uint64_t frame) {
    v1::GetFrameRequest request;
    request.set_qp(qp);
    request.set_frame(frame);
    return client->frame(request);
  }
  /// The last frame that holds a field of this name.
  v1::Frame last_with(std::string_view name) {
    for (std::uint64_t i = daemon.packets.stored.size(); i > 0; --i) {
      const auto frame = ask(7, i);
      if (frame && field(*frame, name) != nullptr) return *frame;
    }
    ADD_FAILURE() << "no frame has " << name;
    return {};
  }
  static const v1::FrameField* field(const v1::Frame& frame, std::string_view name) {
    const auto& all = frame.fields();
    const auto it = std::find_if(all.begin(), all.end(), [&](const v1::FrameField& f) { return f.name() == name; });
    return it == all.end() ? nullptr : &*it;
  }

  Daemon daemon;
  std::unique_ptr<Client> client;
};

TEST_F(StoredFrames, HaveTheirOctetsAndFields) {
  const v1::Frame frame = last_with("MSN");
  const std::string stored(reinterpret_cast<const char*>(daemon.packets.stored[frame.frame() - 1].data()),
                           daemon.packets.stored[frame.frame() - 1].size());
  EXPECT_EQ(frame.octets(), stored);
  EXPECT_EQ(frame.link_type(), 1u);
  EXPECT_EQ(frame.original_length(), stored.size());
  EXPECT_TRUE(frame.has_stream_offset());
  EXPECT_EQ(field(frame, "MSN")->value(), "2");
  EXPECT_EQ(frame.note(), "");
}

TEST_F(StoredFrames, MarkTheFieldThatAFindingIsAbout) {
  const std::uint64_t number = last_with("CRC").frame();
  findings::Finding finding;
  finding.id = findings::FindingId::mpa_crc_mismatch;
  finding.qp = 7;
  finding.frame = FrameNumber{number};
  daemon.directory.known_findings = {finding_view(33, finding)};
  const auto frame = ask(7, number);
  ASSERT_TRUE(frame);
  ASSERT_EQ(field(*frame, "CRC")->findings_size(), 1);
  EXPECT_EQ(field(*frame, "CRC")->findings(0), 33u);
  EXPECT_NE(field(*frame, "CRC")->value().find("(wrong)"), std::string::npos);
  EXPECT_EQ(field(*frame, "MSN")->findings_size(), 0);
  EXPECT_EQ(field(*ask(7, 1), "Flags")->findings_size(), 0);
}

TEST_F(StoredFrames, MarkTheStagOfAMessageThatTheOtherEndRefused) {
  synth::Connection c;
  c.connect();
  c.startup();
  c.write(kI, STag{0x1234}, TaggedOffset{0x1000}, 40);
  daemon.packets.stored.clear();
  for (const synth::Frame& frame : c.frames()) daemon.packets.stored.push_back(frame.octets);
  const v1::Frame write = last_with("STag");
  findings::Finding finding;
  finding.id = findings::FindingId::rdmap_terminate_sent;
  finding.qp = 7;
  finding.seen = "1/1/00";
  finding.direction = write.direction() == v1::DIRECTION_A_TO_B ? Direction::b_to_a : Direction::a_to_b;
  finding.frames = {FrameNumber{write.frame()}, FrameNumber{write.frame() + 2}};
  finding.frame = FrameNumber{write.frame() + 2};
  daemon.directory.known_findings = {finding_view(34, finding)};
  const auto frame = ask(7, write.frame());
  ASSERT_TRUE(frame);
  ASSERT_EQ(field(*frame, "STag")->findings_size(), 1);
  EXPECT_EQ(field(*frame, "STag")->findings(0), 34u);
  EXPECT_EQ(field(*frame, "TO")->findings_size(), 0);
}

TEST_F(StoredFrames, OfAnUnknownQueuePairAreNotFound) {
  const auto frame = ask(99, 1);
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().kind, Failure::Kind::not_found);
  EXPECT_EQ(frame.error().sentence, "queue pair 99 does not exist, or it ended long ago and was discarded");
}

TEST_F(StoredFrames, ThatAreNoLongerStoredAreNotFound) {
  daemon.packets.first_stored = 3;
  for (const std::uint64_t number : {0u, 2u, 100'000u}) {
    const auto frame = ask(7, number);
    ASSERT_FALSE(frame) << number;
    EXPECT_EQ(frame.error().kind, Failure::Kind::not_found);
    EXPECT_FALSE(frame.error().sentence.empty());
  }
}

TEST_F(StoredFrames, AreSoughtNoMoreForAClientThatIsGone) {
  daemon.packets.many = true;
  Place place;
  place.socket = daemon.options.socket;
  place.patience = std::chrono::milliseconds{200};
  auto impatient = Client::open(place);
  ASSERT_TRUE(impatient);
  v1::GetFrameRequest request;
  request.set_qp(7);
  request.set_frame(daemon.packets.stored.size());
  EXPECT_FALSE((*impatient)->frame(request));
  EXPECT_FALSE(ask(99, 1));  // and the thread that sought it answers others
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  while (!daemon.packets.left && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
  EXPECT_TRUE(daemon.packets.left);
}

TEST_F(StoredFrames, OffsetsOfALaterAnalysisAreNotGiven) {
  daemon.packets.first_stored = 6;
  const v1::Frame frame = last_with("Flags");
  EXPECT_FALSE(frame.has_stream_offset());
}

TEST_F(StoredFrames, ThatWereCutSaySo) {
  const std::uint64_t number = last_with("CRC").frame();
  daemon.packets.stored[number - 1].resize(60);
  const auto frame = ask(7, number);
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->octets().size(), 60u);
  for (const v1::FrameField& one : frame->fields()) EXPECT_LE(one.offset() + one.length(), 60u);
}

TEST_F(StoredFrames, OfHostileOctetsAreBounded) {
  std::mt19937 random(5);
  const auto good = daemon.packets.stored;
  for (int round = 0; round < 50; ++round) {
    daemon.packets.stored = good;
    for (auto& octets : daemon.packets.stored) octets[random() % octets.size()] = std::byte(random() & 0xFF);
    const std::uint64_t number = 1 + random() % good.size();
    const auto frame = ask(7, number);
    ASSERT_TRUE(frame) << frame.error().sentence;
    for (const v1::FrameField& one : frame->fields()) {
      EXPECT_LE(one.offset() + one.length(), frame->octets().size());
    }
  }
}

TEST(FramesOfADaemon, ThatKeepsNoPacketsAreNotImplemented) {
  Daemon daemon;
  const auto server = Server::start(daemon.options, {daemon.directory, nullptr, nullptr, {}, {}});
  ASSERT_TRUE(server) << server.error();
  Place place;
  place.socket = daemon.options.socket;
  const auto client = Client::open(place);
  ASSERT_TRUE(client);
  const auto frame = (*client)->frame({});
  ASSERT_FALSE(frame);
  EXPECT_EQ(frame.error().sentence, "this daemon keeps no packets; its configuration disables it");
}

}  // namespace
}  // namespace iwarpscope::api::testing
