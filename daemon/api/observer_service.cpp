// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "api/fetches.h"
#include "api/questions.h"
#include "api/records.h"
#include "api/services.h"
#include "api/subscribers.h"
#include "api/tails.h"
#include "api/use.h"
#include "fields/frame_reader.h"
#include "findings/catalogue.h"
#include "iwarpscope/v1/observer.grpc.pb.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;
using grpc::Status;

/// A page that would grow beyond this ends early: many clients take replies of 4 MiB at most.
constexpr std::size_t kPageOctets = std::size_t{3} << 20;
constexpr std::uint32_t kDefault = 500, kRows = 5000, kFull = 500, kMessages = 5000, kFindings = 2000, kHosts = 5000;
/// Octets of packets that are analysed before a frame, to find its FPDU boundaries: enough for some tenths of a second.
constexpr std::uint64_t kFrameContext = std::uint64_t{64} << 20;
constexpr std::size_t kFrameFindings = 10'000;  // findings of a queue pair that are looked at for a frame
constexpr std::uint32_t kHistoryDefault = 100, kHistory = 1000;

std::size_t page_size(std::uint32_t asked, std::uint32_t by_default, std::uint32_t most) {
  return asked == 0 ? by_default : std::min(asked, most);
}

/// `first` is another name of `from`.
template <class Request>
std::uint64_t first_of(const Request& request) {
  return std::max(request.from(), request.first());
}

class ObserverService final : public v1::Observer::CallbackService {
 public:
  ObserverService(const Sources& sources, const Machinery& machinery) : sources_(sources), machinery_(machinery) {}

  ServerUnaryReactor* GetStatus(CallbackServerContext* c, const v1::GetStatusRequest*, v1::Status* reply) override {
    return ask(c, machinery_, [this, reply] {
      to_v1(sources_.directory.status(), *reply);
      v1::ApiUse& api = *reply->mutable_api();
      api.set_subscribers(machinery_.use.subscribers);
      api.set_subscribers_limit(static_cast<std::uint32_t>(machinery_.most_subscribers));
      api.set_reported(machinery_.use.reported);
      api.set_lost(machinery_.use.lost);
      api.set_questions(machinery_.use.questions);
      api.set_refused(machinery_.use.refused);
      api.set_visited_octets(machinery_.use.visited);
      api.set_unread_octets(machinery_.unread.octets());
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListQps(CallbackServerContext* c, const v1::ListQpsRequest* r, v1::ListQpsReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      const auto filter = checked(from_v1(r->filter()));
      if (!filter) return invalid(filter.error());
      const Detail detail = detail_from_v1(r->detail());
      const std::size_t most = page_size(r->most(), kDefault, detail == Detail::full ? kFull : kRows);
      const auto page = sources_.directory.qps(*filter, first_of(*r), most, caller(c));
      if (!page) return unavailable(page.error());
      add_silent(filter->sensor, *reply);
      reply->mutable_qps()->Reserve(static_cast<int>(page->qps.size()));
      std::size_t octets = 0;
      for (const live::QpViewPtr& view : page->qps) {
        if (octets > kPageOctets) {
          reply->set_next(view->record.qp);
          return Status::OK;
        }
        v1::QueuePair& qp = *reply->add_qps();
        to_v1(*view, detail, qp);
        octets += qp.ByteSizeLong();
      }
      if (page->next) reply->set_next(*page->next);
      return Status::OK;
    });
  }

  ServerUnaryReactor* GetQp(CallbackServerContext* c, const v1::GetQpRequest* r, v1::QueuePair* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      const auto view = sources_.directory.qp(r->qp(), caller(c));
      if (!view) return unavailable(view.error());
      if (!*view) return no_qp(r->qp());
      to_v1(**view, Detail::full, *reply);
      if (sources_.site == nullptr) return Status::OK;
      const auto joined = sources_.site->connection(r->qp());
      if (!joined) return unavailable(joined.error());
      if (*joined) to_v1(**joined, *reply->mutable_joined());
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListMessages(CallbackServerContext* c, const v1::ListMessagesRequest* r,
                                   v1::ListMessagesReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      const auto page = page_of(&live::Directory::messages, *r, *reply, caller(c));
      if (!page) return page.error();
      for (const live::MessagePtr& message : page->messages) to_v1(*message, *reply->add_messages());
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListTransportEvents(CallbackServerContext* c, const v1::ListTransportEventsRequest* r,
                                          v1::ListTransportEventsReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      const auto page = page_of(&live::Directory::transport, *r, *reply, caller(c));
      if (!page) return page.error();
      for (const qp::TransportEvent& event : page->events) to_v1(event, *reply->add_events());
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListFindings(CallbackServerContext* c, const v1::ListFindingsRequest* r,
                                   v1::ListFindingsReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      const auto filter = checked(from_v1(r->filter()));
      if (!filter) return invalid(filter.error());
      const auto page =
          sources_.directory.findings(*filter, first_of(*r), page_size(r->most(), kDefault, kFindings), caller(c));
      if (!page) return unavailable(page.error());
      reply->set_discarded(page->discarded);
      if (page->since) reply->set_since_time_ns(page->since->ns);
      std::size_t octets = 0;
      for (const live::FindingPtr& view : page->findings) {
        if (octets > kPageOctets) {
          reply->set_next(view->sequence);
          return Status::OK;
        }
        v1::Finding& finding = *reply->add_findings();
        to_v1(*view, finding);
        octets += finding.ByteSizeLong();
      }
      if (page->next) reply->set_next(*page->next);
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListHosts(CallbackServerContext* c, const v1::ListHostsRequest* r,
                                v1::ListHostsReply* reply) override {
    return ask(c, machinery_,
               [this, c, r, reply] { return list_hosts(false, *r, *reply, *reply->mutable_hosts(), c); });
  }

  ServerUnaryReactor* ListHostPairs(CallbackServerContext* c, const v1::ListHostPairsRequest* r,
                                    v1::ListHostPairsReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] { return list_hosts(true, *r, *reply, *reply->mutable_pairs(), c); });
  }

  grpc::ServerWriteReactor<v1::SubscribeReply>* Subscribe(CallbackServerContext* c,
                                                          const v1::SubscribeRequest* r) override {
    return machinery_.subscribers.open(*c, *r);
  }

  grpc::ServerWriteReactor<v1::FetchPacketsReply>* FetchPackets(CallbackServerContext* c,
                                                                const v1::FetchPacketsRequest* r) override {
    return machinery_.fetches.open(*c, *r);
  }

  ServerUnaryReactor* GetFrame(CallbackServerContext* c, const v1::GetFrameRequest* r, v1::Frame* reply) override {
    const std::string what =
        "GetFrame of frame " + std::to_string(r->frame()) + " of queue pair " + std::to_string(r->qp());
    return ask_audited(c, machinery_, what, [this, c, r, reply] { return frame(*r, *reply, caller(c)); });
  }

  ServerUnaryReactor* ListRules(CallbackServerContext* c, const v1::ListRulesRequest*,
                                v1::ListRulesReply* reply) override {
    return ask(c, machinery_, [reply] {
      for (const findings::Rule& rule : findings::rules()) to_v1(rule, *reply->add_rules());
      return Status::OK;
    });
  }

  ServerUnaryReactor* GetSite(CallbackServerContext* c, const v1::GetSiteRequest* r, v1::Site* reply) override {
    return ask(c, machinery_, [this, r, reply] {
      if (sources_.site == nullptr)
        return Status(grpc::StatusCode::UNIMPLEMENTED, "this is a daemon of one sensor; ask a centre");
      const auto query = checked(from_v1(*r));
      if (!query) return invalid(query.error());
      const auto view = sources_.site->site(*query);
      if (!view) return unavailable(view.error());
      to_v1(*view, *reply);
      return Status::OK;
    });
  }

  ServerUnaryReactor* QueryHistory(CallbackServerContext* c, const v1::QueryHistoryRequest* r,
                                   v1::QueryHistoryReply* reply) override {
    return ask(c, machinery_, [this, c, r, reply] {
      if (sources_.archive == nullptr) {
        return Status(grpc::StatusCode::UNIMPLEMENTED, "this daemon keeps no history; its configuration disables it");
      }
      auto query = checked(from_v1(*r));
      if (!query) return invalid(query.error());
      query->most = page_size(r->most(), kHistoryDefault, kHistory);
      const auto rows = sources_.archive->query(*query, caller(c));
      if (!rows) return unavailable(rows.error());
      for (const live::ArchivedRow& row : *rows) {
        auto& out = *reply->add_rows();
        out.set_id(row.id);
        out.set_time_ns(row.time.ns);
        out.set_run(report::to_utf8(row.run));
        out.set_json(report::to_utf8(row.json));
        out.set_run_uuid(report::to_utf8(row.run_uuid));
        out.set_sequence(row.sequence);
        out.set_sensor(report::to_utf8(row.sensor));
      }
      const bool has_more = rows->size() >= query->most && rows->back().id != 0;  // 0 would be the first page again
      if (has_more) reply->set_next(rows->back().id);
      return Status::OK;
    });
  }

  grpc::ServerBidiReactor<v1::TailHistoryRequest, v1::TailHistoryReply>* TailHistory(
      CallbackServerContext* c) override {
    return machinery_.tails.open(*c);
  }

 private:
  /// A question about a sensor that is not there would have an answer that looks as if all were well.
  template <class Question>
  tl::expected<Question, std::string> checked(tl::expected<Question, std::string> question) {
    if (!question || !question->sensor) return question;
    std::string trouble = sources_.directory.sensor_trouble(*question->sensor, /*at_once=*/false);
    if (!trouble.empty()) return tl::unexpected(std::move(trouble));
    return question;
  }
  /// What is remembered of one queue pair: the page asked for, with all but its items in `reply`.
  template <class Page, class Request, class Reply>
  tl::expected<Page, Status> page_of(live::Directory::Answer<Page> (live::Directory::*list)(std::uint64_t,
                                                                                            std::uint64_t, std::size_t,
                                                                                            const live::Caller&),
                                     const Request& request, Reply& reply, const live::Caller& who) {
    const auto view = sources_.directory.qp(request.qp(), who);
    if (view && !*view) return tl::unexpected(no_qp(request.qp()));
    auto page = (sources_.directory.*list)(request.qp(), first_of(request),
                                           page_size(request.most(), kDefault, kMessages), who);
    if (!page) return tl::unexpected(unavailable(page.error()));
    if (page->next) reply.set_next(*page->next);
    reply.set_discarded(page->discarded);
    return std::move(*page);
  }
  /// Names sensors whose rows are old.
  void add_silent(const std::optional<std::string>& only, v1::ListQpsReply& reply) {
    if (!sources_.is_centre) return;
    for (const live::SensorView& sensor : sources_.directory.status().sensors) {
      if (sensor.is_silent && (!only || sensor.name == *only)) reply.add_silent_sensors(report::to_utf8(sensor.name));
    }
  }
  template <class Request, class Reply>
  Status list_hosts(bool pairs, const Request& request, Reply& reply,
                    google::protobuf::RepeatedPtrField<v1::HostRow>& rows, const CallbackServerContext* context) {
    const auto from = host_key_from_v1(request.start());
    if (!from) return invalid(from.error());
    const auto page =
        sources_.directory.hosts(pairs, *from, page_size(request.most(), kHosts, kHosts), caller(context));
    if (!page) return unavailable(page.error());
    for (const live::HostRow& row : page->rows) to_v1(row, *rows.Add());
    if (page->next) reply.set_next(to_v1(*page->next, pairs));
    return Status::OK;
  }
  Status frame(const v1::GetFrameRequest& request, v1::Frame& reply, live::Caller who) {
    if (sources_.frame) {
      const auto found = sources_.frame(request, reply);
      return found ? Status::OK : unavailable(found.error());
    }
    if (sources_.packets == nullptr) {
      return {grpc::StatusCode::UNIMPLEMENTED, "this daemon keeps no packets; its configuration disables it"};
    }
    who.share = live::Caller{}.share;  // all findings of the frame, not the first ones
    const auto view = sources_.directory.qp(request.qp(), who);
    if (!view) return unavailable(view.error());
    if (!*view) return no_qp(request.qp());
    const FrameNumber number{request.frame()};
    fields::FrameReader reader(number);
    bool gone = false;
    const auto visited = sources_.packets->visit(request.qp(), number, kFrameContext, [&](const net::Frame& packet) {
      machinery_.use.visited += packet.octets.size();
      gone = who.is_gone();
      return !gone && reader.take(packet);
    });
    if (gone) return {grpc::StatusCode::CANCELLED, "the client disconnected"};
    if (!visited) return {grpc::StatusCode::NOT_FOUND, visited.error()};
    const auto found = reader.finish();
    if (!found) return {grpc::StatusCode::NOT_FOUND, "the frame was discarded a moment ago"};
    live::FindingFilter filter;
    filter.qp = request.qp();
    const auto page = sources_.directory.findings(filter, 0, kFrameFindings, who);
    to_v1(*found, **view, page ? page->findings : std::vector<live::FindingPtr>{}, reply);
    return Status::OK;
  }
  static Status no_qp(std::uint64_t qp) {
    return {grpc::StatusCode::NOT_FOUND,
            "queue pair " + std::to_string(qp) + " does not exist, or it ended long ago and was discarded"};
  }

  Sources sources_;
  Machinery machinery_;
};

}  // namespace

std::unique_ptr<grpc::Service> make_observer(const Sources& sources, const Machinery& machinery) {
  return std::make_unique<ObserverService>(sources, machinery);
}

}  // namespace iwarpscope::api
