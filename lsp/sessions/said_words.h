// SaidWords: a model's words, as the user reads them while they stream in: without its
// SEARCH/REPLACE blocks and patches, which are shown as steps and diffs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

class SaidWords {
 public:
  // Adds the next piece of a reply; returns the part that can be shown by now. A line that may
  // belong to a block, such as a path, waits for the next.
  std::string add(std::string_view piece);
  // The reply has ended, or something else is shown now: returns the text that still waited. A
  // block that is not complete is left out.
  std::string end();
  // The same, but the reply was broken off: what may be the beginning of a block is left out, too.
  std::string break_off();
  // These words were shown in another way.
  void note(std::string_view words);
  // The rest of these words from the first line that was not shown, in order. Empty: all were.
  std::string rest_of(std::string_view words) const;

 private:
  struct Held {
    enum Is { path, word, fence, blank } is;
    std::string line;
  };

  void take(std::string_view line, std::string& out);
  void show(std::string_view line, std::string& out);
  void flush(std::string& out);
  void flush_to(Held::Is is, std::string& out);

  std::string text_;          // a line that has begun and is not shown
  std::vector<Held> held_;    // lines that may belong to the block that follows them
  std::string shown_;         // without white space
  bool goes_on_ = false;      // the line's beginning is shown
  bool in_block_ = false;     // between its first line and its last
  bool hides_fence_ = false;  // the fence around the last block has not ended
  bool shows_fence_ = false;  // one without a block has not ended
  bool after_blank_ = true;   // what was shown last is an empty line, or there is nothing
  bool after_block_ = false;  // nothing was shown since the last block
};

}  // namespace bodkin
