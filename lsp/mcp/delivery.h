// Delivery: a placed change, to an editor or to the disk.
#pragma once

#include <string>
#include <vector>

#include "lsp/apply/folder_changes.h"
#include "lsp/mcp/tool_table.h"

namespace bodkin::mcp {

// The logged change that it is, or takes back.
struct LoggedAs {
  std::string id;  // empty: it could not be logged
  bool undoes = false;
};

struct Delivery {
  // refused: for certain nothing was changed. unknown: it may have been.
  enum class State { done, refused, unknown };
  State state = State::refused;
  std::string
      words;  // for the model: where it is now, as the end of a sentence; else why: the same
  std::string notes;  // for the model: sentences, a line each; or empty
};

// Delivers to the editor that has all of the files open, else to the disk; but never there if one
// of the files is unsaved in an editor, or if an editor may have applied it. No editor is sent
// edits of files that are not open: Neovim would load them into buffers that it does not report, so
// that nothing could be confirmed. Blocks.
Delivery deliver(const ToolCall& call, Writing& writing, const std::vector<ChangedFile>& files,
                 const std::vector<FileWrite>& writes, const LoggedAs& logged);

}  // namespace bodkin::mcp
