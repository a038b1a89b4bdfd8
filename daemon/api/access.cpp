// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "api/access.h"

#include <fmt/format.h>
#include <grp.h>
#include <grpc/grpc.h>
#include <pwd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "api/gate.h"
#include "base/read_text.h"
#include "report/utf8.h"

namespace iwarpscope::api {
namespace {

/// gRPC's properties with the names in a certificate, in the order of kCertificateNames.
constexpr std::array<const char*, kCertificateNames.size()> kNameProperties{
    GRPC_PEER_DNS_PROPERTY_NAME, GRPC_PEER_URI_PROPERTY_NAME, GRPC_PEER_EMAIL_PROPERTY_NAME,
    GRPC_PEER_IP_PROPERTY_NAME};
/// Our own: the place of a user of the Unix socket.
constexpr const char* kPlaceProperty = "iwarpscope_user";
constexpr std::size_t kLongestText = 300;  // octets of a client's names in a sentence

std::vector<std::string> values(const grpc_auth_context* context, const char* name) {
  std::vector<std::string> all;
  grpc_auth_property_iterator each = grpc_auth_context_find_properties_by_name(context, name);
  while (const grpc_auth_property* const one = grpc_auth_property_iterator_next(&each)) {
    all.emplace_back(one->value, one->value_length);
  }
  return all;
}

std::optional<uid_t> user_id(const std::string& name) {
  std::vector<char> buffer(1 << 16);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return entry.pw_uid;
  return whole_number<uid_t>(name);
}

std::optional<gid_t> group_id(const std::string& name) {
  std::vector<char> buffer(1 << 16);
  group entry{};
  group* found = nullptr;
  if (::getgrnam_r(name.c_str(), &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr)
    return entry.gr_gid;
  return whole_number<gid_t>(name);
}

std::string user_name(uid_t user) {
  std::vector<char> buffer(1 << 16);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr) return entry.pw_name;
  return std::to_string(user);
}

/// Those of the process at the other end when it connected.
std::vector<gid_t> groups_of(int descriptor, gid_t own) {
  constexpr int kMostGroups = 65536;  // NGROUPS_MAX
  std::vector<gid_t> groups(64);
  socklen_t size = 0;
  for (;;) {
    size = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0) break;
    if (errno != ERANGE || groups.size() >= kMostGroups) {
      size = 0;
      break;
    }
    groups.resize(std::max(2 * groups.size(), size / sizeof(gid_t)));
  }
  groups.resize(size / sizeof(gid_t));
  groups.push_back(own);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

struct Needed {
  const char* verb;
  const char* key;
};
Needed needed(Right right) {
  switch (right) {
    case Right::packets: return {"fetch packets", "packets"};
    case Right::control: return {"give commands", "control"};
    case Right::none:
    case Right::metadata: break;
  }
  return {"ask for metadata", "metadata"};
}

/// A message that a library wrote, without the codes in it: what follows the last colon.
std::string last_part(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  const std::size_t colon = text.rfind(':');
  return colon == std::string::npos ? text : text.substr(colon + 1);
}

class LocalCredentials final : public grpc::ServerCredentials {
 public:
  LocalCredentials(Access& access, std::size_t place) : credentials_(grpc_local_server_credentials_create(UDS)) {
    access.guard(credentials_, place);
  }
  ~LocalCredentials() override { grpc_server_credentials_release(credentials_); }
  LocalCredentials(const LocalCredentials&) = delete;
  LocalCredentials& operator=(const LocalCredentials&) = delete;
  void SetAuthMetadataProcessor(const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}  // Access is ours

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), credentials_);
  }
  grpc_server_credentials* credentials_;
};

}  // namespace

/// What gRPC calls before each call of a connection.
struct Access::Guard {
  Access& access;
  const std::string place;  ///< empty: TLS
  std::mutex mutex;

  /// The connection's context is the same for all its calls: marked once, and never while another call reads it, since
  /// each call passes here first.
  void mark(grpc_auth_context* context) {
    if (place.empty()) return;
    const std::lock_guard lock(mutex);
    if (values(context, kPlaceProperty).empty())
      grpc_auth_context_add_cstring_property(context, kPlaceProperty, place.c_str());
  }
  // Six parameters: gRPC calls it.
  static void process(void* self, grpc_auth_context* context, const grpc_metadata* metadata, std::size_t count,
                      grpc_process_auth_metadata_done_cb done, void* data) {
    pass_gate();
    Guard& guard = *static_cast<Guard*>(self);
    guard.mark(context);
    std::string path;
    for (std::size_t i = 0; i < count; ++i) {
      if (grpc_slice_str_cmp(metadata[i].key, ":path") != 0) continue;
      path.assign(reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(metadata[i].value)),
                  GRPC_SLICE_LENGTH(metadata[i].value));
    }
    const auto denial = guard.access.refused(context, path);
    pass_gate();
    if (denial) {
      done(data, nullptr, 0, nullptr, 0, static_cast<grpc_status_code>(denial->code), denial->sentence.c_str());
    } else {
      done(data, nullptr, 0, nullptr, 0, GRPC_STATUS_OK, nullptr);
    }
  }
  static void destroy(void* self) { delete static_cast<Guard*>(self); }
};

std::string Peer::text() const {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  if (user) all = std::string(kUserName) + user->name;
  if (all.empty()) all = "a certificate without a name";
  if (all.size() > kLongestText) all = all.substr(0, kLongestText) + "...";
  if (!address.empty()) all += " at " + address;
  return report::to_printable(all);
}

Access::Granted Access::resolved(const std::vector<std::string>& names) {
  Granted granted;
  for (const std::string& name : names) {
    if (name == "*") {
      granted.all = true;
    } else if (name.starts_with(kUserName)) {
      if (const auto id = user_id(name.substr(kUserName.size()))) granted.users.insert(*id);
    } else if (name.starts_with(kGroupName)) {
      if (const auto id = group_id(name.substr(kGroupName.size()))) granted.groups.insert(*id);
    } else {
      granted.names.insert(name);
    }
  }
  return granted;
}

void Access::renew(const Grants& grants, std::shared_ptr<const Revocations> revoked) {
  auto rules = std::make_shared<Rules>();
  rules->metadata = resolved(grants.metadata);
  rules->packets = resolved(grants.packets);
  rules->control = resolved(grants.control);
  rules->revoked = std::move(revoked);
  {
    const std::lock_guard lock(mutex_);
    rules_ = std::move(rules);
  }
  ++renewals_;
}

bool Access::is_granted(const Granted& granted, const Peer& peer) {
  if (granted.all) return true;
  if (peer.user) {
    return peer.user->user == 0 || granted.users.contains(peer.user->user) ||
           std::any_of(peer.user->groups.begin(), peer.user->groups.end(),
                       [&granted](gid_t group) { return granted.groups.contains(group); });
  }
  return std::any_of(peer.names.begin(), peer.names.end(),
                     [&granted](const std::string& name) { return granted.names.contains(name); });
}

std::optional<Denial> Access::denial(const Peer& peer, std::string_view path) const {
  return denial(peer, right_for(path));
}

std::optional<Denial> Access::denial(const Peer& peer, Right right) const {
  const std::shared_ptr<const Rules> rules = [this] {
    const std::lock_guard lock(mutex_);
    return rules_;
  }();
  if (rules->revoked && !peer.certificates.empty() && rules->revoked->has(peer.certificates)) {
    return Denial{grpc::StatusCode::UNAUTHENTICATED, fmt::format("the certificate of {} was revoked", peer.text())};
  }
  if (right == Right::none) return std::nullopt;
  const Granted& granted = right == Right::packets   ? rules->packets
                           : right == Right::control ? rules->control
                                                     : rules->metadata;
  if (is_granted(granted, peer)) return std::nullopt;
  const auto [verb, key] = needed(right);
  return Denial{grpc::StatusCode::PERMISSION_DENIED,
                fmt::format("{} may not {}: api.{} in the daemon's configuration does not include this client",
                            peer.text(), verb, key)};
}

std::optional<Denial> Access::refused(const grpc_auth_context* context, std::string_view path) {
  auto denial = this->denial(peer(context), path);
  if (!denial) return denial;
  if (const std::size_t at = method_at(path); at < kMethods.size())
    ++use_.calls[at].ended[static_cast<std::size_t>(denial->code)];
  warn(denials_,
       fmt::format("{} was refused: {}.", report::to_printable(path.substr(0, kLongestText)), denial->sentence));
  return denial;
}

void Access::guard(grpc_server_credentials* credentials, std::optional<std::size_t> place) {
  grpc_auth_metadata_processor processor{};
  processor.process = &Guard::process;
  processor.destroy = &Guard::destroy;
  processor.state = new Guard{*this, place ? std::to_string(*place) : std::string{}, {}};
  grpc_server_credentials_set_auth_metadata_processor(credentials, processor);
}

std::shared_ptr<grpc::ServerCredentials> Access::local_credentials(std::size_t place) {
  return std::make_shared<LocalCredentials>(*this, place);
}

std::size_t Access::place_of(int descriptor) {
  ucred its{};
  socklen_t size = sizeof its;
  if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &its, &size) != 0) return kUsers - 1;
  LocalUser user{its.uid, groups_of(descriptor, its.gid), {}};
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find(users_.begin(), users_.end(), user);
    if (known != users_.end()) return static_cast<std::size_t>(known - users_.begin());
    if (users_.size() >= kUsers - 1) return kUsers - 1;
  }
  user.name = user_name(user.user);
  const std::lock_guard lock(mutex_);
  users_.push_back(std::move(user));
  return users_.size() - 1;
}

Peer Access::peer(const grpc_auth_context* context) const {
  Peer peer;
  for (std::size_t i = 0; i < kNameProperties.size(); ++i) {
    for (const std::string& value : values(context, kNameProperties[i]))
      peer.names.push_back(std::string(kCertificateNames[i]) + value);
  }
  for (const char* const property : {GRPC_X509_PEM_CERT_PROPERTY_NAME, GRPC_X509_PEM_CERT_CHAIN_PROPERTY_NAME}) {
    for (const std::string& value : values(context, property)) peer.certificates += value;
  }
  const auto places = values(context, kPlaceProperty);
  if (places.empty()) return peer;
  constexpr auto kNoUser = static_cast<uid_t>(-1);
  const auto place = whole_number<std::size_t>(places.front()).value_or(kUsers);
  const std::lock_guard lock(mutex_);
  peer.user = place < users_.size() ? users_[place] : LocalUser{kNoUser, {}, "another user"};
  return peer;
}

Peer Access::peer(grpc::CallbackServerContext& context) const {
  if (context.c_call() == nullptr) return {};  // it is of no connection
  grpc_auth_context* const its = grpc_call_auth_context(context.c_call());
  Peer peer = this->peer(its);
  grpc_auth_context_release(its);
  if (!peer.user) peer.address = context.peer();
  return peer;
}

void Access::audit(const Peer& peer, const std::string& what, const grpc::Status& status) const {
  if (!audit_) return;
  audit_(fmt::format("Audit: {} by {}: {}.", report::to_printable(what), peer.text(),
                     status.ok() ? "done" : "failed: " + report::to_printable(status.error_message())));
}

void Access::handshake_failed(const std::string& cause) {
  ++use_.handshakes;
  const std::string last = [this] {
    const std::lock_guard lock(mutex_);
    return last_;
  }();
  warn(handshakes_, fmt::format("A TLS handshake failed: {}{}.", report::to_printable(last_part(cause)),
                                last.empty() ? "" : fmt::format(" (the last connection came from {})", last)));
}

void Access::connected(std::string address) {
  const std::lock_guard lock(mutex_);
  last_ = std::move(address);
}

void Access::warn(Limited& limit, const std::string& sentence) const {
  if (!warn_) return;
  const auto kept = limit.pass();
  if (kept) warn_(*kept == 0 ? sentence : fmt::format("{} {} more were not logged before this.", sentence, *kept));
}

}  // namespace iwarpscope::api
