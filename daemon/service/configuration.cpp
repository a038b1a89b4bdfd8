#include "service/configuration.h"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <tuple>

#include "findings/catalogue.h"
#include "service/keys.h"
#include "service/units.h"

namespace iwarpscope::service {
namespace {

/// Keys of [capture] that [[capture.interface]] has as well.
constexpr auto kOfInterfaces =
    std::to_array<std::string_view>({"filter", "workers", "promiscuous", "snap_length", "ring"});

const Key* find_key(std::string_view section, std::string_view name) {
  const auto key =
      std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.section == section && k.name == name; });
  return key == keys().end() ? nullptr : &*key;
}

/// The one of `names` that was probably meant; empty: none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  const auto best = std::min_element(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(name, a) < edit_distance(name, b);
  });
  if (best == names.end() || edit_distance(name, *best) > std::max<std::size_t>(2, name.size() / 3)) return {};
  return *best;
}

std::optional<Value> value_of(const toml::node& node) {
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* list = node.as_array()) {
    std::vector<std::string> texts;
    for (const toml::node& one : *list) {
      if (!one.is_string()) return std::nullopt;
      texts.push_back(one.as_string()->get());
    }
    return texts;
  }
  return std::nullopt;
}

/// Goes through a file and collects what is wrong with it.
class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file) {}

  void read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string_view name = key.str();
      const bool is_section =
          std::any_of(sections().begin(), sections().end(), [name](const Section& s) { return s.name == name; });
      if (!is_section) {
        put("", key, node);
      } else if (const toml::table* const section = node.as_table()) {
        for (const auto& [inner, value] : *section) put(key.str(), inner, value);
      } else {
        add(node.source().begin, fmt::format("[{}] is a section, and not a value.", key.str()));
      }
    }
    // Last: what their tables leave out is as in [capture].
    for (const toml::table* const table : interfaces_) read_interface(*table);
  }
  void add(const toml::source_position& at, std::string sentence) {
    mistakes.push_back({file_, at.line, at.column, std::move(sentence)});
  }

  /// Of a key's value; 0 when the file does not have it.
  [[nodiscard]] toml::source_position place_of(const std::string& key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? toml::source_position{} : found->second;
  }

  Configuration configuration;
  Mistakes mistakes;

 private:
  void put(std::string_view section, const toml::key& name, const toml::node& node) {
    const Key* const key = find_key(section, name.str());
    if (key == nullptr) return unknown(section, name);
    places_[key->full_name()] = node.source().begin;
    if (key->full_name() == "capture.interface" && take_interfaces(node)) return;
    put(*key, configuration, key->full_name(), node);
  }
  void put(const Key& key, Configuration& to, const std::string& called, const toml::node& node) {
    const std::optional<Value> value = value_of(node);
    // What is no value at all is refused as any other wrong one: with what it may be.
    const auto refusal = value ? key.put(to, *value) : key.put(to, Value{-1.5});
    if (refusal) add(node.source().begin, fmt::format("{}: {}.", called, *refusal));
  }

  /// False: these are no tables.
  bool take_interfaces(const toml::node& node) {
    const toml::array* const list = node.as_array();
    if (list == nullptr) return false;
    for (const toml::node& one : *list) {
      if (!one.is_table()) return false;
    }
    for (const toml::node& one : *list) interfaces_.push_back(one.as_table());
    return true;
  }

  void read_interface(const toml::table& table) {
    Configuration one;
    one.capture.each = configuration.capture.each;
    std::string& name = one.capture.each.name;
    const toml::node* named = nullptr;
    for (const auto& [key, node] : table) {
      if (key.str() == "name") {
        named = &node;
        const auto* const text = node.as_string();
        if (text != nullptr) name = text->get();
        if (name.empty()) add(node.source().begin, "capture.interface.name: it is an interface's name, in quotes.");
      } else if (std::find(kOfInterfaces.begin(), kOfInterfaces.end(), key.str()) != kOfInterfaces.end()) {
        put(*find_key("capture", key.str()), one, fmt::format("capture.interface.{}", key.str()), node);
      } else {
        std::vector<std::string> names{"name"};
        names.insert(names.end(), kOfInterfaces.begin(), kOfInterfaces.end());
        unknown(key, "[[capture.interface]]", names);
      }
    }
    if (named == nullptr) add(table.source().begin, "capture.interface: it needs a name.");
    if (name.empty()) return;
    CaptureSettings& capture = configuration.capture;
    const auto is_same = [&name](const capture::InterfaceOptions& other) { return other.name == name; };
    if (std::any_of(capture.own.begin(), capture.own.end(), is_same)) {
      return add(named->source().begin, fmt::format("capture.interface.name: \"{}\" is there twice.", name));
    }
    capture.own.push_back(one.capture.each);
    auto& all = capture.interfaces;
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
  }

  void unknown(std::string_view section, const toml::key& name) {
    std::vector<std::string> names;
    for (const Key& key : keys()) {
      if (key.section == section) names.emplace_back(key.name);
    }
    if (section.empty()) {
      for (const Section& s : sections()) names.emplace_back(s.name);
    }
    unknown(name, section.empty() ? std::string("the file") : fmt::format("[{}]", section), names);
  }
  void unknown(const toml::key& name, const std::string& where, const std::vector<std::string>& names) {
    const std::string meant = nearest(name.str(), names);
    add(name.source().begin, fmt::format("There is no \"{}\" in {}{}", name.str(), where,
                                         meant.empty() ? "." : fmt::format("; did you mean \"{}\"?", meant)));
  }

  const std::string file_;
  std::map<std::string, toml::source_position> places_;
  std::vector<const toml::table*> interfaces_;
};

void check_names(const Configuration& c, std::vector<Contradiction>& wrong) {
  std::vector<std::string> limits;
  for (const Key& key : keys()) {
    if (key.lowest) limits.emplace_back(key.name);
  }
  for (const std::string& name : c.simulate.limits) {
    if (std::find(limits.begin(), limits.end(), name) != limits.end()) continue;
    const std::string meant = nearest(name, limits);
    wrong.push_back(
        {"simulate.limits", fmt::format("there is no limit \"{}\" to be simulated{}", name,
                                        meant.empty() ? "" : fmt::format("; did you mean \"{}\"?", meant))});
  }
  const auto check_rules = [&wrong](const std::string& key, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (findings::find_rule(name) != nullptr) continue;
      wrong.push_back({key, fmt::format("\"{}\" is no rule; `iwarpscope rules` lists those", name)});
    }
  };
  check_rules("recorder.rules", c.recorder.options.rules);
  check_rules("recorder.not_rules", c.recorder.options.not_rules);
}

void check_addresses(const Configuration& c, std::vector<Contradiction>& wrong) {
  const api::TlsFiles& tls = c.api.tls;
  if (!c.api.tcp.empty() && (tls.certificate.empty() || tls.key.empty() || tls.ca.empty())) {
    wrong.push_back({"api.tcp", "it needs api.certificate, api.key and api.client_ca: nobody is served without TLS"});
  }
  if (!c.api.tcp.empty() && !parse_address(c.api.tcp)) {
    wrong.push_back({"api.tcp", "it is an address and a port, such as \"192.0.2.1:7470\" or \"[::]:7470\""});
  }
  if (c.metrics_address.empty()) return;
  const auto address = parse_address(c.metrics_address);
  if (!address) {
    wrong.push_back({"metrics.address", "it is an address and a port, such as \"127.0.0.1:9469\" or \"[::1]:9469\""});
  } else if (!address->is_loopback()) {
    wrong.push_back(
        {"metrics.address", "it is one of this host only (127.0.0.1 or [::1]), because metrics are not encrypted"});
  }
}

}  // namespace

Configuration::Configuration() {
  api.socket = "/run/iwarpscope/iwarpscoped.sock";
  event_log.options.path = "/var/log/iwarpscope/events.jsonl";
  history.options.path = "/var/lib/iwarpscope/history.sqlite";
  recorder.options.folder.path = "/var/lib/iwarpscope/recordings";
}

std::string Mistake::text() const {
  if (line == 0) return fmt::format("{}: {}", file, sentence);
  return fmt::format("{}:{}:{}: {}", file, line, column, sentence);
}

tl::expected<Configuration, Mistakes> parse_configuration(std::string_view text, const std::string& file) {
  Reader reader(file);
  try {
    reader.read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    reader.add(error.source().begin, fmt::format("{}.", error.description()));
  }
  if (reader.mistakes.empty()) {
    for (const Contradiction& one : contradictions(reader.configuration)) {
      reader.add(reader.place_of(one.key), fmt::format("{}: {}.", one.key, one.sentence));
    }
  }
  if (reader.mistakes.empty()) return std::move(reader.configuration);
  std::stable_sort(reader.mistakes.begin(), reader.mistakes.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
  return tl::unexpected(std::move(reader.mistakes));
}

tl::expected<Configuration, Mistakes> read_configuration(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  if (stream) text.assign(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    const int cause = errno != 0 ? errno : EIO;
    return tl::unexpected(
        Mistakes{{file, 0, 0, fmt::format("cannot be read: {}.", std::generic_category().message(cause))}});
  }
  return parse_configuration(text, file);
}

std::vector<Contradiction> contradictions(const Configuration& c) {
  std::vector<Contradiction> wrong;
  if (!c.capture.interfaces.empty() && !c.capture.replay.empty()) {
    wrong.push_back({"capture.replay", "it and capture.interfaces exclude each other: empty one of them"});
  }
  auto names = c.capture.interfaces;
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
    wrong.push_back({"capture.interfaces", fmt::format("\"{}\" is there twice", *twice)});
  }
  check_addresses(c, wrong);
  check_names(c, wrong);
  return wrong;
}

Configuration without_files(Configuration c) {
  c.event_log.enabled = c.history.enabled = c.journal.enabled = false;
  c.recorder.enabled = false;
  return c;
}

capture::IntakeOptions intake_options(const Configuration& c) {
  capture::IntakeOptions options;
  for (const std::string& name : c.capture.interfaces) {
    const auto own = std::find_if(c.capture.own.begin(), c.capture.own.end(),
                                  [&name](const capture::InterfaceOptions& i) { return i.name == name; });
    options.interfaces.push_back(own == c.capture.own.end() ? c.capture.each : *own);
    options.interfaces.back().name = name;
  }
  if (!c.capture.replay.empty()) {
    options.replay.emplace();
    options.replay->files = c.capture.replay;
    options.replay->speed = c.capture.replay_speed;
    options.replay->filter = c.capture.each.filter;
  }
  options.queue_octets = c.capture.queue_octets;
  options.simulate_full_queue_every = c.simulate.full_queue_every;
  return options;
}

AnalysisSettings simulated(const Configuration& configuration) {
  Configuration c = configuration;
  for (const Key& key : keys()) {
    const auto& names = configuration.simulate.limits;
    if (key.lowest && std::find(names.begin(), names.end(), key.name) != names.end()) key.lowest(c);
  }
  return c.analysis;
}

std::string default_file() {
  const Configuration defaults;
  std::string all =
      "# Configuration of iwarpscoped(8); iwarpscope.toml(5) describes it. Every key is here, as it is unless said\n"
      "# otherwise: take the # away and change it. `iwarpscoped --check-config FILE` checks a file, and SIGHUP has it\n"
      "# read anew; keys marked (reload) are applied then, all others take a restart.\n";
  const auto comment = [&all](std::string_view text) {
    std::string line = "#";
    std::size_t from = 0;
    while (from < text.size()) {
      const std::size_t end = std::min(text.find(' ', from), text.size());
      if (line.size() + 1 + (end - from) > 118) {
        all += line + '\n';
        line = "#";
      }
      line += ' ';
      line += text.substr(from, end - from);
      from = end + 1;
    }
    all += line + '\n';
  };
  std::string_view section;
  for (const Key& key : keys()) {
    all += '\n';
    if (key.section != section) {
      section = key.section;
      const auto its =
          std::find_if(sections().begin(), sections().end(), [&](const Section& s) { return s.name == section; });
      comment(its->meaning);
      all += fmt::format("[{}]\n\n", section);
    }
    comment(std::string(key.meaning) + (key.reload == Reload::applied ? " (reload)" : ""));
    all += fmt::format("#{} = {}\n", key.name, key.text(defaults));
  }
  return all;
}

}  // namespace iwarpscope::service
