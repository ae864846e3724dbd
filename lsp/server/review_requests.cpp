#include "lsp/server/review_requests.h"

#include "agent/support/shown_text.h"
#include "lsp/protocol/extensions.h"

namespace bodkin::lsp {

namespace {

void answer(Reply& reply, const Result<void>& done, const char* state) {
  done ? reply.result({{"state", state}}) : reply.error(done.error());
}

const std::vector<size_t>* only_of(const Arguments& arguments) {
  return arguments.hunks ? &*arguments.hunks : nullptr;
}

// `left_out`: the paths of files that stay as they are.
void answer_applying(Reply& reply, const Result<std::vector<std::string>>& left_out) {
  if (!left_out) return reply.error(left_out.error());
  Json result = {{"state", "applying"}};
  if (!left_out->empty()) result["changed"] = *left_out;
  reply.result(std::move(result));
}

void answer_question(ProposalPresenter& presenter, Questions& questions, const Arguments& arguments,
                     Reply& reply) {
  const std::string& choice = arguments.choice;
  if (choice == "show") {
    const auto about = questions.about(arguments.question_id);
    if (!about) return reply.error(about.error());
    return answer(reply,
                  presenter.show_text("question.diff", about->title + "\n\n" + about->detail),
                  "shown");
  }
  const Decision decision(choice_named(choice).value_or(Decision::reject), arguments.reason);
  answer(reply, questions.answer(arguments.question_id, decision),
         decision.allows() ? "allowed" : "refused");
}

}  // namespace

void serve_review(Router& router, Proposals& proposals, ProposalApplier& applier,
                  ProposalPresenter& presenter, Questions& questions, EarlierSessions& past) {
  router.on_own_request(kListProposals, "",
                        [&](const Arguments&, Reply reply) { reply.result(presenter.list()); });
  router.on_own_request(
      kProposalContent, "proposalId, uri", [&](const Arguments& arguments, Reply reply) {
        auto content = presenter.content(arguments.proposal_id, arguments.uri);
        content ? reply.result(std::move(*content)) : reply.error(content.error());
      });
  router.on_request<TextContentParams>(
      "workspace/textDocumentContent", [&](const TextContentParams& params, Reply reply) {
        auto text = presenter.text_of(params.uri);
        text ? reply.result({{"text", *std::move(text)}}) : reply.error(text.error());
      });
  const Router::Run apply = [&](const Arguments& arguments, Reply reply) {
    if (arguments.proposal_id.empty())
      return answer_applying(reply, applier.apply("", only_of(arguments)));
    past.find_proposal(arguments.proposal_id, [&applier, arguments = Arguments(arguments),
                                               held = std::make_shared<Reply>(std::move(reply))](
                                                  const Result<std::string>& found) {
      answer_applying(*held, found ? applier.apply(*found, only_of(arguments))
                                   : std::unexpected(found.error()));
    });
  };
  router.on_command(kApply, "proposalId?, hunks?, hunk?", apply);
  router.on_command(
      kApplyHunk, "proposalId?, hunks?, hunk?", [apply](const Arguments& arguments, Reply reply) {
        if (arguments.hunks) return apply(arguments, std::move(reply));
        reply.error(ErrorCode::invalid_params, "Which hunk? Give {\"hunks\":[index]}.");
      });
  router.on_command(
      kDiscard, "proposalId?, hunks?, hunk?", [&](const Arguments& arguments, Reply reply) {
        const auto chosen = proposals.chosen(arguments.proposal_id, only_of(arguments));
        if (!chosen) return reply.error(chosen.error());
        past.bring_up_to_date((*chosen)->id, [&proposals, arguments = Arguments(arguments),
                                              held = std::make_shared<Reply>(std::move(reply))](
                                                 const Result<std::string>& id) {
          answer(*held, proposals.discard(*id, only_of(arguments)), "discarded");
        });
      });
  router.on_command(kShowDiff, "proposalId?", [&](const Arguments& arguments, Reply reply) {
    answer(reply, presenter.show_diff(arguments.proposal_id), "shown");
  });
  router.on_command(kUndo, "proposalId?", [&](const Arguments& arguments, Reply reply) {
    const EarlierSessions::Then undo = [&, is_newest = arguments.proposal_id.empty(),
                                        held = std::make_shared<Reply>(std::move(reply))](
                                           const Result<std::string>& found) {
      const auto done = found ? applier.undo(*found, is_newest) : std::unexpected(found.error());
      const Proposal* const newest = found && !done && is_newest ? proposals.find(*found) : nullptr;
      if (!newest || newest->state == Proposal::State::applying || newest->is_in_place())
        return answer_applying(*held, done);
      past.name_older(*found, done.error(), [held](const Error& why) { held->error(why); });
    };
    past.find_proposal(arguments.proposal_id, undo);
  });
  router.on_command(kRedo, "proposalId?", [&](const Arguments& arguments, Reply reply) {
    const auto redo = [&applier, held = std::make_shared<Reply>(std::move(reply))](
                          const Result<std::string>& found) {
      const auto done = found ? applier.redo(*found) : std::unexpected(found.error());
      if (!done) return held->error(done.error());
      if (done->is_applying) return answer_applying(*held, done->left_out);
      held->result({{"state", "ready"}, {"proposalId", done->id}});
    };
    if (arguments.proposal_id.empty()) return past.find_undone(redo);
    past.find_proposal(arguments.proposal_id, redo);
  });
  router.on_command(kAnswer, "questionId, choice, reason?",
                    [&](const Arguments& arguments, Reply reply) {
                      answer_question(presenter, questions, arguments, reply);
                    });
}

void serve_log(Router& router, const Log& log, ProposalPresenter& presenter,
               const Capabilities& can) {
  router.on_command(kShowLog, "", [&](const Arguments&, Reply reply) {
    if (!can.proposals) (void)presenter.show_text("bodkin.log", log.text());
    reply.result({{"text", visible(log.text())}});
  });
}

}  // namespace bodkin::lsp
