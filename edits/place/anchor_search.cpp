#include "edits/place/anchor_search.h"

#include <algorithm>

#include "edits/place/sections.h"

namespace bodkin {
namespace {

// Where the line holds the words, from word to word, as code; npos: nowhere. ".btn" is not a word
// of ".btn:hover", nor "load" of "load-all" or "load.all".
size_t find_words(std::string_view line, std::string_view words) {
  const auto joins = [&](size_t at) {
    return at + 1 < line.size() && std::string_view("-.:").find(line[at]) != line.npos &&
           is_word_char(line[at + 1]);
  };
  for (size_t at = line.find(words); at != line.npos; at = line.find(words, at + 1)) {
    const size_t end = at + words.size();
    const bool begins =
        at == 0 || !is_word_char(words.front()) ||
        (!is_word_char(line[at - 1]) && !(line[at - 1] == '-' && at > 1 && joins(at - 1)));
    const bool ends = end == line.size() || !is_word_char(words.back()) ||
                      (!is_word_char(line[end]) && !joins(end));
    if (begins && ends && is_code(line, at)) return at;
  }
  return line.npos;
}

// Without what opens a block, and without the signs of a table or a heading.
std::string_view bare_head(std::string_view line) {
  line = trimmed(line);
  if (const std::string_view name = flat_section_name(line); !name.empty()) line = name;
  const auto is_sign = [](char c) {
    return std::string_view(" \t{:([]#").find(c) != std::string_view::npos;
  };
  while (!line.empty() && is_sign(line.back())) line.remove_suffix(1);
  while (!line.empty() && is_sign(line.front())) line.remove_prefix(1);
  return line;
}

// How a line may match an anchor, the strictest first.
enum class AnchorMatch { equal, equal_head, heads, begins };

class AnchorSearch {
 public:
  AnchorSearch(const MappedText& file, std::string_view anchor)
      : file_(file),
        wanted_(trimmed(anchor)),
        bare_(bare_head(wanted_)),
        is_ascii_(is_ascii(wanted_)),
        // What is the whole name of its section: "[a]" is not "[a.b]", ".btn" not ".btn .icon".
        is_whole_(!flat_section_name(wanted_).empty() || wanted_.starts_with('.') ||
                  wanted_.starts_with('#')) {}

  // The lines in the range that are the anchor, by the strictest match that any has.
  std::vector<size_t> lines_in(const LineRange& range) const {
    std::vector<size_t> lines;
    if (wanted_.empty()) return lines;
    for (const AnchorMatch match :
         {AnchorMatch::equal, AnchorMatch::equal_head, AnchorMatch::heads, AnchorMatch::begins}) {
      for (size_t i = range.begin; i < range.end; ++i)
        if (!is_blank(file_.line(i)) && is(i, match)) lines.push_back(i);
      if (!lines.empty()) break;
    }
    return lines;
  }

 private:
  bool is(size_t i, AnchorMatch match) const {
    const std::string_view line = trimmed(file_.line(i));
    switch (match) {
      case AnchorMatch::equal:
        return line == wanted_ ||
               (!(is_ascii(line) && is_ascii_) && same_under(punctuation_key, line, wanted_));
      case AnchorMatch::equal_head:
        return !bare_.empty() && bare_head(line) == bare_ &&
               (heads_flat_section(file_, i) || (opens(i) && is_code(line, line.find(bare_))));
      case AnchorMatch::heads:
        return !is_whole_ && !heads_flat_section(file_, i) &&
               find_words(line, wanted_) != line.npos && opens(i);
      case AnchorMatch::begins:
        return !is_whole_ && !heads_flat_section(file_, i) && find_words(line, wanted_) == 0;
    }
    return false;
  }

  bool opens(size_t i) const {
    return ends_in_opener(file_.line(i)) || is_deeper_below(file_, i) ||
           (i + 1 < file_.line_count() && trimmed(file_.line(i + 1)) == "{");
  }

  const MappedText& file_;
  const std::string_view wanted_, bare_;
  const bool is_ascii_, is_whole_;
};

}  // namespace

std::vector<size_t> lines_of_anchor(const MappedText& file, std::string_view anchor,
                                    const LineRange& range) {
  return AnchorSearch(file, anchor).lines_in(range);
}

}  // namespace bodkin
