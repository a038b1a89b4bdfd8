// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Scripts: they give the octets of the corresponding calls; and their error messages.
#include "synth/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "synth/connection.h"
#include "synth/script_player.h"

namespace iwarpscope::synth {
namespace {

using wire::EnhancedData;
using wire::StartupFrame;

struct SameOverTcp {
  std::string_view script;
  std::function<void(Connection&)> calls;
  ConnectionOptions options{};
};

void expect_same(const SameOverTcp& same) {
  Connection c(same.options);
  same.calls(c);
  EXPECT_EQ(write_file(play(same.script)), write_file(c.frames())) << same.script;
}

// A connection up to its first FPDU.
void begin(Connection& c) {
  c.connect();
  c.startup();
}

TEST(Script, OfStartupsGivesTheOctetsOfTheCalls) {
  const EnhancedData depths{.ird = 8, .ord = 4}, turned{.ird = 4, .ord = 8};
  const EnhancedData p2p{.peer_to_peer = true, .rtr_read = true, .ird = 16, .ord = 16};
  const EnhancedData both{.peer_to_peer = true, .rtr_send = true, .rtr_write = true, .ird = 16, .ord = 16};
  const std::vector<SameOverTcp> all = {
      {"connect\nstartup\n", begin},
      {"connect\nstartup rev=2 crc markers",
       [](Connection& c) {
         c.connect();
         c.startup({.revision = 2, .markers = true});
       }},
      {"startup nocrc request-crc=on reply-markers=on private=0a0B",
       [](Connection& c) {
         c.startup({.crc = false, .request_crc = true, .reply_markers = true, .request_private_data = hex("0a0b")});
       }},
      {"startup ird=8 ord=4 reply-private-text=\"hi # there; x\"",
       [&](Connection& c) {
         c.startup({.request_enhanced = depths, .reply_enhanced = turned, .reply_private_data = text("hi # there; x")});
       }},
      {"startup p2p rtr=read",
       [&](Connection& c) { c.startup({.request_enhanced = p2p, .reply_enhanced = p2p, .rtr = Rtr::read}); }},
      {"startup p2p rtr=write offer=send,write",
       [&](Connection& c) { c.startup({.request_enhanced = both, .reply_enhanced = both, .rtr = Rtr::write}); }},
      {"startup ird=8 ord=4 reply-ird=3 reply-ord=0x3fff reject",
       [&](Connection& c) {
         c.startup(
             {.reject = true, .request_enhanced = depths, .reply_enhanced = EnhancedData{.ird = 3, .ord = 0x3FFF}});
       }},
      {"request rev=3 reserved=8 length=40 private-text=x enhanced=on\nreply key=\"MPA ID Rxp Frame\" reject",
       [](Connection& c) {
         c.request({.enhanced_flag = true,
                    .reserved = 8,
                    .revision = 3,
                    .private_data = text("x"),
                    .private_data_length = 40});
         c.reply({.kind = StartupFrame::Kind::reply, .reject = true, .key = text("MPA ID Rxp Frame")});
       }},
      {"request b\nreply a nocrc",
       [](Connection& c) {
         c.request({}, kR);
         c.reply({.kind = StartupFrame::Kind::reply, .crc = false}, kI);
       }},
      {"full-operation a\nmarkers a on\ncrc off\ncrc b on\nversion 0\nmulpdu a 200\nsend a 600\nmulpdu a usual\nsend a "
       "600",
       [](Connection& c) {
         c.begin_full_operation(kI);
         c.use_markers(kI, true);
         c.use_crc(false);
         c.use_crc(kR, true);
         c.use_version(0);
         c.limit_mulpdu(kI, 200);
         c.send(kI, 600);
         c.limit_mulpdu(kI, {});
         c.send(kI, 600);
       }},
      {"startup\nrtr write",
       [](Connection& c) {
         c.startup();
         c.rtr(Rtr::write);
       }},
  };
  for (const SameOverTcp& same : all) expect_same(same);
}

TEST(Script, OfMessagesGivesTheOctetsOfTheCalls) {
  const std::vector<SameOverTcp> all = {
      {"connect; startup; send a 1000; send b; send a hex=00ff; send a text=\"a \\\"b\\\"\"; close",
       [](Connection& c) {
         begin(c);
         c.send(kI, 1000);
         c.send(kR);
         c.send(kI, hex("00ff"));
         c.send(kI, "a \"b\"");
         c.close();
       }},
      {"startup; send_se a 10; send-invalidate b stag=0x99 20; send-se-invalidate a; write b stag=0x10 to=0x1000 5000",
       [](Connection& c) {
         c.startup();
         c.send_se(kI, 10);
         c.send_invalidate(kR, STag{0x99}, 20);
         c.send_se_invalidate(kI, STag{0x1234});
         c.write(kR, STag{0x10}, TaggedOffset{0x1000}, 5000);
       }},
      {"startup; read a size=3000 sink-stag=1 sink-to=2 source-stag=3 source-to=4; read-request b size=9; "
       "read-request b size=5; read-response a; read-response a 4; fin a",
       [](Connection& c) {
         c.startup();
         c.read(kI, {STag{1}, TaggedOffset{2}, 3000, STag{3}, TaggedOffset{4}});
         c.read_request(kR, {.size = 9});
         c.read_request(kR, {.size = 5});
         c.read_response(kI);
         c.read_response(kI, Payload(4));
         c.fin(kI);
       }},
      {"startup; immediate a 7; immediate b 0xffffffffffffffff se; reset b",
       [](Connection& c) {
         c.startup();
         c.immediate(kI, 7);
         c.immediate(kR, ~std::uint64_t{0}, true);
         c.reset(kR);
       }},
      {"startup; atomic a fetch_add data=5 mask=0x80; atomic a cmp-swap to=0x1000 stag=7 compare=1 compare-mask=3 "
       "id=9; "
       "atomic-request b swap reserved=1; atomic-response a original=77",
       [](Connection& c) {
         c.startup();
         c.atomic(kI, {.data = 5, .mask = 0x80});
         c.atomic(kI, {.operation = wire::AtomicOperation::cmp_swap,
                       .request_id = 9,
                       .remote_stag = STag{7},
                       .compare = 1,
                       .compare_mask = 3});
         c.atomic_request(kR, {.reserved = 1, .operation = wire::AtomicOperation::swap});
         c.atomic_response(kI, 77);
       }},
      {"startup; write a 10; terminate b layer=1 type=1 code=0; terminate b layer=1 type=1 dialect=siw",
       [](Connection& c) {
         c.startup();
         c.write(kI, STag{0x1234}, TaggedOffset{0x1000}, 10);
         c.terminate_last(kR, 1, 1, 0);
         c.terminate_last(kR, 1, 1, 0, wire::TerminateDialect::siw_little_endian);
       }},
      {"startup; terminate a layer=1 type=2 code=2 alone; terminate a ddp-length=9 ddp=0102 rdmap=03 m=off reserved=1",
       [](Connection& c) {
         c.startup();
         c.terminate(kI, {.layer = 1, .error_type = 2, .error_code = 2});
         c.terminate(
             kI, {.ddp_length = 9, .ddp_header = hex("0102"), .rdmap_header = hex("03"), .m = false, .reserved = 1});
       }},
      {"startup; tagged a stag=5 to=6 opcode=2 last=off 30; untagged b qn=1 msn=2 mo=3 opcode=4 invalidate=5 8; "
       "ulpdu a hex=01; octets b text=HTTP; msn a 0 500; send a 3; fill zeros; send a 2; fill counting; send b 3; fill "
       "random; repeat 3 send a text=\"x y\"",
       [](Connection& c) {
         c.startup();
         c.tagged(
             kI,
             {.control = wire::ddp_control(true, false), .rdmap_control = 0x42, .stag = STag{5}, .to = TaggedOffset{6}},
             30);
         c.untagged(kR,
                    {.rdmap_control = 0x44,
                     .invalidate_stag = 5,
                     .qn = QueueNumber{1},
                     .msn = MessageSequence{2},
                     .mo = MessageOffset{3}},
                    8);
         c.raw_ulpdu(kI, hex("01"));
         c.raw_octets(kR, text("HTTP"));
         c.set_msn(kI, QueueNumber{0}, MessageSequence{500});
         c.send(kI, 3);
         c.fill(Connection::Fill::zeros);
         c.send(kI, 2);
         c.fill(Connection::Fill::counting);
         c.send(kR, 3);
         c.fill(Connection::Fill::random);
         for (int i = 0; i < 3; ++i) c.send(kI, "x y");
       }},
      {"startup; send a 7; keep-named a; write a stag=5 to=8 90; terminate b layer=1 type=2 code=3",
       [](Connection& c) {
         c.startup();
         c.send(kI, 7);
         c.keep_named(kI);
         c.write(kI, STag{5}, TaggedOffset{8}, 90);
         c.terminate_last(kR, 1, 2, 3);
       }},
  };
  for (const SameOverTcp& same : all) expect_same(same);
}

TEST(Script, ATerminateNamesWhatWasKeptThoughMoreWasSent) {
  const std::string kept = "startup; send a 7; keep-named a; write a stag=5 to=8 90; terminate b layer=1 type=2 code=3";
  const std::string last = "startup; send a 7; write a stag=5 to=8 90; terminate b layer=1 type=2 code=3";
  const std::string of_send = "startup; send a 7; terminate b layer=1 type=2 code=3";
  const auto octets = [](const std::string& script) { return play(script).back().octets.size(); };
  EXPECT_EQ(octets(kept), octets(of_send));  // an untagged header, four octets longer than that of a Write
  EXPECT_EQ(octets(last), octets(of_send) - 4);
}

TEST(Script, OfTcpAndNetworkGivesTheOctetsOfTheCalls) {
  const std::vector<SameOverTcp> all = {
      {"connect; startup; window b 0; send b 10",
       [](Connection& c) {
         begin(c);
         c.touch(kR, [](TcpSegment& t) { t.window = 0; });
         c.send(kR, 10);
       }},
      {"connect; stream a text=hello; keep-alive a octet; ack b; fin b; close b; reuse-ports isn-a=5; connect",
       [](Connection& c) {
         c.connect();
         c.stream(kI, "hello");
         c.keep_alive(kI, true);
         c.acknowledge(kR);
         c.fin(kR);
         c.close(kR);
         c.reuse_ports(5);
         c.connect();
       }},
      {"startup; cut 700; send a 3000; cut b 30,2000; send b 3000; crc-alone; send a 9; pack; repeat 9 send a 400; "
       "flush; "
       "pack b size=99; send b 400; offload a; send a 9000; whole; send a 9",
       [](Connection& c) {
         c.startup();
         c.packing(Packing::cut, {700});
         c.send(kI, 3000);
         c.packing(kR, Packing::cut, {30, 2000});
         c.send(kR, 3000);
         c.packing(Packing::crc_alone);
         c.send(kI, 9);
         c.packing(Packing::packed);
         for (int i = 0; i < 9; ++i) c.send(kI, 400);
         c.flush();
         c.packing(kR, Packing::packed, {99});
         c.send(kR, 400);
         c.packing(kI, Packing::offload);
         c.send(kI, 9000);
         c.packing(Packing::fpdu_per_tcp_segment);
         c.send(kI, 9);
       }},
      {"startup; lose a delay=1; lose b seen skip=1; miss a skip=2; reorder a skip=3 delay=2; duplicate b; retransmit "
       "a "
       "changed skip=5 again-missed; corrupt a skip=6; wait 2s; repeat 12 send a 100; repeat 4 send b 100",
       [](Connection& c) {
         c.startup();
         c.channel(kI, Effect::lose_before_tap, {.delay = 1});
         c.channel(kR, Effect::lose_after_tap, {.skip = 1});
         c.channel(kI, Effect::miss, {.skip = 2});
         c.channel(kI, Effect::hold_back, {.skip = 3, .delay = 2});
         c.channel(kR, Effect::mirror_duplicate);
         c.channel(kI, Effect::retransmit_changed, {.skip = 5, .miss_retransmission = true});
         c.channel(kI, Effect::corrupt, {.skip = 6});
         c.wait(2'000'000'000);
         for (int i = 0; i < 12; ++i) c.send(kI, 100);
         for (int i = 0; i < 4; ++i) c.send(kR, 100);
       }},
      {"impair seed=3 lose=100 lose-seen=50 miss=50 reorder=100 duplicate=50 retransmit=50 corrupt=50; startup; "
       "repeat 60 send a 800",
       [](Connection& c) {
         c.impair({.seed = 3,
                   .lose_before_tap = 100,
                   .lose_after_tap = 50,
                   .miss = 50,
                   .hold_back = 100,
                   .mirror_duplicate = 50,
                   .retransmit = 50,
                   .corrupt = 50});
         c.startup();
         for (int i = 0; i < 60; ++i) c.send(kI, 800);
       }},
      {"capture off; connect; capture on; startup; capture b; send a 10; send b 10",
       [](Connection& c) {
         c.capture(false);
         c.connect();
         c.capture(true);
         c.startup();
         c.capture_only(kR);
         c.send(kI, 10);
         c.send(kR, 10);
       }},
  };
  for (const SameOverTcp& same : all) expect_same(same);
}

TEST(Script, OfSettingsGivesTheOctetsOfTheOptions) {
  ConnectionOptions o;
  o.initiator = {.address = "192.0.2.9",
                 .port = 1234,
                 .isn = 0xFFFFFF00,
                 .mss = 500,
                 .window_scale = 3,
                 .timestamps = false,
                 .sack = false,
                 .ttl = 9,
                 .checksum = wire::Checksum::pseudo_header_only,
                 .turnaround_ns = 5'000,
                 .ack_every = 0};
  o.initiator.mac = ConnectionOptions{}.initiator.mac;
  o.opener = kR;
  o.gap_ns = 1'000;
  o.seed = 42;
  o.path = {.vlans = {{.id = 7}, {.id = 8}}, .labels = {{.label = 99}}, .fragment_payload = 400, .snap_length = 300};
  expect_same(
      {"end a address=192.0.2.9 port=1234 isn=0xffffff00 mss=500 window-scale=3 timestamps=off sack=off ttl=9 "
       "checksum=offload turnaround=5us ack-every=0\nopener b\ngap 1us\nseed 42\nvlan 7\nvlan 8\nmpls 99\n"
       "fragment 400\nsnap 300\nconnect; startup; send b 2000",
       [](Connection& c) {
         begin(c);
         c.send(kR, 2000);
       },
       o});
  ConnectionOptions tunnelled;
  tunnelled.path.link = LinkType::linux_sll;
  tunnelled.path.tunnel = Tunnel{.kind = Tunnel::Kind::geneve, .id = 5};
  ConnectionOptions mirrored;
  mirrored.path.tunnel = Tunnel{.kind = Tunnel::Kind::erspan_2, .id = 5, .erspan_vlan = 9};
  expect_same({"tunnel erspan-2 id=5 vlan=9; connect", [](Connection& c) { c.connect(); }, mirrored});
  expect_same({"link sll; tunnel geneve id=5; connect", [](Connection& c) { c.connect(); }, tunnelled});
}

TEST(Script, OfFaultsGivesTheOctetsOfTheCalls) {
  const std::vector<SameOverTcp> all = {
      {"startup; fault crc-mismatch; send a 9; fault b mo-gap skip=1; send b 3000",
       [](Connection& c) {
         c.startup();
         c.fault("crc-mismatch");
         c.send(kI, 9);
         c.fault(kR, "mo-gap", 1);
         c.send(kR, 3000);
       }},
      {"startup; alter a tagged=off last=off ddp-version=2 ddp-reserved=3 opcode=9 rdmap-version=2 rdmap-reserved=1 "
       "msn=4 msn-delta=-1 mo=5 mo-delta=3 qn=6 invalidate=7 payload=0011 length=8 pad=9 crc-xor=10; send a 9",
       [](Connection& c) {
         c.startup();
         c.alter(kI, {.tagged = false,
                      .last = false,
                      .ddp_version = 2,
                      .ddp_reserved = 3,
                      .opcode = 9,
                      .rdmap_version = 2,
                      .rdmap_reserved = 1,
                      .invalidate_stag = 7,
                      .qn = 6,
                      .msn = 4,
                      .msn_delta = -1,
                      .mo = 5,
                      .mo_delta = 3,
                      .payload = hex("0011"),
                      .fpdu = {.length = 8, .pad = 9, .crc_xor = 10}});
         c.send(kI, 9);
       }},
      {"startup markers; alter b skip=1 stag=1 to=2 to-delta=-16 ulpdu-octets=600 crc-value=0 crc-big-endian flip=3 "
       "length-xor=513 "
       "marker=0 marker-reserved=4 marker-pointer=8 marker-pointer-xor=1; write b 3000",
       [](Connection& c) {
         c.startup({.markers = true});
         c.alter(kR,
                 {.stag = 1,
                  .to = 2,
                  .to_delta = -16,
                  .ulpdu_octets = 600,
                  .fpdu = {.crc_value = 0,
                           .crc_big_endian = true,
                           .flip_after_crc = 3,
                           .length_xor = 513,
                           .marker_index = 0,
                           .marker_reserved = 4,
                           .marker_pointer = 8,
                           .marker_pointer_xor = 1}},
                 1);
         c.write(kR, STag{0x1234}, TaggedOffset{0x1000}, 3000);
       }},
      {"startup; alter a markers=on omit-markers repeats=2 ddp-control=0x41 rdmap-control=0x45; send a 900; alter a "
       "omit; "
       "send a 9",
       [](Connection& c) {
         c.startup();
         c.alter(kI, {.ddp_control = 0x41,
                      .rdmap_control = 0x45,
                      .fpdu = {.omit_markers = true},
                      .markers = true,
                      .repeats = 2});
         c.send(kI, 900);
         c.alter(kI, {.omit = true});
         c.send(kI, 9);
       }},
  };
  for (const SameOverTcp& same : all) expect_same(same);
  for (const NamedFault& f : faults()) {
    EXPECT_NO_THROW((void)play("startup; fault " + std::string(f.name) + "; send a 3000")) << f.name;
  }
}

TEST(Script, OfTwoConnectionsSharesClockAndMemory) {
  Clock clock;
  Connection one({.clock = &clock});
  one.startup();
  one.atomic(kI, {.data = 5});
  Connection other({.initiator = {.port = 40001}, .clock = &clock});
  other.share_memory(one);
  other.startup();
  other.atomic(kI, {.data = 5});
  EXPECT_EQ(write_file(play("startup; atomic a fetch_add data=5\nconnection\nstartup; atomic a fetch_add data=5")),
            write_file(merge({one.frames(), other.frames()})));
}

TEST(Script, LinesBlanksAndCommentsMakeNoDifference) {
  const Buffer plain = write_file(play("connect\nstartup\nsend a 10"));
  EXPECT_EQ(
      write_file(play("# a comment; startup\r\n\n  connect # the handshake\r\n;startup;;\tsend  a\t10 #; send a 9\n")),
      plain);
  EXPECT_EQ(write_file(play("connect; startup; send initiator 0xa")), plain);
}

struct Wrong {
  std::string_view script;
  std::string_view error;  ///< after "script:"
};

TEST(Script, ErrorsNameTheLineAndSayWhatIsWrongInOneLine) {
  const std::vector<Wrong> all = {
      {"", " no packet is captured"},
      {"# nothing\n", " no packet is captured"},
      {"connect\n\nsned a 9", "3: no such command: 'sned'"},
      {"connect; connect 9", "1: '9' means nothing to connect, or is said twice"},
      {"send", "1: the side, a or b, is missing"},
      {"send c 9", "1: 'c' is no side; write a (initiator) or b (responder)"},
      {"send a many", "1: the payload: 'many' is no number"},
      {"send a 0x", "1: the payload: '0x' is no number"},
      {"send a 99999999999999999999", "1: the payload: 99999999999999999999 is too large"},
      {"send a 2000000000", "1: the payload: 2000000000 is above 1073741824"},
      {"send a hex=0g", "1: hex: '0g' is not hexadecimal, two digits an octet"},
      {"send a hex=012", "1: hex: '012' is not hexadecimal, two digits an octet"},
      {"send a text=\"x", "1: a quotation mark is not closed"},
      {"send a 9 9", "1: '9' means nothing to send, or is said twice"},
      {"write a stag=0x100000000 9", "1: stag: 0x100000000 is above 4294967295"},
      {"write a stag=1 stag=2 9", "1: 'stag=2' means nothing to write, or is said twice"},
      {"startup rtr=never", "1: rtr: 'never' is none of none, send, write, read"},
      {"startup ird=16384", "1: ird: 16384 is above 16383"},
      {"startup reply-ird=3", "1: reply-ird and reply-ord need ird, ord or p2p"},
      {"startup crc nocrc", "1: crc and nocrc"},
      {"startup request-crc=yes", "1: request-crc: 'yes' is none of on, off"},
      {"request key=MPA", "1: key: a key has 16 octets"},
      {"crc maybe", "1: the switch: 'maybe' is none of on, off"},
      {"wait 2", "1: '2' is no time; write 20us, 5ms or 2s"},
      {"wait s", "1: 's' is no time; write 20us, 5ms or 2s"},
      {"wait 999999999999s", "1: time: 999999999999 is above 315360000"},
      {"cut", "1: a size is missing"},
      {"cut 0", "1: cut: '0' is not a list of sizes; write 700 or 30,2000"},
      {"cut 5,", "1: cut: '5,' is not a list of sizes; write 700 or 30,2000"},
      {"pack size=0", "1: size: must be at least 1"},
      {"fragment 7", "1: fragment: must be at least 8 octets"},
      {"tunnel teredo",
       "1: the tunnel: 'teredo' is none of gre, gre-ethernet, erspan-1, erspan-2, erspan-3, vxlan, "
       "geneve, geneve-ip"},
      {"connect\nseed 5", "2: the connection has begun; settings must come before all other commands"},
      {"end a address=nowhere", "1: "},
      {"end a address=fd00::1\nconnect", "2: one end has an IPv4 address, the other an IPv6 one"},
      {"fault no-such", "1: no such fault: 'no-such'; iwarpscope-synth faults lists them"},
      {"fault crc-zero skip=1", "1: skip counts the DDP segments of one side; name the side"},
      {"alter a mo-delta=3000000000", "1: mo-delta: 3000000000 is above 2147483647"},
      {"alter a repeats=1001", "1: repeats: 1001 is above 1000"},
      {"atomic a multiply", "1: the operation: 'multiply' is none of fetch_add, fetch-add, cmp_swap, cmp-swap, swap"},
      {"startup\nread-response a", "2: read_response: no Read Request is outstanding"},
      {"startup\natomic-response a", "2: atomic_response: no Atomic Request is outstanding"},
      {"ulpdu a 9", "1: hex=... or text=\"...\" is missing"},
      {"repeat 2", "1: repeat: the command is missing"},
      {"repeat 2 repeat 2 ack a", "1: repeat cannot be repeated"},
      {"repeat 2 sned", "1: no such command: 'sned'"},
      {"capture off; connect", " no packet is captured"},
  };
  for (const Wrong& wrong : all) {
    try {
      (void)play(wrong.script);
      EXPECT_EQ(wrong.error, "") << wrong.script;
    } catch (const ScriptError& error) {
      const std::string_view what = error.what();
      EXPECT_EQ(what.substr(0, 7 + wrong.error.size()), "script:" + std::string(wrong.error)) << wrong.script;
      EXPECT_EQ(what.find('\n'), std::string_view::npos) << wrong.script;
      EXPECT_NE(wrong.error, "") << wrong.script << ": " << what;
    }
  }
}

TEST(Script, HelpShowsEveryCommandOnce) {
  const std::string help = script_help();
  std::vector<std::string_view> names;
  for (auto part : {connection_commands, sctp_end_commands, tcp_commands, sctp_commands, network_commands, mpa_commands,
                    message_commands, fault_commands}) {
    for (const Command& c : part()) names.push_back(c.name);
  }
  EXPECT_GE(names.size(), 60U);
  for (const std::string_view name : names) {
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
    EXPECT_NE(help.find("\n  " + std::string(name)), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace iwarpscope::synth
