// Workspace and Editor: an ask's access to the world. lsp/ implements them over the editor's
// documents; the command line implements them over a folder. Both are called on the ask's thread
// and may block.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/support/task.h"
#include "agent/workspace/permission.h"
#include "agent/workspace/roots.h"
#include "edits/text/result.h"
#include "edits/text/text.h"

namespace bodkin {

class SymbolIndex;

// The file in which an edit lands.
struct EditTarget {
  std::string path;         // the workspace path, with every link resolved
  bool executable = false;  // is currently executable
};

// Paths are those of roots() (agent/workspace/roots.h). A path that leaves the workspace is
// `invalid_input`.
class Workspace {
 public:
  virtual ~Workspace() = default;
  // The open buffer, else the file. Errors: not_found, invalid_input (not text, outside), internal.
  virtual Result<Snapshot> read(std::string_view path, const Task& task) = 0;
  // All files that git does not ignore, sorted, at most `limit`.
  virtual Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                                const Task& task) = 0;
  // The folders on disk; may be empty. Never changes.
  virtual Roots roots(const Task& task) = 0;
  // Fails if no edit may change the file with this path, which need not exist. `in_place`: only its
  // text; else it is created, removed or renamed. Error, with a sentence: invalid_input (the edit
  // would land outside the workspace or in a git folder; something else is in the way).
  virtual Result<EditTarget> edit_target(std::string_view path, bool in_place, const Task&) {
    (void)in_place;
    return EditTarget{std::string(path), false};
  }
  // Open documents, whose text may differ from the disk.
  virtual std::vector<std::string> open_paths(const Task& task) = 0;
  // The declarations, as far as indexed (grammars/symbol_index.h); they may include private files
  // and outdated text. Null: there is no index.
  virtual std::shared_ptr<const SymbolIndex> symbols(const Task&) { return nullptr; }
};

// A workspace over another one, which says what its overrides do not.
class LayeredWorkspace : public Workspace {
 public:
  explicit LayeredWorkspace(Workspace& below) : below_(below) {}  // outlives this
  Result<Snapshot> read(std::string_view path, const Task& task) override {
    return below_.read(path, task);
  }
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override {
    return below_.list(folder, limit, task);
  }
  Roots roots(const Task& task) override { return below_.roots(task); }
  Result<EditTarget> edit_target(std::string_view path, bool in_place, const Task& task) override {
    return below_.edit_target(path, in_place, task);
  }
  std::vector<std::string> open_paths(const Task& task) override { return below_.open_paths(task); }
  std::shared_ptr<const SymbolIndex> symbols(const Task& task) override {
    return below_.symbols(task);
  }

 protected:
  Workspace& below_;
};

enum class Severity { error = 1, warning = 2, information = 3, hint = 4 };

struct Diagnostic {
  LineRange lines;                      // from 0
  size_t begin_byte = 0, end_byte = 0;  // in the text that it was reported for
  Severity severity = Severity::error;
  std::string message, source, code;
};

// How current the diagnostics are (agent/README.md, "Diagnostics"). Silence is not "clean".
enum class Freshness { fresh, unchanged, unknown };
std::string_view name_of(Freshness freshness);

struct Diagnostics {
  Freshness freshness = Freshness::unknown;
  std::vector<Diagnostic> list;
};

class Editor {
 public:
  virtual ~Editor() = default;
  // Returns what the editor currently knows about a file; does not wait for a change.
  virtual Result<Diagnostics> diagnostics(std::string_view path, const Task& task) = 0;
  // The text of an open file as it is now: the workspace of an ask has the one that it had when the
  // ask began. Errors: cancelled, not_found (it is not open), unavailable.
  virtual Result<Snapshot> text_now(std::string_view, const Task&) {
    return fail(Error::Code::unavailable, "the editor's texts are not known");
  }
  // Asks the user and waits. Errors: cancelled, unavailable (there is no way to ask; why, as the
  // end of a sentence).
  virtual Result<Decision> permit(const Permission& permission, const Task& task);
  // Asks the user for words and waits; empty: they gave none. Errors: cancelled, unavailable (there
  // is no way to ask; a sentence for the user).
  virtual Result<std::string> ask_words(const std::string& question, const Task& task);
};

}  // namespace bodkin
