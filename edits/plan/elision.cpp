#include "edits/plan/elision.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kLongest = 160;       // bytes of a line that may elide
constexpr size_t kLongestState = 100;  // … without dots

// Words that say that code stays or was left out: alone; as a remainder of something; or perhaps.
constexpr std::string_view kState[] = {"unchanged", "unmodified", "untouched", "omitted",
                                       "truncated", "same",       "remains",   "remain",
                                       "stays",     "stay",       "intact",    "brevity"};
constexpr std::string_view kRest[] = {"rest", "remaining", "remainder", "existing", "everything"};
constexpr std::string_view kPerhaps[] = {"other",   "others", "previous", "original", "more",
                                         "etc",     "leave",  "touch",    "modify",   "change",
                                         "changes", "your",   "so",       "needed"};
// Decides: words beside them in an elision.
constexpr std::string_view kBeside[] = {
    "a",       "after",    "all",       "and",    "any",     "are",   "at",    "be",
    "before",  "above",    "below",     "code",   "for",     "goes",  "here",  "in",
    "is",      "it",       "its",       "keep",   "line",    "lines", "of",    "the",
    "to",      "this",     "file",      "method", "methods", "body",  "logic", "class",
    "imports", "function", "functions", "as",     "do",      "not",   "no",    "on"};
constexpr std::string_view kOpens[] = {"{/*", "{{!--", "{#",     "<%#", "<!--", "///", "//",
                                       "/**", "/*",    "(*",     "--",  "##",   "#",   "%",
                                       ";;",  ";",     "\"\"\"", "'''", "*",    "dnl "};
constexpr std::string_view kCloses[] = {"*/}", "--}}", "#}",     "%>", "-->",
                                        "*/",  "*)",   "\"\"\"", "'''"};
constexpr std::string_view kEllipses[] = {"...", "\xE2\x80\xA6", "⋯"};

// Asked of every byte of many lines, hence a table.
constexpr auto kCode = [] {
  std::array<bool, 256> is_code{};
  for (const char c : std::string_view("()[]<>/\\|&@$%^*+`_=;{}\""))
    is_code[static_cast<unsigned char>(c)] = true;
  return is_code;
}();
bool is_code(char c) { return kCode[static_cast<unsigned char>(c)]; }

// A line without the signs round its words.
struct Words {
  std::string_view text;
  bool comment = false;  // or in brackets
  bool dots_before = false, dots_after = false;
};

bool strip_comment(std::string_view& s) {
  if (s.empty()) return false;
  const auto* const open = std::ranges::find_if(kOpens, [&](std::string_view sign) {
    return s.front() == sign.front() && s.starts_with(sign);
  });
  if (open == std::end(kOpens)) return false;
  s.remove_prefix(open->size());
  const auto* const close =
      std::ranges::find_if(kCloses, [&](std::string_view sign) { return s.ends_with(sign); });
  if (close != std::end(kCloses)) s.remove_suffix(close->size());
  s = trimmed(s);
  return true;
}

// Takes ellipses, and single dots behind them, off one end.
bool strip_dots(std::string_view& s, bool before) {
  const size_t size = s.size();
  const auto strip = [&](std::string_view dots) {
    const bool any = before ? s.starts_with(dots) : s.ends_with(dots);
    if (any) s = before ? s.substr(dots.size()) : s.substr(0, s.size() - dots.size());
    return any;
  };
  while (std::ranges::any_of(kEllipses, strip) || (s.size() < size && strip("."))) {
  }
  const bool any = s.size() < size;
  s = trimmed(s);
  return any;
}

Words words_of(std::string_view line) {
  Words words{trimmed(line)};
  std::string_view& s = words.text;
  // Most lines of code begin with a word and do not end in dots.
  if (s.empty() || (static_cast<unsigned char>(s.front()) < 0x80 && is_word_char(s.front()) &&
                    s.front() != '_' && !s.ends_with("...") && !s.ends_with("\xA6")))
    return words;
  words.comment = strip_comment(s);
  // Brackets and dots, in any order: "[... rest ...]", "... (unchanged) ...", "-- <...> --".
  for (bool again = true; again;) {
    again = strip_dots(s, true);
    words.dots_before |= again;
    if (strip_dots(s, false)) words.dots_after = again = true;
    for (const std::string_view pair : {"()", "[]", "<>", "{}", "**", "--", "==", "__"}) {
      if (s.size() < 2 || s.front() != pair[0] || s.back() != pair[1]) continue;
      const std::string_view inner = trimmed(s.substr(1, s.size() - 2));
      // "{rest}" is code, and so are "{...props}" and "_rest_".
      if (inner.find_first_of("()[]<>{}") != s.npos ||
          (pair == "__" &&
           std::ranges::none_of(kEllipses, [&](auto dots) { return inner.starts_with(dots); })) ||
          (pair == "{}" && has_word(inner) && inner.find(' ') == inner.npos))
        continue;
      s = inner;
      words.comment = again = true;
    }
    // "...  # existing code": the comment comes after the dots.
    if (words.dots_before && strip_comment(s)) words.comment = again = true;
  }
  return words;
}

// What the words of a line say.
struct Said {
  size_t count = 0, unknown = 0;
  bool state = false, rest = false, perhaps = false, has_code = false;
};

Said said_in(std::string_view text) {
  Said said;
  said.has_code = text.find_first_of("=;{}\"") != text.npos;
  std::string lower = lower_case(text);
  std::erase(lower, '\'');
  std::string_view before;
  for (std::string_view rest = lower, word; !rest.empty();
       rest.remove_prefix(std::max(word.size(), size_t{1}))) {
    word = first_word(rest);
    if (word.empty()) continue;
    const bool state = is_one_of(word, kState) || (before == "no" && word.starts_with("change")) ||
                       (before == "as" && (word == "before" || word == "above"));
    const bool is_rest = is_one_of(word, kRest), may = is_one_of(word, kPerhaps);
    const bool number = word.find_first_not_of("0123456789") == word.npos;
    ++said.count;
    said.state |= state, said.rest |= is_rest, said.perhaps |= may;
    said.unknown += !state && !is_rest && !may && !number && !is_one_of(word, kBeside);
    before = word;
  }
  return said;
}

}  // namespace

namespace {

// "... the rest" of "- ... the rest", "1. (unchanged)"; empty if it is not such an item of a list.
std::string_view marked_item(std::string_view line) {
  const size_t sign = std::min(line.find_first_not_of("0123456789"), line.size());
  if (sign + 2 >= line.size() || line[sign + 1] != ' ' ||
      !(sign > 0 ? line[sign] == '.' : is_among(line[sign], "-+")))
    return {};
  const std::string_view item = trimmed(line.substr(sign + 2));
  return item.starts_with('(') || item.starts_with('_') ||
                 std::ranges::any_of(kEllipses, [&](auto dots) { return item.starts_with(dots); })
             ? item
             : std::string_view();
}

// `sure`: only asks whether it is certain.
Elision judged(std::string_view line, bool sure) {
  const std::string_view whole = trimmed(line);
  if (whole.empty() || whole.size() > kLongest) return Elision::none;
  if (const auto item = marked_item(whole); !item.empty() && judged(item, true) == Elision::sure)
    return Elision::sure;
  const Words words = words_of(whole);
  const bool dots = words.dots_before || words.dots_after;
  if (words.text.empty()) return dots ? Elision::sure : Elision::none;
  if (sure && !dots && !words.comment) return Elision::none;
  // Words alone are not code, but a single word may be.
  if (!dots &&
      (whole.size() > kLongestState ||
       (!words.comment && (std::ranges::any_of(whole, is_code) || whole.find(' ') == whole.npos))))
    return Elision::none;
  const Said said = said_in(words.text);
  if (said.has_code || said.count == 0) return Elision::none;
  const bool speaks = said.state || said.rest || (dots && said.perhaps);
  if (!words.comment && !dots) return speaks && said.unknown == 0 ? Elision::likely : Elision::none;
  if (words.dots_before && words.dots_after && (words.comment || (speaks && said.unknown <= 2)))
    return Elision::sure;
  if (!words.comment)  // "...rest" is code; words alone are not
    return speaks && said.unknown == 0 && said.count > 1 &&
                   words.text.find_first_of(".,") == words.text.npos &&
                   std::ranges::none_of(words.text, is_code)
               ? Elision::sure
               : Elision::none;
  if (dots && speaks && said.unknown <= (said.state || words.dots_before ? 2 : 0))
    return Elision::sure;
  if (words.dots_before) return said.unknown == 0 ? Elision::likely : Elision::perhaps;
  if (said.unknown == 0 && (said.state || (said.rest && said.count > 1))) return Elision::sure;
  // "[other]" heads a table.
  if (said.unknown == 0 && (speaks || (said.perhaps && !whole.starts_with('['))))
    return Elision::likely;
  return said.state || (said.rest && said.unknown <= 1 && said.count > 1) ? Elision::perhaps
                                                                          : Elision::none;
}

}  // namespace

// Decides: which lines are an elision ("... existing code ...").
Elision elision_in(std::string_view line) { return judged(line, false); }

bool is_elision(std::string_view line) { return elision_in(line) != Elision::none; }
bool is_sure_elision(std::string_view line) { return judged(line, true) == Elision::sure; }

bool elides_in_line(std::string_view text, bool by_words) {
  const std::string_view line = trimmed(text);
  for (size_t at = 0; at < line.size(); ++at) {
    if (!is_among(line[at], "{:([")) continue;
    std::string_view rest = trimmed(line.substr(at + 1));
    while (!rest.empty() && is_among(rest.back(), "};,)]") && !rest.ends_with("*/}"))
      rest = trimmed(rest.substr(0, rest.size() - 1));
    if (rest.empty() || rest.front() == '*') continue;
    const bool bare = rest.find_first_not_of(".\xE2\x80\xA6 ") == rest.npos;
    if (bare && (line[at] == '(' || line[at] == '[' || (by_words && line[at] == ':'))) continue;
    if (!bare && line.substr(at, 3) == "://") continue;
    if (is_sure_elision(rest)) return true;
  }
  return false;
}

std::string_view comment_that_elides(std::string_view line) {
  constexpr std::string_view kSigns[] = {" //", " #", " /*", " --", " <!--", " {/*"};
  size_t last[std::size(kSigns)] = {};  // where each begins last; 0: nowhere behind code
  for (size_t at = 1; at + 1 < line.size(); ++at) {
    if (line[at] != ' ' || !is_among(line[at + 1], "/#-<{")) continue;
    for (size_t k = 0; k < std::size(kSigns); ++k)
      if (line.substr(at).starts_with(kSigns[k])) last[k] = at;
  }
  for (const size_t at : last) {
    if (at == 0 || is_blank(line.substr(0, at))) continue;
    if (const std::string_view comment = line.substr(at + 1); is_sure_elision(comment))
      return comment;
  }
  return {};
}

std::vector<char> elisions_of(const std::vector<std::string_view>& lines, bool sure) {
  std::vector<char> elided(lines.size(), 0);
  std::string_view above;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view s = trimmed(lines[i]);
    const bool body = s == "..." && above.ends_with(':');
    elided[i] = !body && (sure ? is_sure_elision(s) : is_elision(s));
    if (!s.empty()) above = s;
  }
  return elided;
}

}  // namespace bodkin
