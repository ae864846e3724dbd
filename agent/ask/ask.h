// What the person asks, the conversation that it belongs to, and what comes of it.
#pragma once

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
};

// What the person wants. For a repair the conversation goes on with `prompt` alone.
struct Ask {
  std::string prompt;
  std::string title;  // of the proposal; empty: the prompt's first words
  std::optional<Selection> selection;
  std::vector<Diagnostic> diagnostics;   // of selection->path, to be fixed
  std::vector<std::string> attachments;  // further paths to show
  // Pictures that the person chose: as paths are written here, and where each is on disk.
  std::vector<std::pair<std::string, std::string>> images;
  // explain: edits nothing; auto: the conversation's, unless that edits nothing, else tools if the
  // model has them, else blocks.
  std::string profile = "auto";
  std::vector<DraftFile> draft;  // a proposal to be refined: the draft begins with it
};

// A session: what was said so far. Owned by the caller; one ask at a time.
struct Conversation {
  std::string profile;  // of the last ask
  std::string system;
  std::vector<Message> messages;
  Spent spent;
  // What the model has seen, by path: a hash of the file's text. A tool edits only what was seen.
  std::map<std::string, uint64_t, std::less<>> seen;
  Roots roots;                    // that its paths are of
  Withheld withheld;              // what was kept back in what the model was shown
  std::set<std::string> granted;  // what the person allowed for the session (agent/ask/gate.h)
};

struct Outcome {
  enum class End { done, limit, cancelled, failed };
  End end = End::failed;
  std::string answer;            // the model's last words to the person, edit blocks taken out
  std::string reason;            // one sentence for the person, unless done
  std::vector<DraftFile> files;  // what the draft changes; also kept when the ask did not end well
  std::vector<std::string> notes;     // for the person, e.g. "line 12 of a.cpp: a new syntax error"
  std::vector<std::string> cautions;  // of the files, see agent/ask/cautions.h
  std::vector<std::string> unfit_for_direct;  // see there, too
  std::string withheld;         // one sentence for the person: which secrets were not sent
  bool syntax_checked = false;  // of all texts in `files`; what is wrong is in the notes
  Verdict verdict;              // of `files`, as they are
  std::string title;            // of the proposal: a few words from the ask
  int turns = 0;
};

}  // namespace bodkin
