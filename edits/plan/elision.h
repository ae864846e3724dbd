// Lines that represent unchanged lines: "// ... existing code ...", "# (rest unchanged)", "...",
// "// other methods stay the same", "[...]".
//
// A line elides if all that it says is that something else stays or was left out:
//   sure     "# rest of the file unchanged": it says so, and nothing else; or words between dots
//   likely   "// other methods", words without a comment's sign, "# ... more": all of its words may
//            say so, and it would cost code if written literally
//   perhaps  "# keep the existing order": some words may say so, and more lines are removed than
//            added
// An elision is never written into a file, and the lines that it represents are never removed.
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

enum class Elision { none, perhaps, likely, sure };

// In any comment syntax, or in brackets; dots alone need neither.
Elision elision_in(std::string_view line);

bool is_elision(std::string_view line);       // perhaps, likely or sure
bool is_sure_elision(std::string_view line);  // certainly

// Does the end of this line of code stand for a body ("add(n) { /* ... */ }", "def f(): ...",
// "run() { // unchanged")? `by_words`: bare dots after a colon do not count, which are Python.
bool elides_in_line(std::string_view line, bool by_words = false);

// The comment at the end of a line of code that surely says that other code stays ("b();  // rest
// unchanged"); else empty.
std::string_view comment_that_elides(std::string_view line);

// Marks the lines of a sketch that elide code; `sure`: only those that certainly do. Bare dots
// below a line that opens a Python body are code.
std::vector<char> elisions_of(const std::vector<std::string_view>& lines, bool sure = false);

}  // namespace bodkin
