// More than 350 lines: the markers of three families and the readings of a block that holds some of
// them decide together.
#include "edits/formats/parse_search_replace.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "edits/formats/path_in_words.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

enum class Mark { none, start, divider, end };

constexpr size_t kShortest = 3, kUsual = 5;  // signs of a marker

// A line of `count` equal signs and what comes after them.
struct Signs {
  char sign = 0;
  size_t count = 0;
  std::string_view word;
};

Signs signs_of(std::string_view line) {
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  const char sign = line.empty() ? '\0' : line.front();
  if (sign != '<' && sign != '-' && sign != '>' && sign != '+' && sign != '=') return {};
  const std::string_view s = trimmed(sign == '>' || sign == '+' ? without_token(line) : line);
  const size_t count = std::min(s.find_first_not_of(s[0]), s.size());
  return {s[0], count, trimmed(s.substr(count))};
}

// A divider has 5 signs or more: fewer are read as one only where a block has no other.
Mark mark_of(std::string_view line) {
  const Signs s = signs_of(line);
  if (s.count < kShortest) return Mark::none;
  if (s.sign == '=') return s.count >= kUsual && s.word.empty() ? Mark::divider : Mark::none;
  const bool opens = s.sign == '<' || s.sign == '-';
  const std::string_view word = s.word.substr(0, s.word.size() - s.word.ends_with('>'));
  if (opens) return word == "SEARCH" ? Mark::start : Mark::none;
  return word == "REPLACE" ? Mark::end : Mark::none;
}

bool is_short_divider(std::string_view line) {
  const Signs s = signs_of(line);
  return s.sign == '=' && s.count >= kShortest && s.word.empty();
}

// "<<<<<<< SEARCH a.py", "<<<<<<< ORIGINAL", ">> REPLACE": meant as a marker, but not one.
bool is_broken_mark(std::string_view line) {
  const Signs s = signs_of(line);
  if (s.count < 2 || s.sign == '=' || mark_of(line) != Mark::none) return false;
  for (const std::string_view word : {"SEARCH", "REPLACE"}) {
    if (s.word.starts_with(word) && (s.word == word || s.count >= kShortest)) return true;
  }
  if (s.count < kUsual || s.sign == '-' || s.sign == '+') return false;
  return s.word == "ORIGINAL" || s.word == "UPDATED" || s.word == "search" || s.word == "replace" ||
         s.word == "Search" || s.word == "Replace";
}

std::optional<size_t> number_after(std::string_view line, std::string_view name) {
  line = trimmed(line);
  if (!line.starts_with(name)) return std::nullopt;
  line = trimmed(line.substr(name.size()));
  size_t number = 0;
  const auto [rest, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || rest != line.data() + line.size()) return std::nullopt;
  return number;
}

// Roo's escape: a backslash before a marker at the start of a line.
std::string unescaped(std::string_view line) {
  if (line.starts_with('\\')) {
    const std::string_view rest = line.substr(1);
    for (const std::string_view sign :
         {"<<<<<<<", "=======", ">>>>>>>", "-------", "+++++++", ":start_line:", ":end_line:"}) {
      if (rest.starts_with(sign)) return std::string(rest);
    }
  }
  return std::string(line);
}

// <file-edit filePath="…">: the path, or nothing. `rest`: what is after the tag.
std::optional<std::string> tag_path(std::string_view line, std::string_view& rest) {
  line = trimmed(line);
  if (!line.starts_with('<') || !line.starts_with("<file-edit")) return std::nullopt;
  size_t at = line.find("filePath=");
  size_t name = 9;
  if (at == line.npos) at = line.find("path="), name = 5;
  if (at == line.npos || at + name >= line.size()) return std::nullopt;
  const char quote = line[at + name];
  const bool quoted = quote == '"' || quote == '\'';
  const size_t begin = at + name + (quoted ? 1 : 0);
  size_t end = line.find(quoted ? quote : '>', begin);
  if (end == line.npos) end = line.size();
  const size_t close = std::min(line.find('>', end), line.size());
  rest = trimmed(line.substr(std::min(close + 1, line.size())));
  std::string path;  // attributes may hold entities
  for (std::string_view s = line.substr(begin, end - begin); !s.empty();) {
    static constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&quot;", '"'}, {"&amp;", '&'},   {"&lt;", '<'},
        {"&gt;", '>'},   {"&apos;", '\''}, {"&#39;", '\''}};
    size_t length = 1;
    char c = s[0];
    for (const auto& [entity, sign] : kEntities) {
      if (s.starts_with(entity)) length = entity.size(), c = sign;
    }
    path += c;
    s.remove_prefix(length);
  }
  return cleaned_path(path);
}

// A file without an extension directly above a block, where nothing else names one.
std::string extensionless_name(std::string_view line) {
  std::string name = cleaned_path(line);
  return !fence_info(line) && name.find_first_of(" \t<>=") == name.npos ? name : "";
}

struct Block {
  size_t begin = 0;  // the line of the start marker
  size_t end = 0;    // the line of the end marker
  size_t extra = 0;  // lines of the end marker before its last one
  std::vector<size_t> dividers;
};

std::unexpected<Failure> unfinished(size_t line, std::string_view what) {
  return failure(
      FailureKind::truncated,
      "the SEARCH block at line " + std::to_string(line + 1) + " of the edit " + std::string(what),
      "send the whole block again");
}

// The extent of the block that starts at `begin`. A marker pair within it is content, so starts and
// ends are counted.
FailureOr<Block> block_at(const ReplyLines& reply, size_t begin) {
  Block block;
  block.begin = begin;
  size_t depth = 1;
  size_t second_start = 0;
  std::vector<size_t> short_dividers;
  for (size_t i = begin + 1; i < reply.size(); ++i) {
    switch (mark_of(reply.lines[i])) {
      case Mark::start:
        ++depth;
        if (second_start == 0) second_start = i;
        break;
      case Mark::divider:
        block.dividers.push_back(i);
        break;
      case Mark::end:
        if (block.dividers.empty()) block.dividers.swap(short_dividers);
        if (block.dividers.empty()) {
          return failure(FailureKind::malformed,
                         "the SEARCH block at line " + std::to_string(begin + 1) +
                             " of the edit has no ======= line before its REPLACE marker",
                         "send the "
                         "block again with all three markers");
        }
        if (--depth == 0) {
          block.end = i;
          return block;
        }
        break;
      case Mark::none:
        if (is_short_divider(reply.lines[i])) short_dividers.push_back(i);
        if (signs_of(reply.lines[i]).count >= kUsual && is_broken_mark(reply.lines[i])) {
          return failure(FailureKind::malformed,
                         "line " + std::to_string(i + 1) +
                             " of the edit, in the SEARCH block at line " +
                             std::to_string(begin + 1) + ", looks like a marker but is not one",
                         "use <<<<<<< SEARCH, ======= and "
                         ">>>>>>> REPLACE");
        }
        break;
    }
  }
  // Models end a block with a second ======= line and go on with the next block.
  std::erase_if(block.dividers, [&](size_t d) { return second_start != 0 && d > second_start; });
  if (second_start != 0 && block.dividers.size() == 2) {
    block.end = block.dividers.back();
    block.dividers.pop_back();
    return block;
  }
  if (second_start != 0) {
    return failure(FailureKind::malformed,
                   "the SEARCH block at line " + std::to_string(begin + 1) +
                       " of the edit has no >>>>>>> REPLACE line before the next block begins at "
                       "line " +
                       std::to_string(second_start + 1),
                   "send it again with all three "
                   "markers");
  }
  return unfinished(begin,
                    block.dividers.empty() ? "has no ======= line" : "has no >>>>>>> REPLACE line");
}

// True if texts of this kind underline their headings with '='.
bool underlines_headings(std::string_view path) {
  for (const std::string_view end : {".rst", ".md", ".txt", ".markdown", ".adoc", ".mdx"}) {
    if (path.ends_with(end)) return true;
  }
  return path.find('.') == path.npos;
}

// True if line `i`, which is written as the divider is, may be content of the half in
// [begin, end): it underlines a heading, which is no longer than its underline, or stands within a
// conflict of a merge.
bool is_content(const ReplyLines& reply, size_t begin, size_t end, size_t i) {
  const std::string_view above = i > begin ? trimmed(reply.lines[i - 1]) : "";
  if (!above.empty() && above.size() <= trimmed(reply.lines[i]).size()) return true;
  const auto has = [&](size_t from, size_t to, char sign) {
    for (; from < to; ++from) {
      const Signs s = signs_of(reply.lines[from]);
      if (s.sign == sign && s.count >= kUsual) return true;
    }
    return false;
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

// One reading: the half before `divider` and the half after it.
Hunk reading(const ReplyLines& reply, const Block& block, size_t first, size_t divider,
             bool& empty_search) {
  std::vector<std::string> search, replace;
  search.reserve(divider - first);
  replace.reserve(block.end - divider);
  for (size_t i = first; i < divider; ++i) search.push_back(unescaped(reply.lines[i]));
  for (size_t i = divider + 1; i < block.end; ++i) replace.push_back(unescaped(reply.lines[i]));
  empty_search = search.empty();
  Hunk hunk;
  hunk.lines = line_diff(search, replace);
  hunk.source_line = block.begin + 1;
  return hunk;
}

}  // namespace

FailureOr<void> parse_search_replace(ReplyLines& reply, const ParseOptions& options,
                                     EditPlan& plan) {
  constexpr size_t kMaxReadings = 24;
  std::string path = options.default_path;
  std::optional<ReplyLines::FileTag> tag;  // that we are in
  const auto leave_tag = [&](size_t end) {
    if (tag) tag->end = end, reply.tags.push_back(*std::exchange(tag, std::nullopt));
  };
  std::optional<size_t> open_end;  // behind the last block, if its fence is open
  const auto first_solid = [&](size_t from) {
    while (from < reply.size() && trimmed(reply.lines[from]).empty()) ++from;
    return from;
  };
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view line = reply.lines[i];
    std::string_view rest;
    if (auto named = tag_path(line, rest)) {
      leave_tag(i);
      tag = ReplyLines::FileTag{*std::move(named), i + 1, 0, rest.empty()};
      // The block may begin in the same line.
      const size_t close = line.rfind("><<<<<<<");
      if (close == line.npos || mark_of(line.substr(close + 1)) != Mark::start) {
        reply.take(i, i + 1);
        continue;
      }
      reply.lines[i] = line.substr(close + 1);
    }
    if (trimmed(line) == "</file-edit>") {
      leave_tag(i);
      reply.take(i, i + 1);
      continue;
    }
    if (mark_of(reply.lines[i]) != Mark::start) {
      if (tag) tag->is_blank = tag->is_blank && trimmed(line).empty();
      if (trimmed(line).ends_with("</file-edit>")) leave_tag(i + 1);
      continue;
    }

    size_t begin = i;
    if (tag) {
      path = tag->path;
      tag->has_blocks = true;
    } else {
      auto above = path_for(reply, i, path, options.is_file, begin);
      if (!above) return std::unexpected(above.error());
      if (!above->empty()) path = *std::move(above);
    }
    if (path.empty() && i > 0) path = extensionless_name(reply.lines[i - 1]);
    auto block = block_at(reply, i);
    if (!block) return std::unexpected(block.error());
    if (path.empty()) {
      return failure(
          FailureKind::malformed,
          "the SEARCH block at line " + std::to_string(i + 1) + " of the edit names no file",
          "write the file's path on the line above it");
    }

    std::optional<size_t> hint, last_line;
    size_t first = i + 1;
    for (; first < block->end; ++first) {
      if (auto n = number_after(reply.lines[first], ":start_line:")) {
        if (*n > 0) hint = *n - 1;
      } else if (auto m = number_after(reply.lines[first], ":end_line:")) {
        last_line = m;
      } else {
        break;
      }
    }
    if (first > i + 1 && first < block->end) {
      const Signs dashes = signs_of(reply.lines[first]);
      if (dashes.sign == '-' && dashes.count >= kUsual && dashes.word.empty()) ++first;
    }
    // Models also close a block with "=======" and ">>>>>>> REPLACE": no content in code.
    if (block->dividers.size() == 2 && block->dividers[1] + 1 == block->end &&
        !underlines_headings(path)) {
      block->end = block->dividers[1];
      block->dividers.pop_back();
      block->extra = 1;
    }
    std::vector<size_t> dividers;
    for (const size_t d : block->dividers) {
      if (d >= first && (underlines_headings(path) || may_divide(reply, *block, first, d)))
        dividers.push_back(d);
    }
    if (dividers.empty() || dividers.size() > kMaxReadings) {
      return failure(
          FailureKind::malformed,
          "the SEARCH block at line " + std::to_string(i + 1) +
              " of the edit has more than one ======= line, and it is not clear which divides it",
          "send "
          "smaller blocks");
    }
    // The middle one divides most likely: both halves quote the same content.
    std::swap(dividers[0], dividers[dividers.size() / 2]);
    bool empty_search = false;
    Hunk hunk = reading(reply, *block, first, dividers[0], empty_search);
    for (size_t d = 1; d < dividers.size(); ++d) {
      bool empty = false;
      Hunk alternative = reading(reply, *block, first, dividers[d], empty);
      alternative.line_hint = hint;
      if (!empty) hunk.alternatives.push_back(std::move(alternative));
    }
    hunk.line_hint = hint;
    // A blank line makes a new file as nothing does, but it is not the whole of one that exists.
    const bool blank_search = dividers.size() == 1 && dividers[0] == first + 1 &&
                              trimmed(reply.lines[first]).empty() && dividers[0] + 1 < block->end;
    const bool is_new = options.is_file && !options.is_file(path);
    if (empty_search && dividers.size() == 1 && hint && !is_new) {
      // Lines that it names and does not show would have to go. One alone is where to insert.
      if (last_line && *last_line > *hint + 1)
        return failure(FailureKind::malformed,
                       "the SEARCH block at line " + std::to_string(i + 1) +
                           " of the edit names lines " + std::to_string(*hint + 1) + " to " +
                           std::to_string(*last_line) + " and shows none of them",
                       "quote what is to be replaced");
      hunk.at_lines = LineRange{*hint, *hint};
      update_of(plan, path, i + 1).hunks.push_back(std::move(hunk));
    } else if ((empty_search && dividers.size() == 1) || blank_search) {
      FileChange change;
      change.kind = blank_search ? FileChange::Kind::create : FileChange::Kind::overwrite;
      change.path = path;
      change.has_empty_search = true;
      change.text_decides = signs_of(reply.lines[i]).sign == '<';
      for (size_t k = dividers[0] + 1; k < block->end; ++k)
        change.contents.append(unescaped(reply.lines[k])).push_back('\n');
      change.source_line = i + 1;
      plan.changes.push_back(std::move(change));
    } else {
      update_of(plan, path, i + 1).hunks.push_back(std::move(hunk));
    }

    size_t end = block->end + block->extra + 1;
    bool fenced = false, tagged = false;
    for (size_t k = begin; k < i; ++k) {
      fenced = fenced || fence_info(reply.lines[k]);
      tagged = tagged || is_lone_tag(reply.lines[k]);
    }
    // A fence that holds the path alone, and is not closed before the block's own begins.
    if (fenced && begin > 0 && !reply.taken[begin - 1] && !fence_info(reply.lines[begin]) &&
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
    i = end - 1;
  }
  if (tag && tag->has_blocks && options.truncated) {
    return unfinished(tag->begin - 1, "is not closed");
  }
  leave_tag(reply.size());
  return {};
}

bool is_left_over_block(const ReplyLines& reply, size_t line) {
  const Mark mark = mark_of(reply.lines[line]);
  return mark == Mark::start || mark == Mark::end || is_broken_mark(reply.lines[line]);
}

}  // namespace bodkin
