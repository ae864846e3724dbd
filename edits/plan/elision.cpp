#include "edits/plan/elision.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "edits/plan/comment_words.h"
#include "edits/plan/elision_words.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kLongest = 160;       // bytes of a line that may elide
constexpr size_t kLongestState = 100;  // … without dots

// Sets of bytes: most lines neither elide nor are comments, and that is seen by a byte or two.
using Bytes = std::array<bool, 256>;

constexpr Bytes bytes_of(std::string_view signs) {
  Bytes found{};
  for (const char sign : signs) found[static_cast<unsigned char>(sign)] = true;
  return found;
}

constexpr Bytes first_bytes(const auto& signs) {
  Bytes found{};
  for (const std::string_view sign : signs) found[static_cast<unsigned char>(sign.front())] = true;
  return found;
}

constexpr Bytes last_bytes(const auto& signs) {
  Bytes found{};
  for (const std::string_view sign : signs) found[static_cast<unsigned char>(sign.back())] = true;
  return found;
}

bool is_one_of(char c, const Bytes& bytes) { return bytes[static_cast<unsigned char>(c)]; }

// Dots, ellipses and blanks.
bool is_dots(std::string_view text) {
  while (!text.empty()) {
    size_t size = text[0] == '.' || text[0] == ' ' ? 1 : 0;
    if (size == 0 && !(text[0] & 0x80)) return false;
    for (const std::string_view sign : {"\xE2\x80\xA6", "⋯", "⋮", "•", "·", "‥", "。", "．", "∙"})
      if (text.starts_with(sign)) size = sign.size();
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

struct Words {
  std::string_view text;  // of a line, without the comment's signs
  bool comment = false;   // or in brackets
  bool dots_before = false, dots_after = false;
  bool only_dots() const { return is_dots(text); }
};

constexpr std::string_view kCommentOpens[] = {
    "{/*", "{{!--", "{{!",  "{#",   "<%#", "<!--", "///", "//",   "/**", "/*",
    "(*",  "{-",    "--[[", "--",   "##",  "#",    "%",   ";;",   ";",   "\"\"\"",
    "'''", "@*",    "REM ", "rem ", "! ",  "*",    "'",   "dnl ", "\" "};
constexpr std::string_view kEllipses[] = {"...", "\xE2\x80\xA6", "⋯", "⋮"};
constexpr Bytes kBeginComment = first_bytes(kCommentOpens);
constexpr Bytes kBeginEllipsis = first_bytes(kEllipses), kEndEllipsis = last_bytes(kEllipses);
constexpr Bytes kBeginBrackets = bytes_of("([<*-{=>~@$");

// True if the text, which is trimmed and not empty, is enclosed by neither a comment's sign nor
// dots nor brackets. Most lines of code are bare; none of them certainly elides.
bool is_bare(std::string_view text) {
  return !is_one_of(text.front(), kBeginComment) && !is_one_of(text.front(), kBeginEllipsis) &&
         !is_one_of(text.front(), kBeginBrackets) && !is_one_of(text.back(), kEndEllipsis);
}

bool strip_comment(std::string_view& s) {
  static constexpr std::string_view kClose[] = {"*/}", "--}}", "}}", "#}",     "%>",  "-->", "*/",
                                                "*)",  "-}",   "]]", "\"\"\"", "'''", "*@"};
  if (s.empty() || !is_one_of(s.front(), kBeginComment)) return false;
  const auto open = std::find_if(
      std::begin(kCommentOpens), std::end(kCommentOpens),
      [&](std::string_view sign) { return s.front() == sign.front() && s.starts_with(sign); });
  if (open == std::end(kCommentOpens)) return false;
  // Between two quotes it is a string.
  if (*open == "\" " && s.find('"', 1) != s.npos) return false;
  s.remove_prefix(open->size());
  for (const std::string_view sign : kClose) {
    if (!s.ends_with(sign) || (sign == "}}" && !open->starts_with("{{"))) continue;
    s.remove_suffix(sign.size());
    break;
  }
  s = trimmed(s);
  return true;
}

bool strip_dots(std::string_view& s, bool before) {
  if (s.empty() ||
      !(before ? is_one_of(s.front(), kBeginEllipsis) : is_one_of(s.back(), kEndEllipsis)))
    return false;
  bool any = false;
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view dots : kEllipses) {
      if (!(before ? s.starts_with(dots) : s.ends_with(dots))) continue;
      before ? s.remove_prefix(dots.size()) : s.remove_suffix(dots.size());
      any = again = true;
    }
    while (any && !s.empty() && (before ? s.front() : s.back()) == '.')
      before ? s.remove_prefix(1) : s.remove_suffix(1);
    s = trimmed(s);
  }
  return any;
}

// True if one pair of brackets encloses all of it.
bool is_bracketed(std::string_view text) {
  static constexpr std::string_view kOpen = "([<{", kClose = ")]>}";
  const size_t kind = text.empty() ? kOpen.npos : kOpen.find(text.front());
  return kind != kOpen.npos && text.back() == kClose[kind] &&
         text.substr(1, text.size() - 2).find_first_of("()[]<>{}") == text.npos;
}

Words words_of(std::string_view line) {
  Words words{trimmed(line)};
  std::string_view& s = words.text;
  if (s.empty() || is_bare(s)) return words;
  words.comment = strip_comment(s);
  // Brackets and dots, in any order: "[... rest ...]", "... (unchanged) ...", "<...>".
  for (bool again = true; again;) {
    again = strip_dots(s, true);
    words.dots_before |= again;
    if (strip_dots(s, false)) words.dots_after = again = true;
    for (const auto& [open, close] : {std::pair('(', ')'),
                                      {'[', ']'},
                                      {'<', '>'},
                                      {'*', '*'},
                                      {'-', '-'},
                                      {'=', '='},
                                      {'>', '<'},
                                      {'~', '~'},
                                      {'@', '@'},
                                      {'{', '}'}}) {
      if (s.size() < 2 || s.front() != open || s.back() != close) continue;
      const std::string_view inner = trimmed(s.substr(1, s.size() - 2));
      if (open == '~' && inner.find_first_not_of('~') == inner.npos) continue;
      const bool is_arrow = open == '=' && inner.starts_with('>') && inner.ends_with('<');
      const bool is_nested = (open == '[' || (open != '{' && words.comment)) && is_bracketed(inner);
      if (inner.find_first_of("()[]<>{}") != s.npos && !is_arrow && !is_nested) continue;
      if (open == '{' && !is_dots(inner) && inner.find(' ') == inner.npos) continue;
      s = trimmed(s.substr(1, s.size() - 2));
      words.comment = again = true;
    }
    if (s.starts_with("${") && s.ends_with('}') && s.find(' ') != s.npos) {
      s.remove_prefix(1);
      again = true;
    }
    if (words.comment && s.size() > 4 && s.starts_with("{{") && s.ends_with("}}")) {
      s = trimmed(s.substr(2, s.size() - 4));
      again = true;
    }
    // "...  # existing code": the comment comes after the dots.
    if (words.dots_before && strip_comment(s)) words.comment = again = true;
  }
  return words;
}

}  // namespace

// Decides: which lines are an elision ("... existing code ...").
Elision elision_in(std::string_view line) {
  const std::string_view whole = trimmed(line);
  if (whole.empty() || whole.size() > kLongest) return Elision::none;
  const Words words = words_of(whole);
  const bool dots = words.dots_before || words.dots_after;
  if (words.only_dots()) {
    if (dots) return Elision::sure;
    return std::ranges::count(words.text, '.') > 1 || !is_ascii(words.text) ? Elision::likely
                                                                            : Elision::none;
  }
  if (words.text == "~~~" || words.text == "~~") return Elision::likely;
  const size_t sign = words.text.find_first_not_of("- ");  // scissors, on a dashed line
  if (sign != words.text.npos &&
      (words.text.substr(sign).starts_with("8<") || words.text.substr(sign).starts_with(">8") ||
       words.text.ends_with(">8")))
    return Elision::likely;
  const bool is_short = whole.size() <= kLongestState, bare = !dots && !words.comment;
  // Words alone are not code, but a single word may be.
  static constexpr Bytes kCode = bytes_of("()[]<>/\\|&@$%^*+`_=;{}\"");
  const auto is_code = [](char c) { return is_one_of(c, kCode); };
  if (bare && (!is_short || std::any_of(whole.begin(), whole.end(), is_code) ||
               (whole.find(' ') == whole.npos && whole != "etc." && is_ascii(whole))))
    return Elision::none;
  const CommentWords said = comment_words(words.text);
  if (said.has_code || said.count == 0) return Elision::none;
  const bool speaks = said.state || said.rest;
  const bool hints = said.hint && (said.number || said.count > 2);
  if (bare)
    return ((speaks || hints) && said.unknown == 0) ||
                   (!is_ascii(whole) && has_foreign_phrase(whole))
               ? Elision::likely
               : Elision::none;
  if (dots) {
    constexpr size_t kNamed = 2;  // "... existing user rows ..."
    const bool says_so = (speaks && said.unknown <= kNamed) || (said.hint && said.unknown == 0);
    if (words.dots_before && words.dots_after &&
        (words.comment || says_so || has_foreign_phrase(words.text)))
      return Elision::sure;
    if (!words.comment) {
      // "...rest" and "...existing.items, ...others" are code; words alone are not.
      if (speaks && said.unknown == 0 && words.text.find(' ') != words.text.npos &&
          std::ranges::none_of(words.text, is_code) &&
          words.text.find_first_of(".,") == words.text.npos)
        return Elision::sure;
      return has_foreign_phrase(words.text) ? Elision::likely : Elision::none;
    }
    if (speaks && said.unknown <= (said.state || words.dots_before ? 2 : 0)) return Elision::sure;
    if (words.dots_before)
      return said.unknown == 0 && (said.wholes > 0 || said.number) ? Elision::sure
             : said.unknown == 0                                   ? Elision::likely
                                                                   : Elision::perhaps;
    // "existing jobs...": what stays may have any name.
    const bool is_named = said.rest && said.unknown == 1 && said.count <= 3;
    if (speaks || said.wholes > 0)
      return said.unknown == 0 || is_named ? Elision::likely : Elision::perhaps;
  } else if (is_short) {
    if (said.state && said.unknown == 0) return Elision::sure;
    // "Other methods" may be a heading.
    const bool of_whole = said.rest && said.wholes > 0 && said.count > 1 && !said.only_other;
    if (of_whole && said.unknown == 0) return Elision::sure;
    if (said.unknown == 0 && (said.state || said.rest || said.hint || (said.number && said.wholes)))
      return Elision::likely;
    if (said.stays && said.rest && said.count <= 8) return Elision::likely;
    if (said.state || (said.rest && said.unknown <= 1 && said.count > 1)) return Elision::perhaps;
  }
  return has_foreign_phrase(words.text) ? dots ? Elision::sure : Elision::likely : Elision::none;
}

bool is_unexplained(std::string_view line) {
  const Words words = words_of(line);
  const std::string_view text = words.text;
  if (text.size() > kLongestState || text.find_first_of("_()=;{}/`@") != text.npos) return false;
  if (!words.comment && text.find_first_of(",:'\"[]<>|&$!?*+-0123456789") != text.npos)
    return false;
  const CommentWords said = comment_words(text);
  const auto is_said = [&](std::string_view word) { return has_words(said.words, word); };
  // What only speaks of code that is there gives no reason either.
  const auto explains = [&](std::string_view word) {
    return is_said(word) &&
           (said.unknown > 0 || !words.comment || std::ranges::count(kGlue, word) == 0);
  };
  return said.count > 0 && said.count <= 10 && std::ranges::none_of(kEnglish, explains) &&
         (words.comment || std::ranges::none_of(kStatements, is_said));
}

bool is_elision(std::string_view line) { return elision_in(line) != Elision::none; }

bool is_sure_elision(std::string_view line) {
  const std::string_view text = trimmed(line);
  return !text.empty() && !is_bare(text) && elision_in(text) == Elision::sure;
}

bool elides_in_line(std::string_view text, bool by_words) {
  static constexpr Bytes kOpens = bytes_of("{:([");
  const std::string_view line = trimmed(text);
  for (size_t at = 0; at < line.size(); ++at) {
    if (!is_one_of(line[at], kOpens)) continue;
    std::string_view rest = trimmed(line.substr(at + 1));
    while (rest.ends_with('}') || rest.ends_with(';') || rest.ends_with(',') ||
           rest.ends_with(')') || rest.ends_with(']')) {
      if (rest.ends_with("*/}") || rest.starts_with("(") || rest.starts_with("[")) break;
      rest.remove_suffix(1);
      rest = trimmed(rest);
    }
    if (rest.empty() || rest.front() == '*') continue;
    const bool bare = rest.find_first_not_of(".\xE2\x80\xA6 ") == rest.npos;
    if (bare && (line[at] == '(' || line[at] == '[' || (by_words && line[at] == ':'))) continue;
    if (!bare && line.substr(at, 3) == "://") continue;
    if (is_sure_elision(rest)) return true;
  }
  return false;
}

std::string_view comment_that_elides(std::string_view line, Elision least) {
  static constexpr std::string_view kSigns[] = {"//", "#", "/*", "--", "<!--", "{/*"};
  static constexpr Bytes kBegin = first_bytes(kSigns);
  std::array<bool, std::size(kSigns)> seen{};  // only the last of each sign counts
  for (size_t at = line.size(); at-- > 1;) {
    if (line[at - 1] != ' ' || !is_one_of(line[at], kBegin)) continue;
    for (size_t i = 0; i < std::size(kSigns); ++i) {
      if (seen[i] || !line.substr(at).starts_with(kSigns[i])) continue;
      seen[i] = true;
      const std::string_view comment = line.substr(at);
      if (!is_blank(line.substr(0, at)) && elision_in(comment) >= least) return comment;
    }
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
