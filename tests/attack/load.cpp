// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "attack/load.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "synth/wire/link.h"

namespace iwarpscope::attack {

Load::Load(const std::string& path, std::uint64_t octets)
    : path_(path),
      octets_(octets),
      file_(std::fopen(path.c_str(), "wb")),
      writer_({.format = synth::FileFormat::pcap}) {
  if (!file_) throw std::system_error(errno, std::generic_category(), path);
  Buffer header;
  writer_.add_interface(header, synth::LinkType::ethernet);
  write(header);
}

void Load::write(const Buffer& octets) {
  if (std::fwrite(octets.data(), 1, octets.size(), file_.get()) != octets.size()) {
    throw std::system_error(errno, std::generic_category(), path_);
  }
  written_ += octets.size();
}

void Load::frame(Octets payload, std::uint16_t ether_type, std::optional<std::size_t> captured) {
  synth::Frame frame;
  frame.time_ns = time_ns_;
  frame.octets = synth::wire::write(synth::wire::Ethernet{.ether_type = ether_type}, payload);
  frame.original_length = static_cast<std::uint32_t>(frame.octets.size());
  if (captured) frame.octets.resize(std::min(*captured, frame.octets.size()));
  time_ns_ += 1000;
  Buffer record;
  writer_.add(record, frame);
  write(record);
}

void Load::ip(const synth::wire::Ipv4& header, Octets payload, std::optional<std::size_t> captured) {
  synth::wire::Ipv4 numbered = header;
  if (numbered.identification == 0) numbered.identification = ++identification_;
  frame(synth::wire::write(numbered, payload), synth::wire::kEtherIpv4, captured);
}

}  // namespace iwarpscope::attack
