// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/identity.h"

#include <fmt/format.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>

namespace iwarpscope::service {
namespace {

std::string cause(int error) {
  return std::generic_category().message(error);
}

struct Ids {
  std::optional<uid_t> user;
  std::optional<gid_t> group;
  std::vector<gid_t> groups;
};

tl::expected<gid_t, std::string> group_of(const std::string& name) {
  const group* const entry = getgrnam(name.c_str());
  if (entry == nullptr) return tl::unexpected(fmt::format("The group \"{}\" does not exist on this machine.", name));
  return entry->gr_gid;
}

tl::expected<Ids, std::string> look_up(const std::string& user, const std::string& group) {
  Ids ids;
  if (!user.empty()) {
    const passwd* const entry = getpwnam(user.c_str());
    if (entry == nullptr) {
      return tl::unexpected(fmt::format(
          "The user \"{}\" does not exist on this machine: run systemd-sysusers, or set process.user to another user.",
          user));
    }
    ids.user = entry->pw_uid;
    ids.group = entry->pw_gid;
  }
  if (!group.empty()) {
    const auto its = group_of(group);
    if (!its) return tl::unexpected(its.error());
    ids.group = *its;
  }
  return ids;
}

/// Programs executed later get no capabilities, however their files are marked.
void empty_bounding_set() {
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    // Fails without CAP_SETPCAP; no_new_privs keeps programs from gaining any in that case, too.
    static_cast<void>(prctl(PR_CAPBSET_DROP, capability));
  }
}

bool drop_capabilities() {
  static_cast<void>(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  return syscall(SYS_capset, &header, none.data()) == 0;
}

}  // namespace

bool has_user(const std::string& name) {
  return getpwnam(name.c_str()) != nullptr;
}

tl::expected<void, std::string> make_folder(const std::string& path, const std::string& user,
                                            const std::string& group) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return {};
    return tl::unexpected(fmt::format("{}: it is not a folder.", path));
  }
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string::npos && slash != 0) {
    if (auto parent = make_folder(path.substr(0, slash), user, group); !parent) return parent;
  }
  if (mkdir(path.c_str(), 0750) != 0 && errno != EEXIST) {
    return tl::unexpected(fmt::format("{}: the folder cannot be created: {}.", path, cause(errno)));
  }
  if (geteuid() != 0) return {};
  const auto ids = look_up(user, group);
  if (!ids) return tl::unexpected(ids.error());
  const uid_t owner = ids->user.value_or(static_cast<uid_t>(-1));
  const gid_t its_group = ids->group.value_or(static_cast<gid_t>(-1));
  if (chown(path.c_str(), owner, its_group) != 0) {
    return tl::unexpected(fmt::format("{}: the owner cannot be changed to {}: {}.", path, user, cause(errno)));
  }
  return {};
}

tl::expected<void, std::string> become(const Identity& identity) {
  empty_bounding_set();
  if (geteuid() == 0 && (!identity.user.empty() || !identity.group.empty())) {
    auto ids = look_up(identity.user, identity.group);
    if (!ids) return tl::unexpected(ids.error());
    for (const std::string& name : identity.groups) {
      const auto one = group_of(name);
      if (!one) return tl::unexpected(one.error());
      ids->groups.push_back(*one);
    }
    const gid_t group = *ids->group;
    if (setgroups(ids->groups.size(), ids->groups.data()) != 0 || setresgid(group, group, group) != 0) {
      return tl::unexpected(fmt::format("The daemon cannot switch to its group: {}.", cause(errno)));
    }
    if (ids->user && setresuid(*ids->user, *ids->user, *ids->user) != 0) {
      return tl::unexpected(fmt::format("The daemon cannot switch to the user {}: {}.", identity.user, cause(errno)));
    }
    if (ids->user && *ids->user != 0 && setuid(0) == 0) {
      return tl::unexpected(std::string("The daemon gave up root, but could become root again; it stops."));
    }
  }
  if (!drop_capabilities()) {
    // The kernel lets every process give up all capabilities.
    return tl::unexpected(fmt::format(
        "The daemon cannot give up its capabilities: {}. Its environment refuses the system call capset: under "
        "systemd, SystemCallFilter= must allow it.",
        cause(errno)));
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return tl::unexpected(fmt::format("The daemon cannot set no_new_privs: {}.", cause(errno)));
  }
  // Its memory contains captured traffic: no core dumps, and no access by other processes of the same user.
  static_cast<void>(prctl(PR_SET_DUMPABLE, 0));
  return {};
}

std::string with_user_of(const std::string& sentence, const std::string& user) {
  const std::string words = std::generic_category().message(EACCES);
  if (user.empty() || sentence.find(words) == std::string::npos) return sentence;
  const bool has_stop = sentence.ends_with('.');
  return fmt::format("{} (the daemon runs as {}){}", sentence.substr(0, sentence.size() - (has_stop ? 1 : 0)), user,
                     has_stop ? "." : "");
}

}  // namespace iwarpscope::service
