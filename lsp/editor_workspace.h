// The workspace as an ask sees it: the editor's buffers as they were when the ask began, over the
// disk. What the person types meanwhile does not reach the model; the proposal is compared with it.
#pragma once

#include <map>

#include "agent/workspace.h"
#include "lsp/documents.h"

namespace bodkin::lsp {

// Made on the main thread; then any thread. Texts are shared, nothing is copied.
class EditorWorkspace : public Workspace {
 public:
  explicit EditorWorkspace(const Documents& documents,
                           std::shared_ptr<const SymbolIndex> symbols = nullptr);

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  std::vector<std::string> roots(const Task& task) override;
  std::vector<std::string> open_paths(const Task& task) override;
  std::shared_ptr<const SymbolIndex> symbols(const Task&) override { return symbols_; }

 private:
  std::map<std::string, Document, std::less<>> buffers_;  // by path
  std::vector<Root> roots_;
  std::shared_ptr<const SymbolIndex> symbols_;
};

}  // namespace bodkin::lsp
