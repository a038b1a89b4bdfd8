// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Capture files that the tests of the reader write octet by octet.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "capture/file_reader.h"

namespace iwarpscope::capture::test {

/// Octets in the byte order of one writing machine.
class Writer {
 public:
  explicit Writer(std::endian order = std::endian::little) : order_(order) {}
  Writer& integer(std::uint64_t value, unsigned octets) {
    for (unsigned i = 0; i < octets; ++i) {
      const unsigned shift = 8 * (order_ == std::endian::little ? i : octets - 1 - i);
      data.push_back(static_cast<char>(value >> shift & 0xFFu));
    }
    return *this;
  }
  Writer& u16(std::uint64_t value) { return integer(value, 2); }
  Writer& u32(std::uint64_t value) { return integer(value, 4); }
  Writer& u64(std::uint64_t value) { return integer(value, 8); }
  Writer& octets(std::string_view text) {
    data += text;
    return *this;
  }
  Writer& pad() {
    while (data.size() % 4 != 0) data.push_back('\0');
    return *this;
  }
  /// A pcapng option.
  Writer& option(unsigned code, std::string_view value) { return u16(code).u16(value.size()).octets(value).pad(); }
  /// A pcapng block around `body`, which must be a multiple of 4 octets.
  Writer& block(std::uint32_t type, const Writer& body) {
    return u32(type).u32(body.data.size() + 12).octets(body.data).u32(body.data.size() + 12);
  }
  [[nodiscard]] Writer like() const { return Writer(order_); }

  // pcap.
  Writer& pcap_header(std::uint32_t magic = 0xA1B2C3D4, std::uint32_t link = 1, std::uint32_t snap_length = 65535) {
    return u32(magic).u16(2).u16(4).u32(0).u32(0).u32(snap_length).u32(link);
  }
  Writer& pcap_record(std::uint32_t seconds, std::uint32_t fraction, std::string_view frame, std::size_t original = 0) {
    return u32(seconds).u32(fraction).u32(frame.size()).u32(original == 0 ? frame.size() : original).octets(frame);
  }
  // pcapng.
  Writer& section() { return block(0x0A0D0D0A, like().u32(0x1A2B3C4D).u16(1).u16(0).u64(~std::uint64_t{0})); }
  Writer& interface(unsigned link, std::uint32_t snap_length = 0, const std::string& options = {}) {
    return block(1, like().u16(link).u16(0).u32(snap_length).octets(options));
  }
  Writer& enhanced(std::uint32_t number, std::uint64_t ticks, std::string_view frame, std::size_t original = 0,
                   const std::string& options = {}) {
    return block(6, like()
                        .u32(number)
                        .u32(ticks >> 32)
                        .u32(ticks & 0xFFFFFFFFu)
                        .u32(frame.size())
                        .u32(original == 0 ? frame.size() : original)
                        .octets(frame)
                        .pad()
                        .octets(options));
  }

  std::string data;

 private:
  std::endian order_;
};

/// A file that goes away with its test.
class File {
 public:
  explicit File(std::string_view content) {
    std::string name =
        (std::getenv("TMPDIR") != nullptr ? std::string(std::getenv("TMPDIR")) : "/tmp") + "/iwarpscope-capture-XXXXXX";
    const int descriptor = ::mkstemp(name.data());
    if (descriptor < 0) throw std::runtime_error("no temporary file");
    ::close(descriptor);
    path = name;
    std::ofstream(path, std::ios::binary) << content;
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() { ::unlink(path.c_str()); }
  std::string path;
};

/// A frame that outlives the reader's buffer.
struct Seen {
  std::uint64_t number = 0;
  std::int64_t time_ns = 0;
  net::LinkType link{};
  std::uint32_t interface = 0;
  std::uint32_t original_length = 0;
  std::string octets;
  std::uint32_t tap_group = 0;
  friend bool operator==(const Seen&, const Seen&) = default;
};

/// All that a file gives: frames, and the error at the end if there is one.
struct Outcome {
  std::vector<Seen> frames;
  std::string error;
  CaptureInfo info;
};

[[nodiscard]] inline Seen seen(const net::Frame& frame) {
  return {frame.number.value,
          frame.time.ns,
          frame.link,
          frame.interface,
          frame.original_length,
          {reinterpret_cast<const char*>(frame.octets.data()), frame.octets.size()},
          frame.tap_group};
}

[[nodiscard]] inline Outcome read_path(const std::string& path, const ReaderOptions& options = {}) {
  Outcome outcome;
  auto reader = FileReader::open(path, options);
  if (!reader) {
    outcome.error = reader.error().text();
    return outcome;
  }
  for (;;) {
    const auto batch = reader->next_batch();
    if (!batch) outcome.error = batch.error().text();
    if (!batch || batch->empty()) break;
    for (const auto& frame : *batch) outcome.frames.push_back(seen(frame));
  }
  outcome.info = reader->info();
  return outcome;
}

[[nodiscard]] inline Outcome read(std::string_view content, const ReaderOptions& options = {}) {
  const File file(content);
  Outcome outcome = read_path(file.path, options);
  if (const auto at = outcome.error.find(file.path); at == 0) outcome.error.replace(0, file.path.size(), "FILE");
  return outcome;
}

}  // namespace iwarpscope::capture::test
