// Lines that stand for lines which stay: "// ... existing code ...", "# (rest unchanged)", "...",
// "// other methods stay the same", "[...]".
//
// A line elides if all that it says is that something else stays or was left out: nothing in it is
// for whoever reads the code. Where the words could be a comment's own ("// Loading more ...",
// "# same as above"), the change decides: a comment replaces nothing, an elision stands where more
// lines go than come. What elides is never written into a file, and what it stands for never goes.
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

enum class Elision { none, likely, sure };

// In any comment syntax, or in brackets; dots alone need neither.
Elision elision_in(std::string_view line);

bool is_elision(std::string_view line);       // likely or sure
bool is_sure_elision(std::string_view line);  // beyond doubt

// Does the end of this line of code stand for a body ("add(n) { /* ... */ }", "def f(): ...",
// "run() { // unchanged")? `by_words`: bare dots behind a colon do not count, which are Python.
bool elides_in_line(std::string_view line, bool by_words = false);

// Does a comment at the end of a line of code say that other code stays ("b();  // rest
// unchanged")?
bool elides_behind_code(std::string_view line);

// Which lines of a sketch elide. Bare dots below a line that opens a Python body are code.
// `sure`: only those beyond doubt.
std::vector<char> elisions_of(const std::vector<std::string_view>& lines, bool sure = false);

}  // namespace bodkin
