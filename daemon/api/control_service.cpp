// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>

#include "api/questions.h"
#include "api/records.h"
#include "api/services.h"
#include "iwarpscope/v1/control.grpc.pb.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

using grpc::CallbackServerContext;
using grpc::ServerUnaryReactor;
using grpc::Status;
using grpc::StatusCode;

constexpr std::size_t kLongestReason = 200;  // octets
constexpr std::uint32_t kSeconds = 10, kMostSeconds = 3600;

class ControlService final : public v1::Control::CallbackService {
 public:
  ControlService(const Sources& sources, const Machinery& machinery) : sources_(sources), machinery_(machinery) {}

  ServerUnaryReactor* StartRecording(CallbackServerContext* c, const v1::StartRecordingRequest* r,
                                     v1::StartRecordingReply* reply) override {
    const std::string what = "StartRecording of queue pair " + std::to_string(r->qp());
    return ask_audited(c, machinery_, what, [this, r, reply] {
      if (sources_.packets == nullptr) return no_packets();
      if (r->reason().size() > kLongestReason) return invalid("a reason has at most 200 octets");
      if (r->seconds() > kMostSeconds) return invalid("a recording lasts at most 3600 seconds");
      const auto view = sources_.directory.qp(r->qp());
      if (!view) return unavailable(view.error());
      if (!*view) return Status(StatusCode::NOT_FOUND, "queue pair " + std::to_string(r->qp()) + " does not exist");
      const std::string reason = r->reason().empty() ? "asked for" : r->reason();
      const auto file = sources_.packets->record(r->qp(), reason, r->seconds() == 0 ? kSeconds : r->seconds());
      if (!file) return Status(StatusCode::FAILED_PRECONDITION, file.error());
      reply->set_file(report::to_utf8(*file));
      return Status::OK;
    });
  }

  ServerUnaryReactor* ListRecordings(CallbackServerContext* c, const v1::ListRecordingsRequest*,
                                     v1::ListRecordingsReply* reply) override {
    return ask(c, machinery_, [this, reply] {
      if (sources_.packets == nullptr) return no_packets();
      if (sources_.is_centre)
        return Status(StatusCode::UNIMPLEMENTED, "recordings are on the sensors: list them there");
      for (const live::Recording& recording : sources_.packets->recordings())
        to_v1(recording, *reply->add_recordings());
      return Status::OK;
    });
  }

  ServerUnaryReactor* Reload(CallbackServerContext* c, const v1::ReloadRequest*, v1::ReloadReply* reply) override {
    return ask_audited(c, machinery_, "Reload", [this, reply] {
      if (!sources_.reload) return Status(StatusCode::UNIMPLEMENTED, "this daemon runs without a configuration file");
      const auto done = sources_.reload();
      if (!done) return Status(StatusCode::FAILED_PRECONDITION, done.error());
      reply->set_text(report::to_utf8(*done));
      return Status::OK;
    });
  }

  ServerUnaryReactor* EndReplay(CallbackServerContext* c, const v1::EndReplayRequest*, v1::EndReplayReply*) override {
    return ask_audited(c, machinery_, "EndReplay", [this] {
      if (!sources_.end_replay) {
        return Status(StatusCode::FAILED_PRECONDITION, "this daemon captures from interfaces; it replays no files");
      }
      sources_.end_replay();
      return Status::OK;
    });
  }

 private:
  static Status no_packets() {
    return {StatusCode::UNIMPLEMENTED, "this daemon makes no recordings; its configuration disables them"};
  }

  Sources sources_;
  Machinery machinery_;
};

}  // namespace

std::unique_ptr<grpc::Service> make_control(const Sources& sources, const Machinery& machinery) {
  return std::make_unique<ControlService>(sources, machinery);
}

}  // namespace iwarpscope::api
