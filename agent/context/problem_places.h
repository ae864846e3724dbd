// Where a program's output in a request (of a compiler, a test) names problems.
#pragma once

#include <string_view>

#include "agent/context/named.h"

namespace bodkin {

// Adds the function around each place, or the file if there is none, unless it is named already; at
// most six. Blocks while files are read.
void add_problem_places(std::string_view request, Workspace& workspace, const Task& task,
                        Named& named);

}  // namespace bodkin
