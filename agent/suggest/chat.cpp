// A chat model, as a last resort: it is told what changed, and rewrites the lines around the
// cursor.
#include <algorithm>

#include "agent/suggest/suggest_format.h"
#include "edits/place/write.h"

namespace bodkin {

namespace {

constexpr size_t kChatRegionBytes = 1'600, kChatAroundBytes = 3'000;
constexpr char kInstructions[] =
    "You predict the next edit of a programmer from the edits just made. You are shown a part of a "
    "file and, in it, the lines between REGION and END. Answer with these lines as they should be "
    "next, all of them and nothing else, in one code block. Change only what the last edits make "
    "necessary; if nothing is, answer with the lines as they are.";

SuggestPrompt chat_prompt(const SuggestContext& context, std::string_view) {
  SuggestPrompt out{.system = kInstructions, .max_tokens = 1'024};
  const Text& text = context.text;
  out.region = lines_around(text, context.cursor, kChatRegionBytes);
  const LineRange shown = lines_around(text, context.cursor, kChatRegionBytes + kChatAroundBytes);
  if (!context.history.empty()) out.text = "The last edits, the newest at the end:\n";
  for (const PastEdit& past : context.history) out.text += diff_of(past);
  out.text += "\n" + context.path + ":\n" +
              text_of_lines(text, {std::min(shown.begin, out.region.begin), out.region.begin}) +
              "REGION\n" + text_of_lines(text, out.region) + "END\n" +
              text_of_lines(text, {out.region.end, std::max(shown.end, out.region.end)});
  return out;
}

// The lines of its only fence, or all of it if there is none.
std::vector<Replacement> read_chat(const SuggestContext& context, const SuggestPrompt& prompt,
                                   std::string_view reply, bool is_cut) {
  std::vector<std::string> lines = lines_of(reply);
  const auto is_fence = [](const std::string& line) { return line.starts_with("```"); };
  const auto open = std::ranges::find_if(lines, is_fence);
  if (open != lines.end()) {
    const auto close = std::find_if(open + 1, lines.end(), is_fence);
    is_cut = is_cut && close == lines.end();
    if (close != lines.end() && std::any_of(close + 1, lines.end(), is_fence)) return {};
    lines = {open + 1, close};
  }
  std::erase_if(lines, [](const std::string& line) { return line == "REGION" || line == "END"; });
  return changes_of(context, {prompt.region, std::move(lines), is_cut});
}

}  // namespace

const SuggestFormat kChatFormat = {"chat", true, "", chat_prompt, read_chat};

}  // namespace bodkin
