// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "atomics/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "support/analysis.h"
#include "synth/connection.h"

namespace iwarpscope::atomics {
namespace {

using synth::Side;
using synth::wire::AtomicOperation;

constexpr std::size_t kFewOperations = 9, kManyOperations = 14;
constexpr STag kWordStag{0x5300};
constexpr TaggedOffset kWordTo{0x7F0000001000};

/// A responder with a word that several connections use, and the tap in front of it.
class Responder {
 public:
  Responder(std::uint64_t seed, Defect defect, bool one_at_a_time)
      : random_(seed), defect_(defect), most_open_(one_at_a_time ? 1 : 3) {
    little_endian_ = random_.chance(500);
    writes_ = random_.chance(300);
    unanswered_ = random_.chance(300);
    small_ = random_.chance(500);
    value_ = number();
    const std::size_t connections = random_.between(1, 4);
    for (std::size_t i = 0; i < connections; ++i) open(i, seed);
  }

  void play() {
    const std::size_t wanted = random_.between(2, random_.chance(850) ? kFewOperations : kManyOperations);
    for (unsigned step = 0; step < 400 && operations_.size() < wanted; ++step) {
      switch (random_.below(3)) {
        case 0:
          if (operations_.size() < wanted) invoke(random_.below(connections_.size()));
          break;
        case 1:
          if (!operations_.empty()) take_effect(random_.below(operations_.size()));
          break;
        default: decide_answer(random_.below(connections_.size()));
      }
    }
    for (std::size_t i = 0; i < operations_.size(); ++i) take_effect(i);
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      while (decide_answer(i)) {
      }
    }
  }

  /// The frames; each response carries the value of `originals` for its operation.
  [[nodiscard]] synth::Frames frames() {
    std::vector<synth::Frames> all;
    for (const auto& c : connections_) all.push_back(c.connection->frames());
    return synth::merge(all);
  }
  [[nodiscard]] std::vector<Operation>& operations() { return operations_; }

 private:
  struct Progress {
    bool effective = false, never = false, unanswered = false, torn = false;
    std::uint64_t read = 0;
  };
  struct One {
    std::unique_ptr<synth::Connection> connection;
    std::deque<std::size_t> open;  ///< atomics that wait for their response, oldest first
    bool silent = false;           ///< it sends no more responses
  };

  void open(std::size_t i, std::uint64_t seed) {
    synth::ConnectionOptions options;
    options.initiator.port = static_cast<std::uint16_t>(40000 + i);
    options.initiator.ack_every = options.responder.ack_every = 0;
    options.seed = seed + i;
    options.clock = &clock_;
    One& one = connections_.emplace_back();
    one.connection = std::make_unique<synth::Connection>(options);
    one.connection->connect();
    one.connection->startup();
    one.connection->send(Side::initiator, 16);
  }

  /// Few values, so that many orders are possible; or any values.
  std::uint64_t number() { return small_ ? random_.below(4) : random_.next(); }
  std::uint64_t mask() {
    constexpr std::uint64_t kAll = ~std::uint64_t{0};
    switch (random_.below(5)) {
      case 0: return small_ ? 1 : 0xFF00FF00FF00FF00;
      case 1: return small_ ? 2 : 0x00000000FFFFFFFF;
      case 2: return random_.next();
      default: return kAll;
    }
  }
  std::uint64_t field_mask() {
    switch (random_.below(5)) {
      case 0: return 0x8000000080000000;
      case 1: return 0x8080808080808080;
      case 2: return small_ ? 1 : random_.next();
      default: return 0;
    }
  }

  synth::wire::AtomicRequest random_request() {
    synth::wire::AtomicRequest request{.remote_stag = kWordStag, .remote_to = kWordTo, .data = number()};
    switch (random_.below(3)) {
      case 0:
        request.operation = AtomicOperation::fetch_add;
        request.mask = field_mask();
        break;
      case 1:
        request.operation = AtomicOperation::cmp_swap;
        request.mask = mask();
        request.compare = random_.chance(600) ? value_ : number();
        request.compare_mask = mask();
        break;
      default: request.operation = AtomicOperation::swap; request.mask = 0;
    }
    return request;
  }

  void invoke(std::size_t which) {
    One& one = connections_[which];
    Operation operation;
    operation.connection = which;
    Progress progress;
    if (writes_ && random_.chance(250)) {
      operation.is_write = true;
      operation.memory = number();
      one.connection->write(Side::initiator, kWordStag, kWordTo, octets(operation.memory));
    } else {
      if (one.open.size() >= most_open_) return;
      operation.request = random_request();
      operation.request.request_id = static_cast<std::uint32_t>(operations_.size() + 1);
      one.connection->atomic_request(Side::initiator, operation.request);
      one.open.push_back(operations_.size());
      if (unanswered_ && random_.chance(100)) one.silent = true;
      progress.never = one.silent && random_.chance(500);
      progress.torn = defect_ == Defect::torn && random_.chance(500);
    }
    operation.invoked_ns = clock_.now_ns;
    operations_.push_back(operation);
    progress_.push_back(progress);
  }

  static synth::Buffer octets(std::uint64_t number) {
    synth::Buffer out;
    for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<std::byte>(number >> shift));
    return out;
  }
  std::uint64_t as_word(std::uint64_t memory) const { return little_endian_ ? __builtin_bswap64(memory) : memory; }

  /// The operation changes the word now, if all earlier operations have done so.
  void take_effect(std::size_t which) {
    Progress& progress = progress_[which];
    Operation& operation = operations_[which];
    if (progress.effective || progress.never) return;
    for (std::size_t i = 0; i < which && !operation.is_write; ++i) {
      if (operations_[i].connection == operation.connection && !progress_[i].effective) return;
    }
    progress.effective = true;
    if (operation.is_write) {
      value_ = as_word(operation.memory);
      return;
    }
    operation.original = progress.read = value_;
    if (!progress.torn) value_ = synth::wire::apply(operation.request, value_);
  }

  /// The oldest open atomic of the connection gets its response. False if that is impossible.
  bool decide_answer(std::size_t which) {
    One& one = connections_[which];
    if (one.open.empty() || one.silent || !progress_[one.open.front()].effective) return false;
    const std::size_t answered = one.open.front();
    one.open.pop_front();
    Operation& operation = operations_[answered];
    if (progress_[answered].torn) value_ = synth::wire::apply(operation.request, progress_[answered].read);
    if (defect_ == Defect::changed && !spoilt_ && random_.chance(300)) {
      spoilt_ = true;
      operation.original = small_ ? (operation.original + 1) % 4 : number();
    }
    if (defect_ == Defect::exchanged && !spoilt_ && !one.open.empty() && progress_[one.open.front()].effective) {
      spoilt_ = true;
      std::swap(operation.original, operations_[one.open.front()].original);
    }
    one.connection->atomic_response(Side::responder, operation.original);
    operation.answered_ns = clock_.now_ns;
    return true;
  }

  synth::Random random_;
  synth::Clock clock_;
  Defect defect_;
  std::size_t most_open_;
  bool little_endian_ = false, writes_ = false, unanswered_ = false, small_ = false, spoilt_ = false;
  std::uint64_t value_ = 0;
  std::vector<One> connections_;
  std::vector<Operation> operations_;
  std::vector<Progress> progress_;
};

/// Request identifiers are the numbers of the operations: so each response shows which one it answers.
void read_verdicts(const test::Report& report, History& history) {
  for (const qp::MessageRecord& message : report.messages) {
    const auto* response = std::get_if<qp::AtomicResponseDetail>(&message.detail);
    if (response == nullptr || response->request_id == 0 || response->request_id > history.operations.size()) continue;
    history.operations[response->request_id - 1].verdict = response->verdict.value_or("none");
  }
  history.at14 = report.count(findings::FindingId::rdmap_atomic_results_inconsistent);
  history.at15 = report.count(findings::FindingId::rdmap_atomics_not_linearizable);
}

std::string_view function_name(const Operation& operation) {
  if (operation.is_write) return "write";
  switch (operation.request.operation) {
    case AtomicOperation::fetch_add: return "fetch-add";
    case AtomicOperation::cmp_swap: return "cmp-swap";
    default: return "swap";
  }
}

std::string arguments(const Operation& operation) {
  const auto& r = operation.request;
  if (operation.is_write) return fmt::format(R"("memory":"0x{:016x}")", operation.memory);
  return fmt::format(R"("data":"0x{:016x}","mask":"0x{:016x}","compare":"0x{:016x}","compare-mask":"0x{:016x}")",
                     r.data, r.mask, r.compare, r.compare_mask);
}

}  // namespace

std::string_view name(Defect defect) noexcept {
  switch (defect) {
    case Defect::none: return "none";
    case Defect::changed: return "changed";
    case Defect::exchanged: return "exchanged";
    case Defect::torn: break;
  }
  return "torn";
}

History make_history(std::uint64_t seed, bool one_at_a_time) {
  History history;
  history.seed = seed;
  history.defect = static_cast<Defect>(seed % 4);
  Responder responder(seed, history.defect, one_at_a_time);
  responder.play();
  const test::Report report = test::analyze(responder.frames());
  history.operations = responder.operations();
  read_verdicts(report, history);
  return history;
}

std::string json(const History& history) {
  std::string line = fmt::format(R"({{"seed":{},"defect":"{}","AT-14":{},"AT-15":{},"operations":[)", history.seed,
                                 name(history.defect), history.at14, history.at15);
  for (const Operation& o : history.operations) {
    line += fmt::format(R"({}{{"connection":{},"f":"{}",{},"invoked":{})", &o == history.operations.data() ? "" : ",",
                        o.connection, function_name(o), arguments(o), o.invoked_ns);
    if (o.answered_ns) {
      line +=
          fmt::format(R"(,"answered":{},"original":"0x{:016x}","verdict":"{}")", *o.answered_ns, o.original, o.verdict);
    }
    line += '}';
  }
  return line + "]}";
}

std::string events(const History& history) {
  std::map<std::int64_t, std::string> all;  // no two have the same time
  for (std::size_t i = 0; i < history.operations.size(); ++i) {
    const Operation& o = history.operations[i];
    const std::string what = fmt::format(R"("process":{},"f":"{}","value":{{"connection":{},{}}})", i, function_name(o),
                                         o.connection, arguments(o));
    all[o.invoked_ns] = fmt::format(R"({{"type":"invoke","time":{},{}}})", o.invoked_ns, what);
    if (o.answered_ns) {
      all[*o.answered_ns] = fmt::format(R"({{"type":"ok","time":{},"process":{},"f":"{}","value":"0x{:016x}"}})",
                                        *o.answered_ns, i, function_name(o), o.original);
    }
  }
  std::string line = fmt::format(R"({{"seed":{},"events":[)", history.seed);
  bool first = true;
  for (const auto& [time, event] : all) line += (std::exchange(first, false) ? "" : ",") + event;
  return line + "]}";
}

}  // namespace iwarpscope::atomics
