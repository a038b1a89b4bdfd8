// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "synth/ordinary.h"

#include <string>

namespace iwarpscope::synth {

namespace {

std::string words(Random& random, std::size_t octets) {
  static constexpr std::string_view kWords[] = {"the ",   "marker ",    "queue ", "and ",  "octet ", "frame ",
                                                "stream", "<br/>\r\n ", "a ",     "reply", "0 ",     "length "};
  std::string out;
  while (out.size() < octets) out += kWords[random.below(std::size(kWords))];
  return out;
}

Buffer http(Side side, unsigned number, Random& random) {
  if (side == Side::initiator) {
    return text("GET /page/" + std::to_string(number) +
                " HTTP/1.1\r\nHost: example.org\r\nAccept: text/html\r\nUser-Agent: reader/1.0\r\n\r\n");
  }
  const std::string body = words(random, random.between(200, 6000));
  return text("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(body.size()) +
              "\r\n\r\n" + body);
}

// TLS records: type, version 0x0303, length. Source: RFC 5246 §6.2.1.
Buffer tls(Side side, unsigned number, Random& random) {
  const std::uint8_t type = number == 0 ? 22 : 23;
  const std::size_t length = side == Side::initiator ? random.between(100, 600) : random.between(400, 5000);
  return wire::Writer().u8(type).u16(0x0303).u16(length).octets(random.octets(length)).take();
}

// NVMe/TCP PDUs: type, flags, header length, data offset, PDU length (little-endian). Source: NVMe/TCP Transport 1.0.
Buffer nvme_tcp(Side side, unsigned number, Random& random) {
  const bool host = side == Side::initiator;
  wire::Writer w;
  if (number == 0) {  // ICReq, ICResp
    return w.u8(host ? 0 : 1).u8(0).u8(128).u8(0).le(128, 4).fill(120).take();
  }
  if (host) {  // CapsuleCmd, sometimes with data in the capsule
    const std::size_t data = number % 3 == 0 ? 512 : 0;
    w.u8(4).u8(0).u8(72).u8(data == 0 ? 0 : 72).le(72 + data, 4);
    w.u8(number % 2 == 0 ? 2 : 1).u8(0x40).le(number, 2).le(1, 4).fill(16).octets(random.octets(40));
    return w.octets(random.octets(data)).take();
  }
  const std::size_t data = 4096;
  w.u8(7).u8(0x04).u8(24).u8(24).le(24 + data, 4).le(number, 2).fill(6).le(data, 4).fill(4).octets(random.octets(data));
  return w.u8(5).u8(0).u8(24).u8(0).le(24, 4).fill(8).le(number, 4).le(number, 4).take();  // CapsuleResp
}

// A text about MPA: the key is at the start of the TCP segment, followed by prose or near misses of a startup frame.
Buffer mpa_quote(Side side, unsigned number, Random& random) {
  const std::string key = side == Side::initiator ? "MPA ID Req Frame" : "MPA ID Rep Frame";
  if (number % 3 == 0) return text(key + " is the key; " + words(random, 300));
  if (number % 3 == 1) return text(key + "\r\n" + key + "\r\n" + words(random, 40));
  return wire::Writer(text(key)).u8(0x40).u8(1).u16(0x2020).octets(text(words(random, 700))).take();
}

}  // namespace

Buffer ordinary_octets(Ordinary kind, Side side, unsigned number, Random& random) {
  switch (kind) {
    case Ordinary::http: return http(side, number, random);
    case Ordinary::tls: return tls(side, number, random);
    case Ordinary::nvme_tcp: return nvme_tcp(side, number, random);
    case Ordinary::mpa_quote: return mpa_quote(side, number, random);
    case Ordinary::random: break;
  }
  return random.octets(random.between(1, 4000));
}

void ordinary(Connection& connection, Ordinary kind, unsigned exchanges, std::uint64_t seed) {
  Random random(seed);
  for (unsigned i = 0; i < exchanges; ++i) {
    for (const Side side : {Side::initiator, Side::responder}) {
      connection.stream(side, ordinary_octets(kind, side, i, random));
    }
  }
}

}  // namespace iwarpscope::synth
