#include "agent/replies/thoughts.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "agent/replies/thought_tags.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr std::string_view kStrippedBegin = "analysis";
constexpr std::string_view kStrippedEnds[] = {"assistantfinal", "assistantcommentary"};
constexpr std::string_view kProcess[] = {"Here is my thought process:",
                                         "Here's my thought process:"};
constexpr std::string_view kResponse[] = {"Here is my response:", "Here's my response:"};
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
      waits = waits || may_begin_call(rest);
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
  size_t at = at_;
  while (at < text_.size() && !is_among(text_[at], "<[\n\xe2")) ++at;
  if (at == text_.size()) {
    at_ = at;
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
      for (const ThoughtTag& tag : thought_tags()) compare(tag.close);
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
