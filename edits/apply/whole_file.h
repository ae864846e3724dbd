// A file whose new text a reply shows as a whole, in part, or as a sketch: what it becomes, or why
// the text cannot be meant for it as it is.
#pragma once

#include <string>
#include <vector>

#include "edits/plan/paths.h"
#include "edits/plan/plan.h"
#include "edits/plan/report.h"
#include "edits/plan/syntax.h"

namespace bodkin {

struct WholeFile {
  const FileChange& change;  // a create, overwrite or lazy one
  const TargetFile& target;
  const std::string& contents;  // the change's, without a first line that only names the file
  const Files& files;
  const Syntax* syntax;
  bool takes_parts;  // a fence below a path may show a part of its file
};

struct NewText {
  HunkReport::State state = HunkReport::State::applied;
  std::vector<Replacement> edits;  // of a file that exists
  std::string note;                // of the hunk's report
  bool is_sketch = false;
};

FailureOr<NewText> new_text_of(const WholeFile& shown);

// Whether a whole text means this file, whose path differs from the one that it names. A file in
// further folders is another one: "lib/keys.py" is not "keys.py".
bool is_new_text_of(const FileChange& change, std::string_view other, const Text& text);

}  // namespace bodkin
