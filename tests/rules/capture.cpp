// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// CA: what the capture lost, cut or doubled, and the limits of the analyser.
#include <algorithm>
#include <optional>
#include <utility>

#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Buffer;
using synth::Connection;
using synth::Effect;
using synth::EffectOptions;
using synth::Frames;
using synth::LinkType;
using synth::Packing;
using synth::Path;

// Some of everything, both ways.
void messages(Connection& c) {
  for (std::uint64_t i = 0; i < 3; ++i) {
    c.send(kInit, 4000);
    c.write(kInit, kStag, TaggedOffset{kTo.value + i * 8192}, 8000);
    c.read(kInit, {.size = 5000});
    c.send(kResp, 700);
  }
}
// The least that shows what the file, and no message, is about.
void few(Connection& c) {
  c.write(kInit, kStag, kTo, 100);
  c.read(kInit, {.size = 100});
}
Play messages_with_effect(Effect effect, EffectOptions options = {}) {
  return [=](Connection& c) {
    c.channel(kInit, effect, options);
    c.send(kInit, 8000);
    messages(c);
  };
}
// A second port shows a packet with another octet, and a checksum that fits it; or its sender sent it again so.
Play copied_with_another_octet(bool is_copy) {
  return [=](Connection& c) {
    messages(c);
    auto& all = c.tcp_segments();
    const auto at = std::find_if(all.begin() + 5, all.end(), [](const auto& s) { return s.payload.size() > 1000; });
    synth::TcpSegment other = *at;
    other.payload[500] ^= std::byte{0x10};
    other.time_ns += 1;
    if (!is_copy) ++other.identification;
    all.insert(at + 1, other);
  };
}
MakeTraffic on(Path path, Play play = messages) {
  return whole(std::move(play), {}, {.path = std::move(path)});
}
// Sends of three TCP segments each; this one of the first is missing.
Play cut_send(unsigned missing) {
  return [=](Connection& c) {
    c.packing(kInit, Packing::cut, {500});
    c.channel(kInit, Effect::miss, {.skip = missing});
    for (int i = 0; i < 3; ++i) c.send(kInit, 1400);
  };
}
// The traffic with other frames.
MakeTraffic edited(MakeTraffic make, std::function<void(Frames&)> edit) {
  return [=] {
    Traffic traffic = make();
    edit(traffic.frames);
    return traffic;
  };
}
// All TCP segments of this side that carry payload were missed.
MakeTraffic without_payload_of(synth::Side side, MakeTraffic make) {
  const std::uint8_t last_octet = side == kInit ? 1 : 2;  // of its address
  return edited(std::move(make), [=](Frames& frames) {
    std::erase_if(frames, [=](const synth::Frame& f) {
      const std::size_t ip = 14, tcp = ip + 20;
      const std::size_t header = 4 * std::to_integer<std::size_t>(f.octets[tcp + 12] >> 4);
      return f.octets[ip + 15] == std::byte{last_octet} && f.octets.size() > tcp + header;
    });
  });
}
MakeTraffic with_options(MakeTraffic make, std::function<void(analysis::Options&)> change) {
  return [=] {
    Traffic traffic = make();
    change(traffic.options);
    return traffic;
  };
}
MakeTraffic with_info(const analysis::CaptureInfo& info) {
  return [=] {
    Traffic traffic = whole(few)();
    traffic.info = info;
    return traffic;
  };
}
// Interfaces that tell these numbers of dropped packets, or none.
MakeTraffic dropping(const std::vector<std::optional<std::uint64_t>>& counts) {
  analysis::CaptureInfo info;
  for (const auto& count : counts) info.interfaces.emplace_back().dropped = count;
  return with_info(info);
}
MakeTraffic stopped(analysis::ReadingStopped::Why why) {
  analysis::CaptureInfo info;
  info.stopped = {why, 1234, "frame 7 claims 2147483647 captured octets"};
  return with_info(info);
}
MakeTraffic cut_file(bool cut) {
  analysis::CaptureInfo info;
  info.truncated_file = cut;
  return with_info(info);
}
// So many connections, one after the other.
MakeTraffic many(unsigned count, std::size_t max_qps, std::size_t max_flows = 2u << 20, bool iwarp = true) {
  return [=] {
    Traffic traffic;
    for (unsigned i = 0; i < count; ++i) {
      Connection c({.initiator = {.port = static_cast<std::uint16_t>(40000 + i)}});
      c.connect();
      if (iwarp) c.startup();
      if (iwarp) c.send(kInit, 100);
      if (!iwarp) c.stream(kInit, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n");
      if (iwarp) c.close();
      for (synth::Frame& frame : c.frames()) traffic.frames.push_back(std::move(frame));
    }
    std::stable_sort(traffic.frames.begin(), traffic.frames.end(),
                     [](const auto& x, const auto& y) { return x.time_ns < y.time_ns; });
    traffic.options.limits.max_qps = max_qps;
    traffic.options.limits.max_flows = max_flows;
    return traffic;
  };
}
// From the middle on, all times are so much earlier.
MakeTraffic set_back(std::int64_t ns) {
  return edited(whole(few), [=](Frames& frames) {
    const std::size_t middle = frames.size() / 2;
    const std::int64_t shift = frames[middle].time_ns - frames[middle - 1].time_ns + ns;
    for (std::size_t i = middle; i < frames.size(); ++i) frames[i].time_ns -= shift;
  });
}
MakeTraffic reserved_bits(unsigned count) {
  return whole([=](Connection& c) {
    for (unsigned i = 0; i < count; ++i) {
      c.alter(kInit, {.ddp_reserved = 1});
      c.send(kInit, 100);
    }
  });
}
// A TCP segment that begins as an FPDU with this Send would, and goes on as text.
void like_an_fpdu(Connection& c, std::uint32_t msn) {
  Buffer octets{std::byte{0x04}, std::byte{0x00}};
  const Buffer header = synth::wire::write(synth::wire::DdpUntagged{.msn = MessageSequence{msn}});
  octets.insert(octets.end(), header.begin(), header.end());
  const Buffer text = synth::text(" is what the first octets of this line of text happen to look like.\r\n");
  for (int i = 0; i < 3; ++i) octets.insert(octets.end(), text.begin(), text.end());
  c.stream(kInit, octets);
}

std::vector<Scenario> loss_scenarios() {
  return {
      {capture_gap,
       "lost on the network and sent again",
       {},
       whole(messages_with_effect(Effect::miss, {.skip = 1})),
       whole(messages_with_effect(Effect::lose_before_tap, {.skip = 1}))},
      {capture_gap,
       "reordered by the network",
       {},
       whole(messages_with_effect(Effect::miss, {.skip = 3})),
       whole(messages_with_effect(Effect::hold_back, {.skip = 3, .delay = 2}))},
      {capture_gap,
       "damaged and sent again",
       {},
       whole([](Connection& c) {
         c.channel(kResp, Effect::miss, {.skip = 2});
         messages(c);
       }),
       whole(messages_with_effect(Effect::corrupt, {.skip = 1}))},
      {capture_gap,
       "only one direction was captured: no acknowledgment shows it",
       {},
       whole(messages_with_effect(Effect::miss)),
       one_side(kInit, messages_with_effect(Effect::miss))},

      {capture_truncated_frames,
       "a snap length as long as the longest frame",
       {},
       on({.snap_length = 128}),
       on({.snap_length = 1514})},
      {capture_truncated_frames,
       "short packets padded to the least that Ethernet carries",
       {},
       on({.snap_length = 1513}),
       on({.pad_ethernet = true}, [](Connection& c) { c.acknowledge(kInit); })},

      {capture_mirror_duplicates,
       "retransmitted",
       {},
       whole(messages_with_effect(Effect::mirror_duplicate)),
       whole(messages_with_effect(Effect::retransmit))},
      {capture_mirror_duplicates,
       "equal messages, one after the other",
       {},
       whole([](Connection& c) {
         c.impair({.mirror_duplicate = 1000});
         messages(c);
       }),
       whole([](Connection& c) {
         for (int i = 0; i < 4; ++i) c.send(kInit, Buffer(100));
       })},

      {capture_copies_differ,
       "sent again with other octets",
       {kToB, 8, "", ""},
       whole(copied_with_another_octet(true)),
       whole(copied_with_another_octet(false))},

      {capture_one_sided,
       "both directions, of which one sends nothing but ACKs",
       {kToB, 1, "", ""},
       one_side(kInit, few),
       bare([](Connection& c) {
         c.send(kInit, 4000);
         c.write(kInit, kStag, kTo, 8000);
         c.close();
       })},
      {capture_one_sided,
       "a single message of the other direction",
       {kToA, 1, "", ""},
       one_side(kResp, few),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.startup();
         c.send(kInit, 100);
         messages(c);
         c.capture_only(kResp);
         c.send(kResp, 100);
         return Traffic{.frames = c.frames()};
       }},
      {capture_one_sided,
       "an ACK of the other direction, which has sent nothing else",
       {},
       without_payload_of(kResp, whole(messages)),
       bare([](Connection& c) {
         c.send(kInit, 4000);
         c.acknowledge(kResp);
       })},
      {capture_one_sided,
       "payload of the other direction that was cut off",
       {},
       without_payload_of(kInit, whole(messages)),
       on({.snap_length = 66})},
      {capture_gap,
       "none of its direction was captured but the handshake",
       {},
       whole(messages_with_effect(Effect::miss)),
       without_payload_of(kResp, whole(messages))},
      {capture_gap,
       "none of its direction was captured but ACKs and a FIN",
       {},
       whole([](Connection& c) {
         c.channel(kResp, Effect::miss);
         messages(c);
       }),
       without_payload_of(kInit, midstream(messages))},

      {capture_cut_framing,
       "each FPDU begins a TCP segment",
       {},
       on({.snap_length = 160},
          [](Connection& c) {
            c.packing(Packing::packed);
            for (int i = 0; i < 40; ++i) c.send(kInit, 200);
          }),
       on({.snap_length = 160})},
      {capture_cut_framing,
       "lost in a gap",
       {},
       on({.snap_length = 160},
          [](Connection& c) {
            c.packing(Packing::packed);
            messages(c);
          }),
       whole([](Connection& c) {
         c.packing(Packing::packed);
         messages_with_effect(Effect::miss, {.skip = 2})(c);
       })},

      {capture_joined_midstream, "from the startup on", {}, midstream(messages), whole(messages)},
      {capture_joined_midstream,
       "without the TCP handshake, but with the startup",
       {},
       midstream([](Connection& c) {
         c.packing(Packing::packed);
         messages(c);
       }),
       [] {
         Connection c;
         c.startup();
         messages(c);
         c.close();
         return Traffic{.frames = c.frames()};
       }},

      {capture_inferred_settings, "from the startup on", {}, midstream(messages), whole(messages)},
      {capture_inferred_settings,
       "from the startup on, CRC off",
       {},
       midstream([](Connection& c) {
         c.use_crc(false);
         messages(c);
       }),
       whole(messages, {.crc = false, .markers = true})},
  };
}

std::vector<Scenario> file_scenarios() {
  return {
      {capture_interface_drops, "none dropped", {{}, 0, "17", ""}, dropping({17}), dropping({0})},
      {capture_interface_drops,
       "the file does not tell",
       {},
       dropping({std::nullopt, 1}),
       dropping({std::nullopt, std::nullopt})},
      {capture_truncated_file, "whole", {}, cut_file(true), cut_file(false)},
      {capture_damaged_file,
       "interrupted",
       {},
       stopped(analysis::ReadingStopped::Why::damaged),
       stopped(analysis::ReadingStopped::Why::interrupted)},
      {capture_damaged_file,
       "ends in the middle of a record",
       {},
       stopped(analysis::ReadingStopped::Why::damaged),
       cut_file(true)},

      {capture_clock_went_back,
       "by the jitter of interfaces merged",
       {{}, 7, "20000000 ns", ""},
       set_back(20'000'000),
       set_back(9'000'000)},
      {capture_clock_went_back,
       "forward, by an hour",
       {{}, 7, "3600000000000 ns", ""},
       set_back(3'600'000'000'000),
       set_back(-3'600'000'000'000)},

      {capture_undecodable_link,
       "Linux cooked capture",
       {{}, 0, "14", ""},
       edited(whole(few),
              [](Frames& frames) {
                for (synth::Frame& f : frames) f.link_type = static_cast<LinkType>(105);  // IEEE 802.11
              }),
       on({.link = LinkType::linux_sll2})},
      {capture_undecodable_link,
       "raw IP",
       {{}, 0, "1", ""},
       edited(whole(few), [](Frames& frames) { frames[3].link_type = static_cast<LinkType>(147); }),
       on({.link = LinkType::raw_ip})},

      {capture_malformed_frames,
       "cut by the snap length",
       {{}, 0, "1", ""},
       edited(whole(few), [](Frames& frames) { frames.back().octets[14] = std::byte{0x42}; }),
       edited(whole(few), [](Frames& frames) { frames.back().octets.resize(20); })},
      {capture_malformed_frames,
       "of a protocol that is none of ours",
       {{}, 0, "1", ""},
       edited(whole(few), [](Frames& frames) { frames.back().octets[14 + 20 + 12] = std::byte{0x10}; }),
       edited(whole(few), [](Frames& frames) { frames.back().octets[14 + 9] = std::byte{47 + 1}; })},
  };
}

std::vector<Scenario> limit_scenarios() {
  const MakeTraffic hole = whole(messages_with_effect(Effect::lose_before_tap, {.delay = 40}));
  const auto tcp_limit = [](std::size_t octets) {
    return [=](analysis::Options& o) { o.limits.tcp.max_buffered_octets = octets; };
  };
  const auto datagrams = [](std::size_t most) {
    return [=](analysis::Options& o) { o.limits.net.max_datagrams = most; };
  };
  // The first frame of each datagram comes first, then the rest.
  const MakeTraffic interleaved = edited(on({.fragment_payload = 1000}), [](Frames& frames) {
    std::stable_partition(frames.begin(), frames.end(), [](const synth::Frame& f) {
      return (f.octets[20] & std::byte{0x20}) != std::byte{0};  // more fragments
    });
    for (std::size_t i = 1; i < frames.size(); ++i) {
      frames[i].time_ns = std::max(frames[i].time_ns, frames[i - 1].time_ns);
    }
  });
  const MakeTraffic fragments = on({.fragment_payload = 600});
  const auto drop_one = [](Frames& frames) {
    const auto more = [](const synth::Frame& f) { return (f.octets[20] & std::byte{0x20}) != std::byte{0}; };
    frames.erase(std::find_if(frames.begin(), frames.end(), more));
  };
  const Play few_large = [](Connection& c) { c.send(kInit, 1000); };
  return {
      {capture_buffer_limit,
       "room enough",
       {},
       with_options(hole, tcp_limit(5000)),
       with_options(hole, tcp_limit(4u << 20))},
      {capture_buffer_limit,
       "a hole that closes at once",
       {},
       with_options(hole, tcp_limit(3000)),
       with_options(whole(messages_with_effect(Effect::lose_before_tap, {.delay = 0})), tcp_limit(3000))},

      {capture_table_limit, "as many as there is room for", {}, many(40, 16), many(40, 16 * 40)},
      {capture_table_limit,
       "the flows of connections that are no iWARP",
       {},
       many(2000, 1u << 20, 256, false),
       many(2000, 1u << 20, 2u << 20, false)},

      {capture_framing_lost,
       "the missing octets lie inside an FPDU whose length is known",
       {},
       whole(cut_send(0)),
       whole(cut_send(1))},
      {capture_framing_lost,
       "an FPDU follows right after the missing octets (CA-01 alone)",
       {},
       whole(cut_send(0)),
       whole(messages_with_effect(Effect::miss, {.skip = 1}))},
      {capture_framing_lost,
       "the boundary is lost though nothing is missing (MF-24)",
       {},
       whole(cut_send(0)),
       whole(faulty("length-zero",
                    [](Connection& c) {
                      for (int i = 0; i < 3; ++i) c.send(kInit, 100);
                    })),
       {},
       {mpa_ulpdu_length_invalid}},
      {capture_framing_lost, "sent again", {}, whole(cut_send(0)), whole([](Connection& c) {
         c.packing(Packing::packed);
         messages_with_effect(Effect::lose_after_tap, {.skip = 2})(c);
       })},

      {capture_framing_lost,
       "joined mid-stream with a whole FPDU",
       {},
       midstream([](Connection& c) {
         c.raw_octets(kInit, synth::Buffer(47'000, std::byte{0xFF}));
         for (int i = 0; i < 10; ++i) c.send(kInit, 300);
       }),
       midstream([](Connection& c) {
         for (int i = 0; i < 10; ++i) c.send(kInit, 300);
       })},

      {capture_findings_limit,
       "as many as are listed",
       {kToB, 158, "ddp.reserved-bits", ""},
       reserved_bits(101),
       reserved_bits(100)},

      {capture_fragments_incomplete,
       "all of them",
       {{}, 0, "1", ""},
       edited(on({.fragment_payload = 600}, few_large), drop_one),
       fragments},
      {capture_fragments_incomplete,
       "in the other order, and some twice",
       {},
       edited(interleaved, drop_one),
       edited(on({.fragment_payload = 600, .fragments_reversed = true}),
              [](Frames& frames) {
                for (std::size_t i = 20; i < 40; i += 2) {
                  const synth::Frame again = frames[i];
                  frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(i), again);
                }
              })},

      {capture_fragments_limit,
       "room for all that wait",
       {},
       with_options(interleaved, datagrams(4)),
       with_options(interleaved, datagrams(4096))},
      {capture_fragments_limit,
       "a fragment that never comes (CA-14)",
       {},
       with_options(interleaved, datagrams(1)),
       edited(fragments, drop_one)},

      {capture_iwarp_unconfirmed,
       "text",
       {},
       [] {
         Connection c;
         c.connect();
         for (std::uint32_t i = 1; i < 5; ++i) like_an_fpdu(c, i);
         c.stream(kResp, "what?\r\n");
         return Traffic{.frames = c.frames()};
       },
       [] {
         Connection c;
         c.connect();
         for (int i = 0; i < 5; ++i) c.stream(kInit, "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n");
         return Traffic{.frames = c.frames()};
       }},
      {capture_iwarp_unconfirmed,
       "a connection that is iWARP",
       {},
       [] {
         Connection c;
         c.connect();
         c.stream(kInit, "MPA ID Req Frame is the key of a Request, as RFC 5044 has it in section 7.1.1.\r\n");
         c.stream(kResp, "I see.\r\n");
         c.close();
         return Traffic{.frames = c.frames()};
       },
       whole(messages)},
  };
}

}  // namespace

std::vector<Scenario> capture_scenarios() {
  return joined({loss_scenarios(), file_scenarios(), limit_scenarios()});
}

}  // namespace iwarpscope::test
