// More than 350 lines: one scanner, whose states decide together what a tag means.
#include "agent/replies/thoughts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "agent/replies/editing_tools.h"
#include "edits/formats/reply_lines.h"

namespace bodkin {

namespace {

struct ThoughtTag {
  std::string_view open, close;
};
// Decides: which tags mark a thought.
constexpr ThoughtTag kTags[] = {{"<think>", "</think>"},
                                {"<thinking>", "</thinking>"},
                                {"<thought>", "</thought>"},
                                {"<thoughts>", "</thoughts>"},
                                {"<reasoning>", "</reasoning>"},
                                {"<reasoning_content>", "</reasoning_content>"},
                                {"<internal_reasoning>", "</internal_reasoning>"},
                                {"<reflection>", "</reflection>"},
                                {"<scratchpad>", "</scratchpad>"},
                                {"<antthinking>", "</antthinking>"},
                                {"<seed:think>", "</seed:think>"},
                                {"<mm:think>", "</mm:think>"},
                                {"<longcat_think>", "</longcat_think>"},
                                {"[think]", "[/think]"},
                                {"[reasoning]", "[/reasoning]"},
                                {"<analysis>", "</analysis>"},
                                {"<thinking_process>", "</thinking_process>"},
                                {"<inner_monologue>", "</inner_monologue>"},
                                {"<|think|>", "<|/think|>"},
                                {"\u25c1think\u25b7", "\u25c1/think\u25b7"},
                                {"<|begin_of_thought|>", "<|end_of_thought|>"},
                                {"<|start_thinking|>", "<|end_thinking|>"},
                                {"<|open|>think<|sep|>", "<|close|>think<|sep|>"},
                                {"<|inner_prefix|>", "<|inner_suffix|>"},
                                {"<|channel>thought", "<channel|>"},
                                {"<unused94>thought", "<unused95>"}};
// Round the words.
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
constexpr std::string_view kStrippedBegin = "analysis";
constexpr std::string_view kStrippedEnds[] = {"assistantfinal", "assistantcommentary"};
constexpr std::string_view kProcess[] = {"Here is my thought process:",
                                         "Here's my thought process:"};
constexpr std::string_view kResponse[] = {"Here is my response:", "Here's my response:"};
// Tags of calls, whose arguments may hold anything; those of editing tools are, too.
constexpr std::string_view kCallTags[] = {"tool_call",      "tool_calls",       "function_calls",
                                          "function",       "invoke",           "file-edit",
                                          "seed:tool_call", "minimax:tool_call"};
constexpr size_t kMaxHeader = 300;  // bytes of a Harmony message's head

template <class Fits>
bool any_call_tag(Fits&& fits) {
  return std::ranges::any_of(kCallTags, fits) ||
         std::ranges::any_of(
             kEditingTools, [&](const EditingTool& tool) { return tool.hides && fits(tool.name); });
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The tag at the beginning of `text`: its whole length, or 0; npos: it may become one. Blanks may
// be before its '>', as in XML.
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

bool is_tag(size_t length) { return length != 0 && length != std::string_view::npos; }

bool is_sentence_end(char c) {
  return std::string_view(".!?:)>*`\"'|]").find(c) != std::string_view::npos ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_in_diff(std::string_view line) {
  if (line.empty() || std::string_view(" +-@\\").find(line[0]) != std::string_view::npos)
    return true;
  for (const std::string_view head : {"diff ", "index ", "new file", "deleted file", "old mode",
                                      "new mode", "rename ", "similarity ", "Binary "})
    if (line.starts_with(head)) return true;
  return false;
}

}  // namespace

void ThoughtReader::add(std::string_view piece) {
  text_ += piece;
  read();
}

void ThoughtReader::finish() {
  is_whole_ = true;
  read();
  // A fence or a block that was never closed may have begun in a thought.
  while (kind_ != Region::none && closing_in_region_ != std::string::npos) {
    const size_t at = std::exchange(closing_in_region_, std::string::npos);
    kind_ = Region::none;
    close_backwards(at, closing_length_);
    read();
  }
}

void ThoughtReader::read() {
  for (bool goes_on = true; goes_on;) {
    if (skips_line_ends_) {
      while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
      if (!spans_.empty()) boundary_ = told_ = spans_.back().end = at_;
      line_ = at_;
      if (at_ == text_.size()) return;
      skips_line_ends_ = is_line_known_ = false;
    }
    goes_on = in_thought_ ? read_thought() : kind_ != Region::none ? read_region() : read_words();
  }
}

// Blank lines before a thought that begins the reply go with it.
void ThoughtReader::tell_words(size_t end) {
  if (spans_.empty() && !has_end() &&
      std::min(text_.find_first_not_of(" \t\r\n"), text_.size()) >= end)
    return;
  if (end > told_ && takers_.words)
    takers_.words(std::string_view(text_).substr(told_, end - told_));
  told_ = std::max(told_, end);
}

void ThoughtReader::tell_thought(size_t end) {
  if (end > told_ && takers_.thought)
    takers_.thought(std::string_view(text_).substr(told_, end - told_));
  told_ = std::max(told_, end);
}

// Whether text of its own begins with this line, in which tags do not count.
bool ThoughtReader::opens_region(std::string_view line) {
  region_.clear();
  if (fence_info(line)) {
    kind_ = Region::fence;
    region_ = line;
  } else if (line.starts_with("<<<<") && line.find("SEARCH") != line.npos) {
    kind_ = Region::block;
  } else if (line.starts_with("*** Begin Patch")) {
    kind_ = Region::patch;
  } else if (line.starts_with("--- ") || line.starts_with("diff --git ") ||
             line.starts_with("@@ ")) {
    kind_ = Region::diff;
  } else if (line.starts_with('<')) {
    const std::string_view name = line.substr(1, line.find_first_of(" =>\n", 1) - 1);
    const std::string end = "</" + std::string(name) + ">";
    if (!any_call_tag([&](std::string_view tag) { return tag == name; }) ||
        line.find(end) != line.npos)
      return false;
    kind_ = Region::tags;
    region_ = end;
  } else {
    return false;
  }
  closing_in_region_ = std::string::npos;
  return true;
}

bool ThoughtReader::read_region() {
  const size_t end = text_.find('\n', at_);
  if (end == std::string::npos && !has_end()) {
    at_ = text_.size();
    tell_words(at_);
    return false;
  }
  const size_t stop = std::min(end, text_.size());
  std::string_view line = std::string_view(text_).substr(line_, stop - line_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  // If a region begins anew within this one, a thought has left this one open.
  const bool begins_anew = kind_ == Region::block
                               ? line.starts_with("<<<<") && line.find("SEARCH") != line.npos
                               : kind_ == Region::fence && !fence_info(line).value_or("").empty();
  if (begins_anew && closing_in_region_ != std::string::npos) {
    kind_ = Region::none;
    close_backwards(std::exchange(closing_in_region_, std::string::npos), closing_length_);
    return true;
  }
  bool ends = false;
  switch (kind_) {
    case Region::fence:
      ends = closes_fence(region_, line);
      break;
    case Region::block:
      ends = line.starts_with(">>>>") && line.find("REPLACE") != line.npos;
      break;
    case Region::patch:
      ends = line.starts_with("*** End Patch");
      break;
    case Region::tags:
      ends = line.find(region_) != line.npos;
      break;
    case Region::diff:
      if (!is_in_diff(line)) {  // the line is no part of it
        kind_ = Region::none;
        is_line_known_ = false;
        at_ = line_;
        return true;
      }
      break;
    case Region::none:
      break;
  }
  if (ends) {
    kind_ = Region::none;
  } else if (closing_in_region_ == std::string::npos && kind_ != Region::diff &&
             std::string_view("<[\xe2").find(line.empty() ? '\n' : line[0]) != line.npos) {
    for (const ThoughtTag& tag : kTags)
      if (const size_t length = tag_length(line, tag.close); length > 0 && line.size() == length)
        closing_in_region_ = line_, closing_length_ = length;
  }
  if (end == std::string::npos) {
    at_ = text_.size();
    tell_words(at_);
    return false;
  }
  at_ = line_ = end + 1;
  is_line_known_ = false;
  tell_words(at_);
  return true;
}

// An odd number of backticks is before it in its line.
bool ThoughtReader::is_in_code(size_t at) const {
  return std::count(text_.begin() + static_cast<long>(line_), text_.begin() + static_cast<long>(at),
                    '`') %
             2 !=
         0;
}

// 1: prose talks of the tag that ends here; 0: no; -1: not known yet.
static int mention(std::string_view text, size_t end, bool is_whole) {
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

// Whether prose shows what is there: its sentence goes on with it. After a whole sentence it is
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

// Whether an opening tag may stand there.
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

// Whether a closing tag without an opening one may stand there.
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

// All since the last thought was one.
void ThoughtReader::close_backwards(size_t at, size_t length) {
  if (takers_.take_back) takers_.take_back();
  spans_.push_back({boundary_, at + length, boundary_, at});
  at_ = told_ = boundary_ = line_ = at + length;
  is_line_known_ = false;
  skips_line_ends_ = true;
}

bool ThoughtReader::read_words() {
  // If the tokens were stripped, the first word tells.
  if (at_ == 0 && !text_.empty()) {
    const std::string_view begin = std::string_view(text_).substr(0, kStrippedBegin.size());
    if (kStrippedBegin.starts_with(begin) && text_.size() <= kStrippedBegin.size() && !has_end())
      return false;
    constexpr std::string_view kMessage = "<|message|>";
    const std::string_view next = std::string_view(text_).substr(begin.size());
    if (begin == kStrippedBegin && !has_end() && next.size() < kMessage.size() &&
        kMessage.starts_with(next))
      return false;
    if (begin == kStrippedBegin && !next.empty() &&
        (std::isalpha(static_cast<unsigned char>(next[0])) || next[0] == '\n' ||
         next.starts_with(kMessage))) {
      const size_t first = begin.size() + (next.starts_with(kMessage) ? kMessage.size() : 0);
      spans_.push_back({0, first, first, first});
      in_thought_ = is_stripped_ = true;
      at_ = told_ = first;
      return true;
    }
  }
  if (!is_line_known_) {
    const std::string_view rest = std::string_view(text_).substr(line_);
    const size_t end = rest.find('\n');
    const bool may_open_one =
        !rest.empty() && (std::string_view("`~<*-@d ").find(rest[0]) != rest.npos ||
                          std::isdigit(static_cast<unsigned char>(rest[0])));
    if (rest.empty()) return false;
    if (may_open_one && end == rest.npos && !has_end()) {
      // A fence, a block, a diff, a call: known when the line is. A thought is not waited for.
      const auto is_begun = [&](std::string_view head) {
        return rest.starts_with(head) || head.starts_with(rest);
      };
      const std::string_view word = rest.substr(
          rest.find_first_not_of(' ') == rest.npos ? rest.size() : rest.find_first_not_of(' '));
      bool waits = word.empty() || word[0] == '`' || word[0] == '~' || is_begun("<<<<") ||
                   is_begun("*** ") || is_begun("--- ") || is_begun("diff --git ") ||
                   is_begun("@@ ") ||
                   (rest.size() < 16 && std::isdigit(static_cast<unsigned char>(rest[0])));
      waits = waits ||
              any_call_tag([&](std::string_view tag) { return is_begun("<" + std::string(tag)); });
      if (waits) return false;
    }
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const std::string_view response : kResponse)
      if (!has_end() && line.size() < response.size() && response.starts_with(line) &&
          std::string_view(text_).substr(boundary_).starts_with("Here"))
        return false;
    is_line_known_ = true;
    for (const std::string_view response : kResponse) {
      if (!line.starts_with(response)) continue;
      for (const std::string_view process : kProcess)
        if (std::string_view(text_).substr(boundary_).starts_with(process)) {
          close_backwards(line_, response.size());
          return true;
        }
    }
    if (may_open_one && opens_region(line)) {
      at_ = std::min(end == rest.npos ? text_.size() : line_ + end + 1, text_.size());
      if (end == rest.npos) {
        tell_words(at_);
        return false;
      }
      line_ = at_;
      tell_words(at_);
      return true;
    }
  }
  const size_t at = text_.find_first_of("<[\n\xe2", at_);
  if (at == std::string::npos) {
    at_ = text_.size();
    tell_words(at_);
    return false;
  }
  if (text_[at] == '\n') {
    at_ = line_ = at + 1;
    is_line_known_ = false;
    tell_words(at_);
    return true;
  }
  size_t length = 0;
  switch (match(at, length)) {
    case Match::none:
      at_ = at + 1;
      return true;
    case Match::unclear:
      at_ = at;
      tell_words(at);
      return false;
    case Match::closes:
      close_backwards(at, length);
      return true;
    case Match::skips:
      tell_words(at);
      spans_.push_back({at, at + length, at, at});
      boundary_ = at_ = told_ = at + length;
      return true;
    case Match::opens: {
      tell_words(at);
      const bool is_first = spans_.empty() && text_.find_first_not_of(" \t\r\n") == at;
      spans_.push_back({is_first ? 0 : at, at + length, at + length, at + length});
      at_ = told_ = at + length;
      in_thought_ = true;
      // Its end may be stripped of its tokens.
      is_stripped_ = std::string_view(text_).substr(at, length).ends_with("<|message|>");
      return true;
    }
  }
  return false;
}

void ThoughtReader::end_thought(size_t at, size_t length) {
  tell_thought(at);
  spans_.back().thought_end = at;
  spans_.back().end = boundary_ = at_ = told_ = line_ = at + length;
  in_thought_ = is_stripped_ = is_line_known_ = false;
  skips_line_ends_ = length > 0;
}

bool ThoughtReader::read_thought() {
  const std::string_view text = text_;
  for (;;) {
    const size_t at = text.find_first_of(is_stripped_ ? "a<" : "<[\xe2", at_);
    if (at == text.npos) {
      at_ = text.size();
      tell_thought(at_);
      spans_.back().end = spans_.back().thought_end = at_;
      boundary_ = at_;
      return false;
    }
    const std::string_view rest = text.substr(at);
    bool is_unclear = false;
    size_t length = 0;
    bool ends = false;
    const auto compare = [&](std::string_view mark, bool is_kept = false) {
      const size_t found = tag_length(rest, mark);
      if (found == rest.npos) is_unclear = true;
      if (!is_tag(found) || ends) return;
      ends = true;
      length = is_kept ? 0 : found;
    };
    for (const std::string_view end : kStrippedEnds)
      if (is_stripped_) compare(end);
    if (!ends)
      for (const ThoughtTag& tag : kTags) compare(tag.close);
    if (ends && length > 0 && !is_stripped_) {
      const int mentioned = mention(text, at + length, has_end());
      if (mentioned < 0) is_unclear = true;
      const bool is_quoted = at > 0 && std::string_view("`'\"").find(text[at - 1]) != text.npos &&
                             at + length < text.size() && text[at + length] == text[at - 1];
      if (mentioned == 1 || is_quoted) ends = false;
    }
    // The next message of Harmony's, with its head; "<|end|>" goes with the thought.
    if (!ends) {
      compare("<|end|>");
      compare("<|start|>", true);
      compare("<|channel|>", true);
      compare("<|return|>");
    }
    if (is_unclear && !has_end()) {
      at_ = at;
      tell_thought(at);
      return false;
    }
    if (ends) {
      end_thought(at, length);
      return true;
    }
    at_ = at + 1;
  }
}

std::vector<ReplyPart> ThoughtReader::parts() const {
  std::vector<ReplyPart> parts;
  const auto add = [&](bool is_thought, size_t begin, size_t end) {
    const std::string text = text_.substr(begin, end - begin);
    if (text.empty()) return;
    if (!parts.empty() && parts.back().is_thought == is_thought)
      parts.back().text += text;
    else
      parts.push_back({is_thought, text});
  };
  size_t at = 0;
  for (const Span& span : spans_) {
    add(false, at, span.begin);
    add(true, span.thought, span.thought_end);
    at = span.end;
  }
  add(false, at, text_.size());
  return parts;
}

std::string ThoughtReader::words_in_place() const {
  std::string words;
  size_t at = 0;
  for (const Span& span : spans_) {
    words += text_.substr(at, span.begin - at);
    for (size_t i = span.begin; i < span.end; ++i)
      if (text_[i] == '\n' || text_[i] == '\r') words += text_[i];
    at = span.end;
  }
  return words + text_.substr(at);
}

std::vector<ReplyPart> parts_of_reply(std::string_view reply) {
  ThoughtReader reader;
  reader.add(reply);
  reader.finish();
  return reader.parts();
}

std::string words_in_place(std::string_view reply) {
  ThoughtReader reader;
  reader.add(reply);
  reader.finish();
  return reader.words_in_place();
}

}  // namespace bodkin
