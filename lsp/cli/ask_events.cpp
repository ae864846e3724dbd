#include "lsp/cli/ask_events.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "agent/platform/terminal.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "lsp/apply/apply_reply.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/sessions/verification.h"

namespace bodkin {

using nlohmann::json;

namespace {

const char* event_name(Progress::Kind kind) {
  using enum Progress::Kind;
  return kind == text      ? "text"
         : kind == thought ? "thought"
         : kind == plan    ? "plan"
         : kind == step    ? "result"
                           : "step";
}

}  // namespace

json event_of(const Progress& progress) {
  json event = {{"event", event_name(progress.kind)}, {"text", progress.text}};
  if (!progress.step) return event;
  event["failed"] = progress.step->failed;
  event["files"] = json::array();
  for (const Step::File& file : progress.step->files) {
    event["files"].push_back({{"path", file.moved_to.empty() ? file.path : file.moved_to},
                              {"added", file.added},
                              {"removed", file.removed}});
  }
  return event;
}

json end_event(const Outcome& outcome, const std::vector<ChangedFile>& files,
               const std::string& session, const Spent& spent, bool written,
               const std::string& proposal) {
  const bool is_done = outcome.end == Outcome::End::done;
  const char* how = !is_done ? name_of(outcome.end) : files.empty() ? "answer" : "proposal";
  json event = {{"event", "end"},
                {"session", session.empty() ? json() : json(session)},
                {"end", how},
                {"answer", outcome.answer},
                {"reason", outcome.reason},
                {"partial", outcome.partial},
                {"notes", notes_of(outcome)},
                {"checked", in_words(verification_of(outcome))},
                {"check", outcome.check ? json_of(*outcome.check) : json()},
                {"turns", spent.turns},
                {"input_tokens", spent.usage.input},
                {"output_tokens", spent.usage.output},
                {"cost_usd", spent.cost_usd ? json(*spent.cost_usd) : json()},
                {"written", written},
                {"proposal", proposal.empty() ? json() : json(proposal)},
                {"undo", written && !proposal.empty() ? json("bodkin undo " + proposal) : json()},
                {"redo", !written && !proposal.empty() ? json("bodkin redo " + proposal) : json()},
                {"files", json::array()}};
  for (const ChangedFile& file : files) event["files"].push_back(json_of(file));
  return event;
}

void print_answer(const Outcome& outcome, const AskScreen& screen) {
  const bool is_result = outcome.files.empty() && outcome.end == Outcome::End::done;
  const bool is_redirected = is_result && !os::is_terminal(1);
  const std::string words = is_redirected ? outcome.answer : screen.not_shown(outcome.answer);
  if (!words.empty()) put(is_result ? stdout : stderr, words + "\n");
}

void print_event(const json& event) {
  put_bytes(stdout, text_of_json(event) + "\n");
  std::fflush(stdout);  // in a pipe, too: who reads it follows the ask
}

}  // namespace bodkin
