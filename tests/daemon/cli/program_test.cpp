// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the program itself.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "confine/sanitized.h"

namespace iwarpscope::cli {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

/// The kernel's view of a process: the value of a line of /proc/PID/status.
std::string status_of(const std::string& process, const std::string& key) {
  std::ifstream lines("/proc/" + process + "/status");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key + ":\t")) return line.substr(key.size() + 2);
  }
  return {};
}

/// A running program: what it writes is read when it has ended.
class Program {
 public:
  explicit Program(const std::vector<std::string>& arguments, bool close_output = false) {
    EXPECT_EQ(::pipe2(in_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(err_.data(), O_CLOEXEC), 0);
    std::vector<char*> argv = {const_cast<char*>(IWARPSCOPE_PROGRAM)};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    if (close_output) close(out_[0]);
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(in_[0], STDIN_FILENO);
      ::dup2(out_[1], STDOUT_FILENO);
      ::dup2(err_[1], STDERR_FILENO);
      ::execv(IWARPSCOPE_PROGRAM, argv.data());
      ::_exit(127);
    }
    close(in_[0]);
    close(out_[1]);
    close(err_[1]);
  }
  ~Program() {
    for (int* end : {&in_[1], &out_[0], &err_[0]}) close(*end);
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
  }
  void send(std::string_view octets) {
    EXPECT_EQ(::write(in_[1], octets.data(), octets.size()), ssize_t(octets.size()));
  }
  void signal(int number) { ::kill(child_, number); }
  [[nodiscard]] std::string status(const std::string& key) const { return status_of(std::to_string(child_), key); }
  /// Ends its standard input and waits. -1: it did not exit by itself.
  int finish() {
    close(in_[1]);
    return wait();
  }
  int wait() {
    if (out_[0] >= 0) out = read(out_[0]);
    err = read(err_[0]);
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string out, err;

 private:
  static void close(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
  static std::string read(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = ::read(descriptor, buffer.data(), buffer.size())) > 0;)
      text.append(buffer.data(), std::size_t(n));
    return text;
  }
  std::array<int, 2> in_{-1, -1}, out_{-1, -1}, err_{-1, -1};
  pid_t child_ = 0;
};

template <class T>
void append(std::string& out, T value) {
  std::array<char, sizeof(T)> octets;
  std::memcpy(octets.data(), &value, sizeof(T));
  out.append(octets.data(), octets.size());
}

/// A pcap file header, Ethernet, microseconds, in this machine's octet order.
std::string pcap_header() {
  std::string out;
  append<std::uint32_t>(out, 0xA1B2C3D4u);
  append<std::uint16_t>(out, 2);
  append<std::uint16_t>(out, 4);
  append<std::uint64_t>(out, 0);
  append<std::uint32_t>(out, 65535);
  append<std::uint32_t>(out, 1);
  return out;
}

/// A record with a frame of 60 octets that is no IP packet.
std::string pcap_frame() {
  std::string out;
  append<std::uint32_t>(out, 1'700'000'000u);
  append<std::uint32_t>(out, 1);
  append<std::uint32_t>(out, 60);
  append<std::uint32_t>(out, 60);
  std::string frame(60, '\0');
  frame[12] = '\x88';
  frame[13] = '\xCC';  // LLDP
  return out + frame;
}

std::vector<nlohmann::json> records(const std::string& text) {
  std::vector<nlohmann::json> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

TEST(Program, StandardInputIsAnalysed) {
  Program program({"analyze", "--format", "json", "-"});
  program.send(pcap_header() + pcap_frame() + pcap_frame());
  EXPECT_EQ(program.finish(), 0) << program.err;
  EXPECT_EQ(program.err, "");
  const auto all = records(program.out);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0]["frames"], 2);
  EXPECT_EQ(all[0]["file_format"], "pcap");
  EXPECT_EQ(all[1]["qps"], 0);
}

TEST(Program, AnyNumberOfThreadsGivesTheSameOctets) {
  std::string first;
  for (const char* threads : {"1", "2", "5"}) {
    Program program({"analyze", "--format", "json", "--threads", threads, "-"});
    program.send(pcap_header() + pcap_frame());
    EXPECT_EQ(program.finish(), 0) << program.err;
    if (first.empty()) first = program.out;
    EXPECT_EQ(program.out, first) << threads;
  }
}

TEST(Program, CaptureCutInARecordIsAnalysedAndSaid) {
  Program program({"analyze", "--format", "json", "-"});
  program.send(pcap_header() + pcap_frame() + pcap_frame().substr(0, 40));
  EXPECT_EQ(program.finish(), 0);
  EXPECT_EQ(std::count(program.err.begin(), program.err.end(), '\n'), 1) << program.err;
  const auto all = records(program.out);
  const auto capture = std::find_if(all.begin(), all.end(), [](const auto& r) { return r["record"] == "capture"; });
  ASSERT_NE(capture, all.end());
  EXPECT_EQ((*capture)["truncated_file"], true);
}

TEST(Program, NoCaptureNoFileAndBadFilterAreOneLineAndTrouble) {
  Program text({"analyze", "-"});
  text.send("This is no capture, however long one reads it.\n");
  EXPECT_EQ(text.finish(), 2);
  EXPECT_THAT(text.err, HasSubstr("standard input"));
  EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 1) << text.err;
  Program empty({"analyze", "-"});
  EXPECT_EQ(empty.finish(), 2);
  EXPECT_EQ(std::count(empty.err.begin(), empty.err.end(), '\n'), 1) << empty.err;
  Program missing({"analyze", "/no/such/file.pcap"});
  EXPECT_EQ(missing.finish(), 2);
  EXPECT_EQ(missing.err, "iwarpscope: /no/such/file.pcap: No such file or directory\n");
  Program filter({"analyze", "--filter", "port of call", "-"});
  filter.send(pcap_header() + pcap_frame());
  EXPECT_EQ(filter.finish(), 2);
  EXPECT_EQ(std::count(filter.err.begin(), filter.err.end(), '\n'), 1) << filter.err;
}

TEST(Program, InterruptReportsWhatWasRead) {
  Program program({"analyze", "--format", "json", "-"});
  program.send(pcap_header() + pcap_frame());
  std::this_thread::sleep_for(500ms);  // for it to start reading; too early a signal would end it with no report
  program.signal(SIGINT);
  std::this_thread::sleep_for(100ms);
  EXPECT_EQ(program.finish(), 130);
  EXPECT_THAT(program.err, HasSubstr("interrupted"));
  ASSERT_EQ(records(program.out).size(), 2u) << program.out;
  EXPECT_EQ(records(program.out)[0]["frames"], 1);
}

TEST(Program, SecondInterruptEndsAtOnce) {
  Program program({"analyze", "--format", "json", "-"});
  program.send(pcap_header() + pcap_frame());
  std::this_thread::sleep_for(500ms);
  program.signal(SIGINT);
  std::this_thread::sleep_for(100ms);
  program.signal(SIGTERM);
  EXPECT_EQ(program.wait(), 130);
}

/// A folder with a pipe that has a name.
struct NamedPipe {
  NamedPipe() {
    std::string name = testing::TempDir() + "iwarpscope-program-XXXXXX";
    folder = ::mkdtemp(name.data());
    path = folder + "/pipe";
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
  }
  ~NamedPipe() { std::filesystem::remove_all(folder); }
  /// To a reader, which is waited for.
  void send(const std::string& octets) const {
    int end = -1;
    for (int i = 0; i < 1000 && (end = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0; ++i) {
      std::this_thread::sleep_for(10ms);
    }
    EXPECT_EQ(::write(end, octets.data(), octets.size()), ssize_t(octets.size()));
    ::close(end);
  }
  std::string folder, path;
};

TEST(Program, GivesUpItsRightsBeforeItReads) {
  if (confine::kSanitized) GTEST_SKIP() << "a sanitizer needs what is given up";
  const NamedPipe pipe;
  const std::string zip = pipe.folder + "/x.zip";
  for (const auto& arguments : std::vector<std::vector<std::string>>{{"analyze", pipe.path},
                                                                     {"analyze", "-"},
                                                                     {"join", pipe.path, "b=" + pipe.path},
                                                                     {"bundle", pipe.path, "-o", zip}}) {
    const std::string shown = testing::PrintToString(arguments);
    Program program(arguments);
    // Where this test runs under a filter of a container, one more: Seccomp_filters is there from Linux 5.9 on.
    const std::string before = status_of("self", "Seccomp_filters");
    const std::string wanted = before.empty() ? "" : std::to_string(std::stoi(before) + 1);
    const auto is_confined = [&] {
      return program.status("Seccomp") == "2" && program.status("Seccomp_filters") == wanted;
    };
    for (int i = 0; i < 1000 && !is_confined(); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_TRUE(is_confined()) << shown << ", Seccomp_filters " << program.status("Seccomp_filters");
    EXPECT_EQ(program.status("NoNewPrivs"), "1") << shown;
  }
}

TEST(Program, WorksWithoutTheRightsThatItGaveUp) {
  const NamedPipe pipe;
  const auto file = [&](const char* name) { return pipe.folder + "/" + name; };
  std::ofstream(file("a.pcap"), std::ios::binary) << pcap_header() << pcap_frame();
  std::filesystem::copy(file("a.pcap"), file("b.pcap"));
  // Several files of which one does not exist, a pipe, names in a filter, threads, a file of output that replaces one.
  std::ofstream(file("out.json")) << "old";
  Program analyze({"analyze", "--format", "json", "--threads", "3", "--filter",
                   "host localhost or ether host 0:0:0:0:0:0", "--messages", "--digest", "-o", file("out.json"),
                   file("a.pcap"), file("none.pcap"), file("b.pcap"), pipe.path, "/dev/stdin"});
  pipe.send(pcap_header() + pcap_frame());
  analyze.send(pcap_header() + pcap_frame());
  EXPECT_EQ(analyze.finish(), 2);
  EXPECT_EQ(analyze.err, "iwarpscope: " + file("none.pcap") + ": No such file or directory\n");
  std::ifstream out(file("out.json"));
  const std::string text{std::istreambuf_iterator<char>(out), {}};
  EXPECT_EQ(records(text).size(), 8u) << text;
  Program join({"join", "--clock-bound", "1ms", "-o", file("joined"), file("a.pcap"), file("b.pcap")});
  EXPECT_EQ(join.finish(), 0) << join.err;
  EXPECT_TRUE(std::filesystem::exists(file("joined")));
  Program bundle({"bundle", "-o", file("x.zip"), file("a.pcap")});
  EXPECT_EQ(bundle.finish(), 0) << bundle.err;
  EXPECT_TRUE(std::filesystem::exists(file("x.zip")));
}

TEST(Program, ClosedOutputIsAQuietEnd) {
  Program program({"rules"}, true);
  EXPECT_EQ(program.finish(), 141);
  EXPECT_EQ(program.err, "");
}

}  // namespace
}  // namespace iwarpscope::cli
