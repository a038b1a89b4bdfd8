// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs a program under filters of system calls, as systemd makes them of a unit's lines:
//   confined ERRNO CALLS FAMILIES WX PROGRAM [ARGUMENT]...
// CALLS: the names of the calls that are allowed, with commas between them; all others fail with ERRNO (a number).
// FAMILIES: the numbers of the address families whose sockets may be made; others fail with EAFNOSUPPORT.
// WX: "no": no memory may be writable and executable, nor become executable (MemoryDenyWriteExecute=).
// Ends with 77 where this kernel has no such filters, with 78 when a filter cannot be made.
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int kNoFilters = 77, kFailed = 78;

struct Release {
  void operator()(void* filter) const noexcept { seccomp_release(filter); }
};
using Filter = std::unique_ptr<void, Release>;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

Filter filter_that(std::uint32_t otherwise) {
  Filter filter(seccomp_init(otherwise));
  // One that is loaded before may refuse prctl's no_new_privs, which is already set.
  if (!filter || seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 0) != 0) std::exit(kFailed);
  return filter;
}

void add(const Filter& filter, std::uint32_t action, const std::string& call, const std::vector<scmp_arg_cmp>& when) {
  const int number = seccomp_syscall_resolve_name(call.c_str());
  if (number == __NR_SCMP_ERROR) return;  // newer than libseccomp: systemd passes it over, too
  const int error =
      seccomp_rule_add_array(filter.get(), action, number, static_cast<unsigned>(when.size()), when.data());
  if (error != 0 && error != -EDOM && error != -EACCES && error != -EEXIST) std::exit(kFailed);
}

void load(const Filter& filter) {
  if (seccomp_load(filter.get()) != 0) std::exit(kFailed);
}

void restrict_families(const std::vector<std::string>& allowed) {
  std::set<int> families;
  for (const std::string& word : allowed) families.insert(std::atoi(word.c_str()));
  const Filter filter = filter_that(SCMP_ACT_ALLOW);
  constexpr auto kRefuse = SCMP_ACT_ERRNO(EAFNOSUPPORT);
  for (int family = 0; family < AF_MAX; ++family) {
    if (families.contains(family)) continue;
    add(filter, kRefuse, "socket", {{0, SCMP_CMP_EQ, static_cast<scmp_datum_t>(family), 0}});
  }
  add(filter, kRefuse, "socket", {{0, SCMP_CMP_GE, AF_MAX, 0}});
  load(filter);
}

void restrict_memory() {
  constexpr scmp_datum_t kBoth = PROT_WRITE | PROT_EXEC, kExecute = PROT_EXEC;
  const Filter filter = filter_that(SCMP_ACT_ALLOW);
  constexpr auto kRefuse = SCMP_ACT_ERRNO(EPERM);
  add(filter, kRefuse, "mmap", {{2, SCMP_CMP_MASKED_EQ, kBoth, kBoth}});
  for (const char* const call : {"mprotect", "pkey_mprotect"}) {
    add(filter, kRefuse, call, {{2, SCMP_CMP_MASKED_EQ, kExecute, kExecute}});
  }
  load(filter);
}

void restrict_calls(const std::vector<std::string>& allowed, std::uint32_t error) {
  const Filter filter = filter_that(SCMP_ACT_ERRNO(error));
  for (const std::string& call : allowed) add(filter, SCMP_ACT_ALLOW, call, {});
  load(filter);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6) return kFailed;
  if (seccomp_api_get() < 1) return kNoFilters;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return kFailed;
  restrict_families(words_of(arguments[3]));
  if (std::string_view(arguments[4]) == "no") restrict_memory();
  // The last one: it takes away the calls that load filters.
  restrict_calls(words_of(arguments[2]), static_cast<std::uint32_t>(std::atoi(arguments[1])));
  execvp(arguments[5], arguments + 5);
  std::perror(arguments[5]);
  return kFailed;
}
