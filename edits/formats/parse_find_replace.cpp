#include "edits/formats/parse_find_replace.h"

#include <algorithm>
#include <span>

#include "edits/formats/fenced_text.h"
#include "edits/formats/path_in_words.h"
#include "edits/formats/plain_fences.h"
#include "edits/plan/diff.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

// Words at the end of a line that a fence continues.
constexpr std::string_view kOpenEnds[] = {"find", "replace", "change", "from", "with", "to", "by"};

// The words of a line that ends with a colon or one of those words, or is a heading, in lower case,
// without names of files and what is in backticks; none of another line.
std::vector<std::string> words_above_fence(std::string_view line) {
  std::string_view whole = trimmed(line);
  const bool is_title = whole.starts_with('#') || whole.starts_with("**");
  while (!whole.empty() && is_among(whole.back(), "*_ ")) whole.remove_suffix(1);
  std::string talk;
  const std::string all = talk_of(whole);
  for (std::string_view rest = all, chunk; !rest.empty(); rest.remove_prefix(chunk.size())) {
    chunk = rest.substr(0, rest.find(' ', 1));
    const bool is_path = chunk.substr(0, chunk.size() - 1).find_first_of("./_\\") != chunk.npos;
    if (!is_path) talk += chunk;
  }
  std::vector<std::string> words = words_of_talk(talk);
  const bool is_open =
      is_title || whole.ends_with(':') || (!words.empty() && is_one_of(words.back(), kOpenEnds));
  return is_open ? words : std::vector<std::string>();
}

constexpr std::string_view kNeutral[] = {
    "this",     "that",    "these",  "the",      "a",        "an",      "following", "line",
    "lines",    "code",    "block",  "section",  "function", "method",  "class",     "part",
    "snippet",  "in",      "inside", "of",       "from",     "file",    "your",      "for",
    "existing", "current", "old",    "original", "step",     "first",   "second",    "then",
    "next",     "now",     "also",   "please",   "and",      "finally", "open",      "go"};

// Whether the line has one of these words, and beside them only these companions and numbers.
bool says_only(std::string_view line, std::span<const std::string_view> some,
               std::span<const std::string_view> companions) {
  const auto is_in = [](std::string_view word, std::span<const std::string_view> list) {
    return std::ranges::find(list, word) != list.end();
  };
  const std::vector<std::string> words = words_above_fence(line);
  return std::ranges::any_of(words, [&](const auto& word) { return is_in(word, some); }) &&
         std::ranges::all_of(words, [&](const auto& word) {
           return is_in(word, some) || is_in(word, companions) ||
                  word.find_first_not_of("0123456789") == word.npos;
         });
}

// Decides: which words make two fences an edit.
//
// With others than these the first may say where something is added, or what is not to be done.
bool says_find(std::string_view line) {
  constexpr std::string_view kToReplace[] = {"find",   "look",    "locate",
                                             "search", "replace", "change"};
  return says_only(line, kToReplace, kNeutral);
}

// "Before this function:" is a place, "Before:" a state.
constexpr std::string_view kOfState[] = {"code",    "version", "the", "change",
                                         "changes", "fix",     "edit"};
constexpr std::string_view kOfDeed[] = {"of", "this", "that", "it", "code", "with"};
constexpr std::string_view kOfText[] = {
    "this",   "the",   "code", "version", "block", "section", "line", "lines", "function",
    "method", "class", "part", "snippet", "your",  "in",      "of",   "file",  "change"};

// "Before:", "Current code:".
bool says_old(std::string_view line) {
  constexpr std::string_view kTexts[] = {"old", "original", "current", "existing", "previous"};
  constexpr std::string_view kState[] = {"before"};
  constexpr std::string_view kDeeds[] = {"from", "instead"};
  return says_only(line, kTexts, kOfText) || says_only(line, kState, kOfState) ||
         says_only(line, kDeeds, kOfDeed);
}

// "After:", "Updated code:", "Change to:".
bool says_new(std::string_view line) {
  constexpr std::string_view kTexts[] = {"new",      "updated",    "fixed",     "improved",
                                         "modified", "proposed",   "suggested", "corrected",
                                         "revised",  "replacement"};
  constexpr std::string_view kState[] = {"after"};
  constexpr std::string_view kDeeds[] = {"to",      "use",    "do",     "write",
                                         "becomes", "change", "should", "be"};
  return says_only(line, kTexts, kOfText) || says_only(line, kState, kOfState) ||
         says_only(line, kDeeds, kOfDeed);
}

// Whether they say that the code below them takes the place of all of the code above, which has so
// many lines: "the line" of several is not all of it, and "the following lines" are not above.
bool says_replace(std::string_view line, size_t old_lines) {
  constexpr std::string_view kInItsPlace[] = {
      "replace", "change", "update", "and",       "then", "it",      "this",       "that",
      "them",    "these",  "line",   "lines",     "code", "block",   "section",    "with",
      "to",      "by",     "the",    "following", "new",  "version", "replacement"};
  const std::vector<std::string> words = words_above_fence(line);
  const auto has = [&](std::string_view word) { return std::ranges::count(words, word) > 0; };
  const bool is_of_lines = has("line") || has("lines");
  if (line.contains('`') || (has("line") && old_lines > 1) ||
      (is_of_lines && (has("following") || has("new"))))
    return false;
  return std::ranges::any_of(
             words,
             [](const auto& word) {
               return is_one_of(word, {"replace", "replacement", "with", "to", "by"});
             }) &&
         std::ranges::all_of(words, [&](const auto& word) { return is_one_of(word, kInItsPlace); });
}

// The next line from there on that is not blank, if nothing has taken it.
std::optional<size_t> next_solid(const ReplyLines& reply, size_t line) {
  while (line < reply.size() && !reply.taken[line] && is_blank(reply.lines[line])) ++line;
  return line < reply.size() && !reply.taken[line] ? std::optional(line) : std::nullopt;
}

struct Fence {
  size_t open = 0, close = 0;
};

// The fence that opens there, if it is closed.
std::optional<Fence> fence_at(const ReplyLines& reply, std::optional<size_t> line) {
  if (!line || !fence_info(reply.lines[*line])) return std::nullopt;
  const auto close = closing_fence(reply, *line);
  return close ? std::optional(Fence{*line, *close}) : std::nullopt;
}

bool is_code(const ReplyLines& reply, const Fence& fence, std::string_view path) {
  return !is_diff_language(first_word(*fence_info(reply.lines[fence.open]))) &&
         !shows_commands(reply, fence.open, path);
}

}  // namespace

FailureOr<void> parse_find_replace(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  std::string path = options.default_path;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    if (fence_info(reply.lines[i])) {  // what it holds is no talk
      i = closing_fence(reply, i).value_or(i);
      continue;
    }
    const bool is_told = says_find(reply.lines[i]);
    // Beside a person who is told what was, or may be, there is an editor for what is to be done.
    if (!is_told && (options.in_chat || !says_old(reply.lines[i]))) continue;
    const auto old = fence_at(reply, next_solid(reply, i + 1));
    const auto between = old ? next_solid(reply, old->close + 1) : std::nullopt;
    const std::string_view middle = between ? reply.lines[*between] : "";
    if (is_told ? !says_replace(middle, old->close - old->open - 1) : !says_new(middle)) continue;
    const auto below = next_solid(reply, *between + 1);
    if (!below || !fence_info(reply.lines[*below])) continue;
    const auto made = fence_at(reply, below);
    if (!made)
      return failure_at("the fence", *below, "is not closed", "send the reply again",
                        FailureKind::truncated);
    size_t begin = i;
    auto named = path_for(reply, old->open + 1, path, options.is_file, begin);
    if (!named) return std::unexpected(named.error());
    if (named->empty() &&
        fence_info(reply.lines[old->open])->find_first_of(" :=") != std::string_view::npos)
      return failure_at("the fence", old->open, "may name a file, in a form that is not known",
                        "write the file's path on the line above it");
    if (!named->empty()) path = *std::move(named);
    size_t unused = 0;
    const std::string other = path_above(reply, made->open + 1, unused);
    if (!other.empty() && unused == made->open && !may_mean(other, path))
      return several_files_error(made->open, {path, other});
    if (!is_code(reply, *old, path) || !is_code(reply, *made, path)) continue;
    const std::vector<std::string> before = lines_in_fence(reply, old->open, old->close);
    if (std::ranges::all_of(before, [](const auto& line) { return is_blank(line); })) continue;
    if (path.empty() && options.in_chat) continue;  // said to a person, about whatever it is
    if (path.empty())
      return failure_at("the code to find", old->open, "names no file",
                        "write the file's path on the line above it");
    Hunk hunk;
    hunk.lines = line_diff(before, lines_in_fence(reply, made->open, made->close));
    hunk.source_line = old->open + 1;
    update_of(plan, path, hunk.source_line).hunks.push_back(std::move(hunk));
    plan.tells_a_person = true;
    reply.take(std::min(begin, i), made->close + 1);
    i = made->close;
  }
  return {};
}

FailureOr<void> refuse_other_code(const EditPlan& plan) {
  if (!plan.tells_a_person) return {};
  for (const PlainFence& fence : plan.plain_fences)
    if (!fence.is_for_reader)
      return failure_at("the code", fence.source_line - 1,
                        "is not below words that say what it replaces, as the other code is",
                        "send all edits as SEARCH/REPLACE blocks");
  return {};
}

}  // namespace bodkin
