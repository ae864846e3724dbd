// The files of a proposal that the user has accepted, on their way to the disk or into the editor.
#pragma once

#include <string>
#include <vector>

#include "agent/support/task.h"
#include "edits/plan/report.h"
#include "lsp/acp/client_files.h"
#include "lsp/folder/ask_folder.h"

namespace bodkin::acp {

// The outcome for the files.
struct Written {
  bool done = false;                 // all of them
  std::vector<ChangedFile> files;    // that were written; if not done, the others were not, as far
                                     // as is known
  std::vector<ChangedFile> unclear;  // at most one: the editor was asked to write it, and may have
  bool is_changed = false;           // that one: it is not as it was
  std::string reason;                // not done: for the user, one sentence without its period
  std::vector<std::string> notes;    // for the user, likewise: what else became of them
};

// The file's name as the editor knows it: links in the session's folder are kept.
std::string absolute_for_client(const AskFolder& folder, const std::string& path);

// Writes the files: unsaved text only through the editor; else through it only if it shows them for
// review, and otherwise all or none by write_files. Where the user has typed since, the change goes
// with its lines, or nothing is written. `on_disk`: the disk's texts when the files were read: if
// the disk has another one since, an editor that still has that text has not noticed, and what it
// has unsaved would overwrite it. Reads each file again afterwards, whatever the editor answers.
// Holds the root's lock. Not on the loop's thread; blocks.
Written write_changes(const std::vector<ChangedFile>& files, const AskFolder& folder,
                      const AttachedTexts& attached, const AttachedTexts& on_disk, Client& client,
                      const std::string& session, const Task& task);

}  // namespace bodkin::acp
