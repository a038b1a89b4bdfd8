// Rules that time and history decide: MS-04, QP-03, and what a Terminate says of messages that went before.
#include "rules/message_traffic.h"
#include "rules/startup_traffic.h"

namespace iwarpscope::test {
namespace {

using enum findings::FindingId;
using synth::Connection;
using synth::Effect;

constexpr std::int64_t kSecond = 1'000'000'000;

// ---- MS-04 ----

/// The waits before the Request and before the Reply, in seconds; without a Reply the Initiator closes then.
struct Waits {
  std::int64_t request = 0, reply = 0;
  bool answered = true, handshake = true;
};
using Change = std::function<void(Connection&)>;

MakeTraffic slow(Waits waits, Change before_request = {}) {
  return [=] {
    Connection c;
    c.capture(waits.handshake);
    c.connect();
    c.capture(true);
    c.wait(waits.request * kSecond);
    if (before_request) before_request(c);
    c.request(synth::request_frame({}));
    c.acknowledge(kResp);
    c.wait(waits.reply * kSecond);
    if (waits.answered) {
      c.reply(synth::reply_frame({}));
      c.send(kInit, 100);
      c.send(kResp, 100);
    }
    c.close(kInit);
    return Traffic{.frames = c.frames()};
  };
}

std::vector<Scenario> slow_scenarios() {
  return {
      {mpa_startup_slow, "the Reply comes in time", slow({.reply = 11}), slow({.reply = 9})},
      {mpa_startup_slow, "the Initiator gives up earlier", slow({.reply = 11, .answered = false}),
       slow({.reply = 5, .answered = false})},
      {mpa_startup_slow, "the capture ends earlier",
       [] {
         Connection c;
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kResp);
         c.wait(11 * kSecond);
         c.keep_alive(kInit);
         return Traffic{.frames = c.frames()};
       },
       [] {
         Connection c;
         c.connect();
         c.request(synth::request_frame({}));
         c.acknowledge(kResp);
         return Traffic{.frames = c.frames()};
       }},
      {mpa_startup_slow, "the Request was lost on the way, and sent again", slow({.reply = 12}),
       slow({.reply = 11}, [](Connection& c) { c.channel(kInit, Effect::lose_after_tap, {.delay = 0}); })},
      {mpa_startup_slow, "the Responder never acknowledged the Request: it may not have come",
       slow({.reply = 12, .answered = false}),
       [] {
         Connection c({.responder = {.address = "10.0.0.2", .port = 5000, .isn = 0x80000000, .ack_every = 0}});
         c.connect();
         c.channel(kInit, Effect::lose_after_tap, {.delay = 3});
         c.request(synth::request_frame({}));
         c.wait(12 * kSecond);
         Traffic t{.frames = {}};
         std::vector<synth::TcpSegment>& seen = c.tcp_segments();
         const std::size_t kept = seen.size();
         t.frames = c.frames();
         t.frames.resize(kept);
         return t;
       }},
      {mpa_startup_slow, "only the Request's side is in the capture", slow({.reply = 13, .answered = false}),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.request(synth::request_frame({}));
         c.wait(12 * kSecond);
         c.reply(synth::reply_frame({}));
         c.send(kInit, 100);
         c.send(kInit, 100);
         c.close();
         return Traffic{.frames = c.frames()};
       }},
      {mpa_startup_slow, "the Request comes in time", slow({.request = 11}), slow({.request = 9})},
      {mpa_startup_slow, "the handshake is not in the capture", slow({.request = 12}),
       slow({.request = 12, .handshake = false})},
      {mpa_startup_slow, "streaming data may take its time before MPA", slow({.request = 13}),
       slow({.request = 13}, [](Connection& c) { c.stream(kInit, "HELO example"); })},
  };
}

// ---- QP-03 ----

MakeTraffic reset_after(Play play, synth::Side by = kResp) {
  return bare([=](Connection& c) {
    c.send(kInit, 100);
    c.send(kResp, 100);
    play(c);
    c.reset(by);
  });
}

std::vector<Scenario> reset_scenarios() {
  const auto unanswered = [](Connection& c) { c.read_request(kInit, {.size = 100}); };
  return {
      {rdmap_reset_inside_message, "the read was answered", reset_after(unanswered),
       reset_after([](Connection& c) { c.read(kInit, {.size = 100}); })},
      {rdmap_reset_inside_message, "the message is at its end",
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, false); }),
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, true); })},
      {rdmap_reset_inside_message, "the FPDU is at its end", reset_after([](Connection& c) {
         c.raw_octets(kInit, synth::Buffer{std::byte{0}, std::byte{100}, std::byte{0xC1}});
       }),
       reset_after([](Connection& c) { c.send(kInit, 100); })},
      {rdmap_reset_inside_message, "the Response is not in the capture", reset_after(unanswered),
       reset_after([](Connection& c) {
         c.channel(kResp, Effect::miss);
         c.read(kInit, {.size = 100});
       })},
      {rdmap_reset_inside_message, "the end of the message is not in the capture, as the RST shows",
       reset_after([](Connection& c) { write_part(c, kStag, kTo.value, false); }, kInit),
       reset_after(
           [](Connection& c) {
             write_part(c, kStag, kTo.value, false);
             c.channel(kInit, Effect::miss);
             write_part(c, kStag, kTo.value + 100, true);
           },
           kInit)},
      {rdmap_reset_inside_message, "a Terminate says why", reset_after(unanswered), reset_after([=](Connection& c) {
         unanswered(c);
         c.terminate_last(kResp, 0, 1, 0);
       })},
      {rdmap_reset_inside_message, "only the requests are in the capture", reset_after(unanswered, kInit),
       [] {
         Connection c;
         c.capture_only(kInit);
         c.connect();
         c.startup();
         c.send(kInit, 100);
         c.send(kResp, 100);
         c.read(kInit, {.size = 100});
         c.reset(kInit);
         return Traffic{.frames = c.frames()};
       }},
  };
}

}  // namespace

std::vector<Scenario> acknowledged_history_scenarios() {
  return joined({slow_scenarios(), reset_scenarios()});
}

}  // namespace iwarpscope::test
