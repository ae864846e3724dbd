// Git: the one place that starts it. A repository that came from a stranger has its own
// configuration, hooks, attributes and index, which can name programs or make git fetch; none of
// that runs here. Only in a folder that the person trusts nevertheless.
#pragma once

#include <stop_token>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// The names of the files below `folder`, relative to it, each ended by a NUL, at most `max_bytes`
// of them: those that git has in its index, and those that it does not ignore. What it says is
// untrusted. Blocks, at most for ten seconds. Errors: unavailable (no repository, no git),
// cancelled, internal. Thread: any.
Result<std::string> list_with_git(const std::string& folder, size_t max_bytes,
                                  const std::stop_token& stop);

}  // namespace bodkin
