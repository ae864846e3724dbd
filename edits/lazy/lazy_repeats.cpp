#include "edits/lazy/lazy_repeats.h"

#include <algorithm>
#include <unordered_map>

#include "edits/lazy/lazy_words.h"
#include "edits/place/write.h"

namespace bodkin {

namespace {

constexpr size_t kFurthest = 200;  // lines that are searched on each side

bool is_prose_file(std::string_view path) {
  return path.ends_with(".md") || path.ends_with(".markdown") || path.ends_with(".rst") ||
         path.ends_with(".txt");
}

// The lines of the file as they are afterwards, blank ones aside.
struct LaterLines {
  std::vector<std::string_view> lines;
  std::vector<char> added;  // by line: is it one that an edit brings and does not take?

  LaterLines(const MappedText& file, const std::vector<Replacement>& edits,
             std::vector<std::vector<std::string>>& texts) {
    size_t next = 0;
    const auto bring = [&](const Replacement& edit) {
      std::unordered_map<std::string_view, size_t> gone;
      for (const std::string& line :
           texts.emplace_back(lines_of(file.bytes().substr(edit.offset, edit.length))))
        ++gone[trimmed(line)];
      for (const std::string& line : texts.emplace_back(lines_of(edit.text))) {
        if (is_blank(line)) continue;
        size_t& left = gone[trimmed(line)];
        lines.push_back(line);
        added.push_back(left == 0);
        left -= left > 0;
      }
    };
    for (size_t i = 0; i < file.line_count(); ++i) {
      const size_t begin = file.begin_of(i);
      for (; next < edits.size() && edits[next].offset <= begin; ++next) bring(edits[next]);
      const bool goes = next > 0 && begin < edits[next - 1].offset + edits[next - 1].length;
      if (goes || is_blank(file.line(i))) continue;
      lines.push_back(file.line(i));
      added.push_back(false);
    }
    for (; next < edits.size(); ++next) bring(edits[next]);
  }
};

}  // namespace

std::optional<std::string> line_added_again(const std::vector<std::string_view>& shown,
                                            const MappedText& file, std::string_view path,
                                            const std::vector<Replacement>& edits) {
  std::unordered_map<std::string_view, size_t> times;  // in the sketch
  for (const std::string_view line : shown) ++times[trimmed(line)];
  const auto is_shown_in_a_row = [&](std::string_view text) {
    std::string_view last;
    for (const std::string_view line : shown) {
      if (is_blank(line)) continue;
      if (trimmed(line) == text && last == text) return true;
      last = trimmed(line);
    }
    return false;
  };
  const bool has_tables =
      path.ends_with(".toml") || path.ends_with(".ini") || path.ends_with(".cfg");
  const bool is_prose = is_prose_file(path);
  std::vector<std::vector<std::string>> texts;
  texts.reserve(2 * edits.size());
  const LaterLines later(file, edits, texts);
  const auto depth = [&](size_t line) {
    const std::string_view text = later.lines[line];
    return has_tables && text.starts_with('[') ? 0 : indentation_of(text).size() + has_tables;
  };
  for (size_t i = 0; i < later.lines.size(); ++i) {
    const std::string_view text = trimmed(later.lines[i]);
    if (!later.added[i] || !says_something(text)) continue;
    const size_t level = depth(i);
    if (is_prose && level == 0) continue;
    size_t beside = 0, others = 0;
    for (const bool down : {false, true})
      for (size_t k = i, far = 0; far < kFurthest; ++far) {
        if (down ? ++k == later.lines.size() : k-- == 0) break;
        if (depth(k) < level) break;
        if (depth(k) > level || trimmed(later.lines[k]) != text) continue;
        ++others;
        beside += !later.added[k] && (down ? k == i + 1 : k + 1 == i);
      }
    if (others == 0) continue;
    if ((others == 1 && times[text] == 1) || (beside > 0 && !is_shown_in_a_row(text)))
      return std::string(text);
  }
  return std::nullopt;
}

}  // namespace bodkin
