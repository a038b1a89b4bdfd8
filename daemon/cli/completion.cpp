// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/completion.h"

#include <fmt/format.h>

namespace iwarpscope::cli {
namespace {

using Commands = std::vector<CompletedCommand>;

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? std::string{} : std::string{between}) + word;
  return out;
}

/// Inside single quotes of a POSIX shell. `also` lists further characters to put a backslash before.
std::string escaped(std::string_view text, std::string_view also = "") {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (also.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string names(const Commands& commands) {
  std::vector<std::string> words;
  for (const CompletedCommand& command : commands) words.push_back(command.name);
  return joined(words);
}

std::string bash_command(const CompletedCommand& command) {
  std::string out = fmt::format("    {})\n      case \"$previous\" in\n", command.name);
  std::vector<std::string> spellings;
  for (const CompletedOption& option : command.options) {
    spellings.insert(spellings.end(), option.spellings.begin(), option.spellings.end());
    if (!option.takes_value) continue;
    out += fmt::format("        {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                       joined(option.spellings, "|"), escaped(joined(option.values)));
  }
  out += "      esac\n";
  out += fmt::format("      if [[ $word == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n",
                     escaped(joined(spellings)));
  if (command.takes_files) {
    out += "      else compopt -o filenames; COMPREPLY=($(compgen -f -- \"$word\"))\n";
  } else if (!command.arguments.empty()) {
    out += fmt::format("      else COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n", escaped(joined(command.arguments)));
  }
  return out + "      fi ;;\n";
}

std::string bash(const Commands& commands) {
  std::string out = R"(# bash completion for iwarpscope
_iwarpscope() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} IFS=$' \t\n'
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
)";
  out += fmt::format("    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    return\n  fi\n",
                     names(commands));
  out += "  case ${COMP_WORDS[1]} in\n";
  for (const CompletedCommand& command : commands) out += bash_command(command);
  return out + "  esac\n}\ncomplete -F _iwarpscope iwarpscope\n";
}

std::string zsh_option(const CompletedOption& option) {
  std::string value;
  if (option.takes_value) value = option.values.empty() ? ":value:" : fmt::format(":value:({})", joined(option.values));
  std::string out;
  for (const std::string& spelling : option.spellings) {
    out += fmt::format(" \\\n        '{}[{}]{}'", spelling, escaped(option.help, "[]:\\"), escaped(value));
  }
  return out;
}

std::string zsh(const Commands& commands) {
  std::string out = "#compdef iwarpscope\n_iwarpscope() {\n  local -a commands\n  commands=(\n";
  for (const CompletedCommand& command : commands) {
    out += fmt::format("    '{}:{}'\n", command.name, escaped(command.help, ":"));
  }
  out += R"(  )
  if ((CURRENT == 2)); then
    _describe command commands
    compadd -- --help --version
    return
  fi
  case ${words[2]} in
)";
  for (const CompletedCommand& command : commands) {
    out += fmt::format("    {})\n      shift words; ((CURRENT--))\n      _arguments -s", command.name);
    for (const CompletedOption& option : command.options) out += zsh_option(option);
    if (command.takes_files) out += " \\\n        '*:file:_files'";
    if (!command.arguments.empty()) {
      out += fmt::format(" \\\n        '1:argument:({})'", escaped(joined(command.arguments)));
    }
    out += " ;;\n";
  }
  return out +
         "  esac\n}\nif [[ $funcstack[1] == _iwarpscope ]]; then _iwarpscope \"$@\"; else compdef _iwarpscope "
         "iwarpscope; fi\n";
}

std::string fish_option(const CompletedCommand& command, const CompletedOption& option) {
  std::string out = fmt::format("complete -c iwarpscope -n '__fish_seen_subcommand_from {}'", command.name);
  for (const std::string& spelling : option.spellings) {
    out += spelling.starts_with("--") ? fmt::format(" -l {}", spelling.substr(2))
                                      : fmt::format(" -s {}", spelling.substr(1));
  }
  if (option.takes_value) out += " -x";
  if (!option.values.empty()) out += fmt::format(" -a '{}'", escaped(joined(option.values)));
  return out + fmt::format(" -d '{}'\n", escaped(option.help));
}

std::string fish(const Commands& commands) {
  std::string out = "# fish completion for iwarpscope\ncomplete -c iwarpscope -f\n";
  for (const CompletedCommand& command : commands) {
    out += fmt::format("complete -c iwarpscope -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                       escaped(command.help));
  }
  out += "complete -c iwarpscope -n __fish_use_subcommand -l help -d 'Print help'\n";
  out += "complete -c iwarpscope -n __fish_use_subcommand -l version -d 'Print the version'\n";
  for (const CompletedCommand& command : commands) {
    for (const CompletedOption& option : command.options) out += fish_option(command, option);
    if (command.takes_files)
      out += fmt::format("complete -c iwarpscope -n '__fish_seen_subcommand_from {}' -F\n", command.name);
    if (command.arguments.empty()) continue;
    out += fmt::format("complete -c iwarpscope -n '__fish_seen_subcommand_from {}' -a '{}'\n", command.name,
                       escaped(joined(command.arguments)));
  }
  return out;
}

}  // namespace

std::string completion_script(std::string_view shell, const Commands& commands) {
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  return shell == "fish" ? fish(commands) : std::string{};
}

}  // namespace iwarpscope::cli
