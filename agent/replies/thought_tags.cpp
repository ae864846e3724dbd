// Tells whether a tag marks a thought, or is only mentioned.
#include "agent/replies/thought_tags.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/replies/thoughts.h"

namespace bodkin {

namespace {

// Decides: which tags mark a thought.
// clang-format off
constexpr ThoughtTag kTags[] = {
    {"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"},
    {"<thoughts>", "</thoughts>"}, {"<reasoning>", "</reasoning>"},
    {"<reasoning_content>", "</reasoning_content>"},
    {"<internal_reasoning>", "</internal_reasoning>"}, {"<reflection>", "</reflection>"},
    {"<scratchpad>", "</scratchpad>"}, {"<antthinking>", "</antthinking>"},
    {"<seed:think>", "</seed:think>"}, {"<mm:think>", "</mm:think>"},
    {"<longcat_think>", "</longcat_think>"}, {"[think]", "[/think]"},
    {"[reasoning]", "[/reasoning]"}, {"<analysis>", "</analysis>"},
    {"<thinking_process>", "</thinking_process>"}, {"<inner_monologue>", "</inner_monologue>"},
    {"<|think|>", "<|/think|>"}, {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
    {"<|begin_of_thought|>", "<|end_of_thought|>"}, {"<|start_thinking|>", "<|end_thinking|>"},
    {"<|open|>think<|sep|>", "<|close|>think<|sep|>"}, {"<|inner_prefix|>", "<|inner_suffix|>"},
    {"<|channel>thought", "<channel|>"}, {"<unused94>thought", "<unused95>"}};
// clang-format on
// Tokens around the words, which are skipped.
constexpr std::string_view kSkippedTokens[] = {
    "<|begin_of_solution|>",  "<|end_of_solution|>",     "<|start_response|>",
    "<|end_response|>",       "<|open|>response<|sep|>", "<|close|>response<|sep|>",
    "<|close|>message<|sep|>"};
// After a tag that prose talks of.
constexpr std::string_view kMentionWords[] = {
    "is",     "are",    "was",     "and",    "or",      "tag",      "tags",    "block",  "blocks",
    "marks",  "means",  "opens",   "closes", "begins",  "starts",   "ends",    "should", "must",
    "can",    "may",    "inside",  "in",     "without", "markup",   "section", "token",  "tokens",
    "at",     "around", "appears", "which",  "that",    "sections", "element", "when",   "if",
    "before", "after",  "into",    "to",     "from",    "as",       "with",    "never",  "pair"};
// Words of prose that leads to an example, and of a model that speaks of itself.
constexpr std::string_view kShowWords[] = {
    "for example", "for instance", "e.g.",     "syntax", "markup", "writes",    "would write",
    "emits",       "tags",         "template", "token",  "format", "like this", "looks like"};
constexpr std::string_view kSelfWords[] = {"i ", "i'", "i\u2019", "let me", "let's", "let\u2019s"};
constexpr size_t kMaxHeader = 300;  // bytes of a Harmony message's head

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_sentence_end(char c) {
  return std::string_view(".!?:)>*`\"'|]").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

std::span<const ThoughtTag> thought_tags() { return kTags; }

size_t tag_length(std::string_view text, std::string_view tag) {
  constexpr size_t kMaxBlanks = 8;
  size_t at = 0;
  for (size_t i = 0; i < tag.size(); ++i, ++at) {
    if (tag[i] == '>' && i + 1 == tag.size())
      while (at < text.size() && text[at] == ' ' && at - i < kMaxBlanks) ++at;
    if (at == text.size()) return text.npos;
    if (lower_case(text[at]) != tag[i]) return 0;
  }
  return at;
}

// An odd number of backticks is before it in its line.
bool ThoughtReader::is_in_code(size_t at) const {
  return std::count(text_.begin() + static_cast<long>(line_), text_.begin() + static_cast<long>(at),
                    '`') %
             2 !=
         0;
}

int mention(std::string_view text, size_t end, bool is_whole) {
  if (end >= text.size()) return is_whole ? 0 : -1;
  if (std::string_view(",.;:)'\"`").find(text[end]) != std::string_view::npos) return 1;
  if (text[end] != ' ') return 0;
  size_t last = end + 1;
  while (last < text.size() && text[last] >= 'a' && text[last] <= 'z') ++last;
  if (last == text.size() && !is_whole && last - end < 12) return -1;
  const std::string_view word = text.substr(end + 1, last - end - 1);
  return std::ranges::find(kMentionWords, word) != std::end(kMentionWords) ||
                 text.substr(end + 1).starts_with('`') || text.substr(end + 1).starts_with("</")
             ? 1
             : 0;
}

// Whether prose shows the text there: its sentence continues with it. After a whole sentence it is
// the model's own.
bool ThoughtReader::is_shown(size_t at) const {
  std::string_view before = std::string_view(text_).substr(boundary_, at - boundary_);
  before = before.substr(0, before.find_last_not_of(" \t\r\n") + 1);
  if (before.empty() || std::string_view(".!?").find(before.back()) != before.npos) return false;
  const size_t gap = before.rfind("\n\n");
  std::string above(gap == before.npos ? before : before.substr(gap + 2));
  for (char& c : above) c = lower_case(c);
  const auto has = [&](std::string_view word) { return above.find(word) != above.npos; };
  const auto begins = [&](std::string_view word) {
    return above.starts_with(word) || has(". " + std::string(word));
  };
  return std::ranges::any_of(kShowWords, has) && std::ranges::none_of(kSelfWords, begins);
}

// Whether an opening tag may be at this place.
bool ThoughtReader::may_open(size_t at, size_t end) const {
  const std::string_view before = std::string_view(text_).substr(boundary_, at - boundary_);
  const size_t last = before.find_last_not_of(" \t\r\n");
  if (last == before.npos) return true;
  if (is_in_code(at)) return false;
  const bool ends_line = end == text_.size() || text_[end] == '\n' || text_[end] == '\r';
  if (text_[at - 1] == '\n')
    return before.ends_with("\n\n") || before.ends_with("\n\r\n") || is_sentence_end(before[last]);
  const bool is_close = last + 1 == before.size();
  return std::string_view(".!?:").find(before[last]) != std::string_view::npos &&
         (is_close || ends_line);
}

// Whether a closing tag without an opening one may be at this place.
bool ThoughtReader::may_close(size_t at, size_t end) const {
  if (is_in_code(at)) return false;
  if (at == line_) return true;
  const std::string_view before = std::string_view(text_).substr(line_, at - line_);
  const size_t last = before.find_last_not_of(" \t");
  if (last == before.npos) return false;
  if (end < text_.size() && text_[end] == ' ') return is_sentence_end(before[last]);
  if (last + 1 == before.size() || is_sentence_end(before[last])) return true;
  // "… look for </think>" ends a line of prose, a thought's last line a paragraph.
  const std::string_view after = std::string_view(text_).substr(end);
  return after.find_first_not_of("\r\n") == after.npos || after.starts_with("\n\n") ||
         after.starts_with("\r\n\r\n");
}

// A message's head, or a token that only ends one: skipped. What is addressed to a tool is a call
// (agent/replies/calls.h), and stays.
ThoughtReader::Match ThoughtReader::match_harmony(size_t at, size_t& length) {
  const std::string_view rest = std::string_view(text_).substr(at, kMaxHeader);
  constexpr std::string_view kHeads[] = {"<|start|>", "<|channel|>"};
  constexpr std::string_view kEnds[] = {"<|end|>", "<|return|>"};
  for (const std::string_view end : kEnds) {
    const size_t found = tag_length(rest, end);
    if (found == rest.npos && !has_end()) return Match::unclear;
    if (found != end.size()) continue;
    if (is_in_code(at) || mention(text_, at + found, has_end()) == 1) return Match::none;
    if (!std::exchange(shown_, {}).empty()) return Match::none;
    length = found;
    return Match::skips;
  }
  for (const std::string_view head : kHeads) {
    const size_t found = tag_length(rest, head);
    if (found == rest.npos && !has_end()) return Match::unclear;
    if (found != head.size()) continue;
    if (is_in_code(at)) return Match::none;
    constexpr std::string_view kMessage = "<|message|>";
    const size_t message = rest.find(kMessage);
    if (message == rest.npos)
      return rest.size() < kMaxHeader && !has_end() && rest.find('\n') == rest.npos ? Match::unclear
                                                                                    : Match::none;
    const std::string_view header = rest.substr(0, message);
    if (header.find('\n') != header.npos || header.find('`') != header.npos) return Match::none;
    if (header.find("to=") != header.npos) return Match::none;
    if (is_shown(at)) return shown_ = kEnds[0], Match::none;
    length = message + kMessage.size();
    return header.find("analysis") != header.npos ? Match::opens : Match::skips;
  }
  return Match::none;
}

ThoughtReader::Match ThoughtReader::match(size_t at, size_t& length) {
  const std::string_view rest = std::string_view(text_).substr(at);
  if (rest.starts_with("<|") || (rest == "<" && !has_end())) {
    const Match harmony = match_harmony(at, length);
    if (harmony != Match::none) return harmony;
  }
  for (const std::string_view wrapper : kSkippedTokens) {
    const size_t found = tag_length(rest, wrapper);
    if (found == rest.npos && !has_end()) return Match::unclear;
    if (!is_tag(found) || is_in_code(at)) continue;
    length = found;
    return Match::skips;
  }
  for (const ThoughtTag& tag : kTags) {
    for (const bool opens : {true, false}) {
      const std::string_view written = opens ? tag.open : tag.close;
      const size_t found = tag_length(rest, written);
      if (found == rest.npos && !has_end()) return Match::unclear;
      if (!is_tag(found)) continue;
      const int mentioned = mention(text_, at + found, has_end());
      if (mentioned < 0) return Match::unclear;
      if (mentioned == 1) return Match::none;
      if (!has_end() && !opens && rest.size() < found + 3) return Match::unclear;
      if (opens && may_open(at, at + found) && is_shown(at)) return shown_ = tag.close, Match::none;
      if (!opens && shown_ == tag.close) return shown_ = {}, Match::none;
      if (opens ? !may_open(at, at + found) : !may_close(at, at + found)) return Match::none;
      length = found;
      return opens ? Match::opens : Match::closes;
    }
  }
  return Match::none;
}

}  // namespace bodkin
