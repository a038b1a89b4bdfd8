// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Runs the program itself.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace iwarpscope::cli {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

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

TEST(Program, ClosedOutputIsAQuietEnd) {
  Program program({"rules"}, true);
  EXPECT_EQ(program.finish(), 141);
  EXPECT_EQ(program.err, "");
}

}  // namespace
}  // namespace iwarpscope::cli
