// The syntax queries that the engine needs. grammars/ implements it; edits/ stays free of
// tree-sitter.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

// Bytes of what is parsed while an edit is placed: usually milliseconds, but up to a second for
// unparsable text.
inline constexpr size_t kParsedAtOnce = 256 * 1024;

// A declaration, an import, or any other node of several lines (`if`, an object, an element).
struct SyntaxBlock {
  LineRange lines;          // whole lines; with decorators and attributes
  size_t comment_line = 0;  // where the comment directly above begins; else lines.begin
  size_t body_line = 0;     // the first line after the head; lines.end without a body
  std::string_view kind;    // "function", "class", "import", …: static storage
  std::string name;         // of a declaration ("get_a"); of an import all of its text
  bool is_declaration = false;
};

// Thread: any, one call at a time per object. Unknown languages answer `false`, null or empty.
class Syntax {
 public:
  virtual ~Syntax() = default;
  virtual bool knows(std::string_view path) const = 0;
  // Lines (from 0) of syntax errors that `after` has and `before` did not have. Null: could not be
  // checked (no grammar, too long to parse, not plausible code), which is not the same as no
  // errors.
  virtual std::optional<std::vector<size_t>> new_errors(std::string_view path, const Text& before,
                                                        const Text& after) const = 0;
  // By where they begin, the outer before the inner. `elided`: the text is a sketch, of which these
  // lines stand for others; its methods are found without their class around them. A sketch that
  // cannot be parsed has none: nothing says where its pieces end.
  virtual std::vector<SyntaxBlock> blocks(std::string_view path, const Text& text,
                                          const std::vector<char>* elided = nullptr) const = 0;
};

}  // namespace bodkin
