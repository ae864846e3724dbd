// Decides whether a path that a model wrote lies outside of the workspace, for every door and every
// format.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/workspace/roots.h"
#include "edits/text/result.h"

namespace bodkin {

// `written` as a path of the workspace: a relative one as the disk spells it; an absolute one, one
// in the home folder ("~/…") or a file's URI as the workspace calls that file. Looks at the disk
// for links. Errors, the end of a sentence: the path, or what a link in it leads to, is outside of
// the roots: invalid_input if there is something at that place, not_found if there is nothing.
// Without roots everything is inside. Thread: any.
Result<std::string> path_inside(std::string_view written, const Roots& roots);

// The workspace's name for the file at an absolute path, which may lead into a root by links;
// nullopt if it is in none. Looks at the disk only for a path that does not read as below a root.
std::optional<std::string> workspace_path(const std::string& absolute, const Roots& roots);

// A path of the workspace as the disk spells it, where only the Unicode form of names differs:
// macOS decomposes "é", models compose it. A path that exists, or could mean several files or none,
// stays as it is.
std::string spelled_on_disk(std::string path, const Roots& roots);

}  // namespace bodkin
