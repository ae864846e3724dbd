// ChatCommands: commands that work without a configured model: completing a request, copying the
// prompt for any chat, and applying the edits in its answer. Main thread only; files are read in
// the background.
#pragma once

#include <functional>
#include <memory>

#include "lsp/server/ask_arguments.h"
#include "lsp/server/router.h"
#include "lsp/sessions/background_work.h"

namespace bodkin::lsp {

class ChatCommands {
 public:
  using MakeWorkspace = std::function<std::shared_ptr<Workspace>()>;  // a snapshot of now

  ChatCommands(EventLoop& loop, Client& client, const AskWorld& world, MakeWorkspace workspace,
               std::function<Limits()> limits, BackgroundWork& work)
      : loop_(loop),
        client_(client),
        world_(world),
        workspace_(std::move(workspace)),
        limits_(std::move(limits)),
        work_(work) {}
  void serve(Router& router);

 private:
  void apply_reply(const Arguments& arguments, Reply reply);
  void copy_prompt(const Arguments& arguments, Reply reply);
  void complete(const Arguments& arguments, Reply reply);

  EventLoop& loop_;
  Client& client_;
  const AskWorld world_;
  const MakeWorkspace workspace_;
  const std::function<Limits()> limits_;
  BackgroundWork& work_;
};

}  // namespace bodkin::lsp
