// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace iwarpscope::verdict {
namespace {

struct LayerWord {
  std::string_view name, over_tcp, over_sctp;
};
constexpr auto kLayerWords = std::to_array<LayerWord>({
    {"connection", "connection", "session"},
    {"request", "MPA Request", "Session Initiate"},
    {"a_request", "an MPA Request", "a Session Initiate"},
    {"reply", "MPA Reply", "Session Accept"},
    {"reject", "MPA Reply", "Session Reject"},
    {"fpdu", "FPDU", "DDP segment"},
    {"transport", "TCP", "SCTP"},
    {"transport_name", "tcp", "sctp"},
    {"reset", "reset the connection", "aborted the association"},
    {"a_reset", "a reset", "an ABORT"},
});

std::string asked(const Facts& facts) {
  const mpa::StartupFrame* const request = facts.request();
  if (request == nullptr) return word(facts, "a_request") + " that could not be read";
  std::string text = fmt::format("the {} of frame {}", word(facts, "request"), request->frame.value);
  // Over SCTP the revision stands for the kind of session control message.
  return facts.is_over_sctp() ? text : text + fmt::format(" (revision {})", request->revision);
}

}  // namespace

std::string_view role(const qp::QpRecord& record, Direction end) noexcept {
  const bool is_a = end == Direction::a_to_b;
  if (record.roles != qp::Roles::mpa) return is_a ? "A" : "B";
  return is_a ? "the Initiator" : "the Responder";
}

std::string who(const qp::QpRecord& record, Direction sender) {
  const net::Endpoint& end = sender == Direction::a_to_b ? record.a : record.b;
  return fmt::format("{} {}", role(record, sender), end.text());
}

std::string Ends::name(Direction end) {
  last_ = end;
  const bool again = std::exchange(named_[index(end)], true);
  return again ? std::string(role(record_, end)) : who(record_, end);
}

std::string Ends::short_name(Direction end) const {
  return last_ == end ? "the same end" : std::string(role(record_, end));
}

std::string closed_first(const Facts& facts, Ends& ends) {
  const auto first = facts.first_end();
  if (!first) return {};
  const auto frame = [&](Direction d) { return facts.from(d).fin.frame.value; };
  if (!first->together) return fmt::format("first by {} in frame {}", ends.name(first->by), frame(first->by));
  const auto [one, other] = std::minmax({frame(Direction::a_to_b), frame(Direction::b_to_a)});
  return fmt::format("by both ends at about the same time (frames {} and {})", one, other);
}

bool is_made_by_sender(const qp::NotedFinding& mismatch) noexcept {
  using enum findings::SenderCrc;
  return mismatch.sender_crc == zero || mismatch.sender_crc == swapped;
}

std::string_view crc_words(findings::SenderCrc crc) noexcept {
  return crc == findings::SenderCrc::swapped ? "has its octets in reverse order" : "is zero";
}

std::string word(const Facts& facts, std::string_view name) {
  const auto layer =
      std::find_if(kLayerWords.begin(), kLayerWords.end(), [&](const LayerWord& w) { return w.name == name; });
  if (layer != kLayerWords.end()) return std::string(facts.is_over_sctp() ? layer->over_sctp : layer->over_tcp);
  if (name == "asked") return asked(facts);
  if (name == "has_waited") return facts.capture.goes_on ? "has waited" : "had waited";
  if (name == "is_open") return facts.capture.goes_on ? "is open" : "was open";
  if (name == "at_the_end") return facts.capture.goes_on ? "" : " when the capture ended";
  return {};
}

std::string_view program_of(std::string_view answer) noexcept {
  struct Program {
    std::string_view begins;    ///< with this
    std::string_view contains;  ///< and has this somewhere
    std::string_view name;
  };
  // Sources: RFC 4253 §4.2, 9112 §4, 5321 §4.2, 959 §5.4, 1939 §4, 9051 §7.1, 8446 §5.1, 6143 §7.1.1; the others: their
  // servers. \x is of escaped(). The first that fits counts.
  constexpr auto kPrograms = std::to_array<Program>({
      {"SSH-", "", "An SSH server"},
      {"HTTP/", "", "An HTTP server"},
      {"<!DOCTYPE", "", "An HTTP server"},
      {"<html", "", "An HTTP server"},
      {"\\x15\\x03", "", "A TLS server"},
      {"\\x16\\x03", "", "A TLS server"},
      {"220", "FTP", "An FTP server"},
      {"220", "", "An SMTP server"},
      {"554", "", "An SMTP server"},
      {"+OK", "", "A POP3 server"},
      {"* OK", "", "An IMAP server"},
      {"RFB ", "", "A VNC server"},
      {"-ERR", "", "A Redis server"},
      {"AMQP", "", "An AMQP server"},
      {"@RSYNCD:", "", "An rsync server"},
      {"\\xff\\xfd", "", "A Telnet server"},
      {"\\xff\\xfb", "", "A Telnet server"},
  });
  const auto found = std::find_if(kPrograms.begin(), kPrograms.end(), [answer](const Program& program) {
    return answer.starts_with(program.begins) && answer.find(program.contains) != std::string_view::npos;
  });
  return found != kPrograms.end() ? found->name : std::string_view{};
}

}  // namespace iwarpscope::verdict
