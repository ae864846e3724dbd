// What a merge asks of single blocks and lines: where a block's comment, body and closing line are,
// and the edits that replace some lines by others.
#pragma once

#include <string_view>
#include <vector>

#include "edits/lazy/lazy_match.h"
#include "edits/lazy/lazy_merge.h"
#include "edits/lazy/lazy_runs.h"

namespace bodkin {

// Indents lines of the sketch so that their least indentation becomes `to`.
void shift(LazySide& sketch, LineRange lines, std::string_view to);

// Where the block begins within `lines`, not above `from`: a declaration's comment belongs to it.
size_t begin_of(const LazySide& side, const SyntaxBlock& block, LineRange lines, size_t from);

// Where the body begins. An elision right below a head's last line begins it: to a grammar it is a
// comment, which may be part of the head.
size_t body_of(const LazySide& side, const SyntaxBlock& block);

// True if a (trimmed) line begins with what closes a block.
bool closes_block(std::string_view text);

// Where the last line that only closes the block begins; the block's end if it has none.
size_t tail_of(const LazySide& side, const SyntaxBlock& block);

// True if the heads are the same but for a body that is left out ("add(n) { ... }" and "add(n) {").
bool same_before_body(const LazySide& sketch, const SyntaxBlock& sketched, const LazySide& file,
                      const SyntaxBlock& filed);

// Adds the line edits by which the file's lines become the sketch's.
void replace_lines(const LazySide& sketch, LineRange sketched, const LazySide& file,
                   LineRange filed, std::vector<LineEdit>& edits);

// True if its last character is a bracket or a colon that opens a block.
bool opens_block(std::string_view line);

}  // namespace bodkin
