// One file that is written through the editor, and the outcome. An editor's answer says little: it
// may have written the file before it reports an error, format it, write it later, or lose it.
#pragma once

#include <optional>
#include <string>

#include "agent/support/task.h"
#include "edits/plan/report.h"
#include "lsp/acp/acp_client.h"
#include "lsp/workspace/confined_folder.h"

namespace bodkin::acp {

// The way to write a file.
struct WriteRoute {
  ChangedFile file;
  std::string absolute;
  std::optional<std::string> disk;  // what the disk has of it
  bool by_client = false;
  bool is_unsaved = false;  // it was placed in the editor's own text
  bool has_moved = false;   // it was placed again
};

struct ClientWrite {
  enum class State {
    written,    // the edit is there
    unchanged,  // the file is as it was, but the editor may still write it
    other,      // neither of both
    not_sent,   // the editor was not asked
  };
  State state = State::not_sent;
  std::string words;  // for the user, without a period; of `written`: "" or what else was changed
};

// Asks the editor to write the file, and then reads the file, whatever the editor answers. Not on
// the loop's thread; blocks.
ClientWrite write_by_client(const WriteRoute& route, const ConfinedFolder& folder, Client& client,
                            const std::string& session, const Task& task);

}  // namespace bodkin::acp
