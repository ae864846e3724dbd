// The names and arguments of tool calls, cleaned: the only place where a model's JSON is repaired.
// It is only repaired if it has one reading, and the repair is reported:
//
//   raw line ends and tabs in strings, a comma before a closing bracket, a fence around it, an
//   empty object before it, the same object twice, closing brackets or tags behind it, closing
//   brackets that are missing at its end
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

// The JSON that a text begins with, as strict JSON. `text` is empty if its brackets never close or
// are nested too deep; `length`: in bytes of what was read.
struct StrictJson {
  std::string text;
  size_t length = 0;
  std::string repaired;  // what, in words; empty: nothing
};
StrictJson strict_json_at(std::string_view text);
// Also reads JSON whose end lacks brackets: before a tag, a fence or the end of the text.
StrictJson json_at(std::string_view text);

struct CallArguments {
  nlohmann::json value;  // an object
  std::string repaired;
};
// Nullopt if the text is not an object, or has several readings.
std::optional<CallArguments> read_arguments(std::string_view text);

// The name without what chat templates and models put around it ("functions.edit:0",
// "edit<|channel|>commentary"), if that is the name of a tool; else as it is.
std::string cleaned_name(std::string_view name,
                         const std::function<bool(std::string_view)>& is_tool);

}  // namespace bodkin
