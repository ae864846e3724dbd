#include "edits/place/block_tags.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <string_view>
#include <utility>

#include "edits/place/sections.h"

namespace bodkin {
namespace {

// How many blocks are open, by the kind of sign and the word that opens one.
using OpenTags = std::map<std::pair<std::string_view, std::string_view>, long>;

// Without the signs that trim white space: "{{-", "<%=", "{%+".
std::string_view inside(std::string_view tag) {
  while (!tag.empty() && std::string_view("-=+~").find(tag.front()) != tag.npos)
    tag.remove_prefix(1);
  return trimmed(tag);
}

bool ends_in_do(std::string_view code) {
  if (code.ends_with('|')) {
    code.remove_suffix(1);
    code = trimmed_right(code.substr(0, code.rfind('|') == code.npos ? 0 : code.rfind('|')));
  }
  return code.ends_with(" do");
}

class TagReader {
 public:
  explicit TagReader(OpenTags& open) : open_(open) {}

  void read(std::string_view line) {
    line = trimmed(line);
    if (line.empty()) return;
    read_line_tag(line);
    for (size_t at = line.find_first_of("{<"); at < line.size();
         at = line.find_first_of("{<", at + 1))
      at += read_tag(line.substr(at));
  }

  // True if a tag was read that closes something not opened here.
  bool closes_more() const { return closes_more_; }

 private:
  void count(std::string_view sign, std::string_view word, long change) {
    closes_more_ = (open_[{sign, word}] += change) < 0 || closes_more_;
  }

  // Tags that begin a line.
  void read_line_tag(std::string_view line) {
    if (line.front() == '#') {
      const std::string_view word = first_word(trimmed(line.substr(1)));
      if (is_one_of(word, {"if", "ifdef", "ifndef"})) count("#", "if", 1);
      if (word == "endif") count("#", "if", -1);
      if (is_one_of(word, {"region", "endregion"})) count("#", "region", word == "region" ? 1 : -1);
    } else if (line.front() == '@') {
      count_named("@", first_word(line.substr(1)));
    } else if (const std::string_view word = first_word(line); word.size() >= 4) {
      const std::string_view rest = line.substr(word.size());
      if (is_one_of(word, {"ifeq", "ifneq", "ifdef", "ifndef"}) && rest.starts_with(' '))
        count("make", "if", 1);
      if (word == "endif" && (rest.empty() || rest.starts_with(" #"))) count("make", "if", -1);
    }
  }

  // "endfor" closes what "for" opens.
  void count_named(std::string_view sign, std::string_view word) {
    const bool closes = word.starts_with("end") && word.size() > 3;
    if (!word.empty()) count(sign, closes ? word.substr(3) : word, closes ? -1 : 1);
  }

  // A tag that begins here: how many bytes of it need not be looked at again.
  size_t read_tag(std::string_view text) {
    if (text.starts_with("{{")) return read_braces(text.substr(2, text.find("}}") - 2));
    if (text.starts_with("{%")) {
      count_named("{%", first_word(inside(text.substr(2))));
    } else if (text.starts_with("<%")) {
      read_erb(inside(text.substr(2, text.find("%>") - 2)));
    } else if (text.starts_with("{#") || text.starts_with("{/")) {
      const std::string_view word = first_word(text.substr(2));
      if (!word.empty()) count("{#", word, text[1] == '#' ? 1 : -1);
    }
    return 0;
  }

  size_t read_braces(std::string_view tag) {
    tag = inside(tag);
    if (tag.empty()) return 1;
    const std::string_view word = first_word(tag);
    if (is_one_of(word, {"if", "range", "with", "define", "block"})) count("{{", "", 1);
    if (word == "end") count("{{", "", -1);
    if (std::string_view("#^/").find(tag.front()) == tag.npos) return 1;
    const std::string_view name = first_word(trimmed(tag.substr(1)));
    if (!name.empty()) count("{{#", name, tag.front() == '/' ? -1 : 1);
    return 1;
  }

  void read_erb(std::string_view code) {
    while (!code.empty() && (code.back() == '-' || code.back() == ' ')) code.remove_suffix(1);
    const std::string_view word = first_word(code);
    if (is_one_of(word, {"if", "unless", "case", "for", "while", "begin"}) && !code.ends_with('{'))
      count("<%", "", 1);
    else if (ends_in_do(code))
      count("<%", "", 1);
    if (word == "end") count("<%", "", -1);
    if (code.starts_with('}') != code.ends_with('{'))
      count("<%{", "", code.ends_with('{') ? 1 : -1);
  }

  OpenTags& open_;
  bool closes_more_ = false;
};

}  // namespace

std::optional<size_t> end_of_tagged(const MappedText& file, size_t head, size_t limit) {
  OpenTags opened;
  TagReader(opened).read(file.line(head));
  std::erase_if(opened, [](const auto& each) { return each.second <= 0; });
  if (opened.empty() || !file.spend(limit - head)) return std::nullopt;
  OpenTags open = opened;
  TagReader reader(open);
  for (size_t i = head + 1; i < limit; ++i) {
    reader.read(file.line(i));
    for (const auto& [tag, depth] : opened)
      if (open[tag] <= 0) return i + 1;
  }
  return std::nullopt;
}

size_t end_of_round_tags(const MappedText& file, size_t line, size_t limit) {
  OpenTags open;
  TagReader reader(open);
  for (size_t i = line; i < limit; ++i) {
    reader.read(file.line(i));
    if (reader.closes_more()) return i;
  }
  return limit;
}

}  // namespace bodkin
