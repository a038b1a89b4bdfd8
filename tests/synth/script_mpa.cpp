// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Commands of MPA: the startup and the form of the FPDUs after it.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "synth/script_player.h"

namespace iwarpscope::synth {

namespace {

using wire::EnhancedData;
using wire::StartupFrame;

constexpr std::uint16_t kMostDepth = 0x3FFF;  // 14 bits
constexpr std::uint16_t kUsualDepth = 16;
constexpr std::string_view kNoRtr = "none";

Rtr rtr_of(std::string_view word) {
  return Words::chosen<Rtr>("rtr", word,
                            {{kNoRtr, Rtr::none}, {"send", Rtr::send}, {"write", Rtr::write}, {"read", Rtr::read}});
}

void offer(EnhancedData& data, Rtr kind) {
  data.rtr_send = data.rtr_send || kind == Rtr::send;
  data.rtr_write = data.rtr_write || kind == Rtr::write;
  data.rtr_read = data.rtr_read || kind == Rtr::read;
}

// "send,read"
void offer_all(EnhancedData& data, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(','), words.size());
    offer(data, rtr_of(words.substr(0, end)));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

// The words for enhanced data, and the data if there is one of them.
std::optional<EnhancedData> enhanced(Words& w, Rtr rtr, std::uint16_t depth) {
  const bool peer_to_peer = w.flag("p2p");
  const auto ird = w.given<std::uint16_t>("ird", kMostDepth);
  const auto ord = w.given<std::uint16_t>("ord", kMostDepth);
  const auto offers = w.value("offer");
  if (!peer_to_peer && !ird && !ord && !offers) return {};
  EnhancedData data{.peer_to_peer = peer_to_peer, .ird = ird.value_or(depth), .ord = ord.value_or(depth)};
  if (offers) offer_all(data, *offers);
  if (!offers && peer_to_peer) offer(data, rtr);
  return data;
}

Buffer private_data(Words& w, std::string_view key, std::string_view text_key) {
  if (const auto octets = w.octets(key)) return *octets;
  const auto words = w.value(text_key);
  return words ? text(*words) : Buffer{};
}

bool crc_word(Words& w) {
  const bool on = w.flag("crc");
  const bool off = w.flag("nocrc");
  if (on && off) throw std::invalid_argument("crc and nocrc");
  return !off;
}

void startup(Player& p, Words& w) {
  Startup s;
  s.revision = w.given_or("rev", s.revision);
  s.crc = crc_word(w);
  s.markers = w.flag("markers");
  s.request_crc = w.on_off("request-crc");
  s.reply_crc = w.on_off("reply-crc");
  s.request_markers = w.on_off("request-markers");
  s.reply_markers = w.on_off("reply-markers");
  s.reject = w.flag("reject");
  const auto rtr = w.value("rtr");
  s.rtr = rtr ? rtr_of(*rtr) : Rtr::none;
  s.request_enhanced = enhanced(w, s.rtr, kUsualDepth);
  s.reply_enhanced = s.request_enhanced;
  if (s.reply_enhanced) std::swap(s.reply_enhanced->ird, s.reply_enhanced->ord);
  const auto ird = w.given<std::uint16_t>("reply-ird", kMostDepth);
  const auto ord = w.given<std::uint16_t>("reply-ord", kMostDepth);
  if ((ird || ord) && !s.reply_enhanced) throw std::invalid_argument("reply-ird and reply-ord need ird, ord or p2p");
  if (ird) s.reply_enhanced->ird = *ird;
  if (ord) s.reply_enhanced->ord = *ord;
  s.request_private_data = private_data(w, "private", "private-text");
  s.reply_private_data = private_data(w, "reply-private", "reply-private-text");
  if (p.is_sctp()) {
    p.stream().startup(s);
  } else {
    p.connection().startup(s);
  }
}

StartupFrame frame_of(Words& w, StartupFrame::Kind kind) {
  StartupFrame f{.kind = kind};
  f.revision = w.given_or("rev", f.revision);
  f.crc = crc_word(w);
  f.markers = w.flag("markers");
  f.reject = w.flag("reject");
  f.enhanced_flag = w.on_off("enhanced");
  f.reserved = w.given_or("reserved", f.reserved, 15);
  f.enhanced = enhanced_data(w);
  f.private_data = private_data(w);
  f.private_data_length = w.given<std::uint16_t>("length");
  if (const auto key = w.value("key")) {
    if (key->size() != 16) throw std::invalid_argument("key: a key has 16 octets");
    f.key = text(*key);
  }
  return f;
}

void request(Player& p, Words& w) {
  const Side side = w.maybe_side().value_or(Side::initiator);
  p.connection().request(frame_of(w, StartupFrame::Kind::request), side);
}
void reply(Player& p, Words& w) {
  const Side side = w.maybe_side().value_or(Side::responder);
  p.connection().reply(frame_of(w, StartupFrame::Kind::reply), side);
}

bool switched(Words& w) {
  return Words::chosen<bool>("the switch", w.next("on or off"), {{"on", true}, {"off", false}});
}

void crc(Player& p, Words& w) {
  const auto side = w.maybe_side();
  const bool on = switched(w);
  if (side) {
    p.connection().use_crc(*side, on);
  } else {
    p.connection().use_crc(on);
  }
}

void limit(Player& p, Words& w) {
  const Side side = w.side();
  const bool usual = w.flag("usual");
  p.messages().limit_mulpdu(side, usual ? std::nullopt : std::optional<std::size_t>(w.number("MULPDU", 65535)));
}

constexpr std::string_view kFrameArguments =
    "[SIDE] [rev=N] [nocrc] [markers] [reject] [enhanced=on|off] [reserved=N] [p2p] [offer=send,write,read] [ird=N]"
    " [ord=N] [private=HEX | private-text=TEXT] [length=N] [key=TEXT]";

constexpr Command kMpa[] = {
    {"startup",
     "[rev=N] [crc | nocrc] [markers] [request-crc=on|off] [reply-crc=on|off] [request-markers=on|off]"
     " [reply-markers=on|off] [reject] [p2p] [rtr=send|write|read] [offer=send,write,read] [ird=N] [ord=N]"
     " [reply-ird=N] [reply-ord=N] [private=HEX | private-text=TEXT] [reply-private=HEX | reply-private-text=TEXT]",
     "Request, Reply and the RTR; default: CRC on, markers off; p2p, ird, ord or offer add enhanced data with revision "
     "2, and the answer has the same depths; p2p offers the type of rtr",
     startup},
    {"request", kFrameArguments, "an MPA Request (of a), correct or wrong: length is PD_Length, enhanced is the S bit",
     request},
    {"reply", kFrameArguments, "an MPA Reply (of b)", reply},
    {"full-operation", "SIDE", "its FPDUs begin at its next octet; for scripts without a startup",
     [](Player& p, Words& w) { p.connection().begin_full_operation(w.side()); }},
    {"markers", "SIDE on|off", "independent of the startup",
     [](Player& p, Words& w) {
       const Side side = w.side();
       p.connection().use_markers(side, switched(w));
     }},
    {"crc", "[SIDE] on|off", "independent of the startup", crc},
    {"rtr", "send|write|read", "only the RTR",
     [](Player& p, Words& w) { p.messages().rtr(rtr_of(w.next("the type"))); }},
    {"version", "0|1", "of DDP and RDMAP",
     [](Player& p, Words& w) { p.messages().use_version(static_cast<std::uint8_t>(w.number("the version", 3))); }},
    {"mulpdu", "SIDE N|usual", "the largest ULPDU", limit},
};

}  // namespace

std::optional<EnhancedData> enhanced_data(Words& w) {
  return enhanced(w, Rtr::none, kUsualDepth);
}

Buffer private_data(Words& w) {
  return private_data(w, "private", "private-text");
}

std::span<const Command> mpa_commands() {
  return kMpa;
}

}  // namespace iwarpscope::synth
