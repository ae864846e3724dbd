// AskScreen: the display of `bodkin ask` while it works, on standard error, and the keys by which
// the user decides. On a terminal the model's words are streamed without its edits, and the last
// line shows the progress of the ask; a pipe gets one line per step.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "agent/ask/limits.h"
#include "agent/support/task.h"
#include "lsp/cli/markdown_colours.h"
#include "lsp/cli/typed_ahead.h"
#include "lsp/sessions/said_words.h"

namespace bodkin {

class AskScreen {
 public:
  // `ahead`: takes the keys while this is shown and no question is open. May be null.
  explicit AskScreen(TypedAhead* ahead = nullptr);
  ~AskScreen();  // as pause()

  // Any thread. `spent`: by the ask so far.
  void show(const Progress& progress, const Spent& spent);
  // Removes the last line and ends the model's words with a line end; the next show() goes on.
  // `is_cancelled`: the reply was broken off.
  void pause(bool is_cancelled = false);
  // A question about a step is asked, which describes it: the step is not shown separately any
  // more. True: it was.
  bool take_over(const std::string& step);
  // The rest of these words from the first line that was not streamed. Empty: all were.
  std::string not_shown(std::string_view words) const;
  // Returns how long it has been shown, without the pauses in which the user reads and decides.
  std::chrono::steady_clock::duration time() const;

 private:
  void tick(const std::stop_token& stop);
  void draw_line();  // with the lock held, as the next three
  void erase_line();
  void put_words(const std::string& words);
  void put_step(const std::string& words);
  void put_coming_step();
  void end_words(bool is_cancelled = false);
  std::chrono::steady_clock::duration time_now() const;

  TypedAhead* const ahead_;
  const bool is_terminal_, has_line_, has_colours_;
  mutable std::mutex mutex_;
  std::condition_variable_any stopped_;
  SaidWords said_;
  std::string doing_, last_line_;
  std::string coming_;  // a step that is shown when it is known that nobody is asked about it
  std::string word_;    // of the model, which has not ended
  MarkdownColours colours_;
  size_t column_ = 0;  // after its words, in characters
  Spent spent_;
  std::chrono::steady_clock::time_point began_{};  // of what is shown now
  std::chrono::steady_clock::duration worked_{};   // before that
  std::atomic<bool> has_typed_ = false;            // since the last line was drawn
  bool running_ = false, line_drawn_ = false, in_words_ = false;
  std::jthread thread_;  // last: it uses the others
};

// The columns of the terminal behind this stream; 80 if it is not a terminal.
size_t columns(int stream);
// The width for text to be read there: at most that of a usual terminal, 79.
size_t text_width(int stream);
// A message for standard error: on a terminal broken between its words.
std::string folded(std::string_view message, size_t indent = 2);
// Prints it there, with a line end.
void print_folded(std::string_view message, size_t indent = 2);

// Shows a text page by page, with the user's $PAGER, by default less.
void page(const std::string& text);

// "2 turns, 3,100 tokens, $0.0042, 12 s"; "price unknown" if it is.
std::string in_words(const Spent& spent, std::chrono::steady_clock::duration time);

bool is_dumb_terminal();  // $TERM says so, or nothing
// Makes the terminal mark pastes ("bracketed paste"), or not, so that they are not taken for keys.
void mark_pastes(bool on);
// Whether a text that was typed or pasted into a terminal has a line of the greatest length that
// terminals pass on: the rest of it is gone.
bool is_cut_by_terminal(std::string_view text);
inline constexpr const char* kCutByTerminal =
    "the terminal has cut a long line of it; give it in a file, or with --clipboard to bodkin "
    "apply";

// Whether the user can be asked: standard input and error are a terminal.
bool can_ask_user();
bool is_asking();  // a question is open; any thread
// Shows the question on standard error and waits for one of these keys, lower case; one that is
// also in `lasting` counts when Enter follows. '\0': the input or the questions have ended, or the
// user typed Ctrl-D. `harmless`: the key that Escape means, too, and q if it is not a key itself. A
// word that begins with another key is not a choice, nor is one with a lasting key.
char ask_for_key(std::string_view question, std::string_view keys, char harmless,
                 std::string_view lasting = "");
// The same for a line. Nullopt: the input or the questions have ended, or the user pressed Escape.
// `is_part`: of a text, in which Escape is a character, and whose last line Ctrl-D may end.
std::optional<std::string> ask_for_line(std::string_view question, bool is_part = false);
// Ends the question that waits, and those after it at once. Any thread.
void end_questions();
// Lets the next ask of the same process ask questions again. No question may be waiting.
void begin_questions();

}  // namespace bodkin
