// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "service/configuration.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

// The parser asserts conditions that a damaged file ("[ =") need not satisfy. Without them it reports the mistake.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <tuple>

#include "service/checks.h"
#include "service/keys.h"
#include "service/output_kinds.h"
#include "service/text_hash.h"
#include "service/units.h"

namespace iwarpscope::service {
namespace {

/// Keys of [capture] that [[capture.interface]] has, too.
constexpr auto kOfInterfaces =
    std::to_array<std::string_view>({"filter", "workers", "promiscuous", "snap_length", "ring", "method"});

const Key* find_key(std::string_view section, std::string_view name) {
  const auto key =
      std::find_if(keys().begin(), keys().end(), [&](const Key& k) { return k.section == section && k.name == name; });
  return key == keys().end() ? nullptr : &*key;
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

/// Reads a file and collects its mistakes.
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
        add(node.source().begin, fmt::format("[{}] is a section, not a value.", key.str()));
      }
    }
    // Last, because the tables take missing options from [capture].
    for (const toml::table* const table : interfaces_) read_interface(*table);
  }
  void add(const toml::source_position& at, std::string sentence) {
    mistakes.push_back({file_, at.line, at.column, std::move(sentence)});
  }

  /// The position of a key's value; 0 when the file does not contain it.
  [[nodiscard]] toml::source_position place_of(const std::string& key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? toml::source_position{} : found->second;
  }
  [[nodiscard]] bool has(const std::string& key) const { return places_.count(key) != 0; }
  [[nodiscard]] bool is_mistaken(const std::string& key) const { return mistaken_.count(key) != 0; }
  [[nodiscard]] bool is_empty() const { return places_.empty(); }

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
    // A node that is not a value gets the same message as a wrong value.
    const auto refusal = value ? key.put(to, *value) : key.put(to, Value{-1.5});
    if (!refusal) return;
    mistaken_.insert(called);
    add(node.source().begin, fmt::format("{}: {}.", called, *refusal));
  }

  /// False: the node is not a list of tables.
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
    const toml::node* filter = nullptr;
    for (const auto& [key, node] : table) {
      if (key.str() == "name") {
        named = &node;
        const auto* const text = node.as_string();
        if (text != nullptr) name = text->get();
        if (name.empty()) add(node.source().begin, "capture.interface.name: it must be an interface name, in quotes.");
      } else if (std::find(kOfInterfaces.begin(), kOfInterfaces.end(), key.str()) != kOfInterfaces.end()) {
        put(*find_key("capture", key.str()), one, fmt::format("capture.interface.{}", key.str()), node);
        if (key.str() == "filter") filter = &node;
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
      return add(named->source().begin, fmt::format("capture.interface.name: \"{}\" is listed twice.", name));
    }
    capture.own.push_back(one.capture.each);
    if (filter != nullptr) places_[filter_key(name)] = filter->source().begin;
    auto& all = capture.interfaces;
    if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    places_.emplace("capture.interfaces", named->source().begin);
  }

  void unknown(std::string_view section, const toml::key& name) {
    std::vector<std::string> names;
    for (const Key& key : keys()) {
      if (key.section == section) names.emplace_back(key.name);
    }
    if (section.empty()) {
      for (const Section& s : sections()) names.emplace_back(s.name);
    }
    unknown(name, section.empty() ? std::string("The configuration") : fmt::format("[{}]", section), names);
  }
  void unknown(const toml::key& name, const std::string& where, const std::vector<std::string>& names) {
    const std::string meant = nearest(name.str(), names);
    add(name.source().begin, fmt::format("{} has no key \"{}\"{}", where, name.str(),
                                         meant.empty() ? "." : fmt::format("; did you mean \"{}\"?", meant)));
  }

  const std::string file_;
  std::map<std::string, toml::source_position> places_;
  std::set<std::string> mistaken_;  ///< keys whose value is refused
  std::vector<const toml::table*> interfaces_;
};

constexpr std::size_t kLargestFile = std::size_t{1} << 20;

Examined not_read(const std::string& file, std::string sentence) {
  Examined none;
  none.mistakes.push_back({file, 0, 0, std::move(sentence)});
  return none;
}

/// The folder that systemd made for the unit (systemd.exec(5)), or the usual one.
std::string folder_of_unit(const char* variable, const char* usual) {
  const char* const named = std::getenv(variable);
  if (named == nullptr || *named != '/') return usual;
  const std::string all = named;
  return all.substr(0, all.find(':'));
}

void sort(Mistakes& mistakes) {
  std::stable_sort(mistakes.begin(), mistakes.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  });
}

}  // namespace

Configuration::Configuration() {
  const std::string state = folder_of_unit("STATE_DIRECTORY", "/var/lib/iwarpscope");
  api.socket = folder_of_unit("RUNTIME_DIRECTORY", "/run/iwarpscope") + "/iwarpscoped.sock";
  sensor_uuid_file = state + "/sensor-uuid";
  process.checkpoint = state + "/checkpoint";
  recorder.options.folder.path = state + "/recordings";
  history.options.path = state + "/history.sqlite";
  event_log.options.path = folder_of_unit("LOGS_DIRECTORY", "/var/log/iwarpscope") + "/events.jsonl";
}

std::string Mistake::text() const {
  if (line == 0) return fmt::format("{}: {}", file, sentence);
  return fmt::format("{}:{}:{}: {}", file, line, column, sentence);
}

Examined examine(std::string_view text, const std::string& file, Depth depth) {
  Reader reader(file);
  try {
    reader.read(toml::parse(text, file));
  } catch (const toml::parse_error& error) {
    reader.add(error.source().begin, fmt::format("{}.", error.description()));
    return {{}, std::move(reader.mistakes), {}, false};
  }
  Configuration& c = reader.configuration;
  // The default group belongs to the default user.
  if (c.process.user.empty() && !reader.has("process.group")) c.process.group.clear();
  std::vector<Contradiction> wrong = contradictions(c);
  std::vector<Contradiction> doubtful = doubts(c);
  if (depth != Depth::text) add_filters(c, wrong);
  if (depth == Depth::machine)
    add_machine(
        c, [&reader](const std::string& key) { return reader.has(key); }, wrong, doubtful);
  // A contradiction with a refused value is not reported.
  const auto is_sure = [&reader](const Contradiction& one) {
    return !reader.is_mistaken(one.key) &&
           std::none_of(one.others.begin(), one.others.end(), [&](const auto& key) { return reader.is_mistaken(key); });
  };
  Examined all;
  for (const Contradiction& one : wrong) {
    if (is_sure(one)) reader.add(reader.place_of(one.key), fmt::format("{}: {}.", one.key, one.sentence));
  }
  for (const Contradiction& one : doubtful) {
    if (!is_sure(one)) continue;
    const toml::source_position at = reader.place_of(one.key);
    all.doubts.push_back({file, at.line, at.column, fmt::format("{}: {}.", one.key, one.sentence)});
  }
  all.is_empty = reader.is_empty();
  all.configuration = std::move(c);
  all.mistakes = std::move(reader.mistakes);
  sort(all.mistakes);
  sort(all.doubts);
  return all;
}

Examined examine_file(const std::string& file, Depth depth) {
  const auto failed = [&file](int cause) {
    return not_read(file, fmt::format("cannot be read: {}.", std::generic_category().message(cause)));
  };
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failed(errno);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(descriptor, "re"), std::fclose);
  if (!stream) {
    ::close(descriptor);
    return failed(ENOMEM);
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return failed(errno);
  if (!S_ISREG(status.st_mode)) return not_read(file, "cannot be read: it is not a regular file.");
  std::string text(kLargestFile + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0) return failed(errno);
  if (text.size() > kLargestFile) return not_read(file, "it is larger than 1 MiB: this is not a configuration.");
  return examine(text, file, depth);
}

tl::expected<Configuration, Mistakes> parse_configuration(std::string_view text, const std::string& file) {
  Examined read = examine(text, file, Depth::text);
  if (!read.mistakes.empty()) return tl::unexpected(std::move(read.mistakes));
  return std::move(read.configuration);
}

Configuration without_files(Configuration c) {
  for (const OutputKind& kind : output_kinds()) kind.settings(c).enabled = false;
  c.sensor_uuid_file.clear();
  c.process.checkpoint.clear();
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
  if (auto groups = capture::TapGroups::parse(c.capture.tap_groups, c.capture.separate_interfaces)) {
    options.tap_groups = *std::move(groups);
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

std::uint64_t hash_of(const Configuration& configuration) {
  TextHash all;
  for (const Key& key : keys()) all.add(key.full_name() + "=" + key.text(configuration) + "\n");
  const std::uint64_t hash = all.value();
  return (hash ^ hash >> 48) & ((std::uint64_t{1} << 48) - 1);
}

std::string default_file() {
  const Configuration defaults;
  std::string all =
      "# Configuration of iwarpscoped(8); iwarpscope.toml(5) describes it. All keys are listed with their defaults.\n"
      "# To change one, remove the # and edit the value. `iwarpscoped --check-config FILE` checks a file. SIGHUP "
      "reads\n"
      "# the file again and applies the keys marked (reload); all other keys need a restart.\n";
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
    comment(std::string(key.meaning) + (key.reload == Reload::refused ? "" : " (reload)"));
    all += fmt::format("#{} = {}\n", key.name, key.text(defaults));
  }
  return all;
}

}  // namespace iwarpscope::service
