// Suggest formats: how models that predict a person's next edit are asked, and what their replies
// mean. A format is a file with two functions and a row in the table; none knows HTTP, the editor
// or who asks. A reply is only ever compared with the text that was sent (region_change.h).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/suggest/recent_edit.h"
#include "edits/suggest/region_change.h"
#include "edits/text/result.h"
#include "edits/text/text.h"

namespace bodkin {

struct PastEdit {
  std::string path;  // relative to the workspace
  EditedLines edit;
};

// The context that a model is given. All texts are as they were at one moment.
struct SuggestContext {
  std::string path;  // relative to the workspace
  Text text;
  size_t cursor = 0;              // a byte of the text
  std::vector<PastEdit> history;  // of the person, the oldest first
};

struct SuggestPrompt {
  std::string system = {};  // of a chat model
  std::string text;
  std::vector<std::string> stop = {};
  int max_tokens = 0;
  LineRange region;                // the lines that the model may write anew
  std::vector<size_t> marks = {};  // zeta: the lines before which its markers stand
};

struct SuggestFormat {
  std::string_view name;
  bool is_chat;             // asked as a conversation, else to continue a text
  std::string_view models;  // what its models are called, as parts of names: "zeta|…"
  SuggestPrompt (*prompt)(const SuggestContext& context, std::string_view model);
  // The reply's changes to the context's text; empty: none, or it is not certain. `is_cut`: the
  // reply reached max_tokens.
  std::vector<Replacement> (*read)(const SuggestContext& context, const SuggestPrompt& prompt,
                                   std::string_view reply, bool is_cut);
};

extern const SuggestFormat kZetaFormat, kSweepFormat, kFimFormat, kChatFormat;

// By its name; "auto" or "": by the model's. Error: invalid_input, a sentence for the user.
Result<const SuggestFormat*> suggest_format(std::string_view name, std::string_view model);

// A reply's changes to the context's text, even if the model took it for the text before the last
// edit. Empty: none, or it is not certain.
std::vector<Replacement> changes_of(const SuggestContext& context, RegionReply reply);

// The lines around the cursor that fit into `bytes`, at least the cursor's; two thirds of them
// after it.
LineRange lines_around(const Text& text, size_t cursor, size_t bytes);
std::string text_of_lines(const Text& text, const LineRange& lines);  // each with a \n
std::string text_with_ends(const std::vector<std::string>& lines);
// "--- a/x.py\n+++ b/x.py\n@@ -3,1 +3,2 @@\n-…\n+…\n"
std::string diff_of(const PastEdit& past);
// Whether a reply contains what only a prompt does, so that it is not code: "<|", "<[fim".
bool has_tokens(std::string_view text);

}  // namespace bodkin
