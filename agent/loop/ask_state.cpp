#include "agent/loop/ask_state.h"

#include <chrono>

#include "agent/checkers/draft_checker.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr std::chrono::seconds kToolPatience{2};  // that a call waits for a check of the draft

}  // namespace

AskState::AskState(Conversation& conversation, const Ask& ask, const AskContext& context)
    : conversation(conversation),
      ask(ask),
      context(context),
      model(context.model),
      editor(context.editor),
      limits(context.limits),
      task(context.task),
      guard(context.workspace, task),
      draft(guard),
      shown(draft, conversation.withheld),
      gate(limits, conversation, editor),
      syntax(make_syntax()),
      bench{{draft, guard, syntax.get(), &gate, ask.selection, &conversation.seen, &unread},
            shown,
            editor,
            conversation,
            limits.shell.get(),
            &left},
      placer(bench) {
  bench.way_to_trust = limits.way_to_trust;
  if (limits.checker) {
    bench.check_soon = [this](const Task& of_call) {
      return limits.checker->check_soon(draft.files(), guard, kToolPatience, of_call);
    };
    bench.report_of = [this](const std::string& path, const Task& of_call) {
      return limits.checker->report(path, guard, of_call);
    };
  }
  draft.begin_with(ask.draft);
}

}  // namespace bodkin
