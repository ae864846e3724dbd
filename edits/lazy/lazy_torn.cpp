#include "edits/lazy/lazy_torn.h"

#include <algorithm>
#include <string_view>

#include "edits/place/tokens.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kFurthestName = 6;  // lines below the head in which an entry may be named

size_t depth_of(const LazyItem& item) { return indentation_of(item.text).size(); }

std::string_view first_word(std::string_view text) {
  const auto is_letter = [](char c) {
    return c == '_' || (c & 0x80) || ((c | 32) >= 'a' && (c | 32) <= 'z');
  };
  size_t size = 0;
  while (size < text.size() && is_letter(text[size])) ++size;
  return text.substr(0, size);
}

// Does the line begin a statement, a comment, or nothing, rather than an entry?
bool names_nothing(std::string_view line) {
  static constexpr std::string_view kStatements[] = {
      "if",     "for",   "while",  "switch", "else",  "elif",    "elsif", "elseif", "try",
      "except", "catch", "rescue", "ensure", "with",  "finally", "case",  "when",   "do",
      "unless", "until", "loop",   "match",  "begin", "then",    "end",   "return", "default"};
  static constexpr std::string_view kComments[] = {"//",     "/*",  "# ", "*",  "-- ",
                                                   "\"\"\"", "'''", ";;", "% ", "<!--"};
  const std::string_view text = trimmed(line);
  return text.empty() || std::string_view("})]").find(text[0]) != std::string_view::npos ||
         std::ranges::count(kStatements, first_word(text)) > 0 ||
         std::ranges::any_of(kComments, [&](auto sign) { return text.starts_with(sign); });
}

// "let size" of "let size = 2", "port" of "port: 3".
std::string_view key_before_value(std::string_view line) {
  const std::string_view text = trimmed(line);
  size_t at = text.npos;
  for (const std::string_view sign : {" = ", " := ", ": "}) at = std::min(at, text.find(sign));
  if (at == text.npos || text[0] == '-') return {};
  const std::string_view key = text.substr(0, at);
  return key.find_first_of("<>(){}[]") == key.npos && std::ranges::count(key, ' ') < 3
             ? key
             : std::string_view();
}

// "size" of "int size(char* text)"; not "test" of "test('size')", which names another thing.
std::string_view name_before_arguments(std::string_view line) {
  const std::string_view text = trimmed(line);
  const size_t at = text.find('(');
  if (at == text.npos || at == 0 || at + 1 == text.size() ||
      std::string_view("\"'`").find(text[at + 1]) != std::string_view::npos)
    return {};
  const size_t blank = text.find_last_of(" \t*&", at - 1);
  return blank == text.npos ? std::string_view() : text.substr(blank + 1, at - blank - 1);
}

// Are the words of one line those of the other, in order, with some more?
bool has_more_words(std::string_view a, std::string_view b) {
  std::vector<std::string_view> few = tokens_of(a), many = tokens_of(b);
  const auto is_sign = [](std::string_view word) { return !has_word(word); };
  std::erase_if(few, is_sign);
  std::erase_if(many, is_sign);
  if (few.size() > many.size()) std::swap(few, many);
  size_t next = 0;
  for (const std::string_view word : many) next += next < few.size() && few[next] == word;
  return next == few.size() && 2 * few.size() >= many.size();
}

// May the new line name the same entry? `is_head`: the name is in the head itself, where a key's
// value does not tell one entry from another.
bool name_the_same(std::string_view ours, std::string_view theirs, bool is_head) {
  const auto same = [](std::string_view a, std::string_view b) { return !a.empty() && a == b; };
  return has_more_words(ours, theirs) ||
         (is_head && (same(key_before_value(ours), key_before_value(theirs)) ||
                      same(name_before_arguments(ours), name_before_arguments(theirs))));
}

}  // namespace

LazyEntries::LazyEntries(const std::vector<LazyItem>& file)
    : file_(file), heads_(file.size(), 0), names_(file.size()) {
  std::unordered_map<int, size_t> count;
  for (const LazyItem& item : file) ++count[item.key];
  std::vector<size_t> below(file.size(), file.size());  // the next item that is not blank
  for (size_t i = file.size(); i-- > 1;) below[i - 1] = file[i].blank ? below[i] : i;
  for (size_t i = 0; i < file.size(); ++i) {
    const LazyItem& item = file[i];
    if (item.blank || names_nothing(item.text)) continue;
    const size_t depth = depth_of(item), next = below[i];
    const bool has_body =
        next < file.size() &&
        (depth_of(file[next]) > depth ||
         (trimmed(file[next].text) == "{" && depth_of(file[next]) == depth && has_word(item.text)));
    const bool is_paragraph = depth == 0 && next == i + 1 && next < file.size() &&
                              (i == 0 || file[i - 1].blank) && depth_of(file[next]) == 0;
    if (!has_body && !is_paragraph && !item.block) continue;
    heads_[i] = 1;
    if (has_word(item.text) && count[item.key] == 1) {
      if (!names_[i]) names_[i] = Name{depth, i};
      continue;
    }
    for (size_t k = next, seen = 0; k < file.size() && seen < kFurthestName; k = below[k], ++seen) {
      if (has_body ? depth_of(file[k]) <= depth : file[k - 1].blank) break;
      if (count[file[k].key] > 1 || !has_word(file[k].text)) continue;
      if (!names_[k]) names_[k] = Name{depth, i};
      break;
    }
  }
  for (size_t i = 0; i < file.size(); ++i)
    if (names_[i]) named_.emplace(file[i].key, i);
}

std::optional<size_t> LazyEntries::torn_by(const Region& region, const Run& run,
                                           const std::vector<LazyItem>& sketch) const {
  const std::vector<ItemPair>& pairs = region.pairs;
  const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (both(pairs[i])) continue;
    size_t end = i;
    while (end < pairs.size() && !both(pairs[end])) ++end;
    for (size_t k = i; k < end; ++k) {
      if (pairs[k].file < 0) continue;
      const size_t item = static_cast<size_t>(pairs[k].file);
      const std::optional<Name>& name = names_[item];
      if (!name || !is_bordered(*name, region, run, i, end)) continue;
      const bool comes = std::any_of(
          pairs.begin() + static_cast<long>(i), pairs.begin() + static_cast<long>(end),
          [&](const ItemPair& pair) {
            return pair.sketch >= 0 && !sketch[static_cast<size_t>(pair.sketch)].blank &&
                   name_the_same(file_[item].text, sketch[static_cast<size_t>(pair.sketch)].text,
                                 name->head == item);
          });
      if (!comes) return item;
    }
    i = end;
  }
  return std::nullopt;
}

bool LazyEntries::is_repeated_by(const Region& region, const std::vector<LazyItem>& sketch) const {
  return std::ranges::any_of(region.pairs, [&](const ItemPair& pair) {
    if (pair.file >= 0) return false;
    const auto found = named_.find(sketch[static_cast<size_t>(pair.sketch)].key);
    return found != named_.end() && (found->second < region.begin || found->second >= region.end);
  });
}

bool LazyEntries::shows_level(const ItemPair& pair, const Name& name) const {
  if (pair.sketch < 0 || pair.file < 0) return false;
  const size_t item = static_cast<size_t>(pair.file);
  if (file_[item].blank) return false;
  const size_t depth = depth_of(file_[item]);
  return depth < name.level || (depth == name.level && heads_[item]);
}

bool LazyEntries::is_bordered(const Name& name, const Region& region, const Run& run, size_t begin,
                              size_t end) const {
  const auto shows = [&](const ItemPair& pair) { return shows_level(pair, name); };
  const auto first = region.pairs.begin();
  if (!run.at_end && std::none_of(first + static_cast<long>(end), region.pairs.end(), shows))
    return true;
  return !run.at_begin && std::none_of(first, first + static_cast<long>(begin), [&](auto& pair) {
    return shows(pair) && static_cast<size_t>(pair.file) < name.head;
  });
}

}  // namespace bodkin
