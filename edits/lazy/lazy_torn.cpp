#include "edits/lazy/lazy_torn.h"

#include <algorithm>
#include <string_view>

#include "edits/place/tokens.h"
#include "edits/text/comments.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr char kHead = 1, kParagraph = 2;
constexpr size_t kFurthestName = 6;  // lines below the head in which an entry may be named

// A statement that goes on with what is above it.
bool goes_on(std::string_view line) {
  static constexpr std::string_view kWords[] = {"else",   "elif", "elsif", "elseif", "except",
                                                "catch",  "when", "then",  "end",    "rescue",
                                                "ensure", "do",   "begin", "finally"};
  const std::string_view text = trimmed(line);
  return text.empty() || std::string_view("{})]>").find(text[0]) != std::string_view::npos ||
         std::ranges::count(kWords, first_word(text)) > 0;
}

bool is_remark(std::string_view line) {
  const std::string_view text = trimmed(line);
  return is_comment(text) || text.starts_with("\"\"\"") || text.starts_with("'''");
}

// True if the line begins a statement, a comment, or nothing, rather than an entry.
bool names_nothing(std::string_view line) {
  static constexpr std::string_view kStatements[] = {"if",   "for",   "while",  "switch",
                                                     "try",  "with",  "unless", "until",
                                                     "loop", "match", "return", "default"};
  return (goes_on(line) && !trimmed(line).starts_with('{')) || is_remark(line) ||
         std::ranges::count(kStatements, first_word(trimmed(line))) > 0;
}

// "let size" of "let size = 2", "port" of "port: 3".
std::string_view key_before_value(std::string_view line) {
  const std::string_view text = trimmed(line);
  size_t at = text.npos;
  for (const std::string_view sign : {" = ", " := ", " <- ", ": "})
    at = std::min(at, text.find(sign));
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
  if (at == text.npos || at == 0 ||
      (at + 1 < text.size() && std::string_view("\"'`").find(text[at + 1]) != text.npos))
    return {};
  const std::string_view before = trimmed(text.substr(0, at));
  const size_t blank = before.find_last_of(" \t*&");
  const std::string_view name = blank == before.npos ? "" : before.substr(blank + 1);
  static constexpr std::string_view kNoNames[] = {"function", "func", "fn", "def", "proc", "sub"};
  return std::ranges::count(kNoNames, name) > 0 ? std::string_view() : name;
}

// True if the words of one line are those of the other, in order, and some more.
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

// True if the new line may name the same entry. `is_head`: the name is in the head itself, where a
// key's value does not tell one entry from another.
bool name_the_same(std::string_view ours, std::string_view theirs, bool is_head) {
  const auto same = [](std::string_view a, std::string_view b) { return !a.empty() && a == b; };
  return has_more_words(ours, theirs) ||
         (is_head && (same(key_before_value(ours), key_before_value(theirs)) ||
                      same(name_before_arguments(ours), name_before_arguments(theirs))));
}

// Brackets that the run leaves open, in lines at least as deep: then the elision after it is in
// there. So it is after a comma or a colon that ends a deeper line.
bool ends_within(const std::vector<LazyItem>& sketch, const Run& run, size_t level) {
  std::vector<size_t> open;
  std::string_view last;
  for (size_t i = run.first; i < run.last; ++i) {
    if (sketch[i].blank || sketch[i].block) continue;
    const std::string_view text = last = sketch[i].text;
    for (size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"' || c == '\'' || c == '`') {
        const size_t close = text.find(c, at + 1);
        if (close != text.npos) at = close;
      } else if (c == '(' || c == '[' || c == '{') {
        open.push_back(indentation_of(text).size());
      } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
        open.pop_back();
      }
    }
  }
  const std::string_view end = trimmed(last);
  return std::ranges::any_of(open, [&](size_t depth) { return depth >= level; }) ||
         (indentation_of(last).size() > level && (end.ends_with(',') || end.ends_with(':')));
}

}  // namespace

LazyEntries::LazyEntries(const std::vector<LazyItem>& file)
    : file_(file), heads_(file.size(), 0), unique_(file.size(), 0), names_(file.size()) {
  std::unordered_map<int, size_t> count;
  for (const LazyItem& item : file) ++count[item.key];
  std::vector<size_t> below(file.size(), file.size());  // the next item that is not blank
  for (size_t i = file.size(); i-- > 1;) below[i - 1] = file[i].blank ? below[i] : i;
  for (size_t i = 0; i < file.size(); ++i)
    unique_[i] = !file[i].blank && has_word(file[i].text) && count[file[i].key] == 1;
  bool begins_paragraph = true;  // what comes next, but for comments
  for (size_t i = 0; i < file.size(); ++i) {
    const LazyItem& item = file[i];
    const bool is_apart = item.blank || trimmed(item.text) == "---";
    const bool begins = begins_paragraph;
    begins_paragraph = is_apart || (begins_paragraph && is_remark(item.text));
    if (is_apart || names_nothing(item.text)) continue;
    const size_t depth = depth_of(item), next = below[i];
    // A bracket alone opens what the line above it begins.
    if (trimmed(item.text) == "{" && i > 0 && !file[i - 1].blank &&
        depth_of(file[i - 1]) == depth && !goes_on(file[i - 1].text))
      continue;
    const bool has_body =
        next < file.size() &&
        (depth_of(file[next]) > depth ||
         (trimmed(file[next].text) == "{" && depth_of(file[next]) == depth && has_word(item.text)));
    const bool is_paragraph = depth == 0 && next == i + 1 && next < file.size() && begins &&
                              first_word(trimmed(item.text)) != trimmed(item.text) &&
                              depth_of(file[next]) == 0;
    if (!has_body && !is_paragraph && !item.block) continue;
    heads_[i] = is_paragraph && !has_body ? kParagraph : kHead;
    Name name{depth, i, i + 1, has_body};
    const auto is_in = [&](size_t k) {
      return has_body ? file[k].blank || depth_of(file[k]) > depth || goes_on(file[k].text)
                      : !file[k].blank && trimmed(file[k].text) != "---";
    };
    while (name.end < file.size() && is_in(name.end)) ++name.end;
    if (unique_[i] || !name_before_arguments(item.text).empty()) {
      if (!names_[i] || names_[i]->level < depth) names_[i] = name;
      continue;
    }
    for (size_t k = next, seen = 0; k < name.end && seen < kFurthestName; k = below[k], ++seen) {
      if (!unique_[k] || is_remark(file[k].text)) continue;
      if (!names_[k]) names_[k] = name;
      break;
    }
  }
  for (size_t i = 0; i < file.size(); ++i) {
    if (names_[i]) named_.emplace(file[i].key, i);
    // So do the comments and decorators above it.
    for (size_t k = i; heads_[i] && k-- > 0 && unique_[k] && !heads_[k] &&
                       depth_of(file[k]) == depth_of(file[i]);)
      named_.emplace(file[k].key, k);
  }
}

std::optional<size_t> LazyEntries::torn_by(const Region& region, const Run& run,
                                           const std::vector<LazyItem>& sketch) const {
  const std::vector<ItemPair>& pairs = region.pairs;
  const auto both = [](const ItemPair& pair) { return pair.sketch >= 0 && pair.file >= 0; };
  for (size_t i = 0; i < pairs.size(); ++i) {
    if (both(pairs[i])) continue;
    size_t end = i;
    while (end < pairs.size() && !both(pairs[end])) ++end;
    if (!are_whole(region, i, end))
      for (size_t k = i; k < end; ++k) {
        if (pairs[k].file < 0) continue;
        const size_t item = static_cast<size_t>(pairs[k].file);
        const std::optional<Name>& name = names_[item];
        if (!name || !is_bordered(*name, region, run, i, end, sketch)) continue;
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

bool LazyEntries::may_end_before(const Region& region, size_t item, bool other_begin,
                                 bool other_end, const std::vector<LazyItem>& sketch) const {
  if (other_end && !is_between(region.end, item)) return false;
  if (other_begin && (!is_between(region.begin, item) ||
                      (names_[region.begin] && names_[region.begin]->head == region.begin)))
    return false;
  return !is_repeated_by(region, sketch);
}

bool LazyEntries::is_between(size_t at, size_t item) const {
  while (at < file_.size() && file_[at].blank) ++at;
  return at == file_.size() || (names_[item] && depth_of(file_[at]) <= names_[item]->level);
}

bool LazyEntries::are_whole(const Region& region, size_t first, size_t last) const {
  const std::vector<ItemPair>& pairs = region.pairs;
  if (first == 0 || last == pairs.size()) return false;
  for (size_t k = first; k < last; ++k)
    if (pairs[k].file < 0) return false;
  size_t begin = static_cast<size_t>(pairs[first].file),
         end = static_cast<size_t>(pairs[last - 1].file) + 1;
  // Of equal lines at both ends either may go.
  for (;; --begin, --end) {
    if (heads_[begin] && begin > region.begin && (end == file_.size() || heads_[end])) {
      for (size_t i = begin + 1; i < end; ++i)
        if (!file_[i].blank && (depth_of(file_[i]) < depth_of(file_[begin]) ||
                                (heads_[i] == kParagraph && heads_[begin] != kParagraph)))
          return false;
      return true;
    }
    if (begin <= region.begin || file_[begin - 1].key != file_[end - 1].key) return false;
  }
}

bool LazyEntries::shows_level(const ItemPair& pair, const Name& name) const {
  if (pair.sketch < 0 || pair.file < 0) return false;
  const size_t item = static_cast<size_t>(pair.file);
  if (file_[item].blank) return false;
  const size_t depth = depth_of(file_[item]);
  if (depth < name.level) return true;
  if (name.head <= item && item < name.end) return false;
  return depth == name.level &&
         (heads_[item] || (name.has_body && unique_[item] && !goes_on(file_[item].text)));
}

bool LazyEntries::is_bordered(const Name& name, const Region& region, const Run& run, size_t begin,
                              size_t end, const std::vector<LazyItem>& sketch) const {
  const auto first = region.pairs.begin();
  if (!run.at_end &&
      std::none_of(first + static_cast<long>(end), region.pairs.end(),
                   [&](const ItemPair& pair) { return shows_level(pair, name); }) &&
      !ends_within(sketch, run, name.level))
    return true;
  return !run.at_begin && std::none_of(first, first + static_cast<long>(begin), [&](auto& pair) {
    const bool is_before =
        pair.sketch >= 0 && pair.file >= 0 && static_cast<size_t>(pair.file) < name.head;
    return is_before && (shows_level(pair, name) || unique_[static_cast<size_t>(pair.file)]);
  });
}

}  // namespace bodkin
