// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Clients that ask a daemon all that can be asked, in loops: iwarpscope-askers SOCKET CLIENTS QUEUE_PAIRS SECONDS
// ROUNDS
//
// Each client has a connection and a thread of its own. It ends after so many seconds, or with ROUNDS after so many
// rounds of all calls. Prints one JSON object: of each call, how often it was answered, refused because a share or a
// limit was used up (RESOURCE_EXHAUSTED) and failed, and the seconds that the answers took.
#include <fmt/format.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/client_name.h"
#include "iwarpscope/v1/control.grpc.pb.h"
#include "iwarpscope/v1/observer.grpc.pb.h"

namespace {

using Clock = std::chrono::steady_clock;
using grpc::ClientContext;
using grpc::Status;
namespace v1 = iwarpscope::v1;

constexpr std::chrono::seconds kLongest{30};  // who waits longer for an answer has none
constexpr std::uint32_t kRows = 5000, kFull = 500, kFindings = 2000, kMessages = 5000;
constexpr std::uint64_t kFetched = 1 << 20;
constexpr unsigned kEvents = 3;  // replies taken of a subscription

struct Tally {
  std::vector<double> seconds;  ///< of answers
  std::uint64_t refused = 0, failed = 0;
};
using Tallies = std::map<std::string, Tally>;

class Asker {
 public:
  Asker(const std::string& socket, unsigned number, std::uint64_t qps)
      : name_(fmt::format("asker {}", number)), qps_(qps), random_(number) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetMaxReceiveMessageSize(-1);
    const auto channel = grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
    observer_ = v1::Observer::NewStub(channel);
    control_ = v1::Control::NewStub(channel);
  }

  /// Every call once, while it is before `end`; lists go on where the round before has stopped.
  void round(Clock::time_point end) {
    static constexpr void (Asker::*kSteps[])() = {
        &Asker::ask_about_all,    &Asker::list_rows,     &Asker::list_full,     &Asker::list_of_host,
        &Asker::list_with_errors, &Asker::list_failed,   &Asker::ask_about_one, &Asker::list_messages,
        &Asker::list_events,      &Asker::look_at_frame, &Asker::fetch,         &Asker::list_findings,
        &Asker::list_hosts,       &Asker::list_pairs,    &Asker::list_others,   &Asker::subscribe};
    for (const auto step : kSteps) {
      if (Clock::now() >= end) return;
      (this->*step)();
    }
  }
  [[nodiscard]] const Tallies& tallies() const noexcept { return tallies_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& failures() const noexcept { return failures_; }

 private:
  void prepare(ClientContext& context) const {
    context.AddMetadata(iwarpscope::api::kClientName, name_);
    context.set_deadline(std::chrono::system_clock::now() + kLongest);
  }
  void count(const std::string& call, Clock::time_point begun, const Status& status) {
    Tally& tally = tallies_[call];
    switch (status.error_code()) {
      case grpc::StatusCode::OK:
      case grpc::StatusCode::NOT_FOUND:
        tally.seconds.push_back(std::chrono::duration<double>(Clock::now() - begun).count());
        return;
      case grpc::StatusCode::RESOURCE_EXHAUSTED: ++tally.refused; return;
      default: ++tally.failed; ++failures_[call + ": " + status.error_message()];
    }
  }
  template <class Stub, class Request, class Reply>
  Reply ask(const std::string& call, Status (Stub::*method)(ClientContext*, const Request&, Reply*),
            const Request& request) {
    ClientContext context;
    prepare(context);
    Reply reply;
    const Clock::time_point begun = Clock::now();
    if constexpr (std::is_same_v<Stub, v1::Observer::Stub>) {
      count(call, begun, (observer_.get()->*method)(&context, request, &reply));
    } else {
      count(call, begun, (control_.get()->*method)(&context, request, &reply));
    }
    return reply;
  }
  void list_qps(const std::string& call, std::uint32_t most, v1::QpDetail detail, std::uint64_t& from) {
    v1::ListQpsRequest request;
    request.set_from(from);
    request.set_most(most);
    request.set_detail(detail);
    from = ask(call, &v1::Observer::Stub::ListQps, request).next();
  }
  void list_rows() { list_qps("ListQps, 5000 rows", kRows, v1::QP_DETAIL_ROW, rows_); }
  void list_full() { list_qps("ListQps, 500 in full", kFull, v1::QP_DETAIL_FULL, full_); }
  void list_some(const std::string& call, const v1::QpFilter& filter) {
    v1::ListQpsRequest request;
    request.set_most(kRows);
    *request.mutable_filter() = filter;
    ask(call, &v1::Observer::Stub::ListQps, request);
  }
  void list_of_host() {
    v1::QpFilter filter;
    filter.set_host("10.0.0.1");
    list_some("ListQps of a host", filter);
  }
  void list_with_errors() {
    v1::QpFilter filter;
    filter.set_at_least(v1::SEVERITY_ERROR);
    list_some("ListQps with errors", filter);
  }
  void list_failed() {
    v1::QpFilter filter;
    filter.set_outcome(v1::OUTCOME_FAILED);
    list_some("ListQps that failed", filter);
  }
  void ask_about_all() { ask("GetStatus", &v1::Observer::Stub::GetStatus, v1::GetStatusRequest{}); }
  void ask_about_one() {
    v1::GetQpRequest request;
    request.set_qp(random_() % qps_);
    one_ = ask("GetQp", &v1::Observer::Stub::GetQp, request);
  }
  void list_messages() {
    v1::ListMessagesRequest request;
    request.set_qp(one_.qp());
    request.set_most(kMessages);
    ask("ListMessages", &v1::Observer::Stub::ListMessages, request);
  }
  void list_events() {
    v1::ListTransportEventsRequest request;
    request.set_qp(one_.qp());
    ask("ListTransportEvents", &v1::Observer::Stub::ListTransportEvents, request);
  }
  void look_at_frame() {
    v1::GetFrameRequest request;
    request.set_qp(one_.qp());
    request.set_frame(one_.last_frame());
    ask("GetFrame", &v1::Observer::Stub::GetFrame, request);
  }
  void list_findings() {
    v1::ListFindingsRequest request;
    request.set_most(kFindings);
    ask("ListFindings", &v1::Observer::Stub::ListFindings, request);
  }
  void list_hosts() {
    v1::ListHostsRequest request;
    request.set_start(host_);
    host_ = ask("ListHosts", &v1::Observer::Stub::ListHosts, request).next();
  }
  void list_pairs() {
    v1::ListHostPairsRequest request;
    request.set_start(pair_);
    pair_ = ask("ListHostPairs", &v1::Observer::Stub::ListHostPairs, request).next();
  }
  void list_others() {
    ask("ListRules", &v1::Observer::Stub::ListRules, v1::ListRulesRequest{});
    v1::QueryHistoryRequest history;
    history.set_kind(v1::QueryHistoryRequest::KIND_QPS);
    ask("QueryHistory", &v1::Observer::Stub::QueryHistory, history);
    ask("ListRecordings", &v1::Control::Stub::ListRecordings, v1::ListRecordingsRequest{});
  }
  void fetch() {
    ClientContext context;
    prepare(context);
    v1::FetchPacketsRequest request;
    request.set_qp(one_.qp());
    request.set_most_octets(kFetched);
    const Clock::time_point begun = Clock::now();
    const auto stream = observer_->FetchPackets(&context, request);
    v1::FetchPacketsReply reply;
    while (stream->Read(&reply)) continue;
    count("FetchPackets", begun, stream->Finish());
  }
  /// For a second, or until some replies came; then it goes away. No answer is due, so it has no time.
  void subscribe() {
    ClientContext context;
    prepare(context);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds{1});
    v1::SubscribeRequest request;
    request.set_qps(true);
    request.set_findings(true);
    const auto stream = observer_->Subscribe(&context, request);
    v1::SubscribeReply reply;
    unsigned taken = 0;
    while (taken < kEvents && stream->Read(&reply)) ++taken;
    context.TryCancel();
    const Status status = stream->Finish();
    if (status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED) ++tallies_["Subscribe"].refused;
  }

  const std::string name_;
  const std::uint64_t qps_;
  std::mt19937_64 random_;
  std::unique_ptr<v1::Observer::Stub> observer_;
  std::unique_ptr<v1::Control::Stub> control_;
  std::uint64_t rows_ = 0, full_ = 0;
  std::string host_, pair_;
  v1::QueuePair one_;  ///< the last that was asked about
  Tallies tallies_;
  std::map<std::string, std::uint64_t> failures_;
};

double percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

nlohmann::json described(Tally& tally, double bound) {
  std::sort(tally.seconds.begin(), tally.seconds.end());
  const auto within = std::upper_bound(tally.seconds.begin(), tally.seconds.end(), bound) - tally.seconds.begin();
  return {{"answered", tally.seconds.size()},
          {"within", within},
          {"refused", tally.refused},
          {"failed", tally.failed},
          {"median", percentile(tally.seconds, 0.5)},
          {"p99", percentile(tally.seconds, 0.99)},
          {"longest", tally.seconds.empty() ? 0 : tally.seconds.back()}};
}

}  // namespace

int main(int count, char** words) {
  if (count != 6) {
    fmt::print(stderr, "usage: {} SOCKET CLIENTS QUEUE_PAIRS SECONDS ROUNDS\n", words[0]);
    return 2;
  }
  const auto number = [&](int at) { return std::strtoull(words[at], nullptr, 10); };
  const std::uint64_t rounds = number(5);
  const Clock::time_point end = rounds != 0 ? Clock::time_point::max() : Clock::now() + std::chrono::seconds{number(4)};
  std::vector<std::unique_ptr<Asker>> askers;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < number(2); ++i) {
    Asker& asker = *askers.emplace_back(std::make_unique<Asker>(words[1], i, number(3)));
    threads.emplace_back([&asker, end, rounds] {
      for (std::uint64_t round = 0; rounds != 0 ? round < rounds : Clock::now() < end; ++round) asker.round(end);
    });
  }
  for (std::thread& thread : threads) thread.join();
  constexpr double kBound = 2;  // seconds
  Tallies calls;
  nlohmann::json said = {{"failures", nlohmann::json::object()}};
  for (const auto& asker : askers) {
    for (const auto& [call, its] : asker->tallies()) {
      for (Tally* const to : {&calls[call], &calls["all"]}) {
        to->seconds.insert(to->seconds.end(), its.seconds.begin(), its.seconds.end());
        to->refused += its.refused;
        to->failed += its.failed;
      }
    }
    for (const auto& [sentence, times] : asker->failures()) {
      auto& sum = said["failures"][sentence];
      sum = (sum.is_null() ? 0 : sum.get<std::uint64_t>()) + times;
    }
  }
  for (auto& [call, tally] : calls) said["calls"][call] = described(tally, kBound);
  fmt::print("{}\n", said.dump());
  return 0;
}
