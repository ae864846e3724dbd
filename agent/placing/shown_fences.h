// Fences below a file's path in talk: which create a file, which only show code, and which of those
// may have been meant as an edit (agent/placing/placing.h, Placer).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/apply/apply.h"
#include "edits/plan/paths.h"

namespace bodkin {

// A fence that only shows code, and the file it shows.
struct ShownFence {
  FileChange change;
  TargetFile target;  // without a text: none
};

// Removes the fences that only show code from the plan; the remaining ones create files, or
// are a file, changed, or a sketch of one. `syntax` may be null.
std::vector<ShownFence> take_shown(EditPlan& plan, std::string_view text, const Files& files,
                                   const Syntax* syntax);

// If whole files are edits, removes the fences below an existing file's path whose info string
// names something else than such a file (another language that we know, a terminal's text).
std::vector<ShownFence> take_other_languages(EditPlan& plan, std::string_view text,
                                             const Files& files);

// Why a fence may be meant as an edit; nothing if all of them only show code. `report`: the result
// of the reply's other edits; null if there are none. `takes_whole_files`: a fence can be an edit.
std::optional<Failure> doubt_of(const std::vector<ShownFence>& shown, const ApplyReport* report,
                                bool takes_whole_files);

}  // namespace bodkin
