// The workspace as an ask sees it: the editor's buffers as of the start of the ask, layered over
// the disk. What the user types meanwhile does not reach the model; the proposal is compared with
// it.
#pragma once

#include <chrono>
#include <map>

#include "agent/workspace/workspace.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

// How long an ask waits for the first index of its workspace: without it, code that the request
// names in plain words is not found.
constexpr std::chrono::milliseconds kIndexPatience{2000};

// Created on the main thread; then any thread. Texts are shared, not copied.
class EditorWorkspace : public Workspace {
 public:
  // `trusted`: see list_files. `patience`: how long from now on symbols() waits for the index to be
  // complete.
  explicit EditorWorkspace(const Documents& documents,
                           std::shared_ptr<const SymbolIndex> symbols = nullptr,
                           bool trusted = false, std::chrono::milliseconds patience = {});

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  Roots roots(const Task&) override { return roots_; }
  Result<EditTarget> edit_target(std::string_view path, bool in_place, const Task& task) override;
  std::vector<std::string> open_paths(const Task& task) override;
  std::shared_ptr<const SymbolIndex> symbols(const Task& task) override;

 private:
  // Null: the file is not open, under this name or another.
  const Document* open_at(std::string_view path) const;
  Result<Roots::Place> place_of(std::string_view path) const;

  std::map<std::string, Document, std::less<>> buffers_;  // by path
  Roots roots_;
  std::shared_ptr<const SymbolIndex> symbols_;
  bool trusted_;
  std::chrono::steady_clock::time_point symbols_by_;
};

}  // namespace bodkin::lsp
