// The commands of bodkin's own: no model is asked.

#include <utility>

#include "agent/context/prompt.h"
#include "agent/context/symbols.h"
#include "agent/loop/run.h"
#include "lsp/acp/session.h"
#include "lsp/folder/undo.h"
#include "lsp/sessions/proposal_record.h"

namespace bodkin::acp {

namespace {

// The text after "/name"; nullopt: the request does not begin with it.
std::optional<std::string> after_command(const std::string& request, std::string_view name) {
  const size_t begin = request.find_first_not_of(" \t\r\n");
  if (begin == request.npos || request[begin] != '/') return {};
  if (request.compare(begin + 1, name.size(), name) != 0) return {};
  const size_t end = begin + 1 + name.size();
  if (end < request.size() && !std::isspace(static_cast<unsigned char>(request[end]))) return {};
  return request.substr(std::min(request.find_first_not_of(" \t\r\n", end), request.size()));
}

// Whether the words after a command are in its line: what editors attach is below it.
bool is_beside_command(const std::string& words, const std::string& request) {
  const std::string_view line = std::string_view(request).substr(0, request.size() - words.size());
  return line.substr(line.find_first_not_of(" \t\r\n")).find('\n') == line.npos;
}

}  // namespace

bool Session::run_command(AskRequest& request, const std::string& typed) {
  if (const auto reply = after_command(request.prompt, "apply")) return apply_reply(*reply), true;
  if (after_command(request.prompt, "undo")) {
    const auto words = after_command(typed, "undo");
    if (!words || words->empty() || !is_beside_command(*words, typed)) return undo({}), true;
    end_with("Nothing was undone: /undo takes no arguments; it undoes the last applied edit.");
    return true;
  }
  if (auto words = after_command(request.prompt, "context")) {
    request.prompt = *std::move(words);
    return show_context(std::move(request)), true;
  }
  return false;
}

void Session::apply_reply(const std::string& reply) {
  host_.work.start([self = shared_from_this(), reply, post = poster(),
                    stop = turn_->stop.get_token(), workspace = client_workspace()](const Task&) {
    Outcome outcome = outcome_of_reply(reply, "", *workspace, Task{stop, {}});
    post([outcome = std::move(outcome), reply](Session& session) {
      if (outcome.files.empty()) {
        session.say(outcome.reason);
        for (const std::string& feedback : outcome.notes)
          session.say("\n\nTo be sent back to the model:\n\n" + fenced(feedback));
        return session.end_turn("end_turn");
      }
      session.review(outcome, true, [&session, outcome, reply](Review::End end) {
        session.keep_own_turn(outcome.title, "/apply " + reply, end.words);
        session.keep(outcome, end);
        end.news =
            end.files.empty()
                ? ""
                : "The user has applied edits from another reply: " + words_for(end.files) + ".";
        session.when_kept(end, [end](Session& kept) { kept.end_reviewed(end, "end_turn"); });
      });
    });
  });
}

void Session::show_context(AskRequest request) {
  folder_.rules().complete(request);
  take_slash_command_without_reports(request, lsp::own_prompts_folder());
  if (request.prompt.empty()) request.prompt = "(your request)";
  auto ask = make_ask(std::move(request), lsp::own_profiles_folder());
  if (!ask) return end_with(ask.error().message);
  host_.work.start([self = shared_from_this(), ask = *std::move(ask), post = poster(),
                    stop = turn_->stop.get_token(), limits = folder_.limits(),
                    workspace = client_workspace()](const Task&) {
    const auto prompt = prompt_for(ask, *workspace, limits, Task{stop, {}});
    const std::string words = prompt ? prompt->text : prompt.error().message;
    const std::string withheld = prompt ? prompt->withheld : "";
    post([words, withheld](Session& session) {
      if (!withheld.empty()) session.say(withheld);
      session.end_with(words);
    });
  });
}

// The last applied proposal of this folder, by any front end. `passed`: those of which it was not
// known whether they were written, and which were not.
void Session::undo(std::set<std::string> passed) {
  host_.history.read(
      [post = poster(), key = folder_.roots().key(),
       passed = std::move(passed)](HistoryStore& store) {
        auto row = store.load_proposal("", key, passed);
        if (!row && row.error().code == Error::Code::not_found && !passed.empty())
          row.error().message = "Nothing to undo: the last edits are not in the files.";
        post([row = std::move(row), passed](Session& session) {
          if (row) return session.undo_edit(*row, passed);
          session.end_with(row.error().message);
        });
      },
      [post = poster()](const Error& error) {
        post([error](Session& session) { session.end_with(error.message); });
      });
}

void Session::undo_edit(const ProposalRow& row, std::set<std::string> passed) {
  auto loaded = proposal_of(row);
  if (!loaded) return end_with(loaded.error().message);
  const bool is_unclear = loaded->state == Proposal::State::unknown;
  host_.work.start([self = shared_from_this(), is_unclear, passed = std::move(passed),
                    proposal = std::make_shared<Proposal>(*std::move(loaded)), post = poster(),
                    stop = turn_->stop.get_token(), session_of_it = row.session,
                    roots = folder_.roots(), workspace = client_workspace()](const Task&) {
    const Task task{stop, {}};
    const auto read = [&](const std::string& path) {
      const auto now = workspace->read(path, task);
      return now ? std::optional(now->text) : std::nullopt;
    };
    const auto plan = plan_undo(
        *proposal, roots, {read, [&](const std::string& path) { return read(path).has_value(); }});
    Outcome outcome;
    outcome.end = Outcome::End::done;
    outcome.title = "Undo " + named(*proposal);
    const std::string problem = plan ? "" : plan.error().message;
    const bool is_passed = !plan && is_unclear;
    if (plan) {
      outcome.files = plan->files;
      if (!plan->why_left_out.empty()) outcome.notes.push_back(plan->why_left_out);
      *proposal = plan->after;
    }
    post([=](Session& session) {
      if (is_passed) {
        std::set<std::string> others = passed;
        others.insert(proposal->id);
        return session.undo(std::move(others));
      }
      if (!problem.empty()) return session.end_with(problem);
      session.review(outcome, true, [&session, proposal, session_of_it](Review::End end) {
        end.news =
            end.files.empty() ? "" : "The user has undone edits: " + words_for(end.files) + ".";
        if (end.how == Review::End::How::written)
          keep_proposal(session.host_.history, *proposal, session_of_it,
                        session.folder_.roots().key());
        session.when_kept(end, [end](Session& kept) { kept.end_reviewed(end, "end_turn"); });
      });
    });
  });
}

// So that it is listed and shown as the others are. Its ask has no part in the conversation.
void Session::keep_own_turn(const std::string& title, const std::string& prompt,
                            const std::string& answer) {
  turn_->ask_id = std::string(kOwnTurn) + new_number();
  const int64_t now = history_time();
  AskStart start{.id = turn_->ask_id,
                 .session = id_,
                 .workspace = folder_.roots().key(),
                 .title = title.empty() ? "Edits from another reply" : title,
                 .prompt = prompt,
                 .model = "",
                 .time = now,
                 .writer = run_id(),
                 .mode = std::string(name_of(folder_.rules().mode()))};
  AskSum sum{.id = turn_->ask_id, .spent = {}, .ended = now, .outcome = "done", .answer = answer};
  host_.history.write(prompt.size() + answer.size() + 200,
                      [start = std::move(start), sum = std::move(sum)](HistoryStore& store) {
                        store.begin_ask(start);
                        store.update_ask(sum);
                      });
}

}  // namespace bodkin::acp
