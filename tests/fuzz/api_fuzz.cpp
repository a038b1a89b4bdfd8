// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets as requests of iwarpscope.v1; the services answer from the analysis of some samples. Input: requests of {u8
// call, u16 length, octets of the protobuf message}.
#include <google/protobuf/message.h>
#include <grpcpp/test/default_reactor_test_peer.h>

#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/access.h"
#include "api/fetches.h"
#include "api/questions.h"
#include "api/records.h"
#include "api/subscribers.h"
#include "api/tails.h"
#include "api/unread.h"
#include "fuzz/script.h"
#include "iwarpscope/v1/control.grpc.pb.h"
#include "iwarpscope/v1/observer.grpc.pb.h"
#include "live/frame_tap.h"
#include "live/watch.h"

using namespace iwarpscope;

namespace {

constexpr std::size_t kLargestReply = std::size_t{4} << 20;  // octets that every client accepts

/// Returns its input; visits every frame of the samples, as if all were of one connection.
class Packets final : public live::Packets, public live::FrameTap {
 public:
  void batch(const Storage&) override {}
  void frame(const net::Frame& frame, std::uint64_t) override {
    auto& octets = stored_.emplace_back(frame.octets.begin(), frame.octets.end());
    frames_.push_back(frame);
    frames_.back().octets = octets;
  }
  Answer<void> visit(std::uint64_t, FrameNumber number, std::uint64_t before,
                     const std::function<bool(const net::Frame&)>& visit) override {
    fuzz::require(before <= std::uint64_t{1} << 30, "what is analysed for a frame is bounded");
    if (number.value == 0 || number.value > frames_.size()) return tl::unexpected(std::string{"It is not stored."});
    for (const net::Frame& frame : frames_) {
      if (!visit(frame)) break;
    }
    return {};
  }
  Answer<std::uint64_t> fetch(const live::PacketQuery&, const std::function<bool(Octets)>&) override { return 0; }
  Answer<std::string> record(std::uint64_t qp, const std::string& reason, unsigned seconds) override {
    if (seconds % 2 == 1) return tl::unexpected(std::string{"it does not record that"});
    return std::to_string(qp) + reason;
  }
  std::vector<live::Recording> recordings() override {
    return {{"qp7.pcapng", 7, "MF-04", TimePoint{1}, 12, 3456, true}};
  }

 private:
  std::deque<std::vector<std::byte>> stored_;
  std::vector<net::Frame> frames_;
};
class Archive final : public live::Archive {
 public:
  tl::expected<std::vector<live::ArchivedRow>, std::string> query(const live::ArchiveQuery& query,
                                                                  const live::Caller&) override {
    fuzz::require(query.most != 0 && query.most <= 1000, "a page of the history is bounded");
    return std::vector<live::ArchivedRow>{{query.before, TimePoint{1}, "run", query.host.value_or("") + "\xFF{}"}};
  }
  std::unique_ptr<live::ArchiveTail> tail(std::vector<live::ArchivePlace>) override { return nullptr; }
};

/// All parts of a serving daemon except gRPC's server. It is never destroyed: threads answer until the end.
struct World {
  std::unique_ptr<capture::Intake> intake = open();
  std::unique_ptr<live::Watch> watch;
  std::vector<live::Event> events;
  Packets packets;
  Archive archive;
  api::Use use;
  api::Unread unread{std::size_t{1} << 20};
  api::Access access{use, {}, {}};
  api::Work work{1, 16, 16};
  std::unique_ptr<api::Subscribers> subscribers;
  std::unique_ptr<api::Fetches> fetches;
  std::unique_ptr<api::Tails> tails;
  std::unique_ptr<grpc::Service> observer, control;

  World() {
    live::WatchOptions options;
    options.analysis.messages = true;
    options.tap = &packets;
    watch = std::make_unique<live::Watch>(options, *intake);
    const auto subscription = watch->subscribe({.qps = true, .messages = true, .findings = true, .queue = 100'000});
    std::thread([this] { watch->run(true); }).detach();
    while (!subscription->is_closed() || subscription->waiting() != 0) {
      for (live::Event& event : subscription->wait(std::chrono::milliseconds{100})) events.push_back(event);
    }
    fuzz::require(events.size() > 40, "the samples tell much");
    subscribers = std::make_unique<api::Subscribers>(*watch, api::Subscribers::Limits{}, use, access, work);
    fetches = std::make_unique<api::Fetches>(*watch, &packets, api::Fetches::Limits{}, use, access);
    const api::Sources sources{*watch, &packets, &archive, [] { return std::string{"read again"}; },
                               [this] { intake->stop(); }};
    tails = std::make_unique<api::Tails>(sources, api::Tails::Limits{}, use, access);
    const api::Machinery machinery{work, *subscribers, *fetches, *tails, use, 10, access, unread};
    observer = api::make_observer(sources, machinery);
    control = api::make_control(sources, machinery);
  }
  static std::unique_ptr<capture::Intake> open() {
    capture::IntakeOptions options;
    options.replay.emplace();
    for (const char* name : {"messages/all-opcodes-markers", "messages/atomics", "startup/reject",
                             "messages/terminate-siw", "questions/three-ways-to-fail", "questions/too-many-reads",
                             "network/vxlan-ipv6", "startup/startup-reserved"}) {
      options.replay->files.push_back(IWARPSCOPE_SAMPLES "/made/" + std::string{name} + ".pcapng");
    }
    auto opened = capture::Intake::open(options);
    fuzz::require(opened.has_value(), "the samples can be read");
    return std::move(*opened);
  }
};

World& world() {
  static World& the = *new World;
  return the;
}

/// In the form on the wire: proto3 rejects texts that are not UTF-8.
template <class Message>
void use(const Message& message) {
  const std::string octets = message.SerializeAsString();
  fuzz::require(octets.size() <= kLargestReply, "a reply is no larger than clients take");
  Message other;
  fuzz::require(other.ParseFromString(octets), "a reply can be read");
}

/// The request, if the octets are one: gRPC rejects others.
template <class Request>
bool parse(Octets octets, Request& request) {
  return request.ParseFromArray(octets.data(), static_cast<int>(octets.size()));
}

template <class Service, class Request, class Reply>
void ask(grpc::Service& service,
         grpc::ServerUnaryReactor* (Service::*method)(grpc::CallbackServerContext*, const Request*, Reply*),
         Octets octets) {
  struct Call {
    Request request;
    Reply reply;
    grpc::CallbackServerContext context;
    std::promise<grpc::Status> promised;
    grpc::testing::DefaultReactorTestPeer peer{&context, [this](const grpc::Status& s) { promised.set_value(s); }};
  };
  // The peer still writes into its context after the reply: the context of the last call stays alive.
  static auto& calls = *new std::deque<std::unique_ptr<Call>>;
  Call& call = *calls.emplace_back(std::make_unique<Call>());
  if (calls.size() > 16) calls.pop_front();
  if (!parse(octets, call.request)) return;
  Reply& reply = call.reply;
  auto answered = call.promised.get_future();
  fuzz::require((static_cast<Service&>(service).*method)(&call.context, &call.request, &reply) == call.peer.reactor(),
                "it answers");
  const grpc::Status status = answered.get();
  static const std::set<grpc::StatusCode> expected = {grpc::OK, grpc::INVALID_ARGUMENT, grpc::NOT_FOUND,
                                                      grpc::FAILED_PRECONDITION};
  fuzz::require(expected.contains(status.error_code()), "it answers, or says what is wrong with the question");
  fuzz::require(status.ok() == status.error_message().empty(), "what is refused is refused with a sentence");
  use(reply);
  v1::ReloadReply sentence;
  sentence.set_text(status.error_message());
  use(sentence);
}

void subscribe(Octets octets) {
  v1::SubscribeRequest request;
  if (!parse(octets, request)) return;
  const auto wanted = api::from_v1(request);
  if (!wanted) return fuzz::require(!wanted.error().empty(), "what is refused is refused with a sentence");
  fuzz::require(wanted->queue != 0 && wanted->queue <= 65536, "a queue is bounded");
  world().watch->subscribe(*wanted)->cancel();
}

void fetch(Octets octets) {
  v1::FetchPacketsRequest request;
  if (!parse(octets, request)) return;
  const auto query = api::from_v1(request);
  if (!query) return fuzz::require(!query.error().empty(), "what is refused is refused with a sentence");
  fuzz::require(query->most_octets != 0 && query->most_octets <= std::uint64_t{1} << 30, "a file is bounded");
  fuzz::require(!query->from || !query->to || *query->from <= *query->to, "a time ends after it begins");
}

void tail(Octets octets) {
  v1::TailHistoryRequest request;
  if (!parse(octets, request)) return;
  for (const auto* its : {&request.after(), &request.stored()}) {
    const auto places = api::from_v1(*its);
    if (!places) return fuzz::require(!places.error().empty(), "what is refused is refused with a sentence");
    fuzz::require(places->size() <= live::kRecordKinds, "there are few places");
    live::TailPage page;
    for (const live::ArchivePlace& place : *places) {
      page.records.push_back({place.kind, place.id, place.run_uuid, {}, {}, "\xFF", 200});
      page.expired.at(static_cast<std::size_t>(place.kind)) = place.id;
    }
    v1::TailHistoryReply reply;
    api::to_v1(page, reply);
    use(reply);
  }
}

/// One of the messages to subscribers.
void tell(Octets octets, api::Detail detail) {
  std::uint64_t which = 0;
  for (const std::byte o : octets) which = which << 8 | to_u8(o);
  v1::Event out;
  to_v1(world().events[which % world().events.size()], detail, out);
  use(out);
}

void call(unsigned number, Octets octets) {
  using Observer = v1::Observer::CallbackService;
  using Control = v1::Control::CallbackService;
  grpc::Service &observer = *world().observer, &control = *world().control;
  switch (number) {
    case 0: return ask(observer, &Observer::GetStatus, octets);
    case 1: return ask(observer, &Observer::ListQps, octets);
    case 2: return ask(observer, &Observer::GetQp, octets);
    case 3: return ask(observer, &Observer::ListMessages, octets);
    case 4: return ask(observer, &Observer::ListFindings, octets);
    case 5: return ask(observer, &Observer::ListHosts, octets);
    case 6: return ask(observer, &Observer::ListHostPairs, octets);
    case 7: return subscribe(octets);
    case 8: return fetch(octets);
    case 9: return ask(observer, &Observer::ListRules, octets);
    case 10: return ask(observer, &Observer::QueryHistory, octets);
    case 11: return ask(control, &Control::StartRecording, octets);
    case 12: return ask(control, &Control::ListRecordings, octets);
    case 13: return ask(control, &Control::Reload, octets);
    case 14: return tell(octets, api::Detail::row);
    case 15: return tell(octets, api::Detail::full);
    case 16: return ask(observer, &Observer::ListTransportEvents, octets);
    case 17: return tell(octets, api::Detail::row_activity);
    case 18: return ask(observer, &Observer::GetFrame, octets);
    case 19: return tail(octets);
    default: return;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  for (int asked = 0; asked < 32 && !script.is_at_end(); ++asked) {
    const unsigned number = script.u8() % 20u;
    call(number, script.octets(script.u16()));
  }
  return 0;
}
