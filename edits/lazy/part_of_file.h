// Whether a text below a path is all of that file, or shows only a part of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/plan.h"
#include "edits/plan/syntax.h"
#include "edits/text/text.h"

namespace bodkin {

// What the file would lose if `contents` became all of it, for the model ("leaves out get_a").
// Nullopt if `contents` is the file, changed: it has the file's beginning and end, and nearly all
// of its lines are there, or only a few of them are replaced, or all that is missing is in the
// bodies of declarations that are there, by their names or by half of their lines. `syntax` may be
// null. Blank lines and indentation do not count.
std::optional<std::string> left_out(std::string_view path, const Text& file,
                                    const std::string& contents, const Syntax* syntax);

// Why the fence of `change`, below the path of a file that exists, is not all of that file; nullopt
// if it is. `contents`: the change's, as the file has them.
std::optional<std::string> why_not_whole(const FileChange& change, std::string_view path,
                                         const Text& file, const std::string& contents,
                                         const Syntax* syntax);

// The first line that is not blank; of a blank text, its last one.
std::string first_line(const Text& text);

// True if the text only quotes the file: its lines, between elisions, are runs of the file's lines
// in order.
bool is_quote(const std::string& contents, const Text& file);

// True if the text is a quote that cannot be meant as the whole file: it has less than half of its
// lines, or neither its first nor its last line, or line numbers that the file does not have ("12 |
// ", or "1 ", "2 ", … before all lines).
bool is_partial_quote(const std::string& contents, const Text& file);

// True if the text is the file with lines removed or changed: it has at least half of the file's
// lines, among them its first or its last. Blank lines and indentation do not count.
bool keeps_most(const std::string& contents, const Text& file);

// The line of the file, from 0, at which `contents`, meant to be all of it, stops, although the
// file goes on: in the middle of a line, where the language misses an end, or so early that a
// quarter of the file would be lost. A model that removes so much of the end shows it. Or, if not
// `at_end`, likewise the line at which it begins. `syntax` may be null.
std::optional<size_t> where_it_stops(std::string_view path, const Text& file,
                                     const std::string& contents, const Syntax* syntax,
                                     bool at_end = true);

// True if the file has at least half of the text's significant lines.
bool has_most_of(const Text& file, const std::string& text);

// True if a line of the text that is not indented and has a word is one of the file's. Additions to
// a file repeat none of them: no import, no declaration.
bool shares_outer_line(const Text& file, const std::string& text);

// True if at least half of the lines of one of the two, and at least one, are in the other.
bool resembles(const Text& file, const std::string& contents);

// True if these hunks remove all lines of the file, and keep none. Blank lines and whitespace do
// not count. A model that removes a file must have seen all of it.
bool removes_whole_file(const std::vector<Hunk>& hunks, const Text& file);

}  // namespace bodkin
