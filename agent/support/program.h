// Finds programs, and chooses which of our environment variables they get. A workspace influences
// neither: only absolute folders of PATH count, and variables are passed on by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

// The absolute path of a program: `name` itself if it is one, else found in the absolute folders of
// PATH. Anything in or below one of the folders `never_from`, directly or through a link, is
// skipped. Error: unavailable, for the user.
Result<std::string> find_program(const std::string& name,
                                 const std::vector<std::string>& never_from = {});

enum class Variables {
  basic,  // PATH, HOME, USER, SHELL, TERM, TMPDIR, TZ, the language, XDG's folders, the loader's
          // path
  all,    // for the user's own programs that look up a secret
};

// Makes find_program ignore programs in `folder`, which is absolute: this process distrusts every
// workspace folder that was ever open, whatever PATH says. Thread: any.
void never_run_from(const std::string& folder);

// "NAME=…", a list of folders like PATH, without those that are not absolute: they mean whichever
// folder a program happens to run in. Empty if none remain, since an empty list means that too.
std::string with_absolute_folders(std::string_view entry);

// "PATH=…": the absolute folders of our PATH, without those that find_program skips.
std::string search_path(const std::vector<std::string>& never_from = {});

// "NAME=value" each: the variables of our environment selected by `kind` and those named in `also`,
// then those of `set`, which replace ours. Of PATH, HOME and the like only absolute paths are kept,
// and of PATH none that find_program skips: a program finds its own tools as we find it.
std::vector<std::string> environment_for(Variables kind, const std::vector<std::string>& also,
                                         const std::vector<std::string>& set);

// The text as one word of a POSIX shell, between single quotes.
std::string shell_quoted(std::string_view text);

}  // namespace bodkin
