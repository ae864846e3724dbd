#include "agent/replies/explained.h"

#include <algorithm>
#include <string>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

// Decides: which words of prose say that it only explains calls.
// In any prose; in prose that does not speak of itself; the same, in a line that ends with a colon;
// and below what looks like a call.
constexpr std::string_view kShows[] = {"for example", "example:",   "example of", "for instance",
                                       "e.g.",        "looks like", "look like",  "would look"};
constexpr std::string_view kExplains[] = {
    "example",    "such as",       "would be",   "would write", "would send",    "would emit",
    "is written", "are written",   "stands for", "parsed",      "tool call",     "tool-call",
    "tool_call",  "function call", "markup",     "notation",    "writes",        "emits",
    "wraps",      "parser",        "the model",  "models",      "chat template", "server",
    "a call",     "calls are",     "is a call"};
constexpr std::string_view kForms[] = {"format",  "syntax", "form",     "tags",      "structure",
                                       "shape",   "json",   "template", "like this", "call",
                                       "follows", "xml",    "marks"};
constexpr std::string_view kNames[] = {"argument", "parameter", "the tool", "tool's", "placeholder",
                                       "tags",     "format",    "syntax",   "json",   "the call"};
constexpr std::string_view kSpeaks[] = {
    "i ",   "i'",   "i\u2019", "let me", "let's", "let\u2019s", "now",     "first,",
    "next", "sure", "ok",      "we ",    "then",  "to ",        "looking", "reading"};

}  // namespace

bool prose_explains(std::string_view before, std::string_view after) {
  before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
  const size_t gap = before.rfind("\n\n");
  const std::string above = lower_case(gap == before.npos ? before : before.substr(gap + 2));
  const std::string last = above.substr(above.rfind('\n') + 1);
  const bool speaks = std::ranges::any_of(kSpeaks, [&](std::string_view word) {
    return above.starts_with(word) || last.starts_with(word) ||
           last.find(". " + std::string(word)) != last.npos;
  });
  if (contains_any(above, kShows)) return true;
  if (!speaks &&
      (contains_any(above, kExplains) || (last.ends_with(':') && contains_any(last, kForms))))
    return true;
  const std::string below = lower_case(after);
  return contains_any(below, kShows) || contains_any(below, kExplains) ||
         contains_any(below, kNames);
}

}  // namespace bodkin
