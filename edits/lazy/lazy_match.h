// Matches a sketch's declarations to the file's: by kind and name, distinguished by their heads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/syntax.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// The lines of a text, and its blocks by where they begin.
struct LazySide {
  std::vector<std::string> lines;
  std::vector<SyntaxBlock> blocks;
  std::vector<char> elided;  // of a sketch; empty for the file

  bool elides(size_t line) const { return line < elided.size() && elided[line]; }
  bool elides_in(LineRange range) const;
  bool elides_anywhere() const { return elides_in({0, elided.size()}); }
};

// The first line of a declaration that is not a decorator, attribute or annotation.
size_t head_line(const LazySide& side, const SyntaxBlock& block);

// True if one line of the block stands for its body.
bool elides_inline(const LazySide& side, const SyntaxBlock& block);

// For each of the sketch's blocks the file's block, or null: none has this name. `doubtful`: one or
// more have this name, but it is not certain that this one is meant.
struct BlockMatch {
  const SyntaxBlock* file = nullptr;
  bool doubtful = false;
};
// `outside`: the file's blocks on other levels, which the sketch may also mean.
std::vector<BlockMatch> match_blocks(const LazySide& sketch,
                                     const std::vector<const SyntaxBlock*>& sketched,
                                     const LazySide& file,
                                     const std::vector<const SyntaxBlock*>& filed,
                                     const std::vector<const SyntaxBlock*>& outside);

}  // namespace bodkin
