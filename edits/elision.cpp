#include "edits/elision.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "edits/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kLongest = 160;       // bytes of a line that may elide
constexpr size_t kLongestState = 100;  // … without dots

// What says that something stays or was left out, beyond doubt; of one word or several.
constexpr std::string_view kState[] = {"unchanged",
                                       "unmodified",
                                       "untouched",
                                       "omitted",
                                       "elided",
                                       "snip",
                                       "snipped",
                                       "truncated",
                                       "intact",
                                       "abbreviated",
                                       "no change",
                                       "no changes",
                                       "no other changes",
                                       "no further changes",
                                       "no modifications",
                                       "not changed",
                                       "not modified",
                                       "remain as they were",
                                       "stay as they are",
                                       "stays as it is",
                                       "stays the same",
                                       "stay the same",
                                       "remains the same",
                                       "remain the same",
                                       "stays as is",
                                       "stay as is",
                                       "remains as is",
                                       "remain as is",
                                       "is the same",
                                       "are the same",
                                       "same as before",
                                       "same code",
                                       "as before",
                                       "goes here",
                                       "continues here",
                                       "remains as it was",
                                       "left as is",
                                       "kept as is",
                                       "keep as is",
                                       "unchanged code",
                                       "identical to before",
                                       "did not change",
                                       "as it was"};
// What is a remainder, and what a remainder may be of: "rest of the file", "existing code".
constexpr std::string_view kRest[] = {"rest",   "remaining",  "remainder", "existing", "other",
                                      "others", "everything", "previous",  "original", "remains"};
constexpr std::string_view kWhole[] = {
    "code",    "file",      "implementation", "logic",  "body",   "class",    "function", "method",
    "methods", "functions", "component",      "module", "script", "contents", "content",  "source"};
// Words that may stand beside them.
constexpr std::string_view kOther[] = {"a",
                                       "above",
                                       "after",
                                       "again",
                                       "all",
                                       "and",
                                       "any",
                                       "are",
                                       "as",
                                       "at",
                                       "attributes",
                                       "be",
                                       "been",
                                       "before",
                                       "behind",
                                       "below",
                                       "between",
                                       "block",
                                       "blocks",
                                       "brevity",
                                       "but",
                                       "can",
                                       "case",
                                       "cases",
                                       "change",
                                       "changed",
                                       "changes",
                                       "class",
                                       "classes",
                                       "clarity",
                                       "columns",
                                       "config",
                                       "configuration",
                                       "constants",
                                       "constructor",
                                       "continue",
                                       "continues",
                                       "current",
                                       "declaration",
                                       "declarations",
                                       "definition",
                                       "definitions",
                                       "did",
                                       "do",
                                       "does",
                                       "element",
                                       "elements",
                                       "else",
                                       "entries",
                                       "etc",
                                       "exactly",
                                       "exist",
                                       "exists",
                                       "exports",
                                       "fields",
                                       "follow",
                                       "follows",
                                       "for",
                                       "from",
                                       "go",
                                       "goes",
                                       "handlers",
                                       "have",
                                       "helpers",
                                       "here",
                                       "hidden",
                                       "identical",
                                       "import",
                                       "imports",
                                       "in",
                                       "includes",
                                       "into",
                                       "is",
                                       "it",
                                       "item",
                                       "items",
                                       "keep",
                                       "kept",
                                       "keys",
                                       "leave",
                                       "left",
                                       "like",
                                       "line",
                                       "lines",
                                       "made",
                                       "members",
                                       "modifications",
                                       "modified",
                                       "more",
                                       "need",
                                       "needed",
                                       "no",
                                       "not",
                                       "nothing",
                                       "now",
                                       "of",
                                       "on",
                                       "options",
                                       "or",
                                       "out",
                                       "page",
                                       "part",
                                       "parts",
                                       "preserved",
                                       "properties",
                                       "props",
                                       "remain",
                                       "required",
                                       "routes",
                                       "rows",
                                       "rules",
                                       "same",
                                       "section",
                                       "sections",
                                       "setup",
                                       "settings",
                                       "shown",
                                       "skipped",
                                       "space",
                                       "state",
                                       "statements",
                                       "stay",
                                       "stays",
                                       "still",
                                       "stuff",
                                       "sub",
                                       "styles",
                                       "table",
                                       "template",
                                       "tests",
                                       "text",
                                       "than",
                                       "that",
                                       "the",
                                       "there",
                                       "document",
                                       "view",
                                       "query",
                                       "these",
                                       "they",
                                       "this",
                                       "those",
                                       "to",
                                       "types",
                                       "unaffected",
                                       "until",
                                       "up",
                                       "utilities",
                                       "values",
                                       "variables",
                                       "version",
                                       "was",
                                       "we",
                                       "well",
                                       "were",
                                       "what",
                                       "where",
                                       "will",
                                       "with",
                                       "you",
                                       "your",
                                       "our",
                                       "my",
                                       "also",
                                       "only",
                                       "just",
                                       "already",
                                       "present",
                                       "so",
                                       "far"};
// In other languages than English, as parts of words.
constexpr std::string_view kForeign[] = {"unver\xC3\xA4ndert",
                                         "bestehend",
                                         "restlich",
                                         "rest des",
                                         "rest der",
                                         "wie zuvor",
                                         "wie bisher",
                                         "bleibt gleich",
                                         "bleiben gleich",
                                         "inchang\xC3\xA9",
                                         "reste du",
                                         "reste de",
                                         "code existant",
                                         "sans changement",
                                         "sin cambios",
                                         "resto de",
                                         "existente",
                                         "sin modificar",
                                         "igual que antes",
                                         "sem altera",
                                         "inalterad",
                                         "resto do",
                                         "invariat",
                                         "resto del",
                                         "esistente",
                                         "bez zmian",
                                         "reszta",
                                         "без изменений",
                                         "остальн",
                                         "существующ",
                                         "как раньше",
                                         "其余",
                                         "其他代码",
                                         "保持不变",
                                         "不变",
                                         "省略",
                                         "现有代码",
                                         "原有",
                                         "剩余",
                                         "既存",
                                         "変更なし",
                                         "残りの",
                                         "以下同",
                                         "そのまま",
                                         "기존",
                                         "나머지",
                                         "생략",
                                         "변경 없음",
                                         "동일"};

bool is_one_of(std::string_view word, const auto& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

// The words of a comment, and what they say.
struct Said {
  std::string words = " ";  // each with a blank behind it
  size_t count = 0, unknown = 0, wholes = 0;
  bool rest = false, state = false, has_code = false;
  bool only_other = true;  // no remainder is named but "other"
};

Said said_in(std::string_view text) {
  Said said;
  std::string word;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    const bool inner = c == '\'' || c == '_' || (c >= '0' && c <= '9');
    const char low = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if ((low >= 'a' && low <= 'z') || (inner && !word.empty()) || (c & 0x80)) {
      word += low;
      continue;
    }
    if (std::string_view("=;{}\"").find(c) != std::string_view::npos) said.has_code = true;
    if (word.empty()) continue;
    // An ellipsis is no word.
    if (word != "\xE2\x80\xA6") {
      ++said.count;
      const bool rest = is_one_of(word, kRest);
      said.rest |= rest;
      said.only_other &= !rest || word == "other" || word == "others";
      said.wholes += is_one_of(word, kWhole);
      const bool known =
          rest || is_one_of(word, kWhole) || is_one_of(word, kOther) || is_one_of(word, kState);
      said.unknown += !known;
      said.words += word + ' ';
    }
    word.clear();
  }
  said.state = std::any_of(std::begin(kState), std::end(kState), [&](std::string_view state) {
    return said.words.find(' ' + std::string(state) + ' ') != std::string::npos;
  });
  return said;
}

struct Words {
  std::string_view text;  // of a line, without the comment's signs
  bool comment = false;   // or in brackets
  bool dots_before = false, dots_after = false;
  bool only_dots() const { return text.find_first_not_of(". \xE2\x80\xA6") == text.npos; }
};

bool strip_comment(std::string_view& s) {
  static constexpr std::string_view kOpen[] = {"{/*", "{{!--", "{{!",  "{#", "<%#", "<!--",   "///",
                                               "//",  "/**",   "/*",   "(*", "{-",  "--[[",   "--",
                                               "##",  "#",     "%",    ";;", ";",   "\"\"\"", "'''",
                                               "@*",  "REM ",  "rem ", "!",  "*",   "'"};
  static constexpr std::string_view kClose[] = {"*/}", "--}}", "}}", "#}",     "%>",  "-->", "*/",
                                                "*)",  "-}",   "]]", "\"\"\"", "'''", "*@"};
  const auto open = std::find_if(std::begin(kOpen), std::end(kOpen),
                                 [&](std::string_view sign) { return s.starts_with(sign); });
  if (open == std::end(kOpen)) return false;
  s.remove_prefix(open->size());
  for (const std::string_view sign : kClose) {
    if (!s.ends_with(sign)) continue;
    s.remove_suffix(sign.size());
    break;
  }
  s = stripped(s);
  return true;
}

bool strip_dots(std::string_view& s, bool before) {
  bool any = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view dots : {"...", "\xE2\x80\xA6", "⋯", "⋮"}) {
      if (!(before ? s.starts_with(dots) : s.ends_with(dots))) continue;
      before ? s.remove_prefix(dots.size()) : s.remove_suffix(dots.size());
      any = again = true;
    }
    while (any && !s.empty() && (before ? s.front() : s.back()) == '.')
      before ? s.remove_prefix(1) : s.remove_suffix(1);
    s = stripped(s);
  }
  return any;
}

Words words_of(std::string_view line) {
  Words words{stripped(line)};
  std::string_view& s = words.text;
  words.comment = strip_comment(s);
  // Brackets and dots, in any order: "[... rest ...]", "... (unchanged) ...", "<...>".
  for (bool again = true; again;) {
    again = strip_dots(s, true);
    words.dots_before |= again;
    if (strip_dots(s, false)) words.dots_after = again = true;
    for (const auto& [open, close] :
         {std::pair('(', ')'), {'[', ']'}, {'<', '>'}, {'*', '*'}, {'-', '-'}}) {
      if (s.size() < 2 || s.front() != open || s.back() != close) continue;
      if (s.substr(1, s.size() - 2).find_first_of("()[]<>") != s.npos) continue;
      s = stripped(s.substr(1, s.size() - 2));
      words.comment = again = true;
    }
    // "...  # existing code": the comment comes behind the dots.
    if (words.dots_before && strip_comment(s)) words.comment = again = true;
  }
  return words;
}

}  // namespace

Elision elision_in(std::string_view line) {
  const std::string_view whole = stripped(line);
  if (whole.empty() || whole.size() > kLongest) return Elision::none;
  const Words words = words_of(whole);
  const bool dots = words.dots_before || words.dots_after;
  if (words.only_dots()) return dots ? Elision::sure : Elision::none;
  if (!dots && !words.comment) return Elision::none;
  const Said said = said_in(words.text);
  if (said.has_code || said.count == 0) return Elision::none;
  const bool speaks = said.state || said.rest;
  if (dots) {
    if (words.dots_before && words.dots_after && (words.comment || (speaks && said.unknown == 0)))
      return Elision::sure;
    if (!words.comment) return Elision::none;
    if (speaks && said.unknown <= (said.state || words.dots_before ? 2 : 0)) return Elision::sure;
    if (words.dots_before)
      return said.wholes > 0 && said.unknown == 0 ? Elision::sure : Elision::likely;
    if (speaks || said.wholes > 0) return Elision::likely;
  } else if (whole.size() <= kLongestState) {
    if (said.state && said.unknown == 0) return Elision::sure;
    // "Other methods" may be a heading.
    const bool of_whole = said.rest && said.wholes > 0 && said.count > 1 && !said.only_other;
    if (of_whole && said.unknown == 0) return Elision::sure;
    if (said.state || (said.rest && said.unknown <= 1 && said.count > 1)) return Elision::likely;
    if (said.unknown == 0 && said.words.find(" same ") != std::string::npos) return Elision::likely;
  }
  const std::string low = lower(words.text);
  if (std::any_of(std::begin(kForeign), std::end(kForeign),
                  [&](std::string_view part) { return low.find(part) != low.npos; }))
    return dots ? Elision::sure : Elision::likely;
  return Elision::none;
}

bool is_elision(std::string_view line) { return elision_in(line) != Elision::none; }

bool is_sure_elision(std::string_view line) { return elision_in(line) == Elision::sure; }

bool elides_in_line(std::string_view text, bool by_words) {
  const std::string_view line = stripped(text);
  for (size_t at = line.find_first_of("{:(["); at != line.npos;
       at = line.find_first_of("{:([", at + 1)) {
    std::string_view rest = stripped(line.substr(at + 1));
    while (rest.ends_with('}') || rest.ends_with(';') || rest.ends_with(',') ||
           rest.ends_with(')') || rest.ends_with(']')) {
      if (rest.ends_with("*/}") || rest.starts_with("(") || rest.starts_with("[")) break;
      rest.remove_suffix(1);
      rest = stripped(rest);
    }
    if (rest.empty() || rest.front() == '*') continue;
    const bool bare = rest.find_first_not_of(".\xE2\x80\xA6 ") == rest.npos;
    if (bare && (line[at] == '(' || line[at] == '[' || (by_words && line[at] == ':'))) continue;
    if (!bare && line.substr(at, 3) == "://") continue;
    if (is_sure_elision(rest)) return true;
  }
  return false;
}

bool elides_behind_code(std::string_view line) {
  for (const std::string_view sign : {" //", " #", " /*", " --", " <!--", " {/*"})
    if (const size_t at = line.rfind(sign);
        at != line.npos && !is_blank(line.substr(0, at)) && is_sure_elision(line.substr(at)))
      return true;
  return false;
}

std::vector<char> elisions_of(const std::vector<std::string_view>& lines, bool sure) {
  std::vector<char> elided(lines.size(), 0);
  std::string_view above;
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string_view s = stripped(lines[i]);
    const bool body = s == "..." && above.ends_with(':');
    elided[i] = !body && (sure ? is_sure_elision(s) : is_elision(s));
    if (!s.empty()) above = s;
  }
  return elided;
}

}  // namespace bodkin
