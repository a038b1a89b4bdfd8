// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// The bound that the analyser is measured against: reads a capture with libpcap and computes CRC32c over each TCP
// payload with ISA-L, nothing else. Ethernet, IPv4 and TCP only, as the benchmark's captures are.
#include <isa-l/crc.h>
#include <pcap/pcap.h>

#include <cstdint>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* capture = pcap_open_offline(argv[1], error);
  if (capture == nullptr) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error);
    return 2;
  }
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;
  unsigned sum = 0;
  pcap_pkthdr* header = nullptr;
  const unsigned char* data = nullptr;
  while (pcap_next_ex(capture, &header, &data) == 1) {
    ++frames;
    if (header->caplen < 54) continue;
    const unsigned ip = 14;
    const unsigned tcp = ip + (data[ip] & 0x0FU) * 4U;
    if (tcp + 20 > header->caplen) continue;
    const unsigned payload = tcp + (data[tcp + 12] >> 4U) * 4U;
    if (payload >= header->caplen) continue;
    const unsigned length = header->caplen - payload;
    sum ^= crc32_iscsi(const_cast<unsigned char*>(data + payload), static_cast<int>(length), 0xFFFFFFFFU);
    octets += length;
  }
  pcap_close(capture);
  std::printf("%llu frames, %llu payload octets, %08x\n", static_cast<unsigned long long>(frames),
              static_cast<unsigned long long>(octets), sum);
  return 0;
}
