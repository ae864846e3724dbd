// Thoughts: what a model writes for itself into its reply, where the server does not separate it.
//
//   <think> … </think>     also <thinking>, <thought>, <reasoning>, [THINK] and the like
//   … </think>             without its opening tag, all that is before it is a thought
//   <|channel|>analysis<|message|> … <|end|>     Harmony, or "analysis … assistantfinal"
//
// A tag counts at the beginning of a line or of the reply, or after a sentence; a closing one also
// within a line. In fences, edit blocks, diffs, calls and code, and where prose names it ("the
// <think> tag") or shows it ("for example, the model writes"), it is text. A thought that is not
// closed ends with the reply.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct ReplyPart {
  bool is_thought = false;
  std::string text;
};

// A reply's text as it arrives, in pieces of any size. `words` and `thought` get what is certain by
// now; `take_back`: all words since the last thought were one (its closing tag has come).
class ThoughtReader {
 public:
  struct Takers {
    std::function<void(std::string_view)> words, thought;
    std::function<void()> take_back;
  };
  explicit ThoughtReader(Takers takers = {}) : takers_(std::move(takers)) {}
  void add(std::string_view piece);
  void finish();

  std::vector<ReplyPart> parts() const;  // after finish()
  // After finish(): the text with blanks for thoughts and their tags, line by line as it was.
  std::string words_in_place() const;

 private:
  enum class Match { none, unclear, opens, closes, skips };
  struct Span {  // no words; the thought is a part of it
    size_t begin = 0, end = 0, thought = 0, thought_end = 0;
  };

  void read();
  bool read_words();
  bool read_region();
  bool read_thought();
  bool opens_region(std::string_view line);
  Match match(size_t at, size_t& length);
  Match match_harmony(size_t at, size_t& length);
  bool may_open(size_t at, size_t end) const;
  bool may_close(size_t at, size_t end) const;
  bool is_in_code(size_t at) const;
  bool is_shown(size_t at) const;
  void end_thought(size_t at, size_t length);
  void close_backwards(size_t at, size_t length);
  void tell_words(size_t end);
  void tell_thought(size_t end);
  bool has_end() const { return is_whole_; }

  Takers takers_;
  std::string text_;
  bool is_whole_ = false;
  size_t at_ = 0, line_ = 0, told_ = 0, boundary_ = 0;
  bool is_line_known_ = false;
  bool in_thought_ = false, is_stripped_ = false;
  bool skips_line_ends_ = false;
  std::string region_;  // how its last line begins or what it holds; empty: none is open
  enum class Region { none, fence, block, patch, tags, diff } kind_ = Region::none;
  size_t closing_in_region_ = std::string::npos;
  size_t closing_length_ = 0;
  std::string_view shown_;  // what closes a thought that prose shows; empty: none is open
  std::vector<Span> spans_;
};

std::vector<ReplyPart> parts_of_reply(std::string_view reply);
std::string words_in_place(std::string_view reply);

}  // namespace bodkin
