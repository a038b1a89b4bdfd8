// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A connection to a running iwarpscoped.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "api/secret.h"
#include "api/tls_files.h"

namespace iwarpscope::v1 {
class FetchPacketsReply;
class GetSiteRequest;
class Site;
class FetchPacketsRequest;
class Frame;
class GetFrameRequest;
class ListFindingsReply;
class ListFindingsRequest;
class ListMessagesReply;
class ListMessagesRequest;
class ListQpsReply;
class ListQpsRequest;
class ListRecordingsReply;
class QueryHistoryReply;
class QueryHistoryRequest;
class QueuePair;
class StartRecordingReply;
class StartRecordingRequest;
class Status;
class ListTransportEventsReply;
class ListTransportEventsRequest;
class SubscribeReply;
class SubscribeRequest;
class TailHistoryReply;
class TailHistoryRequest;
}  // namespace iwarpscope::v1

namespace iwarpscope::api {

/// Where the daemon is.
struct Place {
  std::string socket = "/run/iwarpscope/iwarpscoped.sock";
  std::string host;  ///< "sensor:7470": by TCP with `tls`; empty: by the socket
  TlsFiles tls;
  std::chrono::milliseconds patience = std::chrono::seconds{10};  ///< with an answer
  /// With a daemon that sends nothing, not even what keeps a connection alive: a stream then fails.
  std::chrono::milliseconds silence = std::chrono::seconds{30};
  Secret passphrase{};  ///< of `tls`'s key; empty: it needs none
  [[nodiscard]] const std::string& text() const noexcept { return host.empty() ? socket : host; }
};

/// Why a question has no answer.
struct Failure {
  enum class Kind : std::uint8_t { no_connection, not_found, refused, cancelled };
  Kind kind{};
  std::string sentence;
};

/// A call of TailHistory. say() may be called from another thread than read(). The client must outlive it; its stop()
/// ends it.
class Tail {
 public:
  virtual ~Tail() = default;  ///< ends the call
  /// False: the call is over.
  [[nodiscard]] virtual bool say(const v1::TailHistoryRequest& request) = 0;
  /// Waits for the next reply. False: the call is over.
  [[nodiscard]] virtual bool read(v1::TailHistoryReply& reply) = 0;
  /// Why it is over. Call it after read() returned false.
  [[nodiscard]] virtual Failure failure() = 0;
  /// Ends the call. Any thread.
  virtual void cancel() = 0;
};

/// For any thread. Fails rather than wait for ever: `Place` says how long.
class Client {
 public:
  template <class T>
  using Answer = tl::expected<T, Failure>;

  /// Connects when it is first asked. Fails with a sentence when the certificates cannot be used.
  [[nodiscard]] static tl::expected<std::unique_ptr<Client>, std::string> open(const Place& place);
  virtual ~Client() = default;

  [[nodiscard]] virtual Answer<v1::Status> status() = 0;
  [[nodiscard]] virtual Answer<v1::ListQpsReply> qps(const v1::ListQpsRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::QueuePair> qp(std::uint64_t number) = 0;
  [[nodiscard]] virtual Answer<v1::ListMessagesReply> messages(const v1::ListMessagesRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::ListTransportEventsReply> transport(
      const v1::ListTransportEventsRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::ListFindingsReply> findings(const v1::ListFindingsRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::Frame> frame(const v1::GetFrameRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::QueryHistoryReply> history(const v1::QueryHistoryRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::Site> site(const v1::GetSiteRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::StartRecordingReply> record(const v1::StartRecordingRequest& request) = 0;
  [[nodiscard]] virtual Answer<v1::ListRecordingsReply> recordings() = 0;
  [[nodiscard]] virtual Answer<void> end_replay() = 0;

  /// Calls `take` for each reply until it returns false, the daemon stops, or stop() is called. A stream ended by
  /// `take` or stop() is no failure.
  [[nodiscard]] virtual Answer<void> subscribe(const v1::SubscribeRequest& request,
                                               const std::function<bool(const v1::SubscribeReply&)>& take) = 0;
  [[nodiscard]] virtual Answer<void> fetch(const v1::FetchPacketsRequest& request,
                                           const std::function<bool(const v1::FetchPacketsReply&)>& take) = 0;
  [[nodiscard]] virtual std::unique_ptr<Tail> tail() = 0;
  /// Tries to connect, even if an attempt has failed a moment ago, and waits a little for it: by itself a question
  /// fails at once when it comes soon after an attempt that failed. Any thread.
  virtual void reconnect() = 0;
  /// Ends all streams and questions, and those begun later at once: questions fail with Failure::Kind::cancelled. Any
  /// thread; signal handlers not.
  virtual void stop() = 0;
};

}  // namespace iwarpscope::api
