// A proposal of an ask whose files somebody else has changed since.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/draft.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct FollowedFiles {
  std::vector<ChangedFile> draft;  // on the texts as they are now; without changes that do not fit
  bool has_moved = false;          // a text is another one
  std::vector<std::string> left_out;  // paths of files some of whose changes do not fit any more
};

// Each change goes with its lines, as in an editor; one whose lines are not certainly where they
// were is left out. Reads the files; blocks.
FollowedFiles followed_files(const std::vector<ChangedFile>& draft, Workspace& workspace,
                             const Task& task);

}  // namespace bodkin
