// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "live/record_name.h"

#include "live/views.h"
#include "net/community_id.h"
#include "report/json.h"

namespace iwarpscope::live {
namespace {

void append_member(std::string& out, std::string_view key, std::string_view text) {
  out += '"';
  out += key;
  out += "\":";
  out += text.empty() ? std::string("null") : report::json_string(text);
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> RecordName::parts() const {
  std::vector<std::pair<std::string_view, std::string>> all;
  const auto add = [&all](std::string_view key, const std::string& text) {
    if (!text.empty()) all.emplace_back(key, text);
  };
  if (origin) {
    add("sensor_uuid", origin->sensor_uuid);
    add("run_uuid", origin->run_uuid);
  }
  if (sequence != 0) add("sequence", std::to_string(sequence));
  add("community_id", community_id);
  add("interface", interface);
  add("tap_group", tap_group);
  if (origin) add("sensor", origin->sensor);
  return all;
}

std::string RecordName::line() const {
  std::string all;
  for (const auto& [key, text] : parts()) all += (all.empty() ? "" : " ") + std::string(key) + "=" + text;
  return all;
}

void append_run_members(std::string& out, const RecordName& name) {
  static const Origin kUnknown;
  const Origin& origin = name.origin ? *name.origin : kUnknown;
  append_member(out, "sensor", origin.sensor);
  append_member(out += ',', "sensor_uuid", origin.sensor_uuid);
  append_member(out += ',', "run_uuid", origin.run_uuid);
  out += R"(,"sequence":)" + (name.sequence == 0 ? std::string("null") : std::to_string(name.sequence));
}

void append_members(std::string& out, const RecordName& name) {
  append_run_members(out, name);
  append_member(out += ',', "interface", name.interface);
  append_member(out += ',', "tap_group", name.tap_group);
}

RecordName named(const QpView& view) {
  RecordName name = view.name;
  if (name.community_id.empty() && name.origin)
    name.community_id = report::community_id(view.record, name.origin->community_id_seed);
  return name;
}

RecordName named(const FindingView& view) {
  RecordName name = view.name;
  if (name.community_id.empty() && name.origin && view.ends) {
    const auto transport = view.over_sctp ? net::Transport::sctp : net::Transport::tcp;
    name.community_id =
        net::community_id(view.ends->first, view.ends->second, transport, name.origin->community_id_seed);
  }
  return name;
}

}  // namespace iwarpscope::live
