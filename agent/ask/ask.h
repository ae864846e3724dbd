// An ask, the conversation it belongs to, and its outcome.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/ask/draft.h"
#include "agent/ask/limits.h"
#include "agent/ask/verdict.h"
#include "agent/models/model.h"
#include "agent/workspace/redaction.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct Selection {
  std::string path;
  LineRange lines;
  // If only some characters are meant, not whole lines: their first byte, in the first line.
  size_t from = 0;
  std::string characters = {};
};

// A request of the user's. A repair continues the conversation with `prompt` alone.
struct Ask {
  std::string prompt;
  std::string title;  // of the proposal; empty: the prompt's first words
  std::optional<Selection> selection;
  std::vector<Diagnostic> diagnostics;  // of selection->path, to be fixed
  // No editor has reported anything, and the request is about errors: language servers report on
  // the files that the prompt shows.
  bool wants_problems = false;
  std::vector<std::string> attachments;  // further paths to show
  // Images the user chose: each as a workspace path, and its path on disk.
  std::vector<std::pair<std::string, std::string>> images;
  // A name that load_profile() knows; auto: the conversation's, unless that edits nothing, else
  // tools if the model has them and no edit format is chosen, else blocks.
  std::string profile = "auto";
  bool resolves_names = true;  // files and declarations that the prompt's words name are shown
  // The dialect whose tools the model is offered (agent/tools/dialect.h). auto: the one that the
  // model's facts name, or ours; empty: the conversation's, if it has begun, else auto.
  std::string dialect;
  // The format taught for edits in text (agent/context/edit_format.h); auto and empty as above.
  std::string edit_format;
  std::string effort = "auto";     // one of kEfforts
  std::vector<ChangedFile> draft;  // the proposal to refine: the draft starts with it
  std::string news;                // for the model: what became of its earlier edits; or empty
};

// The state of a session. Owned by the caller; one ask at a time.
struct Conversation {
  std::string profile;      // of the last ask
  std::string dialect;      // of the last ask; empty: none
  std::string edit_format;  // of the last ask
  std::string system;
  std::vector<Message> messages;
  Spent spent;
  // A hash of each text the model has seen, by path. A tool edits only what was seen.
  std::map<std::string, uint64_t, std::less<>> seen;
  std::set<std::string> guidance;  // files with guidance that the model was shown
  Roots roots;                     // that its paths are of
  Withheld withheld;               // secrets that were not shown to the model
  std::set<std::string> granted;   // what the user allowed for the session (agent/ask/gate.h)
  // Tokens per byte of its requests, from the provider's last usage report; 0: none yet
  // (agent/loop/window.h).
  double tokens_per_byte = 0;
};

struct Outcome {
  // refused: the user did not allow what the model wanted to do, and did not say why.
  enum class End { done, limit, refused, cancelled, failed };
  End end = End::failed;
  MetLimit::Which met_limit = MetLimit::Which::turns;  // of the end `limit`
  std::string answer;  // the model's final text for the user, without edit blocks
  std::string reason;  // one sentence for the user, unless done
  // The cause behind `reason`, for front ends that offer a remedy: "no_model", "limit", "setting",
  // or a kind of ModelError; empty: none of these. `setting`: the one that can fix it, such as
  // "agent.maxTurns"; or empty.
  std::string cause, setting;
  // The part of a reply that had come in before the user or a failure broke it off. None of its
  // edits was used; the conversation has it, marked as unfinished.
  std::string partial;
  std::vector<ChangedFile> files;          // what the draft changes, even if the ask failed
  bool lacks_edits = false;                // the model made edits, but none was placed or allowed
  bool is_overtaken = false;               // the user typed where edits were, which are left out
  bool takes_back = false;                 // a refinement that removed everything from the proposal
  std::vector<std::string> syntax_errors;  // new ones, for the user: "line 12 of a.cpp: …"
  // Notes for the user: what a command left that cannot be proposed, or what was ignored to place a
  // pasted reply.
  std::vector<std::string> notes;
  std::vector<std::string> cautions;      // of the files, see agent/ask/cautions.h
  std::vector<std::string> needs_review;  // see there, too
  std::string withheld;                   // one sentence for the user: which secrets were not sent
  bool syntax_checked = false;            // of all texts in `files`
  Verdict verdict;                        // of `files`, as they are
  std::optional<CheckResult> check;       // likewise, by language servers; nothing: none was asked
  std::string title;                      // of the proposal: a few words from the ask
  bool is_plan = false;                   // the answer is a plan, which the next ask can carry out
  int turns = 0;
};

// A draft that can be shown before the ask ends.
struct EarlyDraft {
  Outcome outcome;  // as if it had ended now; `check`: nothing while it is checked
  Roots roots;      // that its paths are of
  std::atomic<bool> is_decided = false;  // the user has taken or refused some of it: no repairs
};

// done | limit | refused | cancelled | failed
const char* name_of(Outcome::End end);

}  // namespace bodkin
