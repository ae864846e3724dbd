#include "edits/formats/parse_search_replace.h"

#include <algorithm>
#include <utility>

#include "edits/formats/path_in_words.h"
#include "edits/plan/diff.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

constexpr size_t kShortest = 3, kUsual = 5;  // signs of a marker
constexpr size_t kMaxReadings = 24;          // of one block
constexpr size_t kMaxDividers = 1000;        // … that are looked at for them

// A line of `count` equal signs and what comes after them.
struct Signs {
  char sign = 0;
  size_t count = 0;
  std::string_view word;
};

Signs signs_of(std::string_view line) {
  size_t begin = 0;
  while (begin < line.size() && is_space(line[begin])) ++begin;
  const char sign = begin < line.size() ? line[begin] : '\0';
  if (!is_among(sign, "<->+=")) return {};
  line = trimmed_right(line.substr(begin));
  if (sign == '>' || sign == '+') {
    line = without_token(line);
    // ">>>>>>> REPLACE</diff></apply_diff>"
    for (size_t tag = line.rfind("</"); tag != line.npos && is_lone_tag(line.substr(tag));
         tag = line.rfind("</"))
      line = trimmed_right(line.substr(0, tag));
  }
  const size_t count = std::min(line.find_first_not_of(sign), line.size());
  return {sign, count, trimmed(line.substr(count))};
}

// `thin`: a divider of few signs, read as one only where a block has no other. `broken`: meant as a
// marker, but not one: "<<<<<<< SEARCH a.py", "<<<<<<< ORIGINAL", ">> REPLACE".
enum class Mark { none, start, divider, thin, end, broken };

// Decides: which lines are marks of a SEARCH/REPLACE block.
Mark mark_of(std::string_view line) {
  const auto [sign, count, word] = signs_of(line);
  if (count < 2) return Mark::none;
  if (sign == '=' && (count < kShortest || !word.empty())) return Mark::none;
  if (sign == '=') return count >= kUsual ? Mark::divider : Mark::thin;
  const bool opens = sign == '<' || sign == '-';
  const std::string_view bare = word.substr(0, word.size() - word.ends_with('>'));
  if (count >= kShortest && bare == (opens ? "SEARCH" : "REPLACE"))
    return opens ? Mark::start : Mark::end;
  for (const std::string_view meant : {"SEARCH", "REPLACE"})
    if (word.starts_with(meant) && (word == meant || count >= kShortest)) return Mark::broken;
  const bool is_meant =
      is_one_of(word, {"ORIGINAL", "UPDATED", "search", "replace", "Search", "Replace"});
  return is_meant && count >= kUsual && (sign == '<' || sign == '>') ? Mark::broken : Mark::none;
}

std::optional<size_t> number_after(std::string_view line, std::string_view name) {
  line = trimmed(line);
  if (!line.starts_with(name)) return std::nullopt;
  return whole_number(trimmed(line.substr(name.size())));
}

// Roo's escape: a backslash before a marker at the start of a line.
std::string unescaped(std::string_view line) {
  const std::string_view rest = line.substr(line.starts_with('\\'));
  if (rest.empty() || !is_among(rest.front(), "<=>-+:")) return std::string(line);
  for (const std::string_view sign :
       {"<<<<<<<", "=======", ">>>>>>>", "-------", "+++++++", ":start_line:", ":end_line:"})
    if (rest.starts_with(sign)) return std::string(rest);
  return std::string(line);
}

// <file-edit filePath="…">: the path, or nothing. `rest`: what is after the tag.
std::optional<std::string> tag_path(std::string_view line, std::string_view& rest) {
  line = trimmed(line);
  const size_t at = line.starts_with("<file-edit") ? line.find("ath=") : line.npos;
  if (at == line.npos || at + 5 >= line.size()) return std::nullopt;
  const size_t close = std::min(line.find('>', at), line.size());
  rest = trimmed(line.substr(std::min(close + 1, line.size())));
  return cleaned_path(line.substr(at + 4, close - at - 4));
}

struct Block {
  size_t begin = 0;   // the line of the start marker
  size_t end = 0;     // the line of the end marker
  size_t behind = 0;  // the line after the block
  std::vector<size_t> dividers;
};

std::unexpected<Failure> refuse(size_t line, std::string_view what, std::string advice,
                                FailureKind kind = FailureKind::malformed) {
  return failure_at("the SEARCH block", line, what, std::move(advice), kind);
}

// The extent of the block that starts at `begin`. A marker pair within it is content, so starts and
// ends are counted.
FailureOr<Block> block_at(const ReplyLines& reply, size_t begin) {
  Block block{.begin = begin};
  size_t depth = 1, second_start = 0;
  std::vector<size_t> thin;
  for (size_t i = begin + 1; i < reply.size(); ++i) {
    const Mark mark = mark_of(reply.lines[i]);
    if (mark == Mark::divider) block.dividers.push_back(i);
    if (mark == Mark::thin) thin.push_back(i);
    if (mark == Mark::start && depth++ == 1 && second_start == 0) second_start = i;
    if (mark == Mark::broken && signs_of(reply.lines[i]).count >= kUsual)
      return failure(FailureKind::malformed,
                     "line " + std::to_string(i + 1) +
                         " of the edit, in the SEARCH block at line " + std::to_string(begin + 1) +
                         ", looks like a marker but is not one",
                     "use <<<<<<< SEARCH, ======= and >>>>>>> REPLACE");
    if (mark != Mark::end) continue;
    if (block.dividers.empty()) block.dividers.swap(thin);
    if (block.dividers.empty())
      return refuse(block.begin, "has no ======= line before its REPLACE marker",
                    "send the block again with all three markers");
    if (--depth > 0) continue;
    block.end = i;
    block.behind = i + 1;
    return block;
  }
  if (second_start == 0)
    return refuse(begin,
                  block.dividers.empty() ? "has no ======= line" : "has no >>>>>>> REPLACE line",
                  "send the whole block again", FailureKind::truncated);
  // Models end a block with a second ======= line and go on with the next block.
  std::erase_if(block.dividers, [&](size_t d) { return d > second_start; });
  if (block.dividers.size() != 2)
    return refuse(begin,
                  "has no >>>>>>> REPLACE line before the next block begins at line " +
                      std::to_string(second_start + 1),
                  "send it again with all three markers");
  block.end = block.dividers.back();
  block.behind = block.end + 1;
  block.dividers.pop_back();
  return block;
}

// True if texts of this kind underline their headings with '='.
bool underlines_headings(std::string_view path) {
  return !path.contains('.') || is_one_of(path.substr(path.rfind('.') + 1),
                                          {"rst", "md", "txt", "markdown", "adoc", "mdx"});
}

// True if line `i`, which is written like the divider, may be content of the half in [begin, end):
// it underlines a heading that is no longer than it, or is in a conflict of a merge.
bool is_content(const ReplyLines& reply, size_t begin, size_t end, size_t i) {
  const std::string_view above = i > begin ? trimmed(reply.lines[i - 1]) : "";
  if (!above.empty() && above.size() <= trimmed(reply.lines[i]).size()) return true;
  const auto has = [&](size_t from, size_t to, char sign) {
    bool any = false;
    for (; from < to; ++from)
      any |=
          signs_of(reply.lines[from]).sign == sign && signs_of(reply.lines[from]).count >= kUsual;
    return any;
  };
  return has(begin, i, '<') && has(i + 1, end, '>');
}

// True if the block can be divided here: lines of its halves that are written as this one are in
// both of them, or content.
bool may_divide(const ReplyLines& reply, const Block& block, size_t first, size_t divider) {
  bool in_old = false, in_new = false, all_content = true;
  for (const size_t d : block.dividers) {
    if (d == divider || d < first || reply.lines[d] != reply.lines[divider]) continue;
    (d < divider ? in_old : in_new) = true;
    all_content = all_content && (d < divider ? is_content(reply, first, divider, d)
                                              : is_content(reply, divider + 1, block.end, d));
  }
  return in_old == in_new || all_content;
}

// The halves before and after `divider`.
Hunk reading(const ReplyLines& reply, const Block& block, size_t first, size_t divider) {
  const auto lines = [&](size_t from, size_t to) {
    std::vector<std::string> half;
    for (; from < to; ++from) half.push_back(unescaped(reply.lines[from]));
    return half;
  };
  Hunk hunk;
  hunk.lines = line_diff(lines(first, divider), lines(divider + 1, block.end));
  hunk.source_line = block.begin + 1;
  return hunk;
}

// Adds what the block says: a hunk with all its readings, an insertion, or a whole file.
FailureOr<void> add_block(const ReplyLines& reply, Block& block, const std::string& path,
                          const ParseOptions& options, EditPlan& plan) {
  std::optional<size_t> hint, last_line;
  size_t first = block.begin + 1;
  for (; first < block.end; ++first) {
    const auto start = number_after(reply.lines[first], ":start_line:"),
               last = number_after(reply.lines[first], ":end_line:");
    if (!start && !last) break;
    if (start && *start > 0) hint = *start - 1;
    if (last) last_line = last;
  }
  if (const Signs s = signs_of(reply.lines[first]); first > block.begin + 1 && first < block.end &&
                                                    s.sign == '-' && s.count >= kUsual &&
                                                    s.word.empty())
    ++first;
  const bool has_headings = underlines_headings(path);
  // Models also close a block with "=======" and ">>>>>>> REPLACE": no content in code.
  if (block.dividers.size() == 2 && block.dividers[1] + 1 == block.end && !has_headings) {
    block.end = block.dividers[1];
    block.dividers.pop_back();
  }
  std::vector<size_t> dividers;
  for (const size_t d : block.dividers)
    if (block.dividers.size() <= kMaxDividers && d >= first &&
        (has_headings || may_divide(reply, block, first, d)))
      dividers.push_back(d);
  if (dividers.empty() || dividers.size() > kMaxReadings)
    return refuse(block.begin,
                  "has more than one ======= line, and it is not clear which divides it",
                  "send smaller blocks");
  // The middle one divides most likely: both halves quote the same content.
  std::swap(dividers[0], dividers[dividers.size() / 2]);
  const size_t divider = dividers[0];
  Hunk hunk = reading(reply, block, first, divider);
  hunk.evidence.line = hint;
  std::vector<Hunk>& alternatives = std::get<SearchReplace>(hunk.format).alternatives;
  for (size_t i = 1; i < dividers.size(); ++i) {
    if (dividers[i] == first) continue;
    alternatives.push_back(reading(reply, block, first, dividers[i]));
    alternatives.back().evidence.line = hint;
  }
  // A blank line makes a new file as nothing does, but it is not the whole of one that exists.
  const bool is_empty = divider == first, is_blank_line = divider == first + 1 &&
                                                          is_blank(reply.lines[first]) &&
                                                          divider + 1 < block.end;
  if (dividers.size() > 1 || (!is_empty && !is_blank_line)) {
    update_of(plan, path, hunk.source_line).hunks.push_back(std::move(hunk));
    return {};
  }
  if (is_empty && hint && !(options.is_file && !options.is_file(path))) {
    // Lines that it names and does not show would have to go. One alone is where to insert.
    if (last_line && *last_line > *hint + 1)
      return refuse(block.begin,
                    "names lines " + std::to_string(*hint + 1) + " to " +
                        std::to_string(*last_line) + " and shows none of them",
                    "quote what is to be replaced");
    hunk.format = NumberedEdit{{*hint, *hint}};
    update_of(plan, path, hunk.source_line).hunks.push_back(std::move(hunk));
    return {};
  }
  FileChange& change = plan.changes.emplace_back();
  change.kind = is_empty ? FileChange::Kind::overwrite : FileChange::Kind::create;
  change.path = path;
  change.said_by = EmptySearch{signs_of(reply.lines[block.begin]).sign == '<'};
  for (size_t i = divider + 1; i < block.end; ++i)
    change.contents.append(unescaped(reply.lines[i])).push_back('\n');
  change.source_line = hunk.source_line;
  return {};
}

// Claims the block at [block.begin, block.behind) with what is around it: its path from `begin` on,
// tags, and the fence. `open_end`: behind the block before, if its fence is still open.
void take_block(ReplyLines& reply, size_t begin, const Block& block,
                std::optional<size_t>& open_end) {
  const auto first_solid = [&](size_t from) {
    while (from < reply.size() && is_blank(reply.lines[from])) ++from;
    return from;
  };
  size_t end = block.behind;
  bool fenced = false, tagged = false;
  for (size_t i = begin; i < block.begin; ++i) {
    fenced = fenced || fence_info(reply.lines[i]);
    tagged = tagged || is_lone_tag(reply.lines[i]);
  }
  const auto is_free = [&](size_t line) { return line > 0 && !reply.taken[line - 1]; };
  while (tagged && is_free(begin) && is_lone_tag(reply.lines[begin - 1])) --begin;
  // A fence that holds the path alone, and is not closed before the block's own begins.
  if (fenced && is_free(begin) && !fence_info(reply.lines[begin]) &&
      !fence_info(reply.lines[begin - 1]).value_or("").empty())
    --begin;
  while (tagged && end < reply.size() && is_lone_tag(reply.lines[end])) ++end;
  // Blocks in one fence have nothing but blank lines between them, and before its end.
  fenced = fenced || (open_end && first_solid(*open_end) >= begin);
  const size_t close = first_solid(end);
  const bool closes =
      fenced && close < reply.size() && fence_info(reply.lines[close]) == std::string_view();
  if (closes) end = close + 1;
  open_end = fenced && !closes ? std::optional(end) : std::nullopt;
  reply.take(begin, end);
}

}  // namespace

FailureOr<void> parse_search_replace(ReplyLines& reply, const ParseOptions& options,
                                     EditPlan& plan) {
  std::string path = options.default_path;
  std::optional<ReplyLines::FileTag> tag;  // that we are in
  const auto leave_tag = [&](size_t end) {
    if (tag) tag->end = end, reply.tags.push_back(*std::exchange(tag, std::nullopt));
  };
  std::optional<size_t> open_end;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view line = trimmed(reply.lines[i]);
    std::string_view rest;
    if (auto named = tag_path(line, rest)) {
      leave_tag(i);
      tag = ReplyLines::FileTag{*std::move(named), i + 1, 0};
      if (rest.empty()) reply.take(i, i + 1);
      if (mark_of(rest) != Mark::start) continue;
      reply.lines[i] = rest;  // the block begins in the same line
    }
    if (mark_of(reply.lines[i]) != Mark::start) {
      const bool is_end = line == "</file-edit>";
      if (line.ends_with("</file-edit>")) leave_tag(i + !is_end);
      if (is_end) reply.take(i, i + 1);
      continue;
    }
    size_t begin = i;
    if (tag) {
      path = tag->path;
    } else {
      auto above = path_for(reply, i, path, options.is_file, begin);
      if (!above) return std::unexpected(above.error());
      if (!above->empty()) path = *std::move(above);
    }
    if (path.empty() && i > 0 && !fence_info(reply.lines[i - 1])) {
      std::string word = cleaned_path(reply.lines[i - 1]);  // "Makefile", which nothing else names
      if (word.find_first_of(" \t<>=") == word.npos) path = std::move(word);
    }
    auto block = block_at(reply, i);
    if (!block) return std::unexpected(block.error());
    if (path.empty())
      return refuse(i, "names no file", "write the file's path on the line above it");
    if (auto done = add_block(reply, *block, path, options, plan); !done) return done;
    take_block(reply, begin, *block, open_end);
    i = block->behind - 1;
  }
  leave_tag(reply.size());
  return {};
}

bool is_left_over_block(const ReplyLines& reply, size_t line) {
  const Mark mark = mark_of(reply.lines[line]);
  return mark == Mark::start || mark == Mark::end || mark == Mark::broken;
}

}  // namespace bodkin
