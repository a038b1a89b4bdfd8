// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// seccomp: which system calls are made.
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/prctl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "confine/confine.h"
#include "confine/sanitized.h"

namespace iwarpscope::confine {
namespace {

// Found by watching the daemon with every output on, live and replaying, and completed by what glibc uses instead on
// other versions and architectures. Names that an architecture does not have are passed over.
constexpr auto kAlways = std::to_array<std::string_view>({
    // Files that are open, and what there is
    "read",
    "write",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "preadv",
    "pwritev",
    "preadv2",
    "pwritev2",
    "close",
    "close_range",
    "fstat",
    "fstat64",
    "stat",
    "lstat",
    "newfstatat",
    "fstatat64",
    "statx",
    "statfs",
    "fstatfs",
    "lseek",
    "_llseek",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getcwd",
    "getdents64",
    "fadvise64",
    "fcntl",
    "fcntl64",
    "dup",
    "dup2",
    "dup3",
    "pipe",
    "pipe2",
    "sendfile",
    // Memory
    "mmap",
    "mmap2",
    "munmap",
    "mprotect",
    "mremap",
    "madvise",
    "brk",
    "msync",
    "mincore",
    "membarrier",
    "mseal",
    "memfd_create",
    // Threads, time, signals
    "futex",
    "futex_time64",
    "futex_waitv",
    "set_robust_list",
    "get_robust_list",
    "set_tid_address",
    "rseq",
    "sched_yield",
    "sched_getaffinity",
    "sched_getparam",
    "sched_getscheduler",
    "sched_setscheduler",
    "getcpu",
    "exit",
    "exit_group",
    "restart_syscall",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigpending",
    "rt_sigtimedwait",
    "sigaltstack",
    "signalfd4",
    "tgkill",
    "clock_gettime",
    "clock_gettime64",
    "clock_getres",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    // To ask how well the clock is kept. To set it takes a capability that the daemon does not have.
    "adjtimex",
    "clock_adjtime",
    "clock_adjtime64",
    "nanosleep",
    "gettimeofday",
    "time",
    "times",
    "timerfd_create",
    "timerfd_settime",
    "timerfd_gettime",
    "eventfd2",
    "poll",
    "ppoll",
    "ppoll_time64",
    "select",
    "_newselect",
    "pselect6",
    "pselect6_time64",
    "epoll_create",
    "epoll_create1",
    "epoll_ctl",
    "epoll_wait",
    "epoll_pwait",
    "epoll_pwait2",
    // Itself and the machine
    "getpid",
    "gettid",
    "getppid",
    "getuid",
    "geteuid",
    "getgid",
    "getegid",
    "getresuid",
    "getresgid",
    "getgroups",
    "getrandom",
    "uname",
    "sysinfo",
    "getrlimit",
    "ugetrlimit",
    "getrusage",
});
constexpr auto kRenames = std::to_array<std::string_view>({
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
});
constexpr auto kWrites = std::to_array<std::string_view>({
    "mkdir",     "mkdirat",  "rmdir",     "truncate",        "truncate64", "ftruncate", "ftruncate64",
    "fallocate", "fsync",    "fdatasync", "sync_file_range", "fchmod",     "fchmodat",  "chmod",
    "fchown",    "fchownat", "chown",     "lchown",          "umask",      "flock",     "utimensat",
});
constexpr auto kSockets = std::to_array<std::string_view>({
    "socketpair",
    "bind",
    "listen",
    "accept",
    "accept4",
    "connect",
    "getsockname",
    "getpeername",
    "getsockopt",
    "setsockopt",
    "sendto",
    "sendmsg",
    "sendmmsg",
    "recvfrom",
    "recvmsg",
    "recvmmsg",
    "shutdown",
});

struct Release {
  void operator()(void* filter) const noexcept { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, Release>;

class Rules {
 public:
  explicit Rules(std::uint32_t otherwise)
      : filter_(seccomp_init(otherwise)), error_(filter_ == nullptr ? -ENOMEM : 0) {}

  template <class... Compare>
  void add(std::uint32_t action, std::string_view name, Compare... compare) {
    if (error_ != 0) return;
    const int call = seccomp_syscall_resolve_name(std::string(name).c_str());
    if (call == __NR_SCMP_ERROR) return;  // libseccomp does not know it
    const int error = seccomp_rule_add(filter_.get(), action, call, sizeof...(compare), compare...);
    if (error != 0 && error != -EDOM && error != -EEXIST) error_ = error;  // EDOM: not of this architecture
  }
  /// For all threads. Returns 0 or a negative errno.
  [[nodiscard]] int load() {
    if (error_ == 0) error_ = seccomp_attr_set(filter_.get(), SCMP_FLTATR_CTL_TSYNC, 1);
    return error_ != 0 ? error_ : seccomp_load(filter_.get());
  }

 private:
  Filter filter_;
  int error_;
};

/// The first argument is this.
constexpr scmp_arg_cmp equal(scmp_datum_t value) noexcept {
  return {0, SCMP_CMP_EQ, value, 0};
}

constexpr auto kAllow = SCMP_ACT_ALLOW;

void add_sockets(Rules& rules) {
  for (const std::string_view name : kSockets) rules.add(kAllow, name);
  for (const int family : {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK}) {
    rules.add(kAllow, "socket", equal(static_cast<scmp_datum_t>(family)));
  }
  // An error instead of a kill: the daemon tries to reopen an interface that is back, and reports the result.
  for (const int family : {AF_PACKET, AF_VSOCK, AF_BLUETOOTH, AF_CAN}) {
    rules.add(SCMP_ACT_ERRNO(EPERM), "socket", equal(static_cast<scmp_datum_t>(family)));
  }
}

/// To read them. Source: open(2): each of these flags, or both bits of the access, may change something.
void add_opens(Rules& rules) {
  constexpr scmp_datum_t kChanges = O_ACCMODE | O_CREAT | O_TRUNC;
  rules.add(kAllow, "open", scmp_arg_cmp{1, SCMP_CMP_MASKED_EQ, kChanges, O_RDONLY});
  rules.add(kAllow, "openat", scmp_arg_cmp{2, SCMP_CMP_MASKED_EQ, kChanges, O_RDONLY});
}

/// Calls of which only some are allowed, by an argument.
void add_special(Rules& rules) {
  // Threads, no processes. The flags of clone3 are in memory, where no filter sees them; glibc does without.
  rules.add(kAllow, "clone", scmp_arg_cmp{0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD});
  rules.add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  rules.add(kAllow, "prctl", equal(PR_SET_NAME));
  rules.add(kAllow, "prctl", equal(PR_GET_NAME));
  // Names of memory areas: newer libraries give them, and do without.
  rules.add(SCMP_ACT_ERRNO(EINVAL), "prctl", equal(0x53564d41));
  rules.add(kAllow, "prlimit64", equal(0));
  // Not TIOCSTI, which types into a terminal.
  rules.add(kAllow, "ioctl", scmp_arg_cmp{1, SCMP_CMP_NE, TIOCSTI, 0});
}

/// Why the kernel refuses a filter with this action; empty: it accepts it. libseccomp does not distinguish the causes.
/// Source: seccomp(2), SECCOMP_GET_ACTION_AVAIL.
std::string why_no_filter(std::uint32_t action) {
  constexpr unsigned kActionAvailable = 2;
  if (syscall(SYS_seccomp, kActionAvailable, 0, &action) == 0) return {};
  if (errno == ENOSYS || errno == EINVAL || errno == EOPNOTSUPP)
    return "this kernel cannot filter system calls in this way";
  return fmt::format(
      "{}; the program's environment refuses the system call seccomp (under systemd, SystemCallFilter= "
      "must allow it)",
      std::generic_category().message(errno));
}

}  // namespace

tl::expected<void, std::string> restrict_calls(const Calls& calls) {
  if (kSanitized) {
    return tl::unexpected(
        std::string{"seccomp is not used: this program was built with a sanitizer, which needs other system calls."});
  }
  const auto unusable = [](const std::string& cause) {
    return tl::unexpected(fmt::format("seccomp cannot be used: {}. System calls are not restricted.", cause));
  };
  const std::uint32_t otherwise = calls.log ? SCMP_ACT_LOG : SCMP_ACT_KILL_PROCESS;
  if (const std::string cause = why_no_filter(otherwise); !cause.empty()) return unusable(cause);
  Rules rules(otherwise);
  const auto allow = [&](const auto& names) {
    for (const std::string_view name : names) rules.add(kAllow, name);
  };
  allow(kAlways);
  if (calls.renames || calls.writes) allow(kRenames);
  if (calls.writes) {
    allow(kWrites);
    allow(std::to_array<std::string_view>({"open", "openat"}));
  } else {
    add_opens(rules);
  }
  if (calls.sockets) {
    add_sockets(rules);
  } else {
    rules.add(SCMP_ACT_ERRNO(EACCES), "socket");  // a library that looks up a name goes on without
  }
  add_special(rules);
  if (const int error = rules.load(); error != 0) return unusable(std::generic_category().message(-error));
  return {};
}

}  // namespace iwarpscope::confine
