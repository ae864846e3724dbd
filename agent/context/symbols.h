// Declarations by name: the index says in which files to look, the files say what is there now.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/ask.h"
#include "agent/workspace/workspace.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

struct ParsedFile {
  Snapshot file;
  std::optional<SyntaxTree> tree;  // nothing: unknown language, or parsing took too long
  Outline outline;
};
ParsedFile parsed(Snapshot file, const Task& task);

struct FoundSymbol {
  Snapshot file;
  Symbol symbol;
  std::string path_in_outline;  // "Widget::Row::resize"
};

// "Widget::Row::resize"
std::string path_in_outline(const Outline& outline, const Symbol& symbol);

// The declarations with this name, "resize", "Row::resize" or "Row.resize", in the workspace or in
// one file. What is declared and defined in two places is found at both. By path and line.
std::vector<FoundSymbol> find_symbols(Workspace& workspace, std::string_view name,
                                      std::string_view only_in, const Task& task);

// The one to show of several: the only one, or the only one with a body. Else null.
const FoundSymbol* the_one(const std::vector<FoundSymbol>& found);

// "src/a.cpp, lines 12-40: method Widget::resize"
std::string describe(const FoundSymbol& found);

// A line for each symbol, indented by depth, "  method resize (lines 3-9)": the outer ones first, of
// them the nearest to `line`, at most `limit`; by line. How many are left out is said.
std::string outline_text(const Outline& outline, size_t limit, size_t line = 0);

// As editors and people count them: the end of the last line begins no further one.
size_t line_count_of(const Text& text);

// "line 7", "lines 7-9": for people and models, from 1, inclusive.
std::string line_words(LineRange lines);

// The declarations elsewhere in the workspace of the names that are used in `lines` of a file and in
// `words`, most useful first: a name that few files declare says most. At most `budget` bytes.
std::string declarations_text(Workspace& workspace, const ParsedFile& file, LineRange lines,
                              std::string_view words, size_t budget, const Task& task);

// The repository map: the heads of the declarations that are used most, nearest to the files at
// hand, by path. Empty while the index is being made: half a map would change with every ask, and
// with it the prefix of the prompt that providers keep. At most `budget` bytes.
std::string repository_map(Workspace& workspace, const std::vector<std::string>& at_hand,
                           size_t budget, const Task& task);

}  // namespace bodkin
