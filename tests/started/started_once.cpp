// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
/// Preloaded into a program, this library lets one start of it serve many runs: when all libraries are loaded and the
/// program is about to call main(), it waits for requests instead, and calls main() for each in a process of its own.
/// `iwarpscope` takes 40 ms to load 72 libraries, and less to read most samples. Python's side is started.py.
///
/// A request is one packet on the socket whose number is in IWARPSCOPE_REQUESTS: the arguments, each ended by a zero
/// octet, with two descriptors, for the output and the error output. The reply is the status as waitpid() gives it, as
/// an int.

#include <dlfcn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using Main = int (*)(int, char**, char**);
Main main_of_the_program = nullptr;

int requests() {
  const char* number = std::getenv("IWARPSCOPE_REQUESTS");
  return number == nullptr ? -1 : std::atoi(number);
}

struct Request {
  std::vector<char> words;
  std::array<int, 2> outputs{};
};

/// False when there will be no more requests.
bool receive(int socket, Request& request) {
  request.words.resize(1 << 16);
  iovec part{request.words.data(), request.words.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof request.outputs)> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (size <= 0 || header == nullptr || header->cmsg_len != CMSG_LEN(sizeof request.outputs)) return false;
  std::memcpy(request.outputs.data(), CMSG_DATA(header), sizeof request.outputs);
  request.words.resize(static_cast<std::size_t>(size));
  return true;
}

int run(char* program, Request& request, char** environment) {
  dup2(request.outputs[0], STDOUT_FILENO);
  dup2(request.outputs[1], STDERR_FILENO);
  std::vector<char*> arguments{program};
  for (auto at = request.words.begin(); at != request.words.end();) {
    arguments.push_back(&*at);
    at = std::next(std::find(at, request.words.end(), '\0'));
  }
  arguments.push_back(nullptr);
  return main_of_the_program(static_cast<int>(arguments.size()) - 1, arguments.data(), environment);
}

int serve(int /*argc*/, char** argv, char** environment) {
  const int socket = requests();
  unsetenv("LD_PRELOAD");
  for (Request request; receive(socket, request);) {
    const pid_t child = fork();
    if (child == 0) {
      close(socket);
      return run(argv[0], request, environment);
    }
    int status = -1;
    if (child > 0) waitpid(child, &status, 0);
    for (const int output : request.outputs) close(output);
    if (send(socket, &status, sizeof status, MSG_NOSIGNAL) < 0) break;
  }
  return 0;
}

}  // namespace

using Function = void (*)();
extern "C" int __libc_start_main(Main main, int argc, char** argv, Function init, Function fini, Function loader,
                                 void* stack) {
  using Start = int (*)(Main, int, char**, Function, Function, Function, void*);
  const auto start = reinterpret_cast<Start>(dlsym(RTLD_NEXT, "__libc_start_main"));
  main_of_the_program = main;
  return start(requests() < 0 ? main : serve, argc, argv, init, fini, loader, stack);
}
