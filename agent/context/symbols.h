// Declarations by name: the index tells which files to search, the files are the truth.
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
// one file. A declaration and its definition are both found. Sorted by path and line.
std::vector<FoundSymbol> find_symbols(Workspace& workspace, std::string_view name,
                                      std::string_view only_in, const Task& task);

// The match to show: the only one, or the only one with a body; else null.
const FoundSymbol* only_match(const std::vector<FoundSymbol>& found);

// "src/a.cpp, lines 12-40: method Widget::resize"
std::string describe(const FoundSymbol& found);

// A line per symbol, indented by depth, "  method resize (lines 3-9)": at most `limit`, preferring
// outer ones and those near `line`; sorted by line. Says how many are left out.
std::string outline_text(const Outline& outline, size_t limit, size_t line = 0);

// In a fence that is longer than any in the text, so that the text cannot close it.
std::string fenced(std::string_view text, std::string_view kind = {});

// Counts like editors: a final line ending does not start another line.
size_t line_count_of(const Text& text);

// "line 7", "lines 7-9": for people and models, from 1, inclusive.
std::string line_words(LineRange lines);

// The declarations elsewhere in the workspace of the names that are used in `lines` of a file and
// in `words`, most useful first: a name that few files declare is the most informative. At most
// `budget` bytes.
std::string declarations_text(Workspace& workspace, const ParsedFile& file, LineRange lines,
                              std::string_view words, size_t budget, const Task& task);

// The repository map: the heads of the most used declarations, preferring those related to the
// files `in_context`, sorted by path. Empty while the index is being built: a partial map would
// change with every ask, and with it the prompt prefix that providers cache. At most `budget`
// bytes.
std::string repository_map(Workspace& workspace, const std::vector<std::string>& in_context,
                           size_t budget, const Task& task);

}  // namespace bodkin
