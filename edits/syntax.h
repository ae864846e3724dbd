// What the engine asks of syntax. grammars/ implements it; edits/ stays free of tree-sitter.
#pragma once

#include <string_view>
#include <vector>

#include "edits/text.h"

namespace bodkin {

struct SyntaxNode {
  size_t begin = 0, end = 0;  // bytes, half open
  LineRange lines;            // the lines that it touches
  std::string_view kind;      // the grammar's name, static storage
  std::string name;           // of a declaration ("get_a"), else empty
};

// Thread: any, one call at a time per object. Unknown languages answer `false`, empty or 0.
class Syntax {
 public:
  virtual ~Syntax() = default;
  virtual bool knows(std::string_view path) const = 0;
  // Lines (from 0) of syntax errors that `after` has and `before` had not.
  virtual std::vector<size_t> new_errors(std::string_view path, const Text& before,
                                         const Text& after) const = 0;
  // Is this byte inside a string literal or a comment?
  virtual bool in_literal(std::string_view path, const Text& text, size_t offset) const = 0;
  // The declarations directly inside the node that spans [begin, end) (the whole file: [0, size)).
  virtual std::vector<SyntaxNode> members(std::string_view path, const Text& text, size_t begin,
                                          size_t end) const = 0;
};

}  // namespace bodkin
