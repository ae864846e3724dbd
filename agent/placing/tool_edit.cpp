// More than 350 lines: one class reads the arguments of all tools, because which of them contradict
// each other is the same for all.
#include "agent/placing/tool_edit.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "agent/platform/paths.h"
#include "edits/formats/reply_lines.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

// The hunk that replaces the lines [begin, end), from 0, by `added`.
Hunk hunk_at_lines(size_t begin, size_t end, const std::vector<std::string>& added) {
  Hunk hunk;
  hunk.format = NumberedEdit{{begin, end}};
  for (const std::string& line : added) hunk.lines.push_back({HunkLine::Kind::added, line});
  return hunk;
}

constexpr std::string_view
    kPath = "path file_path filePath filename file_name file target_file targetFile filepath",
    kBefore = "old_str old_string oldString oldText old_text old_code old search",
    kAfter =
        "new_str new_string newString newText new_text new_code new replace replacement "
        "insert_text text",
    kContents = "file_text fileText content contents", kSketch = "code_edit codeEdit",
    kCommand = "command operation action type", kInsert = "insert_line insertLine",
    kStartLine = "start_line startLine line", kEndLine = "end_line endLine",
    kAll = "replace_all replaceAll allow_multiple", kCount = "expected_replacements",
    kWords =
        "description instructions instruction explanation reason thought summary line_count "
        "overwrite";

constexpr std::string_view kInsertContent = "insert_content";

bool contains_word(std::string_view words, std::string_view word) {
  for (size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) {
      return !word.empty();
    }
  }
  return false;
}

std::optional<size_t> number_of(const std::string* text) {
  if (text == nullptr) return std::nullopt;
  const std::string_view s = trimmed(*text);
  long long number = 0;
  const auto [rest, error] = std::from_chars(s.data(), s.data() + s.size(), number);
  if (error == std::errc::result_out_of_range && !s.starts_with('-')) return size_t{1} << 40;
  if (error != std::errc() || rest != s.data() + s.size() || number < 0) return std::nullopt;
  return static_cast<size_t>(std::min(number, 1LL << 40));
}

// Pieces between line ends: "a\n" has two, the second empty.
std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const size_t end = text.find('\n');
    std::string_view piece = text.substr(0, end);
    if (end != text.npos && piece.ends_with('\r')) piece.remove_suffix(1);
    pieces.emplace_back(piece);
    if (end == text.npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> lines_in(std::string_view text) {
  std::vector<std::string> lines = pieces_of(text);
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

// "12 | text" on every line, counted up from `start`: the model copied a numbered listing. False:
// they are counted from a line close by, so that one of both is wrong.
bool drop_line_numbers(std::vector<std::string>& lines, size_t start) {
  constexpr size_t kClose = 10;  // lines; a table that has such numbers begins anywhere
  std::vector<std::string> bare;
  size_t first = start;
  bool has_bars = true;
  for (const std::string& line : lines) {
    const char* const end = line.data() + line.size();
    size_t number = 0;
    const auto [rest, error] = std::from_chars(
        line.data() + std::min(line.find_first_not_of(" \t"), line.size()), end, number);
    if (bare.empty()) first = number;
    if (error != std::errc() || number != first + bare.size()) return true;
    std::string_view text(rest, static_cast<size_t>(end - rest));
    const size_t sign = text.find_first_not_of(' ');
    if (sign == text.npos || (text[sign] != '|' && text[sign] != ':' && text[sign] != '\t'))
      return true;
    has_bars &= text[sign] == '|';
    text.remove_prefix(sign + 1);
    if (text.data()[-1] != '\t' && text.starts_with(' ')) text.remove_prefix(1);
    bare.emplace_back(text);
  }
  if (first != start)
    return bare.empty() || !has_bars || std::max(first, start) - std::min(first, start) > kClose;
  lines = std::move(bare);
  return true;
}

bool begins_with_line_end(std::string_view text) {
  return text.starts_with('\n') || text.starts_with('\r');
}

// A line end at an edge of the old text that the new text lacks ends a line, and is not content:
// without it, two lines would become one. It is added to the new text, unless it is all that the
// change takes away, or a blank takes its place. False: unclear.
bool complete_line_ends(std::string_view before, std::string& after) {
  if (after.empty() || before.find_first_not_of("\r\n") == before.npos) return true;
  const std::string_view end = before.find("\r\n") != before.npos ? "\r\n" : "\n";
  if (before.ends_with(end) && !after.ends_with('\n')) {
    const std::string_view last = before.substr(0, before.size() - end.size());
    const bool is_joined = after.ends_with(' ') && !last.ends_with(' ');
    if (!is_joined && last != after) after += end;
  }
  if (!before.starts_with(end) || begins_with_line_end(after)) return true;
  const std::string_view first = before.substr(end.size());
  if (first == after) return true;
  const std::string_view own = indentation_of(after);
  // New lines before the old text, all of which follows, may be of another depth.
  const bool is_alike = own == indentation_of(first) || after.ends_with(before);
  if (is_alike) after.insert(0, end);
  return is_alike || own == " ";
}

// The verb of the call, from its command or the tool's name: the first one that is known.
std::string command_of(const ToolArguments& call) {
  const std::string* command = call.find(kCommand);
  const std::string written = lower_case(command ? *command : call.tool);
  for (const std::string_view verb : {"create", "delete", "remove", "insert", "append", "prepend",
                                      "view", "read", "undo_edit", "add", "new", "make", "touch"})
    if (written.starts_with(verb)) return std::string(verb);
  for (const std::string_view verb : {"append", "prepend", "insert", "create", "delete", "remove"})
    if (!command && written.find(verb) != written.npos) return std::string(verb);
  return command ? written : "";
}

class Adder {
 public:
  Adder(const ToolArguments& call, const std::string& path, const std::string& name,
        size_t source_line, EditPlan& plan)
      : call_(call), path_(path), name_(name), source_line_(source_line), plan_(plan) {}

  FailureOr<void> add() {
    if (path_.empty()) return malformed("names no file", "give its path");
    const std::string command = command_of(call_);
    const bool removes = is_removal(command);
    const std::string *before = call_.find(kBefore), *after = call_.find(kAfter),
                      *contents = call_.find(kContents);
    if (before == nullptr && call_.find(kInsert) != nullptr) return add_insertion();
    if (before == nullptr && call_.find(kStartLine) != nullptr) {
      return add_lines(command, after != nullptr ? after : contents);
    }
    if (is_one_of(command, {"view", "read", "undo_edit"})) return malformed("is not an edit");
    if (const std::string* sketch = call_.find(kSketch)) {
      return add_file(FileChange::Kind::lazy, *sketch);
    }
    if (before == nullptr && removes) return add_removal(contents);
    if (contents != nullptr && before == nullptr) return add_contents(command, *contents);
    if (before == nullptr) return malformed("has no old_str");
    if (after == nullptr) after = contents;
    if (after == nullptr && (!removes || has_unknown_text() || before->empty()))
      return malformed("has no new_str", "to remove the text, give an empty one");
    if (before->empty()) return add_file(FileChange::Kind::create, *after);
    return add_replacement(*before, after != nullptr ? *after : "");
  }

 private:
  std::unexpected<Failure> malformed(std::string_view what, std::string advice = {}) const {
    return failure(FailureKind::malformed, name_ + " " + std::string(what), std::move(advice));
  }

  static bool is_removal(std::string_view command) {
    return is_one_of(command, {"delete", "remove"});
  }

  // A file that exists is only overwritten by a call that says so.
  FailureOr<void> add_contents(std::string_view command, const std::string& contents) {
    if (is_one_of(command, {"append", "prepend"}))
      return malformed("adds to a file", "give the line before it as old_str");
    const std::string* overwrite = call_.find("overwrite");
    const bool makes = is_one_of(command, {"create", "insert", "add", "new", "make", "touch"}) ||
                       (overwrite && lower_case(*overwrite) == "false");
    return add_file(makes ? FileChange::Kind::create : FileChange::Kind::overwrite, contents);
  }

  // If there are contents, it is only removed if it holds them and nothing else.
  FailureOr<void> add_removal(const std::string* contents) {
    if (auto done = add_file(FileChange::Kind::remove, ""); !done || !contents) return done;
    FileChange& change = plan_.changes.back();
    Hunk& hunk = change.hunks.emplace_back();
    for (std::string& line : lines_in(*contents))
      hunk.lines.push_back({HunkLine::Kind::removed, std::move(line)});
    return {};
  }

  // A text whose name says nothing to us, and which may be the new one.
  bool has_unknown_text() const {
    return std::any_of(call_.values.begin(), call_.values.end(), [](const auto& value) {
      for (const std::string_view known : {kPath, kBefore, kAfter, kContents, kCommand, kAll,
                                           kCount, kWords, kInsert, kStartLine, kEndLine})
        if (contains_word(known, value.first)) return false;
      return true;
    });
  }

  FailureOr<void> add_replacement(const std::string& before, const std::string& after) {
    Hunk hunk;
    const auto lines_of = call_.whole_lines ? lines_in : pieces_of;
    std::string now = after;
    if (!call_.whole_lines && !complete_line_ends(before, now))
      return malformed(
          "has a line end before its old text and none before its new text, which would join two "
          "lines",
          "begin both with the same text");
    if (!call_.whole_lines)
      hunk.format = StringReplacement{begins_with_line_end(now) && !begins_with_line_end(after)};
    hunk.lines = line_diff(lines_of(before), lines_of(now));
    const std::string* all = call_.find(kAll);
    if (all != nullptr && (*all == "true" || *all == "True")) hunk.places = 0;
    if (const auto count = number_of(call_.find(kCount)); count && *count > 1) hunk.places = *count;
    return add_hunk(std::move(hunk));
  }

  FailureOr<void> add_insertion() {
    const auto line = number_of(call_.find(kInsert));
    const std::string* text = call_.find(kAfter);
    if (text == nullptr) text = call_.find(kContents);
    if (!line || text == nullptr) return malformed("needs insert_line (0 or more) and new_str");
    return add_hunk(hunk_at_lines(*line, *line, lines_in(*text)));
  }

  FailureOr<void> add_lines(const std::string& command, const std::string* text) {
    const bool removes = is_removal(command);
    const bool has_end = call_.find(kEndLine) != nullptr;
    const auto start = number_of(call_.find(kStartLine));
    const auto end = has_end ? number_of(call_.find(kEndLine)) : start;
    const size_t first = call_.tool == kInsertContent ? 0 : 1;
    if (!start || !end || *start < first || *end + 1 < *start) {
      return malformed("needs start_line and end_line, from 1 and in order");
    }
    if (text == nullptr && !removes) return malformed("has no replacement");
    if (call_.tool == kInsertContent && !has_end) return add_before(*start, *text);
    if (command == "insert" && !has_end) {
      return malformed("inserts at a line without saying before or after",
                       "give start_line, end_line and "
                       "replacement");
    }
    std::vector<std::string> lines;
    if (!removes) lines = lines_in(*text);
    if (!drop_line_numbers(lines, *start))
      return malformed("replaces other lines than those by which its new text is numbered",
                       "leave the numbers out");
    return add_hunk(hunk_at_lines(*start - 1, *end, lines));
  }

  // Roo's insert_content: before this line, or 0: at the end.
  FailureOr<void> add_before(size_t line, const std::string& text) {
    const std::vector<std::string> lines = lines_in(text);
    if (line > 0) return add_hunk(hunk_at_lines(line - 1, line - 1, lines));
    Hunk hunk;
    hunk.evidence.at_end_of_file = true;
    for (const std::string& added : lines) hunk.lines.push_back({HunkLine::Kind::added, added});
    return add_hunk(std::move(hunk));
  }

  FailureOr<void> add_hunk(Hunk hunk) {
    hunk.source_line = source_line_;
    update_of(plan_, path_, source_line_).hunks.push_back(std::move(hunk));
    return {};
  }

  FailureOr<void> add_file(FileChange::Kind kind, const std::string& text) {
    FileChange change;
    change.kind = kind;
    change.path = path_;
    change.contents = text;
    change.source_line = source_line_;
    plan_.changes.push_back(std::move(change));
    return {};
  }

  const ToolArguments& call_;
  const std::string path_;
  const std::string& name_;
  const size_t source_line_;
  EditPlan& plan_;
};

}  // namespace

const std::string* ToolArguments::find(std::string_view names) const {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    for (const auto& [key, value] : values)  // a few: faster than a search in the tree
      if (key == name) return &value;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return nullptr;
}

std::vector<std::string> argument_names() {
  std::vector<std::string> names;
  for (std::string_view words : {kPath, kBefore, kAfter, kContents, kSketch, kCommand, kInsert,
                                 kStartLine, kEndLine, kAll, kCount, kWords})
    for (size_t at = 0, end = 0; at < words.size(); at = end + 1) {
      end = std::min(words.find(' ', at), words.size());
      names.emplace_back(words.substr(at, end - at));
    }
  return names;
}

bool is_text_argument(std::string_view name) {
  return contains_word(kBefore, name) || contains_word(kAfter, name) ||
         contains_word(kContents, name) || contains_word(kSketch, name);
}

std::string path_of(const ToolArguments& call) {
  const std::string* path = call.find(kPath);
  return path != nullptr ? cleaned_path(*path) : "";
}

std::string path_of(const ToolArguments& call, const std::string& path) {
  std::string own = path_of(call);
  return own.empty() || own == cleaned_path(path) ? path : own;
}

bool is_edit(const ToolArguments& call) {
  const auto has = [&](std::string_view names) { return call.find(names) != nullptr; };
  // The words of the tools, not those that any JSON may have ("old", "text").
  const bool before = has("old_str old_string oldString oldText old_text old_code");
  const bool after = has("new_str new_string newString newText new_text new_code");
  if (before && after) return true;
  if (has(kInsert) && has(kAfter)) return true;
  if (call.tool == kInsertContent && has("line") && has(kContents)) return true;
  if (has("start_line startLine") && has(kEndLine) && (has(kAfter) || has(kContents))) return true;
  const std::string path = path_in_line(path_of(call));
  if (before && !path.empty()) return true;  // without its new text it is refused
  if (path.empty() || os::is_absolute(path)) return false;
  if (has(kSketch)) return true;
  const bool contents = has(kContents), search = has("search") && has("replace");
  const std::string command = command_of(call);
  const bool removes = !call.tool.empty() && (command == "delete" || command == "remove");
  if (!contents && !search && !removes) return false;
  return std::all_of(call.values.begin(), call.values.end(), [](const auto& value) {
    for (const std::string_view known :
         {kPath, kBefore, kAfter, kContents, kCommand, kAll, kCount, kWords}) {
      if (contains_word(known, value.first)) return true;
    }
    return false;
  });
}

FailureOr<void> add_tool_edit(const ToolArguments& call, const std::string& path,
                              const std::string& name, size_t source_line, EditPlan& plan) {
  return Adder(call, path_of(call, path), name, source_line, plan).add();
}

}  // namespace bodkin
