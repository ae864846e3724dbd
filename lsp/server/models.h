// Models: which model answers, what can be chosen, and whether it works. Main thread only; anything
// that uses the network or asks the editor runs in the background.
#pragma once

#include "agent/models/providers/providers.h"
#include "agent/support/move_only_function.h"
#include "lsp/server/configuration.h"
#include "lsp/server/status.h"
#include "lsp/sessions/background_work.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

class Models {
 public:
  Models(EventLoop& loop, Configuration& configuration, const Documents& documents,
         EditorModels& editor, BackgroundWork& work, Status& status)
      : loop_(loop),
        configuration_(configuration),
        documents_(documents),
        editor_(editor),
        work_(work),
        status_(status) {}
  void serve(Router& router);

  // Finds out which model would be asked now, and its host; `then` runs later on the loop's thread.
  void look_up(MoveOnlyFunction<void()> then);
  void take_choice(const ModelChoice& choice);

 private:
  void select(const Arguments& arguments, Reply reply);
  void list(Reply reply);
  void list_served(const Arguments& arguments, Reply reply);
  void check(const Arguments& arguments, Reply reply);
  void status(const Arguments& arguments, Reply reply);

  EventLoop& loop_;
  Configuration& configuration_;
  const Documents& documents_;
  EditorModels& editor_;
  BackgroundWork& work_;
  Status& status_;
};

}  // namespace bodkin::lsp
