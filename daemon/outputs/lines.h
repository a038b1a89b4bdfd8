// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// What happens as lines of text: the records of docs/json-report.md, with what only the daemon knows.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "live/event.h"
#include "outputs/run.h"

namespace iwarpscope::outputs {

/// {"record":"run","format":1,"run":ID,"version":...,"started":TIME} and the name of the last record before it: the run
/// of the following lines. Ends with a line feed.
void append_run(std::string& out, const Run& run, const live::RecordName& last);
/// {"record":"lost",...,"count":N}: so many records are missing here. `last`: of the last record before them.
void append_lost(std::string& out, const live::RecordName& last, std::uint64_t count);
/// `"a":END,"b":END` as in a `qp` record; null without ends.
[[nodiscard]] std::string ends_json(const std::optional<std::pair<net::Endpoint, net::Endpoint>>& ends);
/// The name of a record, with its Community ID, as members of a JSON object.
void append_named(std::string& out, const live::RecordName& name);
/// A `finding` record with its ends and its name: `a` and `b` as in a `qp` record, null if it does not concern a queue
/// pair.
void append_finding(std::string& out, const live::FindingView& finding);
/// The line of a event that is kept, a finding or the end of a queue pair; nothing of any other. Returns whether
/// there was one.
bool append_event(std::string& out, const live::Event& event);

}  // namespace iwarpscope::outputs
