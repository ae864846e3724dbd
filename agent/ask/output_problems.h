// The problems that a program's output names, with their places, by the forms that compilers, test
// runners and linters share. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "agent/ask/verdict.h"

namespace bodkin {

// In the order of the output, each once, at most 200. Paths are as they were written. Understands
// the forms of gcc and clang, tsc, rustc and cargo (JSON, too), go, pytest and Python's tracebacks,
// eslint, msbuild; other lines are ignored.
std::vector<CheckedProblem> problems_in(std::string_view output);

}  // namespace bodkin
