#include "service/keys.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>

#include "service/key_kinds.h"

namespace iwarpscope::service {
namespace {

using enum Reload;
using findings::Severity;

constexpr Choice<Severity, 3> kSeverity{
    {{{Severity::note, "note"}, {Severity::warning, "warning"}, {Severity::error, "error"}}}};
/// A severity, or none at all.
struct SeverityOrNone {
  static Refusal put(std::optional<Severity>& to, const Value& value) {
    const auto* const given = std::get_if<std::string>(&value);
    if (given != nullptr && *given == "none") {
      to.reset();
      return {};
    }
    Severity severity{};
    if (auto refusal = kSeverity.put(severity, value)) return *refusal + ", or \"none\"";
    to = severity;
    return {};
  }
  static std::string text(const std::optional<Severity>& value) {
    return value ? kSeverity.text(*value) : quoted("none");
  }
};
constexpr Choice<SandboxMode, 3> kSandbox{
    {{{SandboxMode::on, "on"}, {SandboxMode::log, "log"}, {SandboxMode::off, "off"}}}};
constexpr Choice<LogLevel, 3> kLogLevel{
    {{{LogLevel::error, "error"}, {LogLevel::warning, "warning"}, {LogLevel::info, "info"}}}};

#define MEMBER(path) ([](auto& c) -> auto& { return c.path; })
