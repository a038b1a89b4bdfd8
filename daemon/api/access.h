// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Which client may make which call. Every call passes here before its service sees it.
#pragma once

#include <grpc/grpc_security.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_context.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/grants.h"
#include "api/limited.h"
#include "api/methods.h"
#include "api/revocations.h"
#include "api/use.h"

namespace iwarpscope::api {

/// A user of this machine, as the kernel knows the other end of a Unix socket.
struct LocalUser {
  uid_t user{};
  std::vector<gid_t> groups;  ///< ascending
  std::string name;           ///< "alice"; a number, if the user has no name
  friend bool operator==(const LocalUser& a, const LocalUser& b) { return a.user == b.user && a.groups == b.groups; }
};

/// Who makes a call.
struct Peer {
  std::vector<std::string> names;          ///< of a certificate: "DNS:ops.example.net", "URI:spiffe://example/ana"
  std::string certificates;                ///< in PEM: its own and those it sent with it; empty: no TLS
  std::optional<LocalUser> user;           ///< of the Unix socket; empty: TLS
  std::string address;                     ///< "ipv4:192.0.2.1:4711"; empty: not known, or a Unix socket
  [[nodiscard]] std::string text() const;  ///< printable, bounded
};

/// Why a call is refused.
struct Denial {
  grpc::StatusCode code;
  std::string sentence;
};

/// Any thread. It must outlive the server that its credentials are for.
class Access {
 public:
  using Tell = std::function<void(const std::string& sentence)>;
  /// Users of the Unix socket that are distinguished; all further ones are one, and may do what "*" may.
  static constexpr std::size_t kUsers = 32;

  /// `warn` and `audit` may be empty.
  Access(Use& use, Tell warn, Tell audit) : use_(use), warn_(std::move(warn)), audit_(std::move(audit)) {}

  /// From now on, for calls that begin. `revoked`: null: nothing was.
  void renew(const Grants& grants, std::shared_ptr<const Revocations> revoked);
  /// How often renew() was called: what began before the last one has to ask denial() again.
  [[nodiscard]] std::uint64_t renewals() const noexcept { return renewals_; }
  /// Empty: the call is allowed.
  [[nodiscard]] std::optional<Denial> denial(const Peer& peer, std::string_view path) const;
  [[nodiscard]] std::optional<Denial> denial(const Peer& peer, Right right) const;

  /// Puts this before all calls that come with these credentials. `place`: as place_of() has it; empty: TLS.
  void guard(grpc_server_credentials* credentials, std::optional<std::size_t> place = {});
  /// Credentials for users of the Unix socket at this place.
  [[nodiscard]] std::shared_ptr<grpc::ServerCredentials> local_credentials(std::size_t place);
  /// The place of the user at the other end of a Unix socket, below kUsers. For the thread that accepts.
  [[nodiscard]] std::size_t place_of(int descriptor);

  [[nodiscard]] Peer peer(grpc::CallbackServerContext& context) const;
  /// Writes the line about a call that its service has answered.
  void audit(const Peer& peer, const std::string& what, const grpc::Status& status) const;
  /// A TLS handshake failed; from gRPC's log.
  void handshake_failed(const std::string& cause);
  /// Address of the last connection over TCP, for handshake_failed().
  void connected(std::string address);

 private:
  struct Guard;
  struct Granted {
    bool all = false;
    std::set<std::string, std::less<>> names;
    std::set<uid_t> users;
    std::set<gid_t> groups;
  };
  struct Rules {
    Granted metadata, packets, control;
    std::shared_ptr<const Revocations> revoked;
  };
  static Granted resolved(const std::vector<std::string>& names);
  [[nodiscard]] static bool is_granted(const Granted& granted, const Peer& peer);
  [[nodiscard]] Peer peer(const grpc_auth_context* context) const;
  /// denial() for a call, counted and logged.
  [[nodiscard]] std::optional<Denial> refused(const grpc_auth_context* context, std::string_view path);
  void warn(Limited& limit, const std::string& sentence) const;

  Use& use_;
  const Tell warn_, audit_;
  std::atomic<std::uint64_t> renewals_{0};
  mutable std::mutex mutex_;
  std::shared_ptr<const Rules> rules_ = std::make_shared<Rules>();  ///< until renew() no client may do anything
  std::vector<LocalUser> users_;                                    ///< by place; it only grows
  std::string last_;                                                ///< address of the last connection over TCP
  Limited handshakes_, denials_;
};

}  // namespace iwarpscope::api
