// Placing: from the edits in a reply's text to the draft, or to feedback for the model.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/ask/draft.h"
#include "agent/ask/gate.h"
#include "agent/placing/refusal_reason.h"
#include "agent/workspace/privacy.h"
#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

namespace bodkin {

struct PlacedReply {
  // doubtful: no edits, but something that the model may have meant as one
  enum class State { no_edits, doubtful, taken, refused };
  State state = State::no_edits;
  // Says, for the model, why not; if taken: the differences that were ignored, or empty.
  std::string feedback;
  std::string reason;                   // refused: one sentence for the user
  std::vector<LineRange> shown = {};    // taken: lines of the reply (from 0) that only show code
  std::vector<Unplaced> unplaced = {};  // refused: the edits that could not be placed
  bool unreadable = false;  // refused: they cannot be parsed, although the reply was not cut off
  bool denied = false;      // refused: they could be placed, but were not permitted
  bool is_sketch = false;   // doubtful: code with lines left out, below the path of a file
  std::vector<std::string> in_place = {};  // taken: the files with an edit that changes nothing
};

// Fails if files may not be edited, judging by what their paths resolve to. Error, with
// a sentence: invalid_input (it leaves the workspace, is private, or is also edited under another
// name).
Result<void> check_targets(const std::vector<ChangedFile>& files, Draft& draft,
                           const GuardedWorkspace& guard, const Task& task);

// The world in which the edits of one ask are made. All of it outlives them.
struct EditContext {
  Draft& draft;
  const GuardedWorkspace& guard;
  const Syntax* syntax;  // null: syntax decides nothing
  Gate* gate;            // null: no permissions are checked
  std::optional<Selection> selection;
  // The texts that the model has read (Conversation::seen); null: it need not have read anything.
  std::map<std::string, uint64_t, std::less<>>* seen = nullptr;
  // Files that were replaced as a whole although the model has not read them; may be null.
  std::set<std::string, std::less<>>* unread = nullptr;
};
ApplyOptions options_of(const EditContext& context);

// Identifies the text a model has seen of a file; equal for texts that look the same to it.
uint64_t hash_of(const Text& text);

// Whether the model has read this text of the file; of an empty one there is nothing to read.
bool knows_text(const EditContext& context, const std::string& path, const Text& text);

// An edit that may not be made yet: of which file, and why.
struct BlindEdit {
  std::string path;
  Error why;
};
// Finds an edit of a plan that may not be taken; nullopt: all may. An edit that no context places
// (a whole file, lines by their numbers) changes an existing file only if the model has read its
// text, or knows it: a whole file that keeps at least half of the lines of one that the model was
// not shown. `report`: of the plan, ok.
std::optional<BlindEdit> blind_edit_in(const EditPlan& plan, const ApplyReport& report,
                                       const EditContext& context);
// Notes the new texts as read, where the model knows all of them.
void remember_texts(const std::vector<ChangedFile>& files, const EditContext& context);
// " a.c changed after the model had read it.": of the files of refused edits, for the user, as the
// likely reason. Empty: none has changed, or what the model has read is not known.
std::string changed_since_read(const ApplyReport& report, const Files& files,
                               const EditContext& context);

// Places the edits of successive replies into a draft. A reply with a bad hunk changes nothing; its
// good hunks wait for the next reply, so that the model need not send them again.
//
// `apply` decides what a fence without marks is (edits/formats/plain_fences.h). In chat, a reply of
// only fences that are not edits is an answer; if one is like its file, the model is asked whether
// it meant an edit.
class Placer {
 public:
  explicit Placer(const EditContext& context) : context_(context) {}

  void take_whole_files() { takes_whole_files_ = true; }

  PlacedReply place(std::string_view reply, const ParseOptions& options, const Task& task);

 private:
  std::optional<PlacedReply> refusal_of(const ApplyReport& report, const WorkspaceFiles& files,
                                        const Task& task) const;

  const EditContext context_;
  bool takes_whole_files_ = false;
  EditPlan waiting_;  // the good hunks of refused replies
};

struct SyntaxCheck {
  struct Found {
    std::string path;
    size_t line = 0;  // from 0
    std::string text;
  };
  bool of_all_files = false;  // every text could be checked, and there is at least one
  std::vector<Found> errors;  // that the files did not have before; the first 20
};
SyntaxCheck check_syntax(const std::vector<ChangedFile>& files, const Syntax& syntax);
// "a.cpp, line 4: syntax error: `…`"; `quotes`: with the text of the line.
std::vector<std::string> in_words(const SyntaxCheck& check, bool quotes = true);

}  // namespace bodkin
