#include "lsp/cli/typed_line.h"

#include <utf8proc.h>

#include <algorithm>

namespace bodkin {

namespace {

bool is_continued(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

std::string shared_beginning(const std::vector<std::string>& words) {
  std::string common = words[0];
  for (const std::string& word : words)
    common.resize(static_cast<size_t>(std::ranges::mismatch(common, word).in1 - common.begin()));
  while (!common.empty() && is_continued(common.back())) common.pop_back();
  // The first byte of a character that the words do not share.
  if (!common.empty() && (static_cast<unsigned char>(common.back()) & 0xC0) == 0xC0)
    common.pop_back();
  return common;
}

constexpr size_t kPrompt = 2;  // columns

struct ScreenPlace {
  size_t row = 0, column = 0;
};

// The place of the cursor after this much of the text. A terminal begins the next row with the
// character that does not fit any more.
ScreenPlace place_after(std::string_view text, size_t columns) {
  ScreenPlace place{0, kPrompt};
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      place = {place.row + 1, kPrompt};
      ++at;
      continue;
    }
    utf8proc_int32_t code = 0;
    const auto size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                                       static_cast<utf8proc_ssize_t>(text.size() - at), &code);
    at += size > 0 ? static_cast<size_t>(size) : 1;
    const size_t width =
        size > 0 && code != '\t' ? static_cast<size_t>(std::max(0, utf8proc_charwidth(code))) : 1;
    if (place.column + width > columns) place = {place.row + 1, 0};
    place.column += width;
  }
  return place;
}

std::string up(size_t rows) { return rows ? "\033[" + std::to_string(rows) + "A" : ""; }

}  // namespace

Completion completion_of(const std::string& before, const LineEditor::Complete& complete) {
  const size_t blank = before.find_last_of(" \n\t");
  const std::string word = before.substr(blank == before.npos ? 0 : blank + 1);
  Completion found{complete(word, word.size() == before.size()), ""};
  if (found.words.empty()) return found;
  const std::string shared = shared_beginning(found.words);
  if (shared.size() > word.size()) found.more = shared.substr(word.size());
  if (found.words.size() == 1 && !found.words[0].ends_with('/')) found.more += ' ';
  return found;
}

std::string listed(const std::vector<std::string>& words) {
  constexpr size_t kMostShown = 100;
  std::string list;
  for (size_t i = 0; i < std::min(words.size(), kMostShown); ++i) list += words[i] + "  ";
  return words.size() > kMostShown ? list + "…" : list;
}

size_t TypedLine::before(size_t at) const {
  if (at > 0) --at;
  while (at > 0 && is_continued(text_[at])) --at;
  return at;
}

size_t TypedLine::after(size_t at) const {
  if (at < text_.size()) ++at;
  while (at < text_.size() && is_continued(text_[at])) ++at;
  return at;
}

size_t TypedLine::word_before(size_t at) const {
  while (at > 0 && is_blank(text_[at - 1])) --at;
  while (at > 0 && !is_blank(text_[at - 1])) --at;
  return at;
}

size_t TypedLine::word_after(size_t at) const {
  while (at < text_.size() && is_blank(text_[at])) ++at;
  while (at < text_.size() && !is_blank(text_[at])) ++at;
  return at;
}

size_t TypedLine::begin_of_line() const {
  const size_t end = cursor_ ? text_.rfind('\n', cursor_ - 1) : text_.npos;
  return end == text_.npos ? 0 : end + 1;
}

size_t TypedLine::end_of_line() const { return std::min(text_.find('\n', cursor_), text_.size()); }

void TypedLine::erase(size_t begin, size_t end) {
  text_.erase(begin, end - begin);
  cursor_ = begin;
}

void TypedLine::insert(std::string_view text) {
  std::string clean;
  for (const char c : text)
    if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= ' ') clean += c;
  text_.insert(cursor_, clean);
  cursor_ += clean.size();
}

void TypedLine::go_in_history(bool is_back) {
  if (is_back ? at_ == 0 : at_ == history_.size()) return;
  if (at_ == history_.size()) left_ = text_;
  at_ += is_back ? -1 : 1;
  text_ = at_ == history_.size() ? left_ : history_[at_];
  cursor_ = text_.size();
}

TypedLine::Next TypedLine::complete_word() {
  Completion completion = completion_of(text_.substr(0, cursor_), complete_);
  found_ = std::move(completion.words);
  insert(completion.more);
  return found_.empty() || !completion.more.empty() ? Next::more : Next::listed;
}

TypedLine::Next TypedLine::take_sequence(std::string_view sequence) {
  if (sequence == "\r" || sequence == "\n") insert("\n");  // Alt-Enter
  if (sequence == "[A" || sequence == "OA") go_in_history(true);
  if (sequence == "[B" || sequence == "OB") go_in_history(false);
  if (sequence == "[C" || sequence == "OC") cursor_ = after(cursor_);
  if (sequence == "[D" || sequence == "OD") cursor_ = before(cursor_);
  if (sequence == "[1;5C" || sequence == "f") cursor_ = word_after(cursor_);
  if (sequence == "[1;5D" || sequence == "b") cursor_ = word_before(cursor_);
  if (sequence == "[H" || sequence == "OH" || sequence == "[1~") cursor_ = begin_of_line();
  if (sequence == "[F" || sequence == "OF" || sequence == "[4~") cursor_ = end_of_line();
  if (sequence == "[3~") erase(cursor_, after(cursor_));
  return Next::more;
}

TypedLine::Next TypedLine::take(std::string_view key) {
  if (key.empty()) return Next::more;
  if (key[0] == '\033') return take_sequence(key.substr(1));
  if (key.size() > 1 || static_cast<unsigned char>(key[0]) >= ' ') {
    if (key[0] == 127)
      erase(before(cursor_), cursor_);
    else
      insert(key);
    return Next::more;
  }
  switch (key[0]) {
    case 'A' - '@':
      cursor_ = begin_of_line();
      break;
    case 'B' - '@':
      cursor_ = before(cursor_);
      break;
    case 'C' - '@':
      return Next::interrupted;
    case 'D' - '@':
      if (text_.empty()) return Next::ended;
      erase(cursor_, after(cursor_));
      break;
    case 'E' - '@':
      cursor_ = end_of_line();
      break;
    case 'F' - '@':
      cursor_ = after(cursor_);
      break;
    case '\b':
      erase(before(cursor_), cursor_);
      break;
    case '\t':
      return complete_word();
    case '\n':  // Ctrl-Enter
      insert("\n");
      break;
    case '\r':
      if (!text_.ends_with('\\')) return Next::sent;
      cursor_ = text_.size();
      text_.back() = '\n';
      break;
    case 'K' - '@':
      erase(cursor_, std::max(end_of_line(), std::min(cursor_ + 1, text_.size())));
      break;
    case 'N' - '@':
      go_in_history(false);
      break;
    case 'P' - '@':
      go_in_history(true);
      break;
    case 'U' - '@':
      erase(0, text_.size());
      break;
    case 'W' - '@':
      erase(word_before(cursor_), cursor_);
      break;
    default:
      break;
  }
  return Next::more;
}

std::string drawn(const TypedLine& line, size_t columns, size_t& row) {
  std::string text = up(row) + "\r\033[J> ";
  for (const char c : line.text())
    if (c == '\n')
      text += "\r\n. ";
    else
      text += c == '\t' ? ' ' : c;
  const ScreenPlace cursor =
      place_after(std::string_view(line.text()).substr(0, line.cursor()), columns);
  const ScreenPlace end = place_after(line.text(), columns);
  // A row that is full leaves the cursor at its last column until something follows.
  const bool is_full = end.column >= columns;
  if (is_full) text += " \b";
  const ScreenPlace shown = cursor.column >= columns ? ScreenPlace{cursor.row + 1, 0} : cursor;
  row = shown.row;
  text += up(end.row + is_full - shown.row) + "\r";
  if (shown.column) text += "\033[" + std::to_string(shown.column) + "C";
  return text;
}

std::string left_behind(const TypedLine& line, size_t columns, size_t row) {
  std::string text;
  for (const size_t end = place_after(line.text(), columns).row; row < end; ++row) text += "\n";
  return text + "\r\n";
}

}  // namespace bodkin
