// More than 350 lines: the measures of what a text has of a file share its lines and their diff.
#include "edits/lazy/part_of_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edits/plan/diff.h"
#include "edits/plan/elision.h"
#include "edits/text/find_bytes.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

namespace {

constexpr size_t kShownLines = 3;    // that show where the text begins or stops
constexpr size_t kLongestPart = 50;  // … more show it no better
constexpr size_t kMuchLost = 10;     // more lines than anyone removes in passing

// The lines that are not blank, trimmed, and their numbers.
struct Lines {
  std::vector<std::string> lines;
  std::vector<size_t> numbers;

  explicit Lines(const Text& text) {
    const MappedText mapped(text);
    for (size_t i = 0; i < mapped.line_count(); ++i) {
      const std::string_view line = trimmed(mapped.line(i));
      if (line.empty()) continue;
      lines.emplace_back(line);
      numbers.push_back(i);
    }
  }
};

// A place where lines of the file go (half open, in `Lines`) and so many others come.
struct Removal {
  size_t begin, end, added;
  size_t count() const { return end - begin; }
  size_t lost() const { return count() - std::min(count(), added); }
};

std::vector<Removal> removed_places(const std::vector<std::string>& before,
                                    const std::vector<std::string>& after) {
  using Kind = HunkLine::Kind;
  std::vector<Removal> places;
  const std::vector<HunkLine> diff = line_diff(before, after);
  size_t line = 0;
  for (size_t i = 0; i < diff.size();) {
    if (diff[i].kind == Kind::context) {
      ++line, ++i;
      continue;
    }
    Removal gone{line, line, 0};
    for (; i < diff.size() && diff[i].kind != Kind::context; ++i)
      ++(diff[i].kind == Kind::removed ? gone.end : gone.added);
    line = gone.end;
    if (gone.count() > 0) places.push_back(gone);
  }
  return places;
}

std::vector<SyntaxBlock> declarations_of(std::string_view path, const Text& text,
                                         const Syntax* syntax) {
  if (!syntax || text.size() > kParsedAtOnce || !syntax->knows(path)) return {};
  std::vector<SyntaxBlock> blocks = syntax->blocks(path, text);
  std::erase_if(blocks, [](const SyntaxBlock& block) {
    return !block.is_declaration || block.name.empty() || block.kind == "import";
  });
  return blocks;
}

// What the file declares first behind the last outer declaration of `now`, if that is one of the
// file's and nothing that comes after it in the file is in `now`.
std::optional<std::string> declared_behind(std::string_view path, const Text& file, const Text& now,
                                           const Syntax* syntax) {
  const auto outer_of = [&](const Text& text) {
    std::vector<std::string> names;
    size_t end = 0;
    for (const SyntaxBlock& block : declarations_of(path, text, syntax))
      if (block.lines.begin >= end || names.empty())
        names.push_back(block.name), end = block.lines.end;
    return names;
  };
  const std::vector<std::string> before = outer_of(file), after = outer_of(now);
  if (after.empty()) return std::nullopt;
  const auto last = std::ranges::find(before, after.back());
  if (last == before.end() || last + 1 == before.end()) return std::nullopt;
  const bool all_gone = std::none_of(last + 1, before.end(), [&](const std::string& name) {
    return std::ranges::count(after, name) > 0;
  });
  return all_gone ? std::optional(*(last + 1)) : std::nullopt;
}

// "12 | " or "12: ", "13 | ", … before every line that is not blank, in their order, as they are
// shown; or a number and a blank before each, none left out.
bool are_numbered(const std::vector<std::string>& lines) {
  constexpr size_t kFewest = 5;  // lines that only blanks part from their numbers
  size_t last = 0;
  bool gapless = lines.size() >= kFewest;
  for (const std::string& line : lines) {
    size_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    const std::string_view rest =
        trimmed(std::string_view(line).substr(static_cast<size_t>(end - line.data())));
    const bool is_shown = rest.starts_with('|') || rest.starts_with(':') || *end == '\t';
    gapless = gapless && (number == last + 1 || last == 0) && (rest.empty() || *end == ' ');
    if (error != std::errc() || !(is_shown || gapless) || number <= last) return false;
    last = number;
  }
  return lines.size() > 1;
}

}  // namespace

std::optional<std::string> left_out(std::string_view path, const Text& file,
                                    const std::string& contents, const Syntax* syntax) {
  // One line of so many may be removed: a part is never shown by all of the others.
  constexpr size_t kFew = 20;
  const Text now(contents);
  const Lines before(file), after(now);
  const size_t count = before.lines.size();
  const std::vector<Removal> places = removed_places(before.lines, after.lines);
  std::vector<char> kept(count, 1);
  const auto part = [](std::vector<char>& flags, size_t begin, size_t end) {
    return std::span(flags).subspan(begin, end - begin);
  };
  for (const Removal& gone : places) std::ranges::fill(part(kept, gone.begin, gone.end), 0);
  const size_t kept_count = static_cast<size_t>(std::ranges::count(kept, 1));
  if ((count - kept_count) * kFew <= count) return std::nullopt;
  if (kept_count == 0) return "has nothing in common with it";

  // The lines of declarations that are still there, and of those that are not.
  const std::vector<SyntaxBlock> declared = declarations_of(path, file, syntax);
  const std::vector<SyntaxBlock> declared_now = declarations_of(path, now, syntax);
  std::map<std::pair<std::string_view, std::string_view>, size_t> names;
  for (const SyntaxBlock& block : declared_now) ++names[{block.kind, block.name}];
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

  // What is removed with nothing in its place, or at the file's beginning or end, or is a quarter
  // of it, is lost; so are lines of no declaration where fewer come.
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
    return fmt::format("leaves out lines {} to {} of it", before.numbers[worst_lines.begin] + 1,
                       before.numbers[worst_lines.end - 1] + 1);
  if (static_cast<size_t>(std::ranges::count(undeclared, 1)) * kFew > count)
    return fmt::format("leaves out {}", first_gone->name);
  const bool has_enough = declared.empty() ? 3 * kept_count >= 2 * count : 4 * kept_count >= count;
  if (!has_enough) return "has little in common with it";
  return std::nullopt;
}

std::optional<std::string> why_a_part(std::string_view path, const Text& file,
                                      const std::string& contents, const Syntax* syntax) {
  constexpr size_t kTiny = 3;  // lines of a file with little to lose
  const Text now(contents);
  const Lines before(file), after(now);
  const auto& old = before.lines;
  const auto& lines = after.lines;
  if (lines.empty() || old.empty()) return std::nullopt;
  const bool has_ends = old.front() == lines.front() && old.back() == lines.back();
  if (old.size() <= kTiny && lines.size() < old.size()) return "leaves out lines of it";
  if (old.size() > kTiny) {
    const size_t parts = has_ends && has_word(old.front()) ? 4 : 2;
    if (parts * lines.size() < old.size()) return "leaves out most of it";
    for (const Removal& gone : removed_places(old, lines))
      if (gone.added == 0 && gone.count() > kTiny && (gone.begin == 0 || gone.end == old.size()))
        return fmt::format("leaves out lines {} to {} of it", before.numbers[gone.begin] + 1,
                           before.numbers[gone.end - 1] + 1);
  }
  if (const auto gone = declared_behind(path, file, now, syntax))
    return fmt::format("ends before {}, which would be lost", *gone);
  return std::nullopt;
}

namespace {

// Why lines go that the text does not mean to remove: it brings none, and leaves out several
// places.
std::optional<std::string> only_leaves_out(const Text& file, const std::string& contents) {
  if (brings_lines(file, contents)) return std::nullopt;
  const Text now(contents);
  const Lines before(file), after(now);
  size_t places = 0, lost = 0;
  for (const Removal& gone : removed_places(before.lines, after.lines))
    if (gone.lost() > 0) ++places, lost += gone.lost();
  if (places < 2 || 10 * lost < before.lines.size()) return std::nullopt;
  return "only quotes lines of it";
}

// Why bodies would go: of several functions only a stub is shown, as in an outline.
std::optional<std::string> shows_stubs(std::string_view path, const Text& file,
                                       const std::string& contents, const Syntax* syntax) {
  static constexpr std::string_view kStubs[] = {"pass",  "throw",         "raise",
                                                "panic", "unimplemented", "todo"};
  const Text now(contents);
  const auto body_of = [](const Text& text, const SyntaxBlock& block) {
    std::string body;  // without brackets
    for (size_t i = block.body_line; i < std::min(block.lines.end, text.line_count()); ++i)
      if (const std::string line = text.line(i); has_word(line)) body += line + '\n';
    return body;
  };
  const std::vector<SyntaxBlock> before = declarations_of(path, file, syntax),
                                 after = declarations_of(path, now, syntax);
  std::map<std::string_view, const SyntaxBlock*> shown;
  for (const SyntaxBlock& block : after) shown.emplace(block.name, &block);
  size_t stubs = 0;
  const SyntaxBlock* first = nullptr;
  for (const SyntaxBlock& block : before) {
    const auto found = shown.find(block.name);
    if (found == shown.end() || found->second->kind != block.kind ||
        std::ranges::count(body_of(file, block), '\n') < 2)
      continue;
    const std::string body = body_of(now, *found->second);
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

std::optional<std::string> why_not_whole(const FileChange& change, std::string_view path,
                                         const Text& file, const std::string& contents,
                                         const Syntax* syntax) {
  auto why = left_out(path, file, contents, syntax);
  if (why && change.has_bare_path) why = why_a_part(path, file, contents, syntax);
  if (!why) why = only_leaves_out(file, contents);
  if (!why) why = shows_stubs(path, file, contents, syntax);
  return why;
}

bool brings_lines(const Text& file, const std::string& contents) {
  const Text now(contents);
  const Lines before(file), after(now);
  const auto plain = [](std::string_view line) {
    return line.ends_with(',') ? line.substr(0, line.size() - 1) : line;
  };
  std::unordered_set<std::string_view> known;
  for (const std::string& line : before.lines) known.insert(plain(line));
  return !std::ranges::all_of(after.lines,
                              [&](const std::string& line) { return known.contains(plain(line)); });
}

bool is_quote(const std::string& contents, const Text& file) {
  const Text shown(contents);
  const Lines quote(shown), lines(file);
  const auto elided = elisions_of({quote.lines.begin(), quote.lines.end()});
  std::string text = "\n";
  for (const std::string& line : lines.lines) text += line + '\n';
  size_t at = 0;
  for (size_t i = 0; i < quote.lines.size(); ++i) {
    std::string piece = "\n";
    for (; i < quote.lines.size() && !elided[i]; ++i) piece += quote.lines[i] + '\n';
    const size_t found = find_bytes(text, piece, at);
    if (found == text.npos) return false;
    at = found + piece.size() - 1;
  }
  return true;
}

bool is_partial_quote(const std::string& contents, const Text& file) {
  const Text shown(contents);
  const Lines quote(shown), lines(file);
  if (are_numbered(quote.lines) && !are_numbered(lines.lines)) return true;
  if (quote.lines.size() == lines.lines.size()) return false;
  if (quote.lines.empty()) return !contents.empty();
  if (!is_quote(contents, file)) return false;
  const auto& part = quote.lines;
  const auto& all = lines.lines;
  constexpr size_t kFewLines = 8;  // files this short are not shown in part
  if (all.size() < kFewLines) return false;
  return 2 * part.size() < all.size() || !(std::equal(part.begin(), part.end(), all.begin()) ||
                                           std::equal(part.rbegin(), part.rend(), all.rbegin()));
}

bool keeps_most(const std::string& contents, const Text& file) {
  const Text now(contents);
  const Lines before(file), after(now);
  const size_t count = before.lines.size();
  if (count == 0 || after.lines.empty()) return count == 0;
  size_t gone = 0;
  for (const Removal& removal : removed_places(before.lines, after.lines)) gone += removal.count();
  return 2 * gone <= count &&
         (before.lines.front() == after.lines.front() || before.lines.back() == after.lines.back());
}

std::optional<size_t> where_it_stops(std::string_view path, const Text& file,
                                     const std::string& contents, const Syntax* syntax,
                                     bool at_end) {
  const Text now(contents);
  Lines before(file), after(now);
  if (!at_end)
    for (Lines* side : {&before, &after})
      std::ranges::reverse(side->lines), std::ranges::reverse(side->numbers);
  const auto& old = before.lines;
  const auto& lines = after.lines;
  if (lines.empty()) return std::nullopt;
  // Where the longest run of the file's lines ends that the text ends with, the last line perhaps
  // in its middle; of equal ones the last, with which the least is lost.
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
  if (!syntax || !syntax->knows(path) || file.size() > kParsedAtOnce) return std::nullopt;
  const auto errors = syntax->new_errors(path, file, now);
  return errors && !errors->empty() ? std::optional(before.numbers[stop - 1]) : std::nullopt;
}

}  // namespace bodkin
