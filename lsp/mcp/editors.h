// Editors: the editors that have a folder open, as far as a language server of bodkin runs in them
// (lsp/handover): their unsaved texts, and how an edit is handed to one of them. On the thread of
// the call.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/task.h"
#include "edits/text/result.h"
#include "lsp/handover/handover_messages.h"

namespace bodkin::mcp {

class Editors {
 public:
  // Asks all of them; blocks. Error, a sentence: unavailable (one does not answer, so that nobody
  // knows what is unsaved there). `root`: a real path.
  static Result<Editors> query(const std::string& root, const Task& task);

  bool empty() const { return editors_.empty(); }
  // By the resolved path (ConfinedFolder::resolve). Null: nowhere. Without a text if it is not
  // known, or if two editors have different ones.
  const handover::OpenFile* unsaved(std::string_view path) const;
  // Why the unsaved text of a file is not known, as the end of a sentence; or empty.
  std::string why_unknown(std::string_view path) const;
  // Tells the tools how they see an unsaved file: "as it is in ..."; empty for other files.
  std::string shown_as(std::string_view path) const;
  std::vector<handover::OpenFile> all_unsaved() const;

  struct Choice {
    size_t editor = 0;
    std::string why;  // for the model, a sentence, if there are several; or empty
    bool moves_files = false;
  };
  // The newest of those that have all of these files open, preferring one in which a file is
  // unsaved. Nullopt if there is none. Error, a sentence: several have unsaved texts of them.
  Result<std::optional<Choice>> choose(const std::vector<std::string>& paths) const;

  // Hands the edit over, with this root, and waits for the outcome. Nullopt: nobody is there any
  // more, and nothing was sent. Texts and paths must be UTF-8.
  std::optional<handover::Answer> hand(const Choice& choice, handover::Request request,
                                       const Task& task) const;

 private:
  struct Editor {
    std::string socket;
    handover::Seen seen;
  };
  std::string root_;
  std::set<std::string, std::less<>> differing_;  // unsaved in several editors, not the same
  std::vector<Editor> editors_;                   // newest first
};

}  // namespace bodkin::mcp
