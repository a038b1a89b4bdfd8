// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "outputs/pcapng_writer.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "report/utf8.h"

namespace iwarpscope::outputs {
namespace {

constexpr std::size_t kMostInterfaceText = 128;

// Block types and options, draft-ietf-opsawg-pcapng §4, §3.5.
constexpr std::uint32_t kSection = 0x0A0D0D0A, kInterface = 1, kStatistics = 5, kEnhancedPacket = 6;
constexpr std::uint32_t kByteOrder = 0x1A2B3C4D;
constexpr std::uint16_t kComment = 1, kSectionApplication = 4, kInterfaceName = 2, kInterfaceDescription = 3,
                        kTimeResolution = 9;
constexpr std::uint16_t kDroppedByOs = 7, kAccepted = 6;

template <class T>
void put(std::string& out, T value) {
  char octets[sizeof value];
  std::memcpy(octets, &value, sizeof value);
  out.append(octets, sizeof value);
}

template <class T>
T get(std::string_view from, std::size_t at) {
  T value;
  std::memcpy(&value, from.data() + at, sizeof value);
  return value;
}

void pad(std::string& out, std::size_t octets) {
  out.append((4 - octets % 4) % 4, '\0');
}

/// Shape: at most 65535 octets.
void option(std::string& out, std::uint16_t code, std::string_view value) {
  put(out, code);
  put(out, static_cast<std::uint16_t>(value.size()));
  out += value;
  pad(out, value.size());
}

void number_option(std::string& out, std::uint16_t code, std::uint64_t value) {
  std::string octets;
  put(octets, value);
  option(out, code, octets);
}

void end_of_options(std::string& out) {
  put(out, std::uint32_t{0});
}

/// Begins a block; end_block() fills in its length.
std::size_t begin_block(std::string& out, std::uint32_t type) {
  const std::size_t at = out.size();
  put(out, type);
  put(out, std::uint32_t{0});
  return at;
}

void end_block(std::string& out, std::size_t at) {
  const auto length = static_cast<std::uint32_t>(out.size() - at + sizeof(std::uint32_t));
  put(out, length);
  std::memcpy(out.data() + at + sizeof(std::uint32_t), &length, sizeof length);
}

void put_time(std::string& out, TimePoint time) {
  const auto ns = static_cast<std::uint64_t>(time.ns);
  put(out, static_cast<std::uint32_t>(ns >> 32));
  put(out, static_cast<std::uint32_t>(ns));
}

/// Well-formed UTF-8 of at most so many octets.
std::string fit_comment(std::string_view comment, std::size_t most = PcapngWriter::kMostComment) {
  std::string text = report::to_utf8(comment);
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text;
}

}  // namespace

PcapngWriter::PcapngWriter(std::string application, Describe describe, std::vector<std::string> comments)
    : application_(std::move(application)), describe_(std::move(describe)), comments_(std::move(comments)) {
  for (std::string& comment : comments_) comment = fit_comment(comment, kMostSectionComment);
}

void PcapngWriter::begin(std::string& out) {
  if (std::exchange(begun_, true)) return;
  const std::size_t block = begin_block(out, kSection);
  put(out, kByteOrder);
  put(out, std::uint16_t{1});
  put(out, std::uint16_t{0});
  put(out, ~std::uint64_t{0});  // length of the section: not specified
  for (const std::string& comment : comments_) {
    if (!comment.empty()) option(out, kComment, comment);
  }
  option(out, kSectionApplication, application_);
  end_of_options(out);
  end_block(out, block);
}

/// The file's number of the frame's interface, which is described first if it is new.
std::uint32_t PcapngWriter::describe(std::string& out, const net::Frame& frame) {
  for (std::size_t i = 0; i < interfaces_.size(); ++i) {
    if (interfaces_[i].number == frame.interface && interfaces_[i].link == frame.link) {
      return static_cast<std::uint32_t>(i);
    }
  }
  const std::size_t block = begin_block(out, kInterface);
  put(out, static_cast<std::uint16_t>(frame.link));
  put(out, std::uint16_t{0});
  put(out, std::uint32_t{0});  // no snap length
  const Described its = describe_ ? describe_(frame.interface) : Described{};
  for (const auto& [code, text] : {std::pair{kInterfaceName, &its.name}, {kInterfaceDescription, &its.description}}) {
    if (!text->empty()) option(out, code, fit_comment(*text, kMostInterfaceText));
  }
  option(out, kTimeResolution, "\x09");
  end_of_options(out);
  end_block(out, block);
  interfaces_.push_back({.number = frame.interface, .link = frame.link, .frames = 0, .last = {}});
  return static_cast<std::uint32_t>(interfaces_.size() - 1);
}

void PcapngWriter::append(std::string& out, const net::Frame& frame, std::string_view comment) {
  begin(out);
  const std::uint32_t number = describe(out, frame);
  const std::size_t block = begin_block(out, kEnhancedPacket);
  put(out, number);
  put_time(out, frame.time);
  put(out, static_cast<std::uint32_t>(frame.octets.size()));
  put(out, std::max(frame.original_length, static_cast<std::uint32_t>(frame.octets.size())));
  out.append(reinterpret_cast<const char*>(frame.octets.data()), frame.octets.size());
  pad(out, frame.octets.size());
  if (!comment.empty()) {
    option(out, kComment, fit_comment(comment));
    end_of_options(out);
  }
  end_block(out, block);
  Interface& interface = interfaces_[number];
  ++interface.frames;
  interface.last = frame.time;
  ++frames_;
}

void PcapngWriter::finish(std::string& out, std::uint64_t missing) {
  begin(out);
  for (std::size_t i = 0; i < interfaces_.size(); ++i) {
    const std::size_t block = begin_block(out, kStatistics);
    put(out, static_cast<std::uint32_t>(i));
    put_time(out, interfaces_[i].last);
    number_option(out, kAccepted, interfaces_[i].frames);
    if (missing != 0 && i == 0) number_option(out, kDroppedByOs, missing);
    end_of_options(out);
    end_block(out, block);
  }
}

std::size_t PcapngWriter::most_octets(const net::Frame& frame, std::string_view comment) noexcept {
  constexpr std::size_t kBeforeFirst = 1024;  // section header with two comments, interface description
  constexpr std::size_t kStatisticsBlock = 64;
  return kBeforeFirst + kStatisticsBlock + 64 + frame.octets.size() + std::min(3 * comment.size(), kMostComment);
}

bool is_enhanced_packet(std::string_view block) noexcept {
  return block.size() >= 4 && get<std::uint32_t>(block, 0) == kEnhancedPacket;
}

bool is_section_header(std::string_view block) noexcept {
  return block.size() >= 4 && get<std::uint32_t>(block, 0) == kSection;
}

std::string section_comment(std::string_view head) {
  constexpr std::size_t kOptions = 24, kHead = 4;  // where a section header's options begin; octets before a value
  if (head.size() < kOptions || !is_section_header(head) || get<std::uint32_t>(head, 8) != kByteOrder) return {};
  head = head.substr(0, std::min<std::size_t>(head.size(), get<std::uint32_t>(head, 4)));
  for (std::size_t at = kOptions; at + kHead <= head.size();) {
    const auto code = get<std::uint16_t>(head, at), octets = get<std::uint16_t>(head, at + 2);
    if (code == 0 || octets > head.size() - at - kHead) break;
    if (code == kComment) return std::string(head.substr(at + kHead, octets));
    at += kHead + (octets + 3u) / 4 * 4;
  }
  return {};
}

void append_with_comment(std::string& out, std::string_view block, std::string_view comment) {
  constexpr std::size_t kBeforeData = 28, kLength = 4, kEndOfOptions = 4;
  if (!is_enhanced_packet(block) || block.size() < kBeforeData + kLength || comment.empty()) {
    out += block;
    return;
  }
  const std::size_t captured = get<std::uint32_t>(block, 20);
  const bool has_options = block.size() > kBeforeData + (captured + 3) / 4 * 4 + kLength;
  const std::size_t begin = out.size();
  out += block.substr(0, block.size() - kLength - (has_options ? kEndOfOptions : 0));
  option(out, kComment, fit_comment(comment));
  end_of_options(out);
  end_block(out, begin);
}

std::optional<std::uint64_t> frames_in_pcapng(std::string_view tail) {
  constexpr std::size_t kSmallest = 12, kBody = 8 + 12;  // of a statistics block: what is before its options
  std::uint64_t frames = 0;
  bool any = false;
  while (tail.size() >= kSmallest) {
    const auto length = get<std::uint32_t>(tail, tail.size() - 4);
    if (length < kSmallest || length > tail.size()) break;
    const std::string_view block = tail.substr(tail.size() - length);
    if (get<std::uint32_t>(block, 0) != kStatistics) break;
    if (length >= kBody + 12 + 4 && get<std::uint16_t>(block, kBody) == kAccepted) {
      frames += get<std::uint64_t>(block, kBody + 4);
      any = true;
    }
    tail.remove_suffix(length);
  }
  return any ? std::optional{frames} : std::nullopt;
}

}  // namespace iwarpscope::outputs
