// Tells the model of new problems that its edits would bring.
#pragma once

#include <span>
#include <string>

#include "agent/ask/verdict.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

// "src/a.cpp, line 12: no member named 'x' (clangd)", for the user.
std::string in_words(const CheckedProblem& problem);

// The errors among them, each with its code, the function around it, and the declarations of the
// names that it mentions, as far as `shown`, the draft as the model sees it, has them. A file that
// the model may not read is not named.
std::string errors_for_model(std::span<const CheckedProblem> problems, Workspace& shown,
                             const Task& task);

// The same for the result of a call, a line each; empty if there are none.
std::string listed_errors(std::span<const CheckedProblem> problems, Workspace& shown,
                          const Task& task);

}  // namespace bodkin
