// LineEditor: reads a request in a terminal with the keys that people know from their shell: its
// history, completion with Tab, their own ~/.editrc. A paste is never sent by itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bodkin {

// The key that begins another line of a request.
extern const char kLineEndKey[];

// One object at a time, which takes Ctrl-C for itself from its beginning on.
class LineEditor {
 public:
  // `complete`: the possible completions of `word`, which ends at the cursor and begins the line if
  // `is_first`. Standard input, output and error are a terminal.
  using Complete = std::function<std::vector<std::string>(const std::string& word, bool is_first)>;
  explicit LineEditor(Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Returns what was typed until Enter, UTF-8, with its line ends (kLineEndKey, a backslash before
  // Enter, or pasted ones). Empty: nothing, or Ctrl-C. Nullopt: Ctrl-D, or the terminal is gone.
  // `typed`: the text that the line begins with, UTF-8.
  std::optional<std::string> read(const std::string& typed = "");
  // A request that Up leads to, after those that come later.
  void remember(const std::string& request);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The result of Tab for the word before the cursor.
struct Completion {
  std::vector<std::string> words;  // that may be meant; empty: none
  std::string more;                // is inserted; empty: the words are listed
};
// `before`: the text before the cursor.
Completion completion_of(const std::string& before, const LineEditor::Complete& complete);
// The words side by side; if there are very many, the first ones.
std::string listed(const std::vector<std::string>& words);

}  // namespace bodkin
