// Lines that represent unchanged lines: "// ... existing code ...", "# (rest unchanged)", "...",
// "// other methods stay the same", "[...]".
//
// A line elides if all that it says is that something else stays or was left out: it tells a reader
// of the code nothing else. No list of phrases is long enough, so the words are weighed one by one:
//   sure     "# leave as is": it says so, and nothing else; in any comment syntax, between dots, or
//            after dots ("... same as before"), where words alone are not code
//   likely   "// rest", "..", "12 lines", "and so on" without a comment marker, another language:
//            all of its words may say so, and it would cost code if written literally
//   perhaps  "// Loading more ...", "# keep the existing order": some words may say so, and more
//            lines are removed than added
// A comment, or words that are not code, are also an elision if they are the last of what replaces
// removed lines and are in no language that we know, or speak of nothing but code that is there
// ("// your code here"): they do not say why the lines go (`is_unexplained`). An elision is never
// written into a file, and the lines that it represents are never removed.
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

enum class Elision { none, perhaps, likely, sure };

// In any comment syntax, or in brackets; dots alone need neither.
Elision elision_in(std::string_view line);

bool is_elision(std::string_view line);       // perhaps, likely or sure
bool is_sure_elision(std::string_view line);  // certainly

// A short comment without any of the common English words that explain why code was removed; or
// words that are neither such a comment nor a statement.
bool is_unexplained(std::string_view line);

// Does the end of this line of code stand for a body ("add(n) { /* ... */ }", "def f(): ...",
// "run() { // unchanged")? `by_words`: bare dots after a colon do not count, which are Python.
bool elides_in_line(std::string_view line, bool by_words = false);

// The comment at the end of a line of code that says that other code stays ("b();  // rest
// unchanged"), if it says so at least that surely; else nothing.
std::string_view comment_that_elides(std::string_view line, Elision least = Elision::sure);

// Which lines of a sketch elide. Bare dots below a line that opens a Python body are code.
// `sure`: only those beyond doubt.
std::vector<char> elisions_of(const std::vector<std::string_view>& lines, bool sure = false);

}  // namespace bodkin
