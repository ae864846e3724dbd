// ServedFolder: the folder of one tool call, with the rules that the agent's own tools follow:
// nothing outside of it, nothing private (agent/workspace/privacy.h), secrets hidden.
#pragma once

#include <memory>
#include <string>

#include "agent/ask/draft.h"
#include "agent/ask/gate.h"
#include "agent/workspace/privacy.h"
#include "agent/workspace/redaction.h"
#include "edits/plan/syntax.h"
#include "lsp/apply/folder_changes.h"
#include "lsp/mcp/editors.h"
#include "lsp/workspace/confined_folder.h"
#include "lsp/workspace/documents.h"
#include "lsp/workspace/editor_workspace.h"
#include "lsp/workspace/settings.h"

namespace bodkin::mcp {

// The folder's real path. Errors, a sentence: not_found; invalid_input ("/", the home folder, or
// one that contains it: an agent started there by accident must not get all of a user's files).
Result<std::string> servable(const std::string& folder);

// Single-threaded. Its parts refer to each other: neither copied nor moved.
struct ServedFolder {
  // `root`: from servable().
  static Result<std::unique_ptr<ServedFolder>> open(const std::string& root, const Task& task);
  ServedFolder(ConfinedFolder confined, const Task& task);
  ServedFolder(const ServedFolder&) = delete;

  // `path` as the folder's paths are spelled: an absolute one that lies in it, or its URI, becomes
  // relative, and "./a//b" becomes "a/b".
  // Anything else is returned as it is, and refused where it is used.
  std::string inside(std::string path) const;

  const ConfinedFolder folder;
  lsp::Settings settings;
  Editors editors;
  lsp::Documents documents;  // what is unsaved in the editors
  bool is_trusted = false;
  std::unique_ptr<lsp::EditorWorkspace> disk;
  std::unique_ptr<GuardedWorkspace> guard;
  std::unique_ptr<Draft> draft;  // empty: what the tools of an ask work on
  Withheld withheld;
  std::unique_ptr<RedactedWorkspace> shown;
  std::unique_ptr<Syntax> syntax;
  Conversation conversation;
  Limits limits;         // only the permissions
  Gate gate;             // asks nobody: what would have to be asked for is refused
  bool may_show = true;  // agent.permissions.read: text of the files, in any answer

  // From now on files are read as the editors have them now. Error: as Editors::query.
  Result<void> look_at_editors(const Task& task);
  // From now on names are looked up in this index, too.
  void set_symbols(std::shared_ptr<const SymbolIndex> symbols, const Task& task);
};

// The files as `bodkin apply` reads them, byte for byte, without private ones, or as they are
// unsaved in an editor.
class ServedFiles : public Files {
 public:
  explicit ServedFiles(const ServedFolder& served) : served_(served), files_(served.folder) {}
  std::optional<Text> read(std::string_view path) const override;
  std::vector<std::string> paths() const override;
  std::string why_unreadable(std::string_view path) const override;
  Result<std::string> inside(const std::string& path) const override { return files_.inside(path); }
  // Why the file requested last does not exist here, a sentence; empty if it is not refused.
  const std::string& refused() const { return refused_; }

 private:
  const ServedFolder& served_;
  const FolderFiles files_;
  mutable std::string refused_;
};

}  // namespace bodkin::mcp
