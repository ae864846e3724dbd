#include "edits/lazy/lazy_heads.h"

#include <unordered_set>

#include "edits/lazy/lazy_words.h"
#include "edits/text/comments.h"

namespace bodkin {

namespace {

// A bracket on a line of its own belongs to the head above it, and so does one that opens the body
// below what else the head has: arguments, bounds.
bool is_part_of_head(const std::vector<LazyLine>& lines, size_t line, size_t head) {
  const std::string_view text = trimmed(lines[line].text);
  return opens_block(text) && !has_word(text) && depth_of(lines[line]) == depth_of(lines[head]);
}

// The end of the lines that are deeper than the head.
size_t body_end(const std::vector<LazyLine>& lines, size_t head) {
  size_t end = head + 1;
  while (end < lines.size() && (lines[end].blank || depth_of(lines[end]) > depth_of(lines[head]) ||
                                is_part_of_head(lines, end, head)))
    ++end;
  return end;
}

bool is_closed_at(const std::vector<LazyLine>& lines, size_t end, size_t head) {
  return end < lines.size() && depth_of(lines[end]) == depth_of(lines[head]) &&
         !lines[end].elides && ends_block(lines[end].text);
}

}  // namespace

bool opens_deeper(const std::vector<LazyLine>& lines, size_t head) {
  size_t next = head + 1;
  while (next < lines.size() && (lines[next].blank || is_part_of_head(lines, next, head))) ++next;
  return next < lines.size() && depth_of(lines[next]) > depth_of(lines[head]);
}

size_t block_end(const std::vector<LazyLine>& lines, size_t head) {
  const size_t end = body_end(lines, head);
  if (is_closed_at(lines, end, head)) return end + 1;
  size_t last = end;
  while (last > head + 1 && lines[last - 1].blank) --last;
  return last;
}

LazyHeads heads_of(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                   const std::function<size_t(int key)>& count) {
  std::unordered_set<std::string_view> names;  // of the file's heads
  for (size_t i = 0; i < file.size(); ++i)
    if (!file[i].blank && opens_deeper(file, i)) names.insert(name_in(file[i].text));
  // If most of its lines are the file's, a head is a changed one.
  const auto has_body_of_file = [&](size_t head) {
    size_t lines = 0, anchors = 0;
    for (size_t i = head + 1; i < body_end(sketch, head); ++i) {
      if (sketch[i].blank || is_part_of_head(sketch, i, head)) continue;
      ++lines;
      anchors += !sketch[i].elides && says_something(sketch[i].text) && count(sketch[i].key) == 1;
    }
    return anchors > 1 && 2 * anchors > lines;
  };
  const auto is_entry = [&](size_t head) {
    return opens_entry(sketch[head].text) ||
           (!is_statement(sketch[head].text) && is_part_of_head(sketch, head + 1, head));
  };
  LazyHeads out{std::vector<std::optional<size_t>>(sketch.size()),
                std::vector<char>(sketch.size(), 0)};
  std::vector<size_t> around;  // the heads of the line
  for (size_t i = 0; i < sketch.size(); ++i) {
    const LazyLine& line = sketch[i];
    if (line.blank) continue;
    const size_t depth = depth_of(line);
    while (!around.empty() &&
           (depth_of(sketch[around.back()]) > depth ||
            (depth_of(sketch[around.back()]) == depth && (line.elides || !ends_block(line.text)))))
      around.pop_back();
    if (!around.empty()) out.head_of[i] = around.back();
    if (line.elides) continue;
    const bool is_within = !around.empty() && out.is_new[around.back()];
    if (!opens_deeper(sketch, i)) {
      out.is_new[i] = is_within;
      continue;
    }
    around.push_back(i);
    out.is_new[i] = is_within || (count(line.key) == 0 && is_entry(i) &&
                                  !names.contains(name_in(line.text)) && !has_body_of_file(i));
    // Its attributes and comments come with it.
    for (size_t above = i; out.is_new[i] && !is_within && above-- > 0;) {
      const std::string_view text = trimmed(sketch[above].text);
      if (sketch[above].elides || depth_of(sketch[above]) != depth ||
          !(is_attribute(text) || is_comment(text)))
        break;
      out.is_new[above] = 1;
    }
  }
  return out;
}

}  // namespace bodkin
