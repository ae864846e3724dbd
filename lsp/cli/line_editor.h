// LineEditor: reads a request in a terminal with the keys that people know from their shell: its
// history, completion with Tab, their own ~/.editrc. What is pasted is never sent by itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bodkin {

// What begins another line of a request.
extern const char kLineEndKey[];

// One object at a time, which takes Ctrl-C for itself from its beginning on.
class LineEditor {
 public:
  // `complete`: the words that may stand in the place of `word`, which ends at the cursor and
  // begins the line if `is_first`. Standard input, output and error are a terminal.
  using Complete = std::function<std::vector<std::string>(const std::string& word, bool is_first)>;
  explicit LineEditor(Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Returns what was typed until Enter, UTF-8, with its line ends (kLineEndKey, a backslash before
  // Enter, or pasted ones). Empty: nothing, or Ctrl-C. Nothing: Ctrl-D, or the terminal is gone.
  // `typed`: UTF-8 that stands there already.
  std::optional<std::string> read(const std::string& typed = "");
  // A request that Up leads to, after those that come later.
  void remember(const std::string& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bodkin
