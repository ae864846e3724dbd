// What `bodkin undo` and `bodkin redo` print.
#pragma once

#include <string>

#include "lsp/cli/commands.h"
#include "lsp/folder/undo.h"

namespace bodkin {

struct UndoOutcome {
  const UndoPlan& plan;
  std::string id, root;  // of the change; the path of its folder
  std::string verdict;   // of when it was proposed; empty: it was applied before
  bool is_part = false;  // some of its files were chosen, or stay
  bool is_written = false;
};
// With --json: {"proposal", "title", "written", "files": [{"path", "state", "to"?, "diff"}],
// "left_out", "reason", "root"}; paths are relative to the root.
void print_undo(const UndoCommand& options, const UndoOutcome& outcome);
// With --json: {"proposal", "written", "error"}.
void print_undo_refusal(const UndoCommand& options, const std::string& id, const std::string& why);

// "“Wider” (a.c) is not applied. The same is true of the 3 changes before it.": why the last
// changes, so many, are passed over. `words`: of the first one.
std::string passed_in_words(std::string words, size_t count);

// A message about paths, which are relative to the root.
std::string with_root(std::string words, const std::string& root);

}  // namespace bodkin
