// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What the models of memory, STags and atomic words decide: RM-35 to RM-39, AT-14, AT-15, AT-19, SX.
#include <algorithm>
#include <memory>

#include "rules/message_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Payload;
using synth::wire::AtomicOperation;

constexpr STag kOtherStag{0x00045602};
constexpr STag kSink{0x00007701};

using Connections = std::vector<std::unique_ptr<Connection>>;

/// Connections of `hosts`, the last octet of each Initiator's address, to one Responder: one clock, one memory, one
/// tap.
MakeTraffic several(std::vector<unsigned> hosts, std::function<void(Connections&)> play) {
  return [=] {
    synth::Clock clock;
    Connections all;
    for (const unsigned host : hosts) {
      synth::ConnectionOptions options;
      options.initiator.address = ("10.0.0." + std::to_string(host)).c_str();
      options.initiator.port = static_cast<std::uint16_t>(40000 + all.size());
      options.clock = &clock;
      all.push_back(std::make_unique<Connection>(options));
      if (all.size() > 1) all.back()->share_memory(*all.front());
      all.back()->connect();
      all.back()->startup();
      all.back()->send(kInit, 100);
    }
    play(all);
    for (const auto& c : all) c->close();
    Traffic traffic;
    for (const auto& c : all) {
      synth::Frames frames = c->frames();
      std::move(frames.begin(), frames.end(), std::back_inserter(traffic.frames));
    }
    std::stable_sort(traffic.frames.begin(), traffic.frames.end(),
                     [](const synth::Frame& x, const synth::Frame& y) { return x.time_ns < y.time_ns; });
    return traffic;
  };
}

/// The Initiator writes to the STag `count` times, `step` octets apart.
Play writes(unsigned count, std::uint64_t step, std::size_t octets) {
  return [=](Connection& c) {
    for (unsigned i = 0; i < count; ++i) c.write(kInit, kStag, TaggedOffset{kTo.value + i * step}, octets);
  };
}

std::vector<Scenario> invalidated_scenarios() {
  return {
      {rdmap_stag_used_after_invalidate,
       "its owner sent something in between, which may have made it valid again",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.write(kInit, kStag, kTo, 100);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.send(kResp, 10);
         c.write(kInit, kStag, kTo, 100);
       })},
      {rdmap_stag_used_after_invalidate,
       "an RDMA Write of no octets, to nowhere",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.send_se_invalidate(kInit, kStag, 10);
         c.read(kInit, {.size = 8, .source_stag = kStag});
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.write(kInit, kStag, kTo, 0);
       })},
      {rdmap_stag_used_after_invalidate,
       "another key of the same region",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.write(kInit, kStag, kTo, 100);
         c.terminate_last(kResp, 1, 1, 0);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.write(kInit, STag{kStag.value + 1}, kTo, 100);
       })},
      {rdmap_stag_invalidated_twice,
       "its owner sent something in between",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.send_invalidate(kInit, kStag, 10);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.send(kResp, 10);
         c.send_invalidate(kInit, kStag, 10);
       })},
      {rdmap_stag_invalidated_twice,
       "an STag of each end, with the same value",
       {kToA, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.send_invalidate(kResp, kStag, 10);
         c.send_invalidate(kResp, kStag, 10);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kInit, kStag, 10);
         c.send_invalidate(kResp, kStag, 10);
       })},
      {rdmap_response_to_invalidated_stag,
       "invalidated before the Request named it again",
       {kToA, 8, "0x00007701", ""},
       whole([](Connection& c) {
         c.read_request(kInit, {.sink_stag = kSink, .size = 100});
         c.send_invalidate(kResp, kSink, 10);
         c.read_response(kResp);
       }),
       whole([](Connection& c) {
         c.send_invalidate(kResp, kSink, 10);
         c.read_request(kInit, {.sink_stag = kSink, .size = 100});
         c.read_response(kResp);
       })},
      {rdmap_response_to_invalidated_stag,
       "another STag",
       {kToA, 8, "0x00007701", ""},
       whole([](Connection& c) {
         c.read_request(kInit, {.sink_stag = kSink, .size = 100});
         c.send_se_invalidate(kResp, kSink, 10);
         c.read_response(kResp);
       }),
       whole([](Connection& c) {
         c.read_request(kInit, {.sink_stag = kSink, .size = 100});
         c.send_invalidate(kResp, kOtherStag, 10);
         c.read_response(kResp);
       })},
  };
}

/// The Initiator writes `written`, `between` happens, it reads the same place and gets `returned`.
MakeTraffic read_back(std::string_view written, Play between, std::string_view returned) {
  return whole([=](Connection& c) {
    c.write(kInit, kStag, kTo, Payload(written));
    between(c);
    c.read_request(kInit,
                   {.size = static_cast<std::uint32_t>(returned.size()), .source_stag = kStag, .source_to = kTo});
    c.read_response(kResp, Payload(returned));
  });
}
void nothing(Connection&) {}

std::vector<Scenario> memory_scenarios() {
  return {
      {rdmap_read_contradicts_write,
       "it returns what was written",
       {kToA, 8, "6368616e67656421", "7772697474656e21"},
       read_back("written!", nothing, "changed!"),
       read_back("written!", nothing, "written!")},
      {rdmap_read_contradicts_write,
       "the owner's software was notified, and may have changed it",
       {kToA, 8, "52697474656e21", "72697474656e21"},
       read_back("written!", nothing, "wRitten!"),
       read_back(
           "written!", [](Connection& c) { c.send(kInit, 10); }, "changed!")},
      {rdmap_read_contradicts_write,
       "a later RDMA Write may show in the data of an earlier Read",
       {kToA, 8, "4e21", "6e21"},
       read_back("written!", nothing, "writteN!"),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, "written!");
         c.read_request(kInit, {.size = 8, .source_stag = kStag, .source_to = kTo});
         c.write(kInit, kStag, kTo, "changed!");
         c.read_response(kResp, "changed!");
       })},
      {rdmap_read_contradicts_write,
       "an RDMA Write between is not in the capture",
       {kToA, 8, "3030303030303021", "7772697474656e21"},
       read_back("written!", nothing, "0000000!"),
       read_back(
           "written!",
           [](Connection& c) {
             c.channel(kInit, synth::Effect::miss);
             c.write(kInit, kStag, kTo, "changed!");
           },
           "changed!")},
      {rdmap_overlapping_placement,
       "a Send in between delivers the first",
       {kToB, 8, "0x00012301", ""},
       whole(writes(2, 50, 100)),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.send(kInit, 10);
         c.write(kInit, kStag, TaggedOffset{kTo.value + 50}, 100);
       })},
      {rdmap_overlapping_placement,
       "side by side",
       {kToB, 8, "0x00012301", ""},
       whole(writes(2, 99, 100)),
       whole(writes(2, 100, 100))},
      {rdmap_overlapping_placement,
       "a Read Response delivers what came before its Request",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.write(kResp, kStag, kTo, 100);
         c.write(kInit, kStag, kTo, 1);
       }),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.read(kInit, {.size = 10});
         c.write(kInit, kStag, kTo, 1);
       })},
      {capture_model_limit, "as many as there is room for", {}, whole(writes(600, 2, 1)), whole(writes(400, 2, 1))},
  };
}

/// FetchAdd of 1 by the Initiators of these connections in turn, each after the response to the one before; the n-th
/// finds `originals[n]`.
std::function<void(Connections&)> fetch_adds(std::vector<std::pair<unsigned, std::uint64_t>> turns) {
  return [=](Connections& all) {
    for (const auto& [which, original] : turns) {
      all[which]->atomic_request(kInit, {.data = 1});
      all[which]->atomic_response(kResp, original);
    }
  };
}

std::vector<Scenario> atomic_scenarios() {
  return {
      {rdmap_atomic_results_inconsistent,
       "each finds what the one before left",
       {kToA, 10, "0x0000000000000006", "0x0000000000000007"},
       several({1}, fetch_adds({{0, 5}, {0, 6}, {0, 6}})),
       several({1}, fetch_adds({{0, 5}, {0, 6}, {0, 7}}))},
      {rdmap_atomic_results_inconsistent,
       "another connection added in between",
       {kToA, 13, "0x0000000000000007", "0x0000000000000006"},
       several({1, 3}, fetch_adds({{0, 5}, {0, 7}})),
       several({1, 3}, fetch_adds({{0, 5}, {1, 6}, {0, 7}}))},
      {rdmap_atomic_results_inconsistent,
       "a request of this connection is not in the capture",
       {kToA, 7, "0x0000000000000009", "0x0000000000000006"},
       several({1}, fetch_adds({{0, 5}, {0, 9}})),
       several({1},
               [](Connections& all) {
                 Connection& c = *all[0];
                 fetch_adds({{0, 5}})(all);
                 c.capture(false);
                 fetch_adds({{0, 6}, {0, 7}, {0, 8}})(all);
                 c.capture(true);
                 fetch_adds({{0, 9}})(all);
               })},
      {rdmap_atomic_results_inconsistent,
       "its STag was invalidated: it may name other memory now",
       {kToA, 7, "0x0000000000000009", "0x0000000000000006"},
       several({1}, fetch_adds({{0, 5}, {0, 9}})),
       several({1},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[0]->send_invalidate(kInit, STag{0x5300}, 10);
                 all[0]->send(kResp, 10);
                 fetch_adds({{0, 9}})(all);
               })},
      {rdmap_atomics_not_linearizable,
       "the second finds what the first left",
       {kToA, 13, "0x0000000000000005", "0x0000000000000006"},
       several({1, 3}, fetch_adds({{0, 5}, {1, 5}})),
       several({1, 3}, fetch_adds({{0, 5}, {1, 6}}))},
      {rdmap_atomics_not_linearizable,
       "both at once: either may have come first",
       {kToA, 19, "0x0000000000000007", "0x0000000000000008"},
       several({1, 3}, fetch_adds({{0, 5}, {1, 6}, {1, 7}, {0, 7}})),
       several({1, 3},
               [](Connections& all) {
                 all[0]->atomic_request(kInit, {.data = 1});
                 all[1]->atomic_request(kInit, {.data = 1});
                 all[0]->atomic_response(kResp, 6);
                 all[1]->atomic_response(kResp, 5);
               })},
      {rdmap_atomics_not_linearizable,
       "an RDMA Write set the word",
       {kToA, 13, "0x0000000000000009", "0x0000000000000006"},
       several({1, 3}, fetch_adds({{0, 5}, {1, 9}})),
       several({1, 3},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[1]->write(kInit, STag{0x5300}, TaggedOffset{0x1000},
                               synth::Buffer{std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{0},
                                             std::byte{0}, std::byte{0}, std::byte{9}});
                 fetch_adds({{1, 9}})(all);
               })},
      {rdmap_atomic_word_mixed_use,
       "the word beside it",
       {{}, 10, "RDMA Write", ""},
       several({1},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[0]->write(kInit, STag{0x5300}, TaggedOffset{0x1004}, 2);
               }),
       several({1},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[0]->write(kInit, STag{0x5300}, TaggedOffset{0x1008}, 8);
               })},
      {rdmap_atomic_word_mixed_use,
       "a Read of another STag",
       {{}, 11, "RDMA Read", ""},
       several({1},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[0]->read(kInit, {.size = 16, .source_stag = STag{0x5300}, .source_to = TaggedOffset{0xFF8}});
               }),
       several({1},
               [](Connections& all) {
                 fetch_adds({{0, 5}})(all);
                 all[0]->read(kInit, {.size = 16, .source_stag = STag{0x5301}, .source_to = TaggedOffset{0xFF8}});
               })},
  };
}

/// An rping client announces its buffer; then the server, which may write or read there, does this.
MakeTraffic announced(Play play) {
  return whole(
      [=](Connection& c) {
        synth::Buffer announcement(16);
        for (unsigned i = 0; i < 8; ++i) announcement[i] = static_cast<std::byte>(kTo.value >> (56 - 8 * i));
        for (unsigned i = 0; i < 4; ++i) announcement[8 + i] = static_cast<std::byte>(kStag.value >> (24 - 8 * i));
        announcement[15] = std::byte{64};
        c.send(kInit, announcement);
        play(c);
      },
      {}, {.responder = {.address = "10.0.0.2", .port = 7174}});
}
/// The server does it, says that it has, and does it again.
Play twice(
    Play access, Play between = [](Connection& c) { c.send(kResp, 16); }) {
  return [=](Connection& c) {
    access(c);
    between(c);
    access(c);
  };
}
void write_there(Connection& c) {
  c.write(kResp, kStag, kTo, 64);
}
void read_there(Connection& c) {
  c.read(kResp, {.size = 64, .source_stag = kStag, .source_to = kTo});
}

std::vector<Scenario> completed_scenarios() {
  return {
      {stag_written_after_completion,
       "the client said something in between",
       {kToA, 9, "0x00012301", ""},
       announced(twice(write_there)),
       announced([](Connection& c) {
         write_there(c);
         c.send(kResp, 16);
         c.send(kInit, 16);
         write_there(c);
       })},
      {stag_written_after_completion,
       "no message in between: it is not complete yet",
       {kToA, 9, "0x00012301", ""},
       announced(twice(write_there)),
       announced(twice(write_there, [](Connection&) {}))},
      {stag_written_after_completion,
       "a buffer that neither end announced",
       {kToA, 9, "0x00012301", ""},
       announced(twice([](Connection& c) { c.write(kResp, kStag, TaggedOffset{kTo.value + 32}, 32); })),
       whole(twice(write_there))},
      {stag_read_after_completion,
       "the client said something in between",
       {kToA, 9, "0x00012301", ""},
       announced(twice(read_there)),
       announced([](Connection& c) {
         read_there(c);
         c.send(kResp, 16);
         c.send(kInit, 16);
         read_there(c);
       })},
      {stag_read_after_completion,
       "another part of it",
       {kToA, 9, "0x00012301", ""},
       announced(twice([](Connection& c) { c.read(kResp, {.size = 8, .source_stag = kStag, .source_to = kTo}); })),
       announced([](Connection& c) {
         c.read(kResp, {.size = 8, .source_stag = kStag, .source_to = kTo});
         c.send(kResp, 16);
         c.read(kResp, {.size = 8, .source_stag = kStag, .source_to = TaggedOffset{kTo.value + 8}});
       })},
  };
}

/// The Initiators of these connections write, in turn, to this STag.
std::function<void(Connections&)> uses(std::vector<std::pair<unsigned, STag>> turns) {
  return [=](Connections& all) {
    for (const auto& [which, stag] : turns) all[which]->write(kInit, stag, kTo, 100);
  };
}
std::vector<std::pair<unsigned, STag>> in_steps(unsigned count, std::uint32_t step, std::uint32_t last_more) {
  std::vector<std::pair<unsigned, STag>> turns;
  for (unsigned i = 0; i < count; ++i) {
    turns.emplace_back(0, STag{kStag.value + i * step + (i + 1 == count ? last_more : 0)});
  }
  return turns;
}
/// `count` Sends of one octet, many in a TCP segment; every `answer_every` of them the Responder sends one as well.
MakeTraffic tiny_sends(unsigned count, unsigned answer_every) {
  return bare([=](Connection& c) {
    c.packing(kInit, synth::Packing::packed);
    for (unsigned i = 1; i <= count; ++i) {
      c.send(kInit, 1);
      if (i % answer_every != 0) continue;
      c.flush();
      c.send(kResp, 1);
    }
    c.flush();
  });
}

std::vector<Scenario> stag_scenarios() {
  return {
      {stag_other_stream,
       "two connections of one host",
       {kToB, 13, "0x00012301", ""},
       several({1, 3}, uses({{0, kStag}, {1, kStag}})),
       several({1, 1}, uses({{0, kStag}, {1, kStag}}))},
      {stag_other_stream,
       "the first connection was closed before",
       {kToB, 13, "0x00012301", ""},
       several({1, 3}, uses({{1, kStag}, {0, kStag}})),
       several({1, 3},
               [](Connections& all) {
                 uses({{0, kStag}})(all);
                 all[0]->close();
                 uses({{1, kStag}})(all);
               })},
      {stag_read_of_written_buffer,
       "another buffer",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.read(kInit, {.size = 100, .source_stag = kStag, .source_to = TaggedOffset{kTo.value + 4096}});
       }),
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.read(kInit, {.size = 100, .source_stag = kOtherStag, .source_to = kTo});
       })},
      {stag_read_of_written_buffer,
       "it was read before it was written",
       {kToB, 8, "0x00012301", ""},
       whole([](Connection& c) {
         c.write(kInit, kStag, kTo, 100);
         c.send(kInit, 10);
         c.read(kInit, {.size = 1, .source_stag = kStag, .source_to = TaggedOffset{kTo.value + 200}});
       }),
       whole([](Connection& c) {
         c.read(kInit, {.size = 1, .source_stag = kStag, .source_to = TaggedOffset{kTo.value + 200}});
         c.write(kInit, kStag, kTo, 100);
         c.read(kInit, {.size = 1, .source_stag = kStag, .source_to = TaggedOffset{kTo.value + 200}});
       })},
      {stag_invalidated_while_in_use,
       "its own",
       {kToB, 13, "0x00012301", ""},
       several({1, 3},
               [](Connections& all) {
                 uses({{0, kStag}})(all);
                 all[1]->send_invalidate(kInit, kStag, 10);
               }),
       several({1, 3},
               [](Connections& all) {
                 uses({{0, kStag}, {1, kOtherStag}})(all);
                 all[1]->send_invalidate(kInit, kOtherStag, 10);
               })},
      {stag_predictable,
       "seven",
       {kToB, 18, "0x00012a01", ""},
       several({1}, uses(in_steps(8, 0x100, 0))),
       several({1}, uses(in_steps(7, 0x100, 0)))},
      {stag_predictable,
       "the last is out of step",
       {kToB, 18, "0x00012371", ""},
       several({1}, uses(in_steps(8, 0x10, 0))),
       several({1}, uses(in_steps(8, 0x10, 1)))},
      {rdmap_small_send_flood,
       "the other end answers now and then",
       {kToB, 12, "2048", ""},
       tiny_sends(2400, 10'000),
       tiny_sends(2400, 500)},
      {mpa_clear_text,
       "a connection of another protocol",
       {},
       whole([](Connection&) {}),
       [] {
         Connection c;
         c.connect();
         c.stream(kInit, "hello");
         c.stream(kResp, "world");
         c.close();
         return Traffic{.frames = c.frames()};
       }},
  };
}

}  // namespace

std::vector<Scenario> memory_model_scenarios() {
  return joined(
      {invalidated_scenarios(), memory_scenarios(), atomic_scenarios(), completed_scenarios(), stag_scenarios()});
}

}  // namespace iwarpscope::test
