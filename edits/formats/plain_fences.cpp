#include "edits/formats/plain_fences.h"

#include <algorithm>
#include <set>

#include "edits/formats/lists_of_files.h"
#include "edits/formats/path_in_words.h"
#include "edits/plan/elision.h"
#include "edits/plan/paths.h"

namespace bodkin {
namespace {

// Fences in which models show commands …
constexpr std::string_view kCommands[] = {
    "bash",       "sh",       "shell", "zsh",        "fish", "console", "shell-session",
    "sh-session", "terminal", "cmd",   "powershell", "ps1",  "bat"};
// … and what these print, or any text.
constexpr std::string_view kOutput[] = {"text", "txt", "plaintext", "output", "log", "stdout"};

// True if a file of this name may hold what such fences hold: a script or a text.
bool is_script(std::string_view path) {
  const std::string_view name = last_part(path);
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return true;  // "Makefile", ".env"
  const std::string_view extension = name.substr(dot + 1);
  return is_one_of(extension, kCommands) || is_one_of(extension, kOutput) ||
         is_one_of(extension, {"md", "rst", "env", "psm1"});
}

std::string_view language_of_fence(const ReplyLines& reply, size_t open) {
  return first_word(*fence_info(reply.lines[open]));
}

bool is_number(std::string_view word) { return word.find_first_not_of("0123456789") == word.npos; }

// "The limit was too low. Here is b.py:" says of b.py only what its last sentence says.
std::string_view last_sentence(std::string_view heading) {
  for (const std::string_view stop : {". ", "! ", "? "})
    if (const size_t at = heading.rfind(stop);
        at != heading.npos && !is_number(first_word(trimmed(heading.substr(0, at)))))
      heading.remove_prefix(at + stop.size());
  return heading;
}

// The nearest line above that is not blank, if it is, or ends with, a heading.
std::optional<size_t> heading_above(const ReplyLines& reply, size_t line) {
  while (line > 0 && !reply.taken[line - 1] && is_blank(reply.lines[line - 1])) --line;
  if (line == 0 || reply.taken[line - 1]) return std::nullopt;
  const std::string_view above = reply.lines[line - 1];
  return is_heading(above) || (trimmed(above).ends_with(':') && is_heading(last_sentence(above)))
             ? std::optional(line - 1)
             : std::nullopt;
}

// With any other word, a heading may say something else than that a file is new …
constexpr std::string_view kNew[] = {"create",  "add",       "a",        "an",      "the",   "new",
                                     "file",    "called",    "named",    "with",    "this",  "code",
                                     "content", "following", "contents", "now",     "then",  "next",
                                     "first",   "also",      "and",      "finally", "let",   "step",
                                     "save",    "as",        "it",       "test",    "tests", "s"};
// … or becomes what follows …
constexpr std::string_view kBecomes[] = {
    "here",   "is",      "are",     "in",    "for",      "of",       "to",     "be",     "should",
    "your",   "version", "after",   "below", "please",   "follows",  "i",      "ve",     "have",
    "look",   "looks",   "like",    "put",   "use",      "write",    "revert", "result", "solution",
    "method", "class",   "changes", "sure",  "function", "component"};
// … but not behind one of these: "Update b.py to read the new setting:", "Here's the updated b.py
// that no longer needs a lock:".
constexpr std::string_view kChanged[] = {
    "update",   "replace",    "change",    "edit",     "modify",   "rewrite", "fix",   "overwrite",
    "updated",  "changed",    "corrected", "modified", "fixed",    "revised", "final", "rewritten",
    "updating", "refactored", "improved",  "full",     "complete", "entire",  "whole", "becomes"};
// What a text was.
constexpr std::string_view kOfBefore[] = {"before",  "old",      "previous",  "original",
                                          "current", "existing", "currently", "was"};

// The words around a name in a line.
std::vector<std::string> words_beside(std::string_view line, std::string_view name) {
  std::string talk = talk_of(line);
  if (const size_t at = talk.find(lower_case(name)); at != talk.npos)
    talk.replace(at, name.size(), " ");
  return words_of_talk(talk);
}

template <size_t n>
bool has_any(const std::vector<std::string>& words, const std::string_view (&some)[n]) {
  return std::ranges::any_of(words, [&](const auto& word) { return is_one_of(word, some); });
}

// True if the sentence has a word that may say something else than that the file of this name
// becomes what follows.
bool may_say_otherwise(std::string_view heading, const std::string& name) {
  for (const std::string& word : words_beside(heading, name)) {
    if (is_one_of(word, kChanged)) return false;
    if (!is_one_of(word, kNew) && !is_one_of(word, kBecomes) && !is_number(word)) return true;
  }
  return false;
}

// True if the heading says that the file of this name does not become what follows: another one of
// the name is in a folder that it names, or the text is told not to be it, was it, or is what a
// program writes.
bool says_otherwise(std::string_view heading, const std::string& name, const IsFile& is_there) {
  constexpr std::string_view kOther[] = {
      "not",      "don",     "isn",     "never",       "wrong",    "broken",
      "fails",    "reads",   "prints",  "output",      "example",  "alternative",
      "would",    "suppose", "imagine", "assume",      "compare",  "comparison",
      "contrast", "nothing", "marked",  "highlighted", "annotated"};
  const std::vector<std::string> words = words_beside(heading, name);
  // "Replace your existing b.py with:"
  const bool is_replaced =
      has_any(words, kChanged) && is_one_of(words.back(), {"with", "to", "by", "follows"});
  if (has_any(words, kOther) || (has_any(words, kOfBefore) && !is_replaced)) return true;
  size_t from = heading.find('`');
  while (is_there && from != heading.npos) {
    const size_t end = heading.find('`', from + 1);
    if (end == heading.npos) break;
    std::string folder(heading.substr(from + 1, end - from - 1));
    if (folder.ends_with('/')) folder.pop_back();
    if (!folder.empty() && folder != name && is_there(folder + "/" + name)) return true;
    from = heading.find('`', end + 1);
  }
  return false;
}

// True if what is below is a file as it was: "### Before", "Your current file:".
bool is_of_before(const ReplyLines& reply, size_t line) {
  const auto above = heading_above(reply, line);
  if (!above) return false;
  const std::vector<std::string> words = words_beside(reply.lines[*above], "");
  return has_any(words, kOfBefore) && std::ranges::all_of(words, [](const std::string& word) {
           return is_one_of(word, kOfBefore) || is_one_of(word, kNew) || is_one_of(word, kBecomes);
         });
}

// Names the file that the fence is, if the reply says so.
void name_file(const ReplyLines& reply, size_t open, const ParseOptions& options,
               PlainFence& fence) {
  size_t begin = open;
  fence.path = path_above_fence(reply, open, options.is_file, begin);
  if (fence.path.empty() && open + 1 < reply.size() && !is_of_before(reply, open))
    fence.path = path_in_comment(reply.lines[open + 1]);
  const auto above = heading_above(reply, open);
  if (fence.path.empty() && above) {
    const std::string_view sentence = last_sentence(reply.lines[*above]);
    std::vector<std::string> names = files_named_in(reply.lines[*above], options.is_file);
    if (names.size() == 1 && (!options.is_file || options.is_file(names[0])) &&
        item_above(reply, *above, names[0], options.is_file).empty() &&
        !is_of_before(reply, *above) &&
        !says_otherwise(sentence, names[0], options.is_exact_name)) {
      fence.is_doubtful = may_say_otherwise(sentence, names[0]) || !sentence.contains(names[0]);
      fence.path = std::move(names[0]);
      fence.is_for_reader =
          is_one_of(language_of_fence(reply, open), kOutput) && !is_script(fence.path);
    }
  }
  fence.is_for_reader |= shows_commands(reply, open, fence.path);
}

}  // namespace

bool shows_commands(const ReplyLines& reply, size_t open, std::string_view path) {
  const std::string_view language = language_of_fence(reply, open);
  // A text may be any file except one of code, whose fence names its language.
  const bool is_data = is_one_of(path.substr(path.rfind('.') + 1),
                                 {"json", "yaml", "yml", "toml", "ini", "cfg", "xml"});
  const bool is_output = is_one_of(language, kOutput) && has_known_extension(path) && !is_data;
  return (is_output || is_one_of(language, kCommands)) && (path.empty() || !is_script(path));
}

std::string path_above_fence(const ReplyLines& reply, size_t open, const IsFile& is_file,
                             size_t& begin) {
  std::string path = path_above(reply, open + 1, begin);
  if (!path.empty() &&
      (is_of_before(reply, begin) || !item_above(reply, begin, path, is_file).empty()))
    path.clear(), begin = open;
  return path;
}

std::string path_in_comment(std::string_view line) {
  line = trimmed(line);
  for (const std::string_view sign : {"//", "#", "--", "/*", "<!--", ";;", ";", "%"})
    if (line.starts_with(std::string(sign) + " "))
      return path_in_line(trimmed(line.substr(sign.size())));
  return "";
}

std::string new_path_above(const ReplyLines& reply, size_t open, const IsFile& is_file,
                           size_t& begin) {
  const auto above = heading_above(reply, open);
  if (!is_file || !above) return "";
  std::vector<std::string> names = files_named_in(reply.lines[*above], is_file);
  if (names.size() != 1 || is_file(names[0]) || shows_commands(reply, open, names[0]) ||
      !item_above(reply, *above, names[0], is_file).empty())
    return "";
  bool is_new = false;
  for (const std::string& word : words_beside(reply.lines[*above], names[0])) {
    if (!is_one_of(word, kNew) && !is_number(word)) return "";
    is_new |= is_one_of(word, {"create", "new", "add", "save"});
  }
  if (!is_new) return "";
  while (begin = open - 1, is_blank(reply.lines[begin])) --open;
  return std::move(names[0]);
}

void find_plain_fences(const ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  for (size_t i = 0; i < reply.size(); ++i) {
    const auto info = reply.taken[i] ? std::nullopt : fence_info(reply.lines[i]);
    // A fence line below an edit closes that one's own fence.
    if (!info || (info->empty() && i > 0 && reply.taken[i - 1])) continue;
    PlainFence fence;
    fence.source_line = i + 1;
    size_t end = i + 1;
    bool has_text = false;
    for (; end < reply.size() && !reply.taken[end]; ++end) {
      if (closes_fence(reply.lines[i], reply.lines[end])) break;
      has_text = has_text || !is_blank(reply.lines[end]);
      fence.contents.append(reply.lines[end]).push_back('\n');
    }
    fence.line_count = end - i - 1;
    const bool is_closed = end < reply.size() && !reply.taken[end];
    if (!is_closed && (end < reply.size() || info->empty())) continue;
    name_file(reply, i, options, fence);
    if (has_text) plan.plain_fences.push_back(std::move(fence));
    i = end;
  }
}

bool has_marked_edits(const EditPlan& plan) {
  return std::ranges::any_of(plan.changes,
                             [](const FileChange& change) { return !change.is_shown(); });
}

void give_back_unmarked_files(ReplyLines& reply, const ParseOptions& options, EditPlan& plan) {
  if (!has_marked_edits(plan)) return;
  std::erase_if(plan.changes, [&](const FileChange& change) {
    if (!change.is_shown()) return false;
    reply.give_back(change.shown());
    size_t begin = 0;
    const std::string path = new_path_above(reply, change.source_line - 1, options.is_file, begin);
    const bool is_new = path == change.path && change.kind == FileChange::Kind::overwrite;
    if (is_new) reply.take(change.shown().begin, change.shown().end);
    return !is_new;
  });
}

void take_named_files(const ParseOptions& options, EditPlan& plan) {
  if (has_marked_edits(plan) || !options.is_file) return;
  std::set<std::string> paths;
  for (const FileChange& change : plan.changes) paths.insert(change.path);
  bool has_other_code = false, are_whole = true;
  for (const PlainFence& fence : plan.plain_fences) {
    if (fence.is_for_reader) continue;
    if (fence.path.empty() || !options.is_file(fence.path)) {
      has_other_code = true;
      continue;
    }
    const bool is_whole =
        options.is_whole_file && options.is_whole_file(fence.path, fence.contents);
    // What the words leave open, the text decides.
    if ((fence.is_doubtful && !is_whole) || !paths.insert(fence.path).second) return;
    are_whole &= is_whole;
  }
  // Below a whole file, other code is how it is used; beside a part, it may be one, too.
  if (has_other_code && !are_whole) return;
  std::erase_if(plan.plain_fences, [&](PlainFence& fence) {
    if (fence.is_for_reader || !paths.contains(fence.path)) return false;
    FileChange& change = plan.changes.emplace_back();
    change.kind = FileChange::Kind::overwrite;
    FileFence said;
    said.names_existing = true;
    said.begins_with_path =
        !path_in_comment(std::string_view(fence.contents).substr(0, fence.contents.find('\n')))
             .empty();
    said.lines = {fence.source_line - 1, fence.source_line + fence.line_count + 1};
    change.path = fence.path;
    change.contents = std::move(fence.contents);
    const std::vector<char> elided = elisions_of(ReplyLines(change.contents).lines, true);
    if (std::ranges::count(elided, 1) > 0) change.kind = FileChange::Kind::lazy;
    change.source_line = fence.source_line;
    change.said_by = said;
    return true;
  });
}

}  // namespace bodkin
