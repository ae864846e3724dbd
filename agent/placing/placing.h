// Placing: from the edits in a reply's text to the draft, or to the words for who sent them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/ask/draft.h"
#include "agent/ask/gate.h"
#include "agent/workspace/privacy.h"
#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

namespace bodkin {

struct PlacedReply {
  // doubtful: no edits, but something that the model may have meant as one
  enum class State { no_edits, doubtful, taken, refused };
  State state = State::no_edits;
  std::string feedback;          // for the model: why not; taken: what was forgiven, or empty
  std::string reason;            // refused: one sentence for the person
  std::vector<LineRange> shown;  // taken: lines of the reply (from 0) that only show code
};

// May the files of a report be edited, by what their paths lead to? Error, with a sentence:
// invalid_input (it leaves the workspace, is private, or is edited under another name already).
Result<void> check_targets(const ApplyReport& report, Draft& draft, const GuardedWorkspace& guard,
                           const Task& task);

// Why a report was refused, in a sentence for the person. What differs and what to send instead is
// for the model (edits/apply/explain.h).
std::string words_for_person(const ApplyReport& report);

// A message for the model without what is for the model only: the failure kind in front
// ("truncated: "), the advice behind ("; send the whole block again"), and the final period.
std::string without_advice(std::string_view message);

// Reads the edits of replies, one after the other, and puts them into a draft. A reply with a bad
// hunk changes nothing; its good hunks wait for the next reply, so that the model need not send
// them again.
//
// In talk a fence below a path is an edit only if it makes a new file. Below the path of a file
// that exists it shows something: if that is not what stands in the file, before or after the
// reply's edits, the model is asked for a block, for it may have been meant as an edit.
class Placer {
 public:
  // `gate` may be null: nobody's permissions are asked.
  Placer(Draft& draft, const GuardedWorkspace& guard, const Syntax* syntax, Gate* gate,
         std::optional<Selection> selection);

  PlacedReply place(std::string_view reply, const ParseOptions& options, const Task& task);

 private:
  std::optional<PlacedReply> refusal_of(const ApplyReport& report, const WorkspaceFiles& files,
                                        const Task& task) const;

  Draft& draft_;
  const GuardedWorkspace& guard_;
  const Syntax* syntax_;
  Gate* gate_;
  ApplyOptions options_;
  EditPlan waiting_;  // the good hunks of the replies that were refused
};

struct SyntaxCheck {
  bool of_all_files = false;        // every text of the draft could be looked at, and there is one
  std::vector<std::string> errors;  // that the draft has and its base had not: "a.cpp, line 4: …"
};
SyntaxCheck check_syntax(const Draft& draft, const Syntax& syntax);

}  // namespace bodkin
