// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// A sensor's forwarder for tests and benchmarks: delivers records with the bodies of a report, in pipelined batches.
//
//   iwarpscope-centre-deliver CONNINFO SENSOR_UUID BODIES RECORDS BATCH DEPTH [WRONG]
//
// BODIES is what `iwarpscope analyze --format json` prints. WRONG is the number of a batch that the centre must refuse.
// The records follow the cursor of the history SENSOR_UUID, which is also the UUID of the run. Prints a line for each
// batch that was refused, and at the end "stored RECORDS known RECORDS seconds S"; exits 1 if a batch was refused, and
// 2 with what was acknowledged if the connection was lost.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "centre/postgres.h"

namespace {

using namespace iwarpscope::centre;

constexpr const char* kDeliver =
    "SELECT added, known FROM iwarpscope.deliver_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, "
    "$16, $17, $18, $19, "
    "$20, $21)";
constexpr std::chrono::seconds kPatience{60};
constexpr int kFinding = 1;
constexpr int kQp = 2;

struct Body {
  int kind = 0;
  std::string key, json, a, b, community_id;
};

std::string text_of(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::vector<Body> read_bodies(const char* file) {
  std::vector<Body> bodies;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto json = nlohmann::json::parse(line);
    const std::string record = text_of(json, "record");
    Body body{record == "finding" ? kFinding : kQp, {}, line, {}, {}, text_of(json, "community_id")};
    if (record == "finding") {
      body.key = text_of(json, "id");
    } else if (record == "qp") {
      body.key = json["verdict"].is_object() ? text_of(json["verdict"], "outcome") : "";
      body.a = text_of(json["a"], "address");
      body.b = text_of(json["b"], "address");
    } else {
      continue;
    }
    bodies.push_back(std::move(body));
  }
  return bodies;
}

struct Place {
  std::string run;
  std::int64_t id = 0;
};
using Places = std::map<std::int64_t, Place>;  // by kind

[[noreturn]] void fail(const std::string& why) {
  fmt::print(stderr, "iwarpscope-centre-deliver: {}\n", why);
  std::exit(2);
}

Places read_cursor(Connection& centre, const Uuid& sensor) {
  Places places;
  const auto rows = centre.run("SELECT kind, run, id FROM iwarpscope.cursor_v1($1)", Parameters().add(sensor));
  if (!rows) fail(rows.error().text);
  for (int row = 0; row < rows->rows(); ++row) {
    places[rows->number(row, 0)] = {std::string(rows->text(row, 1)), rows->number(row, 2)};
  }
  return places;
}

/// One batch after `places`, which it moves.
class Batch {
 public:
  Batch(const Uuid& sensor, const Places& places) {
    values_.add(sensor);
    Array kinds(Array::Of::int16), runs(Array::Of::uuid), ids(Array::Of::int64);
    for (const auto& [kind, place] : places) {
      kinds.add(kind);
      runs.add(uuid_of(place.run).value_or(sensor));
      ids.add(place.id);
    }
    values_.add(kinds).add(runs).add(ids);
  }
  void add(const Body& body, const Uuid& run, std::int64_t id) {
    using namespace std::chrono;
    const std::int64_t now = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    kinds_.add(body.kind);
    ids_.add(id);
    runs_.add(run);
    times_.add(now);
    keys_.add(body.key);
    severities_.add(body.kind == kFinding ? 2 : 0);
    qps_.add(body.kind == kFinding ? id % 1000 : id);
    a_.add(body.a);
    b_.add(body.b);
    community_ids_.add(body.community_id);
    names_.add("eth0");
    bodies_.add(body.json);
  }
  Parameters& values(bool is_wrong) {
    if (is_wrong) ids_.add(1);
    Array no_kinds(Array::Of::int16), no_counts(Array::Of::int64);
    for (const Array* one : {&kinds_, &ids_, &runs_, &times_, &times_, &keys_, &severities_, &qps_, &a_, &b_,
                             &community_ids_, &ids_, &names_, &names_, &bodies_, &no_kinds, &no_counts}) {
      values_.add(*one);
    }
    return values_;
  }

 private:
  Parameters values_;
  Array kinds_{Array::Of::int16}, ids_{Array::Of::int64}, runs_{Array::Of::uuid}, times_{Array::Of::int64},
      keys_{Array::Of::text}, severities_{Array::Of::int16}, qps_{Array::Of::int64}, a_{Array::Of::text},
      b_{Array::Of::text}, community_ids_{Array::Of::text}, names_{Array::Of::text}, bodies_{Array::Of::text};
};

struct Tally {
  std::int64_t stored = 0, known = 0, refused = 0;
};

void take_answer(Connection& centre, std::int64_t number, Tally& tally) {
  const auto answer = centre.receive(kPatience);
  if (answer) {
    tally.stored += answer->number(0, 0);
    tally.known += answer->number(0, 1);
    return;
  }
  if (answer.error().is_connection_lost()) {
    fail(fmt::format("acknowledged {} records; {}", tally.stored + tally.known, answer.error().text));
  }
  ++tally.refused;
  fmt::print("batch {} {} {}\n", number, answer.error().sqlstate, answer.error().text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7) fail("CONNINFO SENSOR_UUID BODIES RECORDS BATCH DEPTH [WRONG]");
  const auto sensor = uuid_of(argv[2]);
  if (!sensor) fail("SENSOR_UUID is no UUID");
  const auto bodies = read_bodies(argv[3]);
  if (bodies.empty()) fail("BODIES has no findings and queue pairs");
  const std::int64_t records = std::atoll(argv[4]), size = std::atoll(argv[5]), depth = std::atoll(argv[6]);
  const std::int64_t wrong = argc > 7 ? std::atoll(argv[7]) : -1;
  auto centre = Connection::open(argv[1], "iwarpscope-centre-deliver");
  if (!centre) fail(centre.error().text);
  Places places = read_cursor(*centre, *sensor);
  if (const auto begun = centre->begin_pipeline(); !begun) fail(begun.error().text);
  const auto start = std::chrono::steady_clock::now();
  Tally tally;
  std::deque<std::int64_t> waiting;
  for (std::int64_t sent = 0, number = 0; sent < records; ++number) {
    Batch batch(*sensor, places);
    for (std::int64_t at = 0; at < size && sent < records; ++at, ++sent) {
      const Body& body = bodies[static_cast<std::size_t>(sent) % bodies.size()];
      Place& place = places[body.kind];
      place = {argv[2], place.id + 1};
      batch.add(body, *sensor, place.id);
    }
    if (const auto done = centre->send(kDeliver, batch.values(number == wrong)); !done) {
      fail(fmt::format("acknowledged {} records; {}", tally.stored + tally.known, done.error().text));
    }
    waiting.push_back(number);
    while (static_cast<std::int64_t>(waiting.size()) >= depth) {
      take_answer(*centre, waiting.front(), tally);
      waiting.pop_front();
    }
  }
  for (; !waiting.empty(); waiting.pop_front()) take_answer(*centre, waiting.front(), tally);
  fmt::print("stored {} known {} seconds {:.3f}\n", tally.stored, tally.known,
             std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return tally.refused == 0 ? 0 : 1;
}
