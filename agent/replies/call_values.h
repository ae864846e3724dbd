// Reads the values of calls that are not JSON: Python's and Gemma's own form become JSON. Also
// checks whether arguments fit a tool.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace bodkin {

struct LiteralArguments {
  nlohmann::json value;  // an object
  size_t end = 0;        // in the text, behind `close`
};
// The arguments from `at` up to `close`; nullopt: something else is there. `sign`: after a
// name.
std::optional<LiteralArguments> literal_arguments(std::string_view text, size_t at, char sign,
                                                  char close);

// Whether the arguments are an object of this schema; strings become what the schema wants, as tags
// have only text.
bool fits_schema(nlohmann::json& arguments, const nlohmann::json& schema);

// The place of the next character that is not blank; the text's size: there is none.
size_t skip_space(std::string_view text, size_t at);
bool is_call_name_char(char c);
// Removes blanks and quotes around it.
std::string_view trimmed_name(std::string_view text);

}  // namespace bodkin
