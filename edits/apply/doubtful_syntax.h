// Checks the result's syntax (other checks: check_result.h). A hunk that is not exact may have been
// misread, and then it breaks the syntax: a depth that was inferred, or characters of the new text
// that may have been substituted or escaped on the way. If the words of the new text break it, that
// is what the model asked for, as at an exact place. Four things are not meant at an exact place
// either: a line that the quote should have had, since the new text has it and the file has it next
// to the quote; a new text that is escaped or typographic, and right if it is not; a mark of the
// format, a fence or a chat's token; and a line of words in place of code: an elision in words that
// no list has.
#pragma once

#include <span>
#include <string>

#include "edits/plan/report.h"
#include "edits/plan/syntax.h"

namespace bodkin {

// Refuses those of a file's hunks that are doubtful and cause new syntax errors. `before` and
// `after`: the file's text without and with all of them.
void refuse_broken_syntax(const Syntax& syntax, const std::string& path, const Text& before,
                          const Text& after, std::span<HunkReport> hunks);

}  // namespace bodkin
