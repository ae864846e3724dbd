// Git outside the sandbox: the only place that starts it there (in the sandbox: loop/uncommitted.h,
// and the model's own commands). An untrusted repository's configuration, hooks, attributes and
// index can name programs or make git fetch; none of that runs here. Even so, git is only used in
// trusted folders.
#pragma once

#include <stop_token>
#include <string>

#include "edits/text/result.h"

namespace bodkin {

// The names of the files below `folder`, relative to it, NUL-terminated, at most `max_bytes`: those
// in git's index and those that it does not ignore. The output is untrusted. Blocks, at most for
// ten seconds. Errors: unavailable (no repository, no git), cancelled, internal. Thread: any.
Result<std::string> list_with_git(const std::string& folder, size_t max_bytes,
                                  const std::stop_token& stop);

}  // namespace bodkin
