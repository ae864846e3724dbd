#include "edits/lazy/part_of_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edits/lazy/missing_end.h"
#include "edits/lazy/solid_lines.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

constexpr size_t kShownLines = 3;    // that show where the text begins or stops
constexpr size_t kLongestPart = 50;  // … more show it no better
constexpr size_t kMuchLost = 10;     // more lines than anyone removes in passing

bool is_parsed(std::string_view path, const Text& text, const Syntax* syntax) {
  return syntax && text.size() <= kParsedAtOnce && syntax->knows(path);
}

std::vector<SyntaxBlock> declarations_of(std::string_view path, const Text& text,
                                         const Syntax* syntax) {
  if (!is_parsed(path, text, syntax)) return {};
  std::vector<SyntaxBlock> blocks = syntax->blocks(path, text);
  std::erase_if(blocks, [](const SyntaxBlock& block) {
    return !block.is_declaration || block.name.empty() || block.kind == "import";
  });
  return blocks;
}

// The file, the text that may be all of it, and facts about both that are needed more than once.
class Compared {
 public:
  Compared(std::string_view path, const Text& file, const std::string& contents,
           const Syntax* syntax)
      : file(file), now(contents), before(file), after(now), path_(path), syntax_(syntax) {}

  const Text &file, now;
  const SolidLines before, after;

  const std::vector<Removal>& removed() {
    if (!removed_) removed_ = removed_places(before.lines, after.lines);
    return *removed_;
  }
  const std::vector<SyntaxBlock>& declared() {
    if (!declared_) declared_ = declarations_of(path_, file, syntax_);
    return *declared_;
  }
  const std::vector<SyntaxBlock>& declared_now() {
    if (!declared_now_) declared_now_ = declarations_of(path_, now, syntax_);
    return *declared_now_;
  }

 private:
  const std::string_view path_;
  const Syntax* const syntax_;
  std::optional<std::vector<Removal>> removed_;
  std::optional<std::vector<SyntaxBlock>> declared_, declared_now_;
};

// The file's first declaration after the last outer declaration of `now`, if that is one of the
// file's and nothing that comes after it in the file is in `now`.
std::optional<std::string> declared_behind(Compared& it) {
  const auto outer_of = [](const std::vector<SyntaxBlock>& blocks) {
    std::vector<std::string> names;
    size_t end = 0;
    for (const SyntaxBlock& block : blocks)
      if (block.lines.begin >= end || names.empty())
        names.push_back(block.name), end = block.lines.end;
    return names;
  };
  const std::vector<std::string> before = outer_of(it.declared()),
                                 after = outer_of(it.declared_now());
  if (after.empty()) return std::nullopt;
  const auto last = std::ranges::find(before, after.back());
  if (last == before.end() || last + 1 == before.end()) return std::nullopt;
  const bool all_gone = std::none_of(last + 1, before.end(), [&](const std::string& name) {
    return std::ranges::count(after, name) > 0;
  });
  return all_gone ? std::optional(*(last + 1)) : std::nullopt;
}

std::optional<std::string> why_left_out(Compared& it) {
  // One in this many lines may be removed: no part shows all of the others.
  constexpr size_t kFew = 20;
  const SolidLines& before = it.before;
  const size_t count = before.lines.size();
  const std::vector<Removal>& places = it.removed();
  std::vector<char> kept(count, 1);
  const auto part = [](std::vector<char>& flags, size_t begin, size_t end) {
    return std::span(flags).subspan(begin, end - begin);
  };
  for (const Removal& gone : places) std::ranges::fill(part(kept, gone.begin, gone.end), 0);
  const size_t kept_count = static_cast<size_t>(std::ranges::count(kept, 1));
  if ((count - kept_count) * kFew <= count) return std::nullopt;
  if (kept_count == 0) return "has nothing in common with it";

  // The lines of declarations that are still there, and of those that are not.
  const std::vector<SyntaxBlock>& declared = it.declared();
  std::map<std::pair<std::string_view, std::string_view>, size_t> names;
  for (const SyntaxBlock& block : it.declared_now()) ++names[{block.kind, block.name}];
  std::vector<char> declared_still(count, 0), undeclared(count, 0);
  const SyntaxBlock* first_gone = nullptr;
  for (const SyntaxBlock& block : declared) {  // the outer before the inner
    const auto index_of = [&](size_t line) {
      return static_cast<size_t>(std::ranges::lower_bound(before.numbers, line) -
                                 before.numbers.begin());
    };
    const size_t begin = index_of(block.lines.begin), end = index_of(block.lines.end);
    size_t& left = names[{block.kind, block.name}];
    const bool is_there = left > 0 || 2 * std::ranges::count(part(kept, begin, end), 1) >=
                                          static_cast<long>(end - begin);
    if (left > 0) --left;
    std::ranges::fill(part(declared_still, begin, end), is_there);
    std::ranges::fill(part(undeclared, begin, end), !is_there);
    if (!is_there && !first_gone) first_gone = &block;
  }

  // Lines removed without a replacement, or at the file's beginning or end, or a quarter of it, are
  // lost; so are lines of no declaration if fewer come.
  size_t lost = 0, worst = 0;
  LineRange worst_lines;
  for (const Removal& gone : places) {
    const size_t loose =
        static_cast<size_t>(std::ranges::count(part(declared_still, gone.begin, gone.end), 0));
    const bool is_bare =
        gone.added == 0 || gone.begin == 0 || gone.end == count || 4 * gone.lost() > count;
    const size_t here = is_bare ? gone.lost() : std::min(loose, gone.lost());
    lost += here;
    if (here > worst) worst = here, worst_lines = {gone.begin, gone.end};
  }
  if (lost * kFew > count)
    return lines_left_out(before, worst_lines.begin, worst_lines.end - worst_lines.begin);
  if (static_cast<size_t>(std::ranges::count(undeclared, 1)) * kFew > count)
    return fmt::format("leaves out {}", first_gone->name);
  const bool has_enough = declared.empty() ? 3 * kept_count >= 2 * count : 4 * kept_count >= count;
  if (!has_enough) return "has little in common with it";
  return std::nullopt;
}

// Why `contents`, below only the file's path, shows just a part of it; nullopt if it is the whole
// file, however much of it changed: it is not much shorter, or has its first and last line, and
// does not end or begin in its middle.
std::optional<std::string> why_a_part(Compared& it) {
  const auto& old = it.before.lines;
  const auto& lines = it.after.lines;
  if (lines.empty() || old.empty()) return std::nullopt;
  const bool has_ends = old.front() == lines.front() && old.back() == lines.back();
  if (old.size() <= kTiny && lines.size() < old.size()) return "leaves out lines of it";
  const size_t parts = has_ends && has_word(old.front()) ? 4 : 2;
  if (old.size() > kTiny && parts * lines.size() < old.size()) return "leaves out most of it";
  if (const auto gone = declared_behind(it))
    return fmt::format("ends before {}, which would be lost", *gone);
  return std::nullopt;
}

bool brings_lines(const Compared& it) {
  const auto plain = [](std::string_view line) {
    return line.ends_with(',') ? line.substr(0, line.size() - 1) : line;
  };
  std::unordered_set<std::string_view> known;
  for (const std::string_view line : it.before.lines) known.insert(plain(line));
  return !std::ranges::all_of(it.after.lines,
                              [&](std::string_view line) { return known.contains(plain(line)); });
}

// Why lines go that the text does not mean to remove: it brings none, and leaves out several
// places.
std::optional<std::string> only_leaves_out(Compared& it) {
  if (brings_lines(it)) return std::nullopt;
  size_t places = 0, lost = 0;
  for (const Removal& gone : it.removed())
    if (gone.lost() > 0) ++places, lost += gone.lost();
  if (places < 2 || 10 * lost < it.before.lines.size()) return std::nullopt;
  return "only quotes lines of it";
}

// Why bodies would go: of several functions only a stub is shown, as in an outline.
std::optional<std::string> shows_stubs(Compared& it) {
  static constexpr std::string_view kStubs[] = {"pass",  "throw",         "raise",
                                                "panic", "unimplemented", "todo"};
  const auto body_of = [](const Text& text, const SyntaxBlock& block) {
    std::string body;  // without brackets
    for (size_t i = block.body_line; i < std::min(block.lines.end, text.line_count()); ++i)
      if (const std::string line = text.line(i); has_word(line)) body += line + '\n';
    return body;
  };
  std::map<std::string_view, const SyntaxBlock*> shown;
  for (const SyntaxBlock& block : it.declared_now()) shown.emplace(block.name, &block);
  size_t stubs = 0;
  const SyntaxBlock* first = nullptr;
  for (const SyntaxBlock& block : it.declared()) {
    const auto found = shown.find(block.name);
    if (found == shown.end() || found->second->kind != block.kind ||
        std::ranges::count(body_of(it.file, block), '\n') < 2)
      continue;
    const std::string body = body_of(it.now, *found->second);
    const std::string_view words = trimmed(body), word = first_word(words);
    if (std::ranges::count(body, '\n') > 1 ||
        (!words.empty() && !is_one_of(word, kStubs) && !(word == "return" && words.size() < 12)))
      continue;
    ++stubs;
    if (!first) first = &block;
  }
  return stubs > 1 ? std::optional("leaves out the body of " + first->name) : std::nullopt;
}

}  // namespace

std::string first_line(const Text& text) {
  size_t line = 0;
  while (line + 1 < text.line_count() && is_blank(text.line(line))) ++line;
  return text.line(line);
}

std::optional<std::string> why_not_whole(const FileChange& change, std::string_view path,
                                         const Text& file, const std::string& contents,
                                         const Syntax* syntax) {
  Compared it(path, file, contents, syntax);
  auto why = why_left_out(it);
  if (why && change.as<FileFence>() && change.as<FileFence>()->has_bare_path) why = why_a_part(it);
  if (!why && !contents.empty()) why = lacks_an_end(it.before, it.after, it.removed());
  if (!why) why = only_leaves_out(it);
  if (!why) why = shows_stubs(it);
  return why;
}

std::optional<std::string> left_out(std::string_view path, const Text& file,
                                    const std::string& contents, const Syntax* syntax) {
  Compared it(path, file, contents, syntax);
  auto why = why_left_out(it);
  return why ? why : lacks_an_end(it.before, it.after, it.removed());
}

std::optional<size_t> where_it_stops(std::string_view path, const Text& file,
                                     const std::string& contents, const Syntax* syntax,
                                     bool at_end) {
  const Text now(contents);
  SolidLines before(file), after(now);
  if (!at_end)
    for (SolidLines* side : {&before, &after})
      std::ranges::reverse(side->lines), std::ranges::reverse(side->numbers);
  const auto& old = before.lines;
  const auto& lines = after.lines;
  if (lines.empty()) return std::nullopt;
  // The end of the longest run of the file's lines that the text ends with, the last line perhaps
  // in its middle; of equal ones the last, which loses the least.
  size_t stop = 0, longest = 0;
  for (size_t end = old.size(); end > 0; --end) {
    if (at_end ? !old[end - 1].starts_with(lines.back()) : old[end - 1] != lines.back()) continue;
    size_t run = 1;
    const size_t most = std::min({end, lines.size(), kLongestPart});
    while (run < most && lines[lines.size() - 1 - run] == old[end - 1 - run]) ++run;
    if (run > longest) longest = run, stop = end;
  }
  if (longest < std::min(kShownLines, lines.size()) || stop == old.size()) return std::nullopt;
  const bool is_cut = longest > 1 && old[stop - 1] != lines.back();
  const size_t lost = old.size() - stop;
  if (is_cut || (lost >= kMuchLost && 4 * lost >= old.size())) return before.numbers[stop - 1];
  if (!is_parsed(path, file, syntax)) return std::nullopt;
  const auto errors = syntax->new_errors(path, file, now);
  return errors && !errors->empty() ? std::optional(before.numbers[stop - 1]) : std::nullopt;
}

}  // namespace bodkin
