// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/wire/capture_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

namespace iwarpscope::synth {

namespace {

constexpr std::uint32_t kSectionHeader = 0x0A0D0D0A;
constexpr std::uint32_t kInterfaceDescription = 1;
constexpr std::uint32_t kInterfaceStatistics = 5;
constexpr std::uint32_t kEnhancedPacket = 6;

std::uint64_t stamp(std::int64_t time_ns, bool nanoseconds) {
  const auto ns = static_cast<std::uint64_t>(time_ns);
  return nanoseconds ? ns : ns / 1000;
}

}  // namespace

void CaptureWriter::integer(Buffer& out, std::uint64_t value, std::size_t octets) const {
  for (std::size_t i = 0; i < octets; ++i) {
    const std::size_t shift = options_.byte_order == std::endian::little ? i : octets - 1 - i;
    out.push_back(static_cast<std::byte>(value >> (8 * shift)));
  }
}

void CaptureWriter::option(Buffer& out, std::uint16_t code, Octets value) const {
  integer(out, code, 2);
  integer(out, value.size(), 2);
  out.insert(out.end(), value.begin(), value.end());
  out.resize(out.size() + (4 - value.size() % 4) % 4);
}

void CaptureWriter::block(Buffer& out, std::uint32_t type, const Buffer& body) const {
  const std::size_t total = 12 + (body.size() + 3) / 4 * 4;
  integer(out, type, 4);
  integer(out, total, 4);
  out.insert(out.end(), body.begin(), body.end());
  out.resize(out.size() + (4 - body.size() % 4) % 4);
  integer(out, total, 4);
}

void CaptureWriter::add_interface(Buffer& out, LinkType link_type) {
  const bool first = interfaces_++ == 0;
  if (options_.format == FileFormat::pcap) {
    if (!first) return;
    integer(out, options_.nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4, 4);
    integer(out, 2, 2);
    integer(out, 4, 2);
    integer(out, 0, 8);
    integer(out, options_.snap_length, 4);
    integer(out, static_cast<std::uint16_t>(link_type), 4);
    return;
  }
  if (first) {
    Buffer body;
    integer(body, 0x1A2B3C4D, 4);
    integer(body, 1, 2);
    integer(body, 0, 2);
    integer(body, ~std::uint64_t{0}, 8);
    option(body, 4, text(options_.application));
    option(body, 0, {});
    block(out, kSectionHeader, body);
  }
  Buffer body;
  integer(body, static_cast<std::uint16_t>(link_type), 2);
  integer(body, 0, 2);
  integer(body, options_.snap_length, 4);
  option(body, 2, text("tap" + std::to_string(interfaces_ - 1)));
  if (options_.nanoseconds) option(body, 9, Buffer{std::byte{9}});
  option(body, 0, {});
  block(out, kInterfaceDescription, body);
}

void CaptureWriter::add(Buffer& out, const Frame& frame) {
  const std::uint64_t time = stamp(frame.time_ns, options_.nanoseconds);
  const std::size_t kept = std::min<std::size_t>(frame.octets.size(), options_.snap_length);
  const Octets octets = Octets(frame.octets).first(kept);
  if (options_.format == FileFormat::pcap) {
    const std::uint64_t second = options_.nanoseconds ? 1'000'000'000 : 1'000'000;
    integer(out, time / second, 4);
    integer(out, time % second, 4);
    integer(out, kept, 4);
    integer(out, frame.original_length, 4);
    out.insert(out.end(), octets.begin(), octets.end());
    return;
  }
  const std::size_t total = 32 + (kept + 3) / 4 * 4;
  integer(out, kEnhancedPacket, 4);
  integer(out, total, 4);
  integer(out, frame.interface, 4);
  integer(out, time >> 32, 4);
  integer(out, time & 0xFFFFFFFF, 4);
  integer(out, kept, 4);
  integer(out, frame.original_length, 4);
  out.insert(out.end(), octets.begin(), octets.end());
  out.resize(out.size() + (4 - kept % 4) % 4);
  integer(out, total, 4);
}

void CaptureWriter::finish(Buffer& out, std::int64_t time_ns) {
  if (options_.format == FileFormat::pcap || (!options_.dropped && !options_.received)) return;
  const std::uint64_t time = stamp(time_ns, options_.nanoseconds);
  for (std::uint32_t i = 0; i < interfaces_; ++i) {
    Buffer body;
    integer(body, i, 4);
    integer(body, time >> 32, 4);
    integer(body, time & 0xFFFFFFFF, 4);
    for (const auto& [code, count] : {std::pair{4, options_.received}, std::pair{5, options_.dropped}}) {
      if (!count) continue;
      Buffer value;
      integer(value, *count, 8);
      option(body, static_cast<std::uint16_t>(code), value);
    }
    option(body, 0, {});
    block(out, kInterfaceStatistics, body);
  }
}

Buffer write_file(const Frames& frames, const FileOptions& options) {
  std::vector<LinkType> interfaces;
  for (const Frame& frame : frames) {
    if (frame.interface >= interfaces.size()) interfaces.resize(frame.interface + 1, frame.link_type);
    interfaces[frame.interface] = frame.link_type;
  }
  if (interfaces.empty()) interfaces.push_back(LinkType::ethernet);
  const auto other = std::find_if(frames.begin(), frames.end(), [&](const Frame& frame) {
    return frame.link_type != interfaces[options.format == FileFormat::pcap ? 0 : frame.interface];
  });
  if (other != frames.end()) throw std::invalid_argument("capture file: two link types on one interface");
  CaptureWriter writer(options);
  Buffer out;
  for (const LinkType link_type : interfaces) writer.add_interface(out, link_type);
  for (const Frame& frame : frames) writer.add(out, frame);
  writer.finish(out, frames.empty() ? 0 : frames.back().time_ns);
  return out;
}

void save(const Frames& frames, const std::string& path, const FileOptions& options) {
  const Buffer octets = write_file(frames, options);
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) throw std::system_error(errno, std::generic_category(), path);
  const bool written = std::fwrite(octets.data(), 1, octets.size(), file) == octets.size();
  const int error = errno;
  if (std::fclose(file) != 0 || !written) throw std::system_error(error, std::generic_category(), path);
}

}  // namespace iwarpscope::synth
