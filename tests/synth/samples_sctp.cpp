// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Samples of DDP over SCTP, as scripts: correct traffic, and for each rule of RFC 5043 a violation and a near miss.
#include <algorithm>
#include <array>

#include "synth/association.h"
#include "synth/samples.h"
#include "synth/script.h"
#include "synth/sctp_stream.h"

namespace iwarpscope::synth {

namespace {

struct Scripted {
  std::string_view name;
  std::string_view what;
  std::string_view script;
};

constexpr auto kGood = std::to_array<Scripted>({
    {"sctp-session", "an association with one session, one of each message",
     "sctp; connect; startup private-text=hello reply-private-text=welcome\n"
     "send a 200; send-se b 200; write a 200; write b 5000; read a size=6000; send a 4000; send a; read b size=0\n"
     "immediate a 0x1122334455667788; immediate b 0x99 se; atomic a fetch-add data=5; send-invalidate a 64\n"
     "send-se-invalidate b stag=0x5100 64; close; shutdown"},
    {"sctp-streams", "eight streams with a session each, alternating messages",
     "sctp; connect\n"
     "sctp-stream 0; startup; sctp-stream 1; startup; sctp-stream 2; startup; sctp-stream 3; startup\n"
     "sctp-stream 4; startup; sctp-stream 5; startup; sctp-stream 6; startup; sctp-stream 15; startup\n"
     "sctp-stream 0; send a 3000; sctp-stream 1; write a 9000; sctp-stream 2; read a size=5000\n"
     "sctp-stream 3; send b 3000; sctp-stream 4; write b 9000; sctp-stream 5; read b size=5000\n"
     "sctp-stream 6; atomic a fetch-add data=1; sctp-stream 15; immediate a 7\n"
     "sctp-stream 2; send a 10; sctp-stream 0; read a size=100; sctp-stream 15; send a 10; close\n"
     "sctp-stream 0; close; sctp-stream 1; close; sctp-stream 2; close; sctp-stream 3; close b; sctp-stream 4; close\n"
     "sctp-stream 5; close; sctp-stream 6; close; shutdown b"},
    {"sctp-sessions-in-turn", "three sessions one after another on one stream, the second rejected",
     "sctp; connect; startup; send a 3000; send b 10; close\n"
     "startup reject private-text=again reply-private-text=busy\n"
     "startup; read a size=3000; write b 100; close b; shutdown"},
    {"sctp-both-active", "each side is active on a stream of its own",
     "sctp; connect; startup; send a 100\n"
     "sctp-stream 1; session b initiate; session a accept; send b 100; send a 100; read b size=2000\n"
     "session b terminate; session a terminate; sctp-stream 0; close; shutdown"},
    {"sctp-enhanced-rtr", "enhanced sessions with each type of RTR, and one rejected",
     "sctp; connect; startup p2p rtr=send ird=8 ord=4; send a 100; send b 100\n"
     "sctp-stream 1; startup p2p rtr=write ird=8 ord=4 private-text=x; send b 100\n"
     "sctp-stream 2; startup p2p rtr=read ird=8 ord=4; send b 100; read a size=100\n"
     "sctp-stream 3; startup ird=1 ord=1 reject\n"
     "sctp-stream 0; close; sctp-stream 1; close; sctp-stream 2; close; shutdown"},
    {"sctp-refused", "an Initiate answered by a Session Terminate, as when too many are pending",
     "sctp; connect; session a initiate; session b terminate; new-session; startup; send a 10; close; shutdown"},
    {"sctp-passive-first", "the passive side sends the first DDP segment",
     "sctp; connect; startup; send b 2000; send a 10; close; shutdown"},
    {"sctp-multihomed", "two addresses at each end; retransmissions and later traffic take the other path",
     "sctp; sctp-end a also=10.1.0.1; sctp-end b also=10.1.0.2; connect; heartbeat a; startup; send a 5000\n"
     "lose a seen skip=1; lose b; send a 5000; read a size=5000; path a 1 1; path b 1 1; heartbeat b; send a 5000\n"
     "read a size=5000; close; shutdown"},
    {"sctp-lossy", "loss, reordering, damage, retransmissions and mirror duplicates on four streams",
     "sctp; connect; sctp-stream 0; startup; sctp-stream 1; startup; sctp-stream 2; startup; sctp-stream 3; startup\n"
     "impair seed=5 lose=30 lose-seen=30 reorder=60 duplicate=20 retransmit=20 corrupt=20\n"
     "repeat 3 write a to=0x10000 20000; repeat 4 send b 3000; sctp-stream 2; repeat 3 read a size=12000\n"
     "sctp-stream 1; repeat 20 send a 700; sctp-stream 0; repeat 3 write a to=0x20000 20000; close\n"
     "sctp-stream 1; close; sctp-stream 2; close; sctp-stream 3; close; shutdown"},
    {"sctp-reordered", "packets that overtake one another",
     "sctp; connect; startup; reorder a skip=1 delay=2; reorder a skip=4 delay=1; write a 9000; send a 10\n"
     "reorder b delay=1; read a size=6000; close; shutdown"},
    {"sctp-retransmitted", "packets lost before and after the tap, and sent again",
     "sctp; connect; startup; lose a skip=1 delay=2; lose a seen skip=4 delay=1; write a 15000; send a 10\n"
     "lose b; read a size=6000; close; shutdown"},
    {"sctp-mirrored-twice", "each packet is captured twice",
     "sctp; connect; startup; impair duplicate=1000; send a 3000; read a size=3000; close; shutdown"},
    {"sctp-gap", "packets that were received but not captured",
     "sctp; connect; startup; send a 10; miss a skip=1; miss b skip=1; write a 9000; read a size=6000; send a 10\n"
     "ack b; ack a; close; shutdown"},
    {"sctp-midstream", "an association joined while two sessions are open",
     "sctp; capture off; connect; startup; send a 100; send b 100; sctp-stream 3; startup; capture on\n"
     "send a 3000; read a size=5000; sctp-stream 0; send a 100; write b 5000; send b 10; close\n"
     "sctp-stream 3; close; shutdown"},
    {"sctp-one-sided", "only what the Initiator sends is captured",
     "sctp; capture a; connect; startup; send a 3000; read a size=3000; write a 9000; send b 10; send a 5; close\n"
     "shutdown"},
    {"sctp-atomics-two-streams", "FetchAdds to one word from two streams",
     "sctp; connect; startup ird=4 ord=4; sctp-stream 1; startup ird=4 ord=4\n"
     "atomic a fetch-add data=1; sctp-stream 0; atomic a fetch-add data=10; atomic a cmp-swap compare=11 data=5 "
     "mask=0xFF\n"
     "sctp-stream 1; atomic a fetch-add data=100; sctp-stream 0; atomic a fetch-add data=1000\n"
     "close; sctp-stream 1; close; shutdown"},
    {"sctp-abort", "an ABORT while sessions are open",
     "sctp; connect; startup; sctp-stream 1; startup; send a 100; sctp-stream 0; write a 5000; abort b"},
    {"sctp-bundled", "chunks of several streams in a packet, with SACKs in front",
     "sctp; connect; startup; sctp-stream 1; startup; sctp-stream 2; startup; bundle a on; bundle b on\n"
     "sctp-stream 0; repeat 12 send a 60; sctp-stream 1; repeat 12 send a 90; sctp-stream 2; repeat 6 write a 200\n"
     "sctp-stream 1; repeat 5 send b 30; sctp-stream 0; repeat 9 send b 200; read a size=4000; close; sctp-stream 1\n"
     "close; sctp-stream 2; close; shutdown"},
    {"sctp-fragmented", "DDP segments larger than a packet, each in several DATA chunks, one of them lost",
     "sctp; connect; startup; mulpdu a 6000; send a 5900; lose a skip=2 delay=4; write a 20000; close; shutdown"},
    {"sctp-ipv6", "over IPv6",
     "sctp; end a address=fd00::1; end b address=fd00::2; connect; startup; send a 5000; read a size=5000; close\n"
     "shutdown"},
    {"sctp-udp", "in UDP datagrams of port 9899",
     "sctp udp; connect; startup; send a 5000; read a size=5000; close; shutdown"},
    {"sctp-ip-fragments", "packets of 4000 octets in IP fragments",
     "sctp mtu=4000; fragment 1480; connect; startup; send a 9000; read a size=9000; close; shutdown"},
    {"sctp-vlan-jumbo", "MTU 9000 in a VLAN",
     "sctp mtu=9000; vlan 100; connect; startup; send a 20000; read a size=20000; close; shutdown"},
    {"sctp-snap", "frames cut at 128 octets",
     "sctp; snap 128; connect; startup; send a 3000; read a size=3000; send b 20; close; shutdown"},
    {"sctp-checksum-offload", "the Initiator's CRCs are left to its adapter",
     "sctp; end a checksum=offload; connect; startup; send a 3000; read a size=3000; close; shutdown"},
    {"sctp-tsn-wrap", "TSNs of both sides wrap",
     "sctp; end a isn=0xFFFFFFFD; end b isn=0xFFFFFFFF; connect; startup; send a 5000; read a size=5000; lose a\n"
     "send a 3000; close; shutdown"},
    {"sctp-ddp-ssn-wrap", "joined mid-stream shortly before a DDP-SSN wraps",
     "sctp; capture off; connect; startup; ddp-ssn a 65533; msn a 0 65533; send a 10; capture on\n"
     "repeat 6 send a 10; send b 10; close; shutdown"},
    {"sctp-ports-reused", "two associations one after another on the same ports, the second with other tags",
     "sctp; connect; startup; send a 100; close; shutdown\n"
     "connection; end a port=40000 isn=0x5000; end b isn=0x90000000; sctp-end a tag=0x0C0C0C0C; sctp-end b "
     "tag=0x0D0D0D0D\n"
     "connect; startup; send a 200; close; shutdown"},
    {"sctp-restarted", "an end that lost its state begins again while the association is open",
     "sctp; connect; startup; send a 100; send b 100\n"
     "connection; end a port=40000 isn=0x5000; end b isn=0x90000000; sctp-end a tag=0x0C0C0C0C; sctp-end b "
     "tag=0x0D0D0D0D\n"
     "connect; startup; send a 200; close; shutdown"},
    {"sctp-terminate", "an RDMAP Terminate on one stream; the association goes on",
     "sctp; connect; startup; sctp-stream 1; startup; send a 100; sctp-stream 0; write a stag=0xABCD00 100\n"
     "terminate b layer=1 type=1 code=0; close b; sctp-stream 1; send a 100; close; shutdown"},
    {"sctp-ordinary", "no DDP: an association of another protocol",
     "sctp; sctp-end a no-adaptation; sctp-end b no-adaptation; connect; data a ppid=46 text=\"a request of another "
     "kind\"\n"
     "data b ppid=46 ordered text=\"its answer\"; heartbeat a; data a stream=3 ppid=46 ordered text=\"more\"; "
     "shutdown"},
});

// Violates MS-24 to MS-35, which are rules of both transports.
constexpr Scripted kEnhanced{
    "sctp-enhanced-wrong", "twelve streams, each with another mistake in the negotiation of enhanced sessions",
    "sctp; connect\n"
    "sctp-stream 0; session a enhanced-initiate p2p offer=write ird=4 ord=4; session b enhanced-accept ird=4 ord=4; "
    "send a 10\n"
    "sctp-stream 1; session a enhanced-initiate offer=write ird=4 ord=4; session b enhanced-accept ird=4 ord=4; send "
    "a 10\n"
    "sctp-stream 2; session a enhanced-initiate p2p ird=4 ord=4; session b enhanced-accept p2p offer=write ird=4 "
    "ord=4; rtr write\n"
    "sctp-stream 3; session a enhanced-initiate p2p offer=write ird=4 ord=4; session b enhanced-accept p2p ird=4 "
    "ord=4; rtr write\n"
    "sctp-stream 4; session a enhanced-initiate p2p offer=write ird=4 ord=4; session b enhanced-accept p2p offer=send "
    "ird=4 ord=4; rtr write\n"
    "sctp-stream 5; session a enhanced-initiate p2p offer=write ird=4 ord=4; session b enhanced-accept p2p "
    "offer=write ird=4 ord=4; send a 10\n"
    "sctp-stream 6; session a enhanced-initiate ird=4 ord=4; session b enhanced-accept ird=4 ord=5; send a 10\n"
    "sctp-stream 7; session a enhanced-initiate ird=4 ord=4; session b enhanced-accept ird=3 ord=4; send a 10\n"
    "sctp-stream 8; session a enhanced-initiate ird=4 ord=0x3FFF; session b enhanced-accept ird=16 ord=4; send a 10\n"
    "sctp-stream 9; session a enhanced-initiate ird=0x3FFF ord=4; session b enhanced-accept ird=4 ord=16; send a 10\n"
    "sctp-stream 10; session a enhanced-initiate ird=4 ord=4; session b enhanced-accept ird=0x3FFF ord=4; send a 10\n"
    "sctp-stream 11; session a enhanced-initiate p2p offer=read ird=4 ord=0; session b enhanced-accept p2p offer=read "
    "ird=0 ord=4; rtr read\n"
    "sctp-stream 0; close; sctp-stream 1; close; sctp-stream 2; close; sctp-stream 3; close; sctp-stream 4; close\n"
    "sctp-stream 5; close; sctp-stream 6; close; sctp-stream 7; close; sctp-stream 8; close; sctp-stream 9; close\n"
    "sctp-stream 10; close; sctp-stream 11; close; shutdown"};

// The rule's name; the near miss has the suffix "-nearly". A violation can necessarily include violations of other
// rules.
constexpr auto kRules = std::to_array<Scripted>({
    {"sctp.adaptation-missing", "the INIT does not announce DDP",
     "sctp; sctp-end a no-adaptation; connect; startup; send a 100; close; shutdown"},
    {"sctp.adaptation-missing-nearly", "joined after the handshake",
     "sctp; sctp-end a no-adaptation; capture off; connect; capture on; startup; send a 100; close; shutdown"},
    {"sctp.other-payload", "PPID 46 among DDP",
     "sctp; connect; startup; send a 100; data a stream=2 ppid=46 text=\"a request of another kind\"; send b 10; "
     "close\n"
     "shutdown"},
    {"sctp.other-payload-nearly", "PPID 46 on another association of the same hosts",
     "sctp; connect; startup; send a 100; close; shutdown\n"
     "connection; sctp; sctp-end a no-adaptation; sctp-end b no-adaptation; connect\n"
     "data a stream=2 ppid=46 text=\"a request of another kind\"; shutdown"},
    {"sctp.ordered-chunk", "a DDP segment is sent ordered",
     "sctp; connect; startup; send a 100; alter a unordered=off; send a 101; send a 102; close; shutdown"},
    {"sctp.ordered-chunk-nearly", "an SSN in an unordered chunk, where it means nothing",
     "sctp; connect; startup; send a 100\n"
     "data a ppid=16 ssn=77 hex=00024143000000000000000000000002000000006f6e65; ddp-ssn a 3; msn a 0 3; send a 102; "
     "close\n"
     "shutdown"},
    {"sctp.ddp-ssn-wrong", "a DDP-SSN is left out, though no TSN is",
     "sctp; connect; startup; send a 100; ddp-ssn a 3; send a 101; send a 102; ack b; close; shutdown"},
    {"sctp.ddp-ssn-wrong-nearly", "a DDP-SSN was not captured",
     "sctp; connect; startup; send a 100; miss a; send a 101; send a 102; ack b; close; shutdown"},
    {"sctp.function-code-unknown", "function code 9",
     "sctp; connect; startup; send a 100; session a 9; send b 100; close; shutdown"},
    {"sctp.function-code-unknown-nearly", "function code 0xFFFF, which is for experiments",
     "sctp; connect; startup; send a 100; session a 65535; send b 100; close; shutdown"},
    {"sctp.terminate-private-data", "a Session Terminate with private data",
     "sctp; connect; startup; send a 100; session a terminate private-text=bye; session b terminate; shutdown"},
    {"sctp.terminate-private-data-nearly", "an RDMAP Terminate before a Session Terminate that has none",
     "sctp; connect; startup; send a 100; terminate b layer=0 type=0 code=0; close b; shutdown"},
    {"sctp.session-sequence-wrong", "a second Accept in the session",
     "sctp; connect; startup; send a 100; session b accept; send b 100; close; shutdown"},
    {"sctp.session-sequence-wrong-nearly", "a Session Terminate for an answer, which refuses",
     "sctp; connect; session a initiate; session b terminate; shutdown"},
    {"sctp.segment-before-session", "the passive side's first DDP-SSN is that of a DDP segment",
     "sctp; connect; session a initiate; send b 100; session b accept; send a 100; close; shutdown"},
    {"sctp.segment-before-session-nearly", "a DDP segment overtakes the Accept before it",
     "sctp; connect; session a initiate; reorder b delay=1; session b accept; send b 100; send a 100; close; shutdown"},
    {"sctp.segment-before-acknowledgment", "the active side does not wait for the answer to its Initiate",
     "sctp; connect; bundle a on; session a initiate; send a 100; flush; bundle a off; session b accept; send b 100\n"
     "close; shutdown"},
    {"sctp.segment-before-acknowledgment-nearly", "it waits for the SACK alone",
     "sctp; connect; session a initiate; ack b; send a 100; session b accept; send b 100; close; shutdown"},
    {"sctp.session-not-terminated", "the association is shut down before either side ended the session",
     "sctp; connect; startup; send a 100; send b 100; shutdown"},
    {"sctp.session-not-terminated-nearly", "one side ended it",
     "sctp; connect; startup; send a 100; send b 100; session b terminate; shutdown"},
    {"sctp.answer-kind-wrong", "a plain Accept answers an enhanced Initiate",
     "sctp; connect; session a enhanced-initiate ird=4 ord=4; session b accept; send a 100; close; shutdown"},
    {"sctp.answer-kind-wrong-nearly", "an enhanced Reject, then a Session Terminate answer one",
     "sctp; connect; session a enhanced-initiate ird=4 ord=4; session b enhanced-reject ird=2 ord=2; new-session\n"
     "session a enhanced-initiate ird=2 ord=2; session b terminate; shutdown"},
    {"sctp.enhanced-data-missing", "an enhanced Initiate with three octets",
     "sctp; connect; session a enhanced-initiate private=000400; session b terminate; shutdown"},
    {"sctp.enhanced-data-missing-nearly", "an enhanced Initiate with four octets, an enhanced Reject with none",
     "sctp; connect; session a enhanced-initiate private=00040004; session b enhanced-reject; shutdown"},
    {"sctp.fragmented", "a Send of 300 octets in DATA chunks of 100, where others have 1400",
     "sctp; connect; startup; send a 5000; sctp-fragment a 100; send a 300; sctp-fragment a usual; send a 300; close\n"
     "shutdown"},
    {"sctp.fragmented-nearly", "DDP segments that no packet can hold",
     "sctp; connect; startup; send a 5000; mulpdu a 3000; send a 2900; close; shutdown"},
    {"sctp.stream-counts-differ", "four streams one way, eight the other",
     "sctp; sctp-end a out=4 in=8; sctp-end b out=8 in=4; connect; startup; send a 100; close; shutdown"},
    {"sctp.stream-counts-differ-nearly", "four both ways, where the peer would take sixteen",
     "sctp; sctp-end a out=4 in=4; connect; startup; send a 100; close; shutdown"},
    {"sctp.stream-reused-early", "a new session in the packet of the old one's Session Terminate",
     "sctp; end b ack-every=0; connect; startup; send a 100; send b 100; session b terminate; ack a; bundle a on\n"
     "session a terminate; new-session in-haste; session a initiate; flush; bundle a off; session b accept\n"
     "send a 100; close; shutdown"},
    {"sctp.stream-reused-early-nearly", "a new session right after the SACK of the old one's last chunk",
     "sctp; end b ack-every=0; connect; startup; send a 100; send b 100; session b terminate; ack a\n"
     "session a terminate; ack b; new-session in-haste; startup; send a 100; close; shutdown"},
    {"sctp.too-many-outstanding", "33100 messages of a stream, the first of which a later SACK lacks",
     "sctp mtu=9000; end b ack-every=0; connect; startup; ack a; ack b; bundle a on; lose a seen delay=1000\n"
     "repeat 33100 write a; ack b; flush; ack b; close; shutdown"},
    {"sctp.too-many-outstanding-nearly", "32767 of them",
     "sctp mtu=9000; end b ack-every=0; connect; startup; ack a; ack b; bundle a on; lose a seen delay=1000\n"
     "repeat 32767 write a; ack b; flush; ack b; close; shutdown"},
    {"sctp.terminate-on-every-stream", "an RDMAP Terminate on each of three streams, then an ABORT",
     "sctp; connect; startup; send a 9; sctp-stream 1; startup; send a 9; sctp-stream 2; startup; send a 9\n"
     "terminate b layer=0 type=0 code=0; sctp-stream 1; terminate b layer=0 type=0 code=0; sctp-stream 0\n"
     "terminate b layer=0 type=0 code=0; abort b"},
    {"sctp.terminate-on-every-stream-nearly", "on two of three",
     "sctp; connect; startup; send a 9; sctp-stream 1; startup; send a 9; sctp-stream 2; startup; send a 9\n"
     "terminate b layer=0 type=0 code=0; sctp-stream 1; terminate b layer=0 type=0 code=0; abort b"},
    {"sctp.both-sent-initiate", "both sides send an Initiate on stream 0",
     "sctp; connect; session a initiate; session b initiate; session a terminate; session b terminate; shutdown"},
    {"sctp.both-sent-initiate-nearly", "each sends an Initiate on a stream of its own",
     "sctp; connect; session a initiate; sctp-stream 1; session b initiate; session a accept; sctp-stream 0\n"
     "session b accept; send a 10; close; sctp-stream 1; close b; shutdown"},
    {"sctp.wrong-checksum", "two packets damaged on the way, and sent again",
     "sctp; connect; startup; corrupt a; send a 100; send b 100; corrupt a; send a 200; send b 10; close; shutdown"},
    {"sctp.wrong-checksum-nearly", "a sender that leaves the CRC32c to its adapter",
     "sctp; end a checksum=offload; connect; startup; send a 100; send b 100; close; shutdown"},
    {"sctp.retransmissions", "two chunks of a session sent again, of which one was not lost",
     "sctp; connect; startup; send a 100; lose a seen; send a 2000; send b 10; retransmit a; send a 300; send b 10\n"
     "close; shutdown"},
    {"sctp.retransmissions-nearly", "a loss before the tap: it sees each chunk once",
     "sctp; connect; startup; send a 100; lose a; send a 2000; send b 10; send a 300; send b 10; close; shutdown"},
    {"sctp.out-of-order", "a chunk overtaken by the next one",
     "sctp; connect; startup; reorder a; send a 100; send a 200; send a 300; send b 10; close; shutdown"},
    {"sctp.out-of-order-nearly", "a chunk sent again after the next ones",
     "sctp; connect; startup; lose a seen; send a 100; send a 200; send a 300; send b 10; close; shutdown"},
    {"sctp.zero-window", "a receiver without room for a while",
     "sctp; connect; startup; send a 100; a-rwnd b 0; send a 1000; ack b; wait 5ms; a-rwnd b 1000000; ack b; send a "
     "100\n"
     "send b 10; close; shutdown"},
    {"sctp.zero-window-nearly", "one that has room for one octet",
     "sctp; connect; startup; send a 100; a-rwnd b 1; send a 1000; ack b; wait 5ms; a-rwnd b 1000000; ack b; send a "
     "100\n"
     "send b 10; close; shutdown"},
    {"sctp.checksum-offload", "the CRC32c of one side is zero: the capture is that of its host",
     "sctp; end b checksum=offload; connect; startup; send a 100; send b 100; close; shutdown"},
    {"sctp.checksum-offload-nearly", "a damaged packet among right ones",
     "sctp; connect; startup; send a 100; corrupt b; send b 100; close; shutdown"},
    {"sctp.association-aborted", "an ABORT of the passive side, whose user asked for it",
     "sctp; connect; startup; send a 100; send b 100; abort b"},
    {"sctp.association-aborted-nearly", "a Session Terminate and a SHUTDOWN",
     "sctp; connect; startup; send a 100; send b 100; close b; shutdown b"},
});

const Scripted& scripted(std::string_view name) {
  if (name == kEnhanced.name) return kEnhanced;
  const auto is_it = [name](const Scripted& s) { return s.name == name; };
  const auto* const good = std::find_if(kGood.begin(), kGood.end(), is_it);
  return good != kGood.end() ? *good : *std::find_if(kRules.begin(), kRules.end(), is_it);
}

Frames played(std::string_view name) {
  return play(scripted(name).script, name);
}

// Private data of this many octets is too long to write down.
Frames with_private_data(std::string_view name) {
  const std::size_t octets = name.ends_with("-nearly") ? 512 : 513;
  return play("sctp; connect; startup private-text=\"" + std::string(octets, 'p') + "\"; send a 100; close; shutdown",
              name);
}

/// From outside, with the right tag: a FORWARD TSN and a SACK whose TSNs are far ahead. Nearly: so few that packets
/// which the capture missed explain the SACK.
Frames with_forged(std::string_view name) {
  const std::uint32_t ahead = name.ends_with("-nearly") ? 100 : 100'000;
  Association a;
  a.connect();
  SctpStream& s = a.stream();
  s.startup();
  const std::uint32_t sent = a.options().initiator.isn, received = a.options().responder.isn;
  if (ahead > 100) {
    Buffer number;
    for (int shift = 24; shift >= 0; shift -= 8)
      number.push_back(static_cast<std::byte>((sent + ahead) >> shift & 0xFF));
    constexpr auto kForwardTsn = static_cast<wire::ChunkType>(192);  // RFC 3758 §3.2
    a.chunk(Side::initiator, wire::write(wire::Chunk{.type = kForwardTsn, .value = std::move(number)}));
  }
  a.chunk(Side::initiator, wire::write(wire::Sack{.cumulative_tsn = received + ahead}));
  s.send(Side::initiator, 100);
  s.send(Side::responder, 100);
  s.close();
  a.shutdown();
  return a.frames();
}

/// Two ports of a mirror, one of them 5 ms late: `late` is the last octet of the address whose packets come late.
Frames skewed(std::string_view script, std::string_view name, std::byte late) {
  constexpr std::size_t kLastOfSource = 14 + 12 + 3;  // Ethernet, then the source of IPv4
  Frames frames = play(script, name);
  for (Frame& frame : frames) {
    if (frame.octets[kLastOfSource] == late) frame.time_ns += 5'000'000;
  }
  std::stable_sort(frames.begin(), frames.end(), [](const Frame& x, const Frame& y) { return x.time_ns < y.time_ns; });
  return frames;
}

constexpr std::string_view kInTurn =
    "sctp; connect; startup; send a 100; read a size=100; send b 100; close; new-session\n"
    "startup; send b 100; atomic a fetch-add data=1; send a 10; close; new-session\n"
    "session a enhanced-initiate ird=4 ord=4; session b enhanced-reject; new-session; startup; send a 10; close\n"
    "shutdown";

Frames answers_late(std::string_view name) {
  return skewed(kInTurn, name, std::byte{2});
}
Frames requests_late(std::string_view name) {
  return skewed(kInTurn, name, std::byte{1});
}
Frames late_and_missed(std::string_view name) {
  return skewed(
      "sctp; connect; startup; send a 100; miss a; send a 50; read a size=100; close; new-session; startup\n"
      "send b 100; miss b; send b 10; send b 20; close; shutdown",
      name, std::byte{1});
}

// Two independent networks, captured by one tap.
Frames two_tenants(std::string_view name) {
  return merge({play("sctp; vlan 10; connect; startup; send a 100; read a size=200; close; shutdown", name),
                play("sctp; vlan 20; end a isn=0x5000; end b isn=0x9000; sctp-end a tag=0x0C0C0C0C\n"
                     "sctp-end b tag=0x0D0D0D0D; connect; startup; send b 300; send a 20; close; shutdown",
                     name)});
}

// One association whose directions are routed through different VLANs.
Frames vlan_by_direction(std::string_view name) {
  constexpr std::size_t kLastOfSourceMac = 11;
  constexpr std::string_view kRest = "; connect; startup; send a 100; read a size=200; close; shutdown";
  Frames all = play("sctp; vlan 10" + std::string(kRest), name);
  const Frames other = play("sctp; vlan 20" + std::string(kRest), name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].octets.at(kLastOfSourceMac) == std::byte{2}) all[i] = other[i];
  }
  return all;
}

}  // namespace

std::vector<Sample> sctp_samples() {
  std::vector<Sample> all;
  all.reserve(kGood.size() + kRules.size() + 9);
  for (const Scripted& s : kGood) all.push_back({std::string(s.name), std::string(s.what), played});
  for (const Scripted& s : kRules) all.push_back({std::string(s.name), std::string(s.what), played});
  all.push_back({"sctp.private-data-too-long", "513 octets of private data", with_private_data});
  all.push_back({"sctp.private-data-too-long-nearly", "512 octets of private data", with_private_data});
  all.push_back({"sctp.forged-packets", "a FORWARD TSN and a SACK from outside, with TSNs far ahead", with_forged});
  all.push_back({"sctp.forged-packets-nearly", "a SACK of TSNs that the capture may have missed", with_forged});
  all.push_back({"sctp-answers-late", "what the Responder sends is captured 5 ms late", answers_late});
  all.push_back(
      {"sctp-requests-late", "what the Initiator sends is captured 5 ms late, after its answers", requests_late});
  all.push_back({"sctp-late-and-missed", "the same, and two packets are not captured", late_and_missed});
  all.push_back(
      {"sctp-two-tenants", "two VLANs with an association each between the same addresses and ports", two_tenants});
  all.push_back({"sctp-vlan-by-direction", "an association whose directions have a VLAN each", vlan_by_direction});
  return all;
}

std::vector<Sample> sctp_negotiation_samples() {
  return {{std::string(kEnhanced.name), std::string(kEnhanced.what), played}};
}

}  // namespace iwarpscope::synth
