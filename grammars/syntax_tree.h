// The syntax tree of a text, by tree-sitter, and the edit engine's syntax interface
// (edits/plan/syntax.h).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "edits/plan/syntax.h"
#include "edits/text/result.h"
#include "edits/text/text.h"
#include "grammars/languages.h"
#include "grammars/preprocessor.h"

struct TSTree;

namespace bodkin {

struct ParseLimits {
  // At most, of the thread's processor time; a small text has less (budget.h).
  std::chrono::microseconds time = std::chrono::seconds(2);
  std::stop_token stop;
  // C and C++: parse only the text with macros blanked out, although the original may parse better:
  // half the time, for indexing thousands of files.
  bool once = false;
};

// Immutable and cheap to copy; copies share the tree. Thread: any.
class SyntaxTree {
 public:
  // Never fails because of what the text contains (broken code has a tree with errors in it), only
  // for the
  // limits: `cancelled` when stopped, `unavailable` when it takes more time or memory than code
  // does (budget.h) or is not plausible code (parse_guard.h). With `previous`, the tree of an
  // earlier version of the same document, only what changed is reparsed, in microseconds to
  // milliseconds.
  static Result<SyntaxTree> parse(const Language& language, const Text& text,
                                  const ParseLimits& limits = {},
                                  const SyntaxTree* previous = nullptr);

  const Language& language() const { return *language_; }
  const Text& text() const { return text_; }
  const TSTree* tree() const { return tree_.get(); }
  bool has_errors() const;

  // All nodes with their places as one string, for comparing trees in tests.
  std::string shape() const;

  // C and C++: the text that was parsed as if it were whitespace, because there are fewer syntax
  // errors without it. In order.
  const std::vector<Blank>& blanks() const { return blanks_; }

 private:
  SyntaxTree(const Language& language, const Text& text, const Text& parsed,
             std::shared_ptr<const TSTree> tree, bool lone_returns);

  const Language* language_;
  Text text_;
  Text parsed_;  // text_ with the blanks in it
  std::vector<Blank> blanks_;
  std::shared_ptr<const TSTree> tree_;
  bool lone_returns_;  // a \r without \n: a line end for Text, not for tree-sitter
};

struct SyntaxError {
  size_t begin = 0, end = 0;  // bytes; equal where something is missing
  size_t line = 0;            // of `begin`, from 0
};

// In the order of the text, at most `limit`; with Python's indentation_errors().
std::vector<SyntaxError> syntax_errors(const SyntaxTree& tree, size_t limit = 1000);

// Decides: which syntax errors are new.
// Lines of `after`, from 0.
std::vector<size_t> new_errors(const SyntaxTree& before, const SyntaxTree& after);

// Implements the edit engine's interface by parsing; caches the trees of recent texts. Unlike other
// implementations of Syntax, several threads may call it at once.
std::unique_ptr<Syntax> make_syntax();

}  // namespace bodkin
