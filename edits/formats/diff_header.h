// The two names in a diff's header, and the file change that results from them and the hunks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/plan.h"

namespace bodkin {

struct DiffNames {
  std::string before, after;  // empty: the file does not exist on that side
  bool named = false;         // a header was there
  bool renamed = false, created = false, removed = false;
  bool mode = false;        // the mode changes: a diff may have no hunks then
  bool is_no_text = false;  // a binary file, a symbolic link or a submodule
};

// The path in a header line after its marker ("a/x.c<tab>2024-05-01 …"): without the time, with
// git's quoting undone; "" for /dev/null and for a time that means "no file".
std::string path_in_header(std::string_view text);

// Adds what the names and hunks say to the plan. `header` is the header's line, from 0, for
// messages; `default_path` is for a diff without names.
FailureOr<void> add_diff(EditPlan& plan, DiffNames names, std::vector<Hunk> hunks,
                         const std::string& default_path, size_t header);

}  // namespace bodkin
