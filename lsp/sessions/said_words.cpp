#include "lsp/sessions/said_words.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace bodkin {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kMarkup = " \t\r\n*`#:";  // around a path: "**`a.c`**:"

std::string_view without(std::string_view around, std::string_view text) {
  const size_t begin = text.find_first_not_of(around);
  if (begin == text.npos) return "";
  return text.substr(begin, text.find_last_not_of(around) + 1 - begin);
}

bool opens_block(std::string_view line) {
  if (line == "*** Begin Patch") return true;
  const size_t mark = line.find_first_not_of(line.starts_with('-') ? '-' : '<');
  return mark != line.npos && mark >= 5 && without(kSpace, line.substr(mark)) == "SEARCH";
}

bool closes_block(std::string_view line) {
  const bool is_marker = line.starts_with(">>>") || line.starts_with("+++");
  return line == "*** End Patch" || (is_marker && line.ends_with("REPLACE"));
}

bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

bool is_word(std::string_view line) {
  const std::string_view bare = without(kMarkup, line);
  return !bare.empty() && bare.find_first_of(kSpace) == bare.npos;
}

// A word with a dot or a slash in it, as all paths but "Makefile" and the like have.
bool is_path(std::string_view line) {
  const std::string_view bare = without(kMarkup, line);
  const size_t mark = bare.find_first_of("./");
  return is_word(line) && mark != bare.npos && mark + 1 < bare.size();
}

// True if a line that begins like this may belong to a block.
bool may_belong(std::string_view begun) {
  const std::string_view line = without(kSpace, begun);
  return line.empty() || is_word(line) || is_fence(line) || line.starts_with("<<<") ||
         line.starts_with("---") || line.starts_with("***") || without(kMarkup, line).empty();
}

std::string without_space(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result),
                       [](unsigned char c) { return !std::isspace(c); });
  return result;
}

}  // namespace

std::string SaidWords::add(std::string_view piece) {
  std::string out;
  text_ += piece;
  size_t begin = 0;
  for (size_t end; (end = text_.find('\n', begin)) != text_.npos; begin = end + 1)
    take(std::string_view(text_).substr(begin, end + 1 - begin), out);
  text_.erase(0, begin);
  if (!text_.empty() && !in_block_ && (goes_on_ || !may_belong(text_))) {
    flush(out);
    show(std::exchange(text_, ""), out);
    goes_on_ = true;
  }
  shown_ += without_space(out);
  return out;
}

std::string SaidWords::end() {
  std::string out;
  flush(out);
  if (!in_block_ && !text_.empty()) take(std::exchange(text_, ""), out);
  flush(out);
  text_.clear();
  goes_on_ = in_block_ = hides_fence_ = shows_fence_ = after_block_ = false;
  after_blank_ = true;
  shown_ += without_space(out);
  return out;
}

std::string SaidWords::break_off() {
  const auto is_of_block = [](const Held& held) {
    return held.is == Held::path || held.is == Held::fence;
  };
  const std::string_view begun = without(kSpace, text_);
  const bool is_begun = !goes_on_ && !begun.empty() &&
                        (is_path(begun) || std::string_view("<-*`~").contains(begun[0]));
  if (is_begun || std::ranges::any_of(held_, is_of_block)) held_.clear();
  text_.clear();  // it may be the beginning of a path
  return end();
}

void SaidWords::note(std::string_view words) { shown_ += without_space(words); }

std::string SaidWords::rest_of(std::string_view words) const {
  // Line by line: there were edits between them.
  for (size_t begin = 0, from = 0; begin < words.size();) {
    const size_t end = std::min(words.find('\n', begin), words.size());
    const std::string line = without_space(words.substr(begin, end - begin));
    const size_t at = shown_.find(line, from);
    if (at == shown_.npos) return std::string(words.substr(begin));
    from = at + line.size();
    begin = end + 1;
  }
  return "";
}

void SaidWords::take(std::string_view whole, std::string& out) {
  if (std::exchange(goes_on_, false)) return show(whole, out);
  const std::string_view line = without(kSpace, whole);
  if (in_block_) {
    in_block_ = !closes_block(line);
    return;
  }
  if (opens_block(line)) {
    for (const Held& held : std::exchange(held_, {})) hides_fence_ |= held.is == Held::fence;
    in_block_ = after_block_ = true;
    return;
  }
  const auto hold = [&](Held::Is is) { held_.push_back({is, std::string(whole)}); };
  if (line.empty() && !held_.empty()) {
    if (held_.back().is != Held::word) return hold(Held::blank);
  } else if (is_fence(line) && !hides_fence_ && !shows_fence_) {
    flush_to(Held::fence, out);
    return hold(Held::fence);
  } else if (is_word(line) && !is_fence(line) && (is_path(line) || !line.ends_with(':'))) {
    flush_to(Held::word, out);
    flush_to(Held::path, out);
    return hold(is_path(line) ? Held::path : Held::word);
  }
  flush(out);
  if (!is_fence(line)) return show(whole, out);
  if (!std::exchange(hides_fence_, false)) show(whole, out);
  shows_fence_ = false;
}

void SaidWords::show(std::string_view line, std::string& out) {
  const bool is_blank = without(kSpace, line).empty();
  if (is_blank && after_block_ && after_blank_) return;
  out += line;
  after_blank_ = is_blank;
  after_block_ = false;
}

// Flushes what is held, up to the last line of this kind.
void SaidWords::flush_to(Held::Is is, std::string& out) {
  const auto last = std::ranges::find(held_.rbegin(), held_.rend(), is, &Held::is);
  for (auto held = held_.begin(); held != last.base(); ++held) {
    shows_fence_ |= held->is == Held::fence;
    show(held->line, out);
  }
  held_.erase(held_.begin(), last.base());
}

void SaidWords::flush(std::string& out) {
  if (!held_.empty()) flush_to(held_.back().is, out);
}

}  // namespace bodkin
