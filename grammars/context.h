// The context that a model is shown for a place: the exact function or class around it, so that the
// text it quotes can be found again, and as much around it as the budget allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/text/text.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

struct ContextPart {
  enum class Why { symbol, imports, signature, definition, place };
  Why why = Why::symbol;
  LineRange lines;  // whole lines of the file
};

struct Context {
  std::optional<Symbol> symbol;    // the innermost function or class, if there is one
  std::vector<Symbol> around;      // what holds it, outermost first
  std::vector<ContextPart> parts;  // in file order, disjoint; gaps are elided
};

// `lines` is the selection, or one line. `budget` is in bytes of file text. The symbol's text comes
// first (with the comment above it); if it is longer than the budget: its first lines, and the part
// around the place. Then the function around it, the heads of the classes around, imports, the
// types and variables of the file that it uses, and the signatures of the functions that it uses
// and of its siblings. Also works without a tree (unknown language, parse limit): then it gives the
// lines around the place.
Context context_of(const SyntaxTree& tree, const Outline& outline, LineRange lines, size_t budget);
Context context_of(const Text& text, LineRange lines, size_t budget);

// The lines of the parts, with each gap replaced by a line "[lines 12-40 are not shown]", which
// looks like no language's code; numbers from 1.
std::string render(const Text& text, const Context& context);

}  // namespace bodkin
