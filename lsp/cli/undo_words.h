// The output of `bodkin undo` and `bodkin redo`.
#pragma once

#include <string>

#include "lsp/cli/commands.h"
#include "lsp/folder/undo.h"

namespace bodkin {

struct UndoOutcome {
  const UndoPlan& plan;
  std::string id, root;  // of the change; the path of its folder
  std::string verdict;   // of when it was proposed; empty: it was applied before
  std::string age;       // " 3 days ago": it is old, and was not named; else empty
  bool is_written = false;
};
// With --json: {"proposal", "title", "written", "files": [{"path", "state", "to"?, "diff"}],
// "left_out", "reason", "root"}; paths are relative to the root.
void print_undo(const UndoCommand& options, const UndoOutcome& outcome);
// With --json: {"proposal", "written", "error"}.
void print_undo_refusal(const UndoCommand& options, const std::string& id, const std::string& why);

// A message about paths, which are relative to the root.
std::string with_root(const std::string& words, const std::string& root);

}  // namespace bodkin
