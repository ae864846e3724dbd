#include "agent/context/mentions.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxRequest = 8'000;  // bytes that are looked through for names

bool is_foreign(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)); }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)); }

bool is_one_of(std::string_view word, std::string_view list) {
  for (size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1)) {
    if ((at == 0 || list[at - 1] == ' ') &&
        (at + word.size() == list.size() || list[at + word.size()] == ' ')) {
      return !word.empty();
    }
  }
  return false;
}

Mention mention_of(std::string_view prefix, std::string name) {
  using Kind = Mention::Kind;
  constexpr std::pair<std::string_view, Kind> kPrefixes[] = {
      {"file:", Kind::file}, {"folder:", Kind::folder}, {"symbol:", Kind::symbol}};
  for (const auto& [word, kind] : kPrefixes) {
    if (prefix == word) return {kind, std::move(name)};
  }
  constexpr std::pair<std::string_view, Kind> kAlone[] = {{"diagnostics", Kind::diagnostics},
                                                          {"selection", Kind::selection},
                                                          {"diff", Kind::diff},
                                                          {"staged", Kind::staged}};
  for (const auto& [word, kind] : kAlone) {
    if (name == word) return {kind, ""};
  }
  return {Kind::any, std::move(name)};
}

std::string_view prefix_of(std::string_view text) {
  for (const std::string_view prefix : {"file:", "folder:", "symbol:"}) {
    if (text.starts_with(prefix)) return prefix;
  }
  return "";
}

// The part of `text` that belongs to a name which begins there: "src/a.cpp" of "src/a.cpp, and".
std::string_view name_at(std::string_view text) {
  constexpr std::string_view kEnds = " \t\r\n,;)]}>\"'`";
  size_t end = 0;
  while (end < text.size() && kEnds.find(text[end]) == std::string_view::npos &&
         !is_foreign(text[end]))
    ++end;
  // A path may have letters beyond ASCII, a name inside a Chinese sentence ends before them: what
  // has a separator after them is a path.
  if (end < text.size() && is_foreign(text[end])) {
    const size_t blank = std::min(text.find_first_of(kEnds, end), text.size());
    const std::string_view whole = text.substr(0, blank);
    const size_t dot = whole.find_last_of("./");
    if (dot != std::string_view::npos && dot > end && dot + 1 < whole.size()) end = blank;
  }
  std::string_view name = text.substr(0, end);
  while (!name.empty() && std::string_view(".:!?").find(name.back()) != std::string_view::npos)
    name.remove_suffix(1);
  return name;
}

// The end of the fenced block that begins in the line at `at`.
size_t after_fence(std::string_view text, size_t at) {
  const size_t close = text.find("\n```", at + 3);
  if (close == std::string_view::npos) return text.size();
  return std::min(text.find('\n', close + 1), text.size());
}

bool at_line_start(std::string_view text, size_t at) { return at == 0 || text[at - 1] == '\n'; }

// The first that is not inside of a fenced block, from `at` on, which is not, either.
size_t next_at_sign(std::string_view text, size_t at) {
  for (;;) {
    const size_t sign = text.find('@', at);
    size_t fence = text.find("```", at);
    while (fence < sign && !at_line_start(text, fence)) fence = text.find("```", fence + 1);
    if (sign == text.npos || sign < fence) return sign;
    at = after_fence(text, fence);
  }
}

}  // namespace

// Decides: what an @mention in a request means.
std::vector<Mention> mentions_in(std::string_view request) {
  std::vector<Mention> result;
  for (size_t at = next_at_sign(request, 0); at != std::string_view::npos;
       at = next_at_sign(request, at + 1)) {
    const bool begins =
        at == 0 || is_foreign(request[at - 1]) ||
        std::string_view(" \t\n(,[{`\"").find(request[at - 1]) != std::string_view::npos;
    if (!begins) continue;
    std::string_view rest = request.substr(at + 1);
    const std::string_view prefix = prefix_of(rest);
    rest.remove_prefix(prefix.size());
    std::string name;
    if (rest.starts_with('"')) {
      const size_t end = rest.find_first_of("\"\n", 1);
      if (end == std::string_view::npos || rest[end] == '\n') continue;
      name = rest.substr(1, end - 1);
    } else {
      name = name_at(rest);
    }
    if (name.empty()) continue;
    Mention mention = mention_of(prefix, std::move(name));
    if (std::ranges::find(result, mention) == result.end()) result.push_back(std::move(mention));
  }
  return result;
}

std::vector<RequestWord> words_in(std::string_view request) {
  const std::string_view text = request.substr(0, kMaxRequest);
  std::vector<RequestWord> result;
  bool is_quoted = false, has_article = false;
  NamedKind kind_before = NamedKind::none;
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '`') {
      if (text.substr(at).starts_with("```") && at_line_start(text, at)) {
        at = after_fence(text, at);
        continue;
      }
      is_quoted = !is_quoted;
      ++at;
      continue;
    }
    if (c == '@') {
      std::string_view rest = text.substr(at + 1);
      at += 1 + std::max<size_t>(name_at(rest).size(), 1);
      continue;
    }
    if (!is_letter(c) && !(c == '.' && at + 1 < text.size() && is_letter(text[at + 1]) &&
                           (at == 0 || !is_letter(text[at - 1])))) {
      if (std::string_view(".!?;\n").find(c) != std::string_view::npos && !result.empty()) {
        result.back().ends_sentence = true;
        is_quoted = is_quoted && c != '\n';
      }
      ++at;
      continue;
    }
    size_t end = at;
    while (end < text.size() &&
           (is_letter(text[end]) ||
            std::string_view("./-:~").find(text[end]) != std::string_view::npos)) {
      ++end;
    }
    while (end > at && !is_letter(text[end - 1])) --end;
    // "a::b" is one word, "note: b" and "a:b" are two.
    for (size_t colon = text.find(':', at); colon != std::string_view::npos && colon < end;
         colon = text.find(':', colon)) {
      if (text[colon + 1] != ':') {
        end = colon;
        break;
      }
      colon += 2;
    }
    if (end <= at) {
      ++at;
      continue;
    }
    RequestWord word;
    word.text = text.substr(at, end - at);
    word.is_quoted = is_quoted;
    word.is_in_foreign =
        (at > 0 && is_foreign(text[at - 1])) || (end < text.size() && is_foreign(text[end]));
    const bool is_call = end < text.size() && text[end] == '(';
    const bool has_mixed = std::ranges::any_of(word.text.substr(1), is_upper) &&
                           std::ranges::any_of(word.text, is_lower);
    word.is_code = is_call || has_mixed || word.text.find('_') != std::string_view::npos ||
                   word.text.find("::") != std::string_view::npos;
    const std::string small = lower_case(word.text);
    const NamedKind kind = named_kind(small);
    word.has_article = has_article;
    word.has_kind = kind_before != NamedKind::none;
    if (kind != NamedKind::none && !result.empty() && !result.back().ends_sentence)
      result.back().has_kind = true;
    kind_before = kind;
    has_article = is_one_of(small, "the our my this that its your each every a an");
    at = end;
    if (text.substr(at).starts_with("'s")) at += 2;
    if (text.substr(at).starts_with("\xE2\x80\x99s")) at += 4;
    result.push_back(word);
  }
  return result;
}

bool looks_like_path(std::string_view word) {
  if (word.find("::") != std::string_view::npos || word.find("..") != std::string_view::npos)
    return false;
  const size_t slash = word.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? word : word.substr(slash + 1);
  const size_t dot = name.rfind('.');
  if (dot != std::string_view::npos && dot + 1 < name.size()) {
    const std::string_view extension = name.substr(dot + 1);
    const bool is_number = std::ranges::all_of(
        name, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; });
    return !is_number && extension.size() <= 10 && std::ranges::all_of(extension, is_letter);
  }
  return slash != std::string_view::npos ||
         is_one_of(word,
                   "Makefile Dockerfile Rakefile Gemfile Jenkinsfile Justfile README LICENSE");
}

std::vector<std::string> name_stems(std::string_view name) {
  std::vector<std::string> result;
  const auto add = [&](std::string_view part) {
    std::string word = lower_case(part);
    const auto strip = [&](std::string_view ending) {
      if (word.size() < ending.size() + 3 || !word.ends_with(ending)) return false;
      word.resize(word.size() - ending.size());
      return true;
    };
    if (!word.ends_with("ss")) strip("s");
    if (!strip("ing") && !strip("er") && !strip("or") && !strip("ed")) strip("e");
    result.push_back(std::move(word));
  };
  for (size_t at = 0; at < name.size();) {
    if (!std::isalnum(static_cast<unsigned char>(name[at]))) {
      ++at;
      continue;
    }
    size_t end = at + 1;
    while (end < name.size() && std::isalnum(static_cast<unsigned char>(name[end]))) {
      const bool begins =
          is_upper(name[end]) &&
          (!is_upper(name[end - 1]) || (end + 1 < name.size() && is_lower(name[end + 1])));
      if (begins) break;
      ++end;
    }
    add(name.substr(at, end - at));
    at = end;
  }
  return result;
}

bool is_common_word(std::string_view word) {
  return is_one_of(lower_case(word),
                   "a about add after again all also always an and another any are as at back bad "
                   "be because been before below best "
                   "better between both break bug build but by call called calls can change check "
                   "clean cleanup code comment comments "
                   "copy correct could count create data default delete describe do does doc docs "
                   "documentation don done down each "
                   "edit else empty end error errors even every example explain fail failing fails "
                   "fast faster feature few file files "
                   "find first fix fixed fold folder for found from function functions get give "
                   "given good handle has have help here "
                   "how if implement import improve in info init insert inside instead into is "
                   "issue it item its just keep key kind "
                   "know last less let like line lines list long look loop main make many may "
                   "message method methods mistake missing "
                   "more move much must my name names need needs never new next no none not "
                   "nothing now null number of off ok old on "
                   "once one only open option or order other our out over own page parameter part "
                   "pass path place please problem "
                   "program project put read refactor remove rename replace request return returns "
                   "right run same save say see set "
                   "should show simple simplify so some something start state step stop string "
                   "such support sure take test tests text "
                   "than that the them then there these they thing this those to too true try turn "
                   "two type types under until up "
                   "update use used uses using value values variable very want was way we well "
                   "what when where which while who why "
                   "will with without word work works wrong write wrote you your");
}

NamedKind named_kind(std::string_view word) {
  if (is_one_of(word, "type class struct interface enum trait union record types classes"))
    return NamedKind::type;
  if (is_one_of(word, "function method procedure routine constructor macro functions methods")) {
    return NamedKind::function;
  }
  if (is_one_of(word, "file module header source script page stylesheet files"))
    return NamedKind::file;
  return NamedKind::none;
}

}  // namespace bodkin
