// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// Octets as replies of a daemon of another version or of a hostile daemon, read as the command line reads them. Input:
// {u8 kind, octets of the protobuf message, or the text of a row of the history}.
#include <nlohmann/json.hpp>
#include <string>

#include "api/records.h"
#include "cli/client_text.h"
#include "cli/qps_table.h"
#include "cli/watch_model.h"
#include "fuzz/script.h"
#include "iwarpscope/v1/observer.pb.h"
#include "report/json.h"
#include "report/text_parts.h"
#include "report/utf8.h"

using namespace iwarpscope;

namespace {

const report::Paint kPaint(false);

void require_json(const std::string& line) {
  fuzz::require(nlohmann::json::accept(line), "a record is JSON");
}
/// The output for a terminal.
void require_harmless(const std::string& text) {
  for (const char c : text) {
    fuzz::require(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F), "a text holds no control octets");
  }
}

template <class Record>
std::string json(const Record& record) {
  std::string line;
  report::append_json(line, record);
  require_json(line);
  return line;
}

/// Through the encoding on the wire.
template <class Message>
Message sent(const Message& message) {
  Message other;
  fuzz::require(other.ParseFromString(message.SerializeAsString()), "a message can be read");
  return other;
}

/// It is unchanged when it is read back.
void require_same(const std::string& went, const std::string& came) {
  if (went == came) return;
  std::fprintf(stderr, "went: %s\ncame: %s\n", went.c_str(), came.c_str());
  fuzz::require(false, "it comes back as it went");
}

void read(const v1::QueuePair& message) {
  const live::QpView view = api::from_v1(message);
  const std::string line = json(view.record);
  std::string text;
  report::append_qp(text, kPaint, view.record, {});
  require_harmless(cli::printable_lines(text));
  require_harmless(cli::qps_table({view, view}, view.record.last_time.ns));
  cli::WatchModel model;
  model.apply(view);
  cli::WatchChoice choice;
  for (const cli::WatchLine& row : model.screen(choice, 12, 200)) {
    fuzz::require(row.text.size() <= 200, "a line is no longer than the screen is wide");
    require_harmless(row.text);
  }
  for (const api::Detail detail : {api::Detail::row, api::Detail::row_activity, api::Detail::full}) {
    v1::QueuePair again;
    api::to_v1(view, detail, again);
    const live::QpView returned = api::from_v1(sent(again));
    if (detail == api::Detail::full) require_same(line, json(returned.record));
  }
}

void read(const v1::Message& message) {
  const qp::MessageRecord record = api::from_v1(message);
  const std::string line = json(record);
  std::string text;
  report::append_message(text, kPaint, record);
  require_harmless(text);
  v1::Message again;
  api::to_v1(record, again);
  require_same(line, json(api::from_v1(sent(again))));
}

void read(const v1::TransportEvent& message) {
  const qp::TransportEvent event = api::from_v1(message);
  v1::TransportEvent again, twice;
  api::to_v1(event, again);
  again = sent(again);
  api::to_v1(api::from_v1(again), twice);
  fuzz::require(again.SerializeAsString() == twice.SerializeAsString(), "it comes back as it went");
}

void read(const v1::Finding& message) {
  require_harmless(cli::finding_line(message, true));
  const auto view = api::from_v1(message);
  if (!view) return;
  const std::string line = json(view->finding);
  v1::Finding again;
  api::to_v1(*view, again);
  const auto returned = api::from_v1(sent(again));
  fuzz::require(returned && json(returned->finding) == line, "it comes back as it went");
}

void read(const v1::Status& message) {
  require_harmless(cli::status_text(message, message.capture_time_ns()));
  cli::WatchModel model;
  model.take_status(message, {});
  cli::WatchChoice choice;
  for (const cli::WatchLine& row : model.screen(choice, 12, 200)) require_harmless(row.text);
}

template <class Message>
void parse(Octets octets) {
  Message message;
  if (message.ParseFromArray(octets.data(), static_cast<int>(octets.size()))) read(message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Script script(data, size);
  const unsigned kind = script.u8() % 6u;
  const Octets octets = script.octets(size);
  switch (kind) {
    case 0: parse<v1::QueuePair>(octets); break;
    case 1: parse<v1::Message>(octets); break;
    case 2: parse<v1::Finding>(octets); break;
    case 3: parse<v1::Status>(octets); break;
    case 4: parse<v1::TransportEvent>(octets); break;
    default:
      require_harmless(report::to_printable(
          cli::history_words(std::string(reinterpret_cast<const char*>(octets.data()), octets.size()))));
  }
  return 0;
}
