// Where a program is found, and what it is told of our environment. Nothing of a workspace decides
// either: PATH counts only where it is absolute, and variables are passed on by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

// The absolute path of a program: `name` itself if it is one, else from the absolute folders of
// PATH. What lies in one of the folders `never_from` or below, directly or through a link, is
// passed over. Error: unavailable, for the user.
Result<std::string> find_program(const std::string& name,
                                 const std::vector<std::string>& never_from = {});

enum class Variables {
  basic,  // PATH, HOME, USER, SHELL, TERM, TMPDIR, TZ, the language, XDG's folders, the loader's
          // path
  all,    // for the user's own programs whose work is to find a secret
};

// From now on find_program finds nothing in `folder`, an absolute one: each folder of a workspace
// that was ever open is a stranger's to this process, whatever PATH says. Thread: any.
void never_run_from(const std::string& folder);

// "NAME=value" for each: of our environment those that `kind` says and those named in `also`, then
// those of `set`, which count instead of ours. Of PATH, HOME and their like only what is absolute
// stays.
std::vector<std::string> environment_for(Variables kind, const std::vector<std::string>& also,
                                         const std::vector<std::string>& set);

}  // namespace bodkin
