// TypedLine: a request while it is typed in a terminal, and the effect of each key on it: the keys
// of libedit that people use, for systems without libedit (Windows). It reads and writes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/cli/line_editor.h"

namespace bodkin {

class TypedLine {
 public:
  // `history`: what Up leads to, the oldest first; it outlives this.
  TypedLine(const std::vector<std::string>& history, const LineEditor::Complete& complete)
      : history_(history), complete_(complete), at_(history.size()) {}

  // sent, interrupted: by Enter and Ctrl-C; ended: by Ctrl-D in an empty line; listed: Tab has
  // found several words, see found()
  enum class Next { more, sent, interrupted, ended, listed };
  // One key as terminals send it: a character in UTF-8, a control character, or Escape with the
  // sequence that belongs to it.
  Next take(std::string_view key);
  // Inserts text that is pasted or already there: its line ends send nothing.
  void insert(std::string_view text);

  const std::string& text() const { return text_; }
  size_t cursor() const { return cursor_; }  // a byte of text()
  const std::vector<std::string>& found() const { return found_; }

 private:
  Next take_sequence(std::string_view sequence);
  Next complete_word();
  void go_in_history(bool is_back);
  void erase(size_t begin, size_t end);
  size_t before(size_t at) const;  // the character that ends there
  size_t after(size_t at) const;
  size_t word_before(size_t at) const;
  size_t word_after(size_t at) const;
  size_t begin_of_line() const;
  size_t end_of_line() const;

  const std::vector<std::string>& history_;
  const LineEditor::Complete& complete_;
  std::string text_, left_;  // left_: what was typed before Up
  size_t cursor_ = 0, at_;
  std::vector<std::string> found_;
};

// The output that redraws the line, with "> " before its first line and ". " before the others, on
// a terminal of so many columns. `row`: of the cursor below the first row, from 0: as it is, and
// then as it will be.
std::string drawn(const TypedLine& line, size_t columns, size_t& row);
// The output that puts the cursor after the whole line, for what is written next.
std::string left_behind(const TypedLine& line, size_t columns, size_t row);

}  // namespace bodkin
