// Name scopes, judged by lines alone: where a name may mean the same as in one line. Only for
// suggestions: in doubt a name is not declared, and its scope is the whole file.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

enum class Declares {
  nothing,
  in_function,  // `name = 1`
  in_block,     // `let name`, `int name`, `name := 1`: from here on, as deep as here or deeper
  below,        // `name =>`, `for name in`, a parameter: in the deeper lines that follow
};
// `is_head`: of the lines with which a function begins.
Declares declares(std::string_view line, std::string_view name, bool is_head);

// Whether the line, of a function's head, has the function's own name: before any parenthesis
// except that of a receiver in Go. It is declared outside of the function.
bool is_own_name(std::string_view line, std::string_view name);

// The lines of the innermost function around a line; nullopt if there is none.
using FunctionAt = std::function<std::optional<LineRange>(size_t line)>;
using LineAt = std::function<std::string_view(size_t line)>;

// Whether the line is one of those with which its function begins.
bool is_in_head(const LineAt& line_at, size_t line, const FunctionAt& function_at);

// Whether the parameters of its function begin above the line.
bool is_in_parameters(const LineAt& line_at, size_t line, const FunctionAt& function_at);

// The lines where the meaning of `name` in this line is known, if its function declares it.
std::optional<LineRange> local_scope(const LineAt& line_at, size_t line, std::string_view name,
                                     const FunctionAt& function_at);

}  // namespace bodkin
