// BridgedEditor: the editor and the user as seen by an ask's thread. Created on the loop's thread;
// then used on any thread but that one. The constructor's arguments outlive it.
#pragma once

#include "agent/workspace/workspace.h"
#include "lsp/editor/diagnostics_bridge.h"
#include "lsp/editor/questions.h"

namespace bodkin::lsp {

class BridgedEditor : public Editor {
 public:
  BridgedEditor(EventLoop& loop, Client& client, const Capabilities& can, Questions& questions,
                const Documents& documents, const DiagnosticsBridge& bridge)
      : loop_(loop),
        client_(client),
        can_(can),
        questions_(questions),
        documents_(documents),
        bridge_(bridge) {}

  Result<Diagnostics> diagnostics(std::string_view path, const Task& task) override;
  Result<Snapshot> text_now(std::string_view path, const Task& task) override;
  Result<Decision> permit(const Permission& permission, const Task& task) override;
  Result<std::string> ask_words(const std::string& question, const Task& task) override;

 private:
  EventLoop& loop_;
  Client& client_;
  const Capabilities& can_;
  Questions& questions_;
  const Documents& documents_;
  const DiagnosticsBridge& bridge_;
};

}  // namespace bodkin::lsp
