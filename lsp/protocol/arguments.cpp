#include "lsp/protocol/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agent/ask/mode.h"

namespace bodkin::lsp {

namespace {

template <std::string Arguments::*place>
bool read_any_text(const Json& value, Arguments& into) {
  if (!value.is_string()) return false;
  into.*place = value.get<std::string>();
  return true;
}

template <std::string Arguments::*place>
bool read_text(const Json& value, Arguments& into) {
  return read_any_text<place>(value, into) && !(into.*place).empty();
}

bool read_document(const Json& value, Arguments& into) {
  return value.is_object() && value.contains("uri") &&
         read_text<&Arguments::uri>(value["uri"], into);
}

bool is_position(const Json& value) {
  return value.is_object() &&
         std::ranges::all_of(std::initializer_list<const char*>{"line", "character"},
                             [&](const char* key) {
                               const Json& number = member(value, key);
                               if (number.is_number_unsigned()) return true;
                               // Some clients send floats that are whole.
                               if (!number.is_number_float()) return false;
                               const double real = number.get<double>();
                               return real >= 0 && real == std::floor(real);
                             });
}

bool read_range(const Json& value, Arguments& into) {
  if (!is_position(member(value, "start")) || !is_position(member(value, "end"))) return false;
  const auto range = decode<Range>(value);
  if (!range || range->end < range->start) return false;
  into.range = *range;
  return true;
}

bool read_offset(const Json& value, Arguments& into) {
  if (!value.is_number_unsigned()) return false;
  into.offset = value.get<size_t>();
  return true;
}

bool read_hunk(const Json& value, Arguments& into) {
  if (into.hunks || !value.is_number_unsigned()) return false;
  into.hunks = std::vector<size_t>{value.get<size_t>()};
  return true;
}

bool read_hunks(const Json& value, Arguments& into) {
  if (into.hunks || !value.is_array() || value.empty()) return false;
  std::vector<size_t> hunks;
  for (const Json& each : value) {
    if (!each.is_number_unsigned()) return false;
    hunks.push_back(each.get<size_t>());
  }
  std::vector<size_t> sorted = hunks;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return false;
  into.hunks = std::move(hunks);
  return true;
}

bool read_attachments(const Json& value, Arguments& into) {
  if (!value.is_array()) return false;
  for (const Json& each : value) {
    if (!each.is_string() || each.get_ref<const std::string&>().empty()) return false;
    into.attachments.push_back(each.get<std::string>());
  }
  return true;
}

bool read_diagnostics(const Json& value, Arguments& into) {
  const auto is_diagnostic = [](const Json& each) {
    return each.is_object() && decode<Range>(member(each, "range")).has_value();
  };
  if (!value.is_array() || value.empty() || !std::ranges::all_of(value, is_diagnostic))
    return false;
  into.diagnostics = value;
  return true;
}

bool read_choice(const Json& value, Arguments& into) {
  return read_text<&Arguments::choice>(value, into) &&
         (into.choice == "once" || into.choice == "session" || into.choice == "workspace" ||
          into.choice == "always" || into.choice == "reject" || into.choice == "show");
}

bool read_mode(const Json& value, Arguments& into) {
  return read_text<&Arguments::mode>(value, into) && mode_named(into.mode);
}

bool read_when_busy(const Json& value, Arguments& into) {
  if (value != "refuse" && value != "queue") return false;
  into.queues = value == "queue";
  return true;
}

struct Parameter {
  std::string_view name;
  std::string_view is;  // what it must be
  bool (*read)(const Json& value, Arguments& into);
};

constexpr std::string_view kAnId = "an id, a non-empty string";
constexpr std::string_view kAText = "a non-empty string";

constexpr Parameter kParameters[] = {
    {"askId", kAnId, read_text<&Arguments::ask_id>},
    {"attachments", "a list of URIs", read_attachments},
    {"choice", "\"once\", \"session\", \"workspace\", \"reject\" or \"show\"", read_choice},
    {"diagnostics", "a non-empty list of diagnostics", read_diagnostics},
    {"effort", kAText, read_text<&Arguments::effort>},
    {"endpoint", kAText, read_text<&Arguments::endpoint>},
    {"hunk", "the index of one hunk, from 0, without \"hunks\"", read_hunk},
    {"hunks", "a list of distinct hunk indices, from 0: [0, 2]", read_hunks},
    {"mode", "\"confirm\", \"auto\", \"human\" or \"plan\"", read_mode},
    {"name", "a string", read_any_text<&Arguments::name>},
    {"offset", "a number from 0", read_offset},
    {"profile", kAText, read_text<&Arguments::profile>},
    {"prompt", "a string", read_any_text<&Arguments::prompt>},
    {"proposalId", kAnId, read_text<&Arguments::proposal_id>},
    {"provider", kAText, read_text<&Arguments::provider>},
    {"questionId", kAnId, read_text<&Arguments::question_id>},
    {"range",
     "a range, {\"start\":{\"line\",\"character\"},\"end\":{…}}, that does not end before it "
     "starts",
     read_range},
    {"reason", "a string", read_any_text<&Arguments::reason>},
    {"sessionId", kAnId, read_text<&Arguments::session_id>},
    {"text", "a string", read_any_text<&Arguments::text>},
    {"textDocument", "an object with a URI, {\"uri\":…}", read_document},
    {"uri", "a URI", read_text<&Arguments::uri>},
    {"whenBusy", "\"refuse\" or \"queue\"", read_when_busy},
};

struct Taken {
  std::string_view name;
  bool required = false;
};

std::vector<Taken> members_in(std::string_view takes) {
  std::vector<Taken> result;
  for (size_t begin = 0; begin < takes.size();) {
    const size_t end = std::min(takes.find(", ", begin), takes.size());
    std::string_view name = takes.substr(begin, end - begin);
    const bool required = !name.ends_with('?');
    if (!required) name.remove_suffix(1);
    result.push_back({name, required});
    begin = end + 2;
  }
  return result;
}

}  // namespace

Result<Arguments> arguments_of(std::string_view method, std::string_view takes, const Json& given) {
  const std::vector<Taken> known = members_in(takes);
  Arguments result;
  if (!given.is_null() && !given.is_object()) {
    return fail(Error::Code::invalid_input,
                fmt::format("{} takes an object as its argument.", method));
  }
  for (const Taken& each : known) {
    if (!each.required || given.contains(std::string(each.name))) continue;
    const auto parameter = std::ranges::find(kParameters, each.name, &Parameter::name);
    return fail(Error::Code::invalid_input,
                fmt::format("{} needs \"{}\": {}.", method, each.name, parameter->is));
  }
  if (given.is_null()) return result;
  for (const auto& [name, value] : given.items()) {
    if (std::ranges::find(known, name, &Taken::name) == known.end()) {
      return fail(
          Error::Code::invalid_input,
          known.empty()
              ? fmt::format("{} takes no arguments, but was given \"{}\".", method, name)
              : fmt::format("{}: unknown argument \"{}\" (it takes {}).", method, name, takes));
    }
    const auto parameter = std::ranges::find(kParameters, name, &Parameter::name);
    if (!parameter->read(value, result)) {
      return fail(Error::Code::invalid_input,
                  fmt::format("{}: \"{}\" must be {}.", method, name, parameter->is));
    }
  }
  return result;
}

Result<Json> argument_in(std::string_view command, const Json& params) {
  const Json& list = member(params, "arguments");
  if (list.is_null() || (list.is_array() && list.empty())) return Json();
  if (list.is_array() && list.size() == 1) return list[0];
  return fail(Error::Code::invalid_input,
              fmt::format("{} takes a list of one argument, an object.", command));
}

}  // namespace bodkin::lsp
