#include "edits/parse_search_replace.h"

#include <charconv>

namespace bodkin {

namespace {

enum class Mark { none, start, divider, end };

// 5 or more of `sign`, then white space and `word` (which may be empty).
bool is_mark(std::string_view line, char sign, std::string_view word) {
  size_t count = 0;
  while (count < line.size() && line[count] == sign) ++count;
  return count >= 5 && trimmed(line.substr(count)) == word;
}

Mark mark_of(std::string_view line) {
  const std::string_view s = trimmed(line);
  if (s.size() < 5) return Mark::none;
  switch (s[0]) {
    case '<':
    case '-':
      return is_mark(s, s[0], "SEARCH") || is_mark(s, s[0], "SEARCH>") ? Mark::start : Mark::none;
    case '>':
    case '+':
      return is_mark(s, s[0], "REPLACE") || is_mark(s, s[0], "REPLACE>") ? Mark::end : Mark::none;
    case '=':
      return is_mark(s, '=', "") ? Mark::divider : Mark::none;
    default:
      return Mark::none;
  }
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

// <file-edit filePath="…">: the path, or nothing.
std::optional<std::string> tag_path(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("<file-edit")) return std::nullopt;
  size_t at = line.find("filePath=");
  size_t name = 9;
  if (at == line.npos) at = line.find("path="), name = 5;
  if (at == line.npos || at + name >= line.size()) return std::nullopt;
  const char quote = line[at + name];
  const bool quoted = quote == '"' || quote == '\'';
  const size_t begin = at + name + (quoted ? 1 : 0);
  size_t end = line.find(quoted ? quote : '>', begin);
  if (end == line.npos) end = line.size();
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
std::string bare_name(std::string_view line) {
  std::string name = cleaned_path(line);
  return !fence_info(line) && name.find_first_of(" \t<>=") == name.npos ? name : "";
}

struct Block {
  size_t begin = 0;  // the line of the start marker
  size_t end = 0;    // the line of the end marker
  size_t extra = 0;  // lines of the end marker before its last one
  std::vector<size_t> dividers;
};

std::string unfinished(size_t line, std::string_view what) {
  return "truncated: the SEARCH block at line " + std::to_string(line + 1) + " of the edit " +
         std::string(what) + "; send the whole block again";
}

// The extent of the block that starts at `begin`. A marker pair within it is content, so starts and
// ends are counted.
Result<Block> block_at(const Reply& reply, size_t begin) {
  Block block;
  block.begin = begin;
  size_t depth = 1;
  size_t second_start = 0;
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
        if (block.dividers.empty()) {
          return fail(Error::Code::invalid_input,
                      "malformed: the SEARCH block at line " + std::to_string(begin + 1) +
                          " of the edit has no ======= line before its REPLACE marker; send the "
                          "block again with all three markers");
        }
        if (--depth == 0) {
          block.end = i;
          return block;
        }
        break;
      case Mark::none:
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
    return fail(Error::Code::invalid_input,
                "malformed: the SEARCH block at line " + std::to_string(begin + 1) +
                    " of the edit has no >>>>>>> REPLACE line before the next block begins at "
                    "line " +
                    std::to_string(second_start + 1) +
                    "; send it again with all three "
                    "markers");
  }
  return fail(Error::Code::invalid_input,
              unfinished(begin, block.dividers.empty() ? "has no ======= line"
                                                       : "has no >>>>>>> REPLACE line"));
}

// Does the text underline its headings with '='?
bool is_document(std::string_view path) {
  for (const std::string_view end : {".rst", ".md", ".txt", ".markdown", ".adoc", ".mdx"}) {
    if (path.ends_with(end)) return true;
  }
  return path.find('.') == path.npos;
}

// One reading: the half before `divider` and the half behind it.
Hunk reading(const Reply& reply, const Block& block, size_t first, size_t divider,
             bool& empty_search, std::vector<std::string>& replace) {
  std::vector<std::string> search;
  replace.clear();
  for (size_t i = first; i < divider; ++i) search.push_back(unescaped(reply.lines[i]));
  for (size_t i = divider + 1; i < block.end; ++i) replace.push_back(unescaped(reply.lines[i]));
  empty_search = search.empty();
  if (search.size() == 1 && trimmed(search[0]).empty()) empty_search = true;
  Hunk hunk;
  hunk.lines = lines_of_halves(search, replace);
  hunk.source_line = block.begin + 1;
  return hunk;
}

}  // namespace

Result<void> parse_search_replace(Reply& reply, const ParseOptions& options, EditPlan& plan) {
  constexpr size_t kMostReadings = 24;
  std::string path = options.default_path;
  std::optional<std::string> tag;  // the path of the <file-edit> that we are in
  size_t tag_line = 0;
  bool blocks_in_tag = false;
  for (size_t i = 0; i < reply.size(); ++i) {
    if (reply.taken[i]) continue;
    const std::string_view line = reply.lines[i];
    if (auto named = tag_path(line)) {
      tag = named, tag_line = i, blocks_in_tag = false;
      reply.take(i, i + 1);
      continue;
    }
    if (trimmed(line) == "</file-edit>") {
      tag.reset();
      reply.take(i, i + 1);
      continue;
    }
    if (mark_of(line) != Mark::start) continue;

    size_t begin = i;
    if (tag) {
      path = *tag;
      blocks_in_tag = true;
    } else if (std::string above = path_above(reply, i, begin); !above.empty()) {
      path = above;
    }
    if (path.empty() && i > 0) path = bare_name(reply.lines[i - 1]);
    auto block = block_at(reply, i);
    if (!block) return std::unexpected(block.error());
    if (path.empty()) {
      return fail(Error::Code::invalid_input,
                  "malformed: the SEARCH block at line " + std::to_string(i + 1) +
                      " of the edit names no file; write the file's path on the line above it");
    }

    std::optional<size_t> hint;
    size_t first = i + 1;
    for (; first < block->end; ++first) {
      if (auto n = number_after(reply.lines[first], ":start_line:")) {
        if (*n > 0) hint = *n - 1;
      } else if (!number_after(reply.lines[first], ":end_line:")) {
        break;
      }
    }
    if (first > i + 1 && first < block->end && is_mark(trimmed(reply.lines[first]), '-', "")) {
      ++first;
    }
    // Models also close a block with "=======" and ">>>>>>> REPLACE": no content in code.
    if (block->dividers.size() == 2 && block->dividers[1] + 1 == block->end && !is_document(path)) {
      block->end = block->dividers[1];
      block->dividers.pop_back();
      block->extra = 1;
    }
    std::vector<size_t> dividers;
    for (const size_t d : block->dividers) {
      if (d >= first) dividers.push_back(d);
    }
    if (dividers.empty() || dividers.size() > kMostReadings) {
      return fail(Error::Code::invalid_input,
                  "malformed: the SEARCH block at line " + std::to_string(i + 1) +
                      " of the edit has too many ======= lines to tell which divides it; send "
                      "smaller blocks");
    }
    // The middle one divides most likely: both halves quote the same content.
    std::swap(dividers[0], dividers[dividers.size() / 2]);
    std::vector<std::string> replace;
    bool empty_search = false;
    Hunk hunk = reading(reply, *block, first, dividers[0], empty_search, replace);
    for (size_t d = 1; d < dividers.size(); ++d) {
      bool empty = false;
      std::vector<std::string> other;
      Hunk alternative = reading(reply, *block, first, dividers[d], empty, other);
      alternative.line_hint = hint;
      if (!empty) hunk.alternatives.push_back(std::move(alternative));
    }
    hunk.line_hint = hint;
    if (empty_search && dividers.size() == 1) {
      FileChange change;
      change.kind = FileChange::Kind::overwrite;
      change.path = path;
      change.contents = joined(replace);
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
    while (tagged && end < reply.size() && is_lone_tag(reply.lines[end])) ++end;
    if (fenced && end < reply.size() && fence_info(reply.lines[end]) == std::string_view()) ++end;
    reply.take(begin, end);
    i = end - 1;
  }
  if (tag && blocks_in_tag && options.truncated) {
    return fail(Error::Code::invalid_input, unfinished(tag_line, "is not closed"));
  }
  return {};
}

}  // namespace bodkin
