// The workspace as an ask sees it: the editor's buffers over the disk. Any thread but main, which
// it asks for the buffers.
#pragma once

#include "agent/workspace.h"
#include "lsp/documents.h"
#include "lsp/event_loop.h"

namespace bodkin::lsp {

class EditorWorkspace : public Workspace {
 public:
  EditorWorkspace(EventLoop& loop, const Documents& documents)  // both outlive it
      : loop_(loop), documents_(documents) {}

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  std::vector<std::string> roots(const Task& task) override;
  std::vector<std::string> open_paths(const Task& task) override;

 private:
  EventLoop& loop_;
  const Documents& documents_;  // touched on the loop only
};

}  // namespace bodkin::lsp
