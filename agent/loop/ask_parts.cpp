#include "agent/loop/ask_parts.h"

#include "agent/checkers/draft_checker.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr std::chrono::seconds kToolPatience{2};  // that a call waits for a check of the draft

}  // namespace

AskParts::AskParts(Conversation& conversation, const Ask& ask, const AskContext& context)
    : conversation_(conversation),
      ask_(ask),
      model_(context.model),
      editor_(context.editor),
      limits_(context.limits),
      own_profiles_(context.own_profiles),
      task_(context.task),
      guard_(context.workspace, task_),
      draft_(guard_),
      shown_(draft_, conversation.withheld),
      gate_(limits_, conversation, context.editor),
      syntax_(make_syntax()),
      bench_{{draft_, guard_, syntax_.get(), &gate_, ask.selection, &conversation.seen, &unread_},
             shown_,
             context.editor,
             conversation,
             limits_.shell.get(),
             &left_},
      placer_(bench_),
      calls_(gate_, draft_, failed_, task_),
      shell_(profile_, bench_, task_),
      texts_(profile_, placer_, draft_, gate_, calls_, conversation, failed_, task_),
      requests_(conversation, ask, model_, context.draft_model, context.limits, limits_, task_),
      ending_(ask, draft_, guard_, shown_, gate_, *syntax_, limits_.checker.get(), context.verifier,
              limits_.max_repairs, left_, unread_, task_),
      missing_(draft_, task_) {
  bench_.way_to_trust = limits_.way_to_trust;
  bench_.ask_second = [this](const std::vector<Message>& messages, const Task& task) {
    return requests_.send_second(messages, task);
  };
  if (limits_.checker) {
    bench_.check_soon = [this](const Task& task) {
      return limits_.checker->check_soon(draft_.files(), guard_, kToolPatience, task);
    };
    bench_.report_of = [this](const std::string& path, const Task& task) {
      return limits_.checker->report(path, guard_, task);
    };
  }
  draft_.begin_with(ask.draft);
}

}  // namespace bodkin
