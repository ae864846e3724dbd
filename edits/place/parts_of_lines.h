// Finds the bytes of a string replacement in a file: its old text may begin and end inside a line.
// It is a run of bytes: every place that has them counts, whole lines or part of one, and more than
// one is ambiguous. A line end at its end ends its last line and does not mean a blank line, even
// if only the new text has one.
//
// A place cuts nothing in two: no word ("timeout" in "my-timeout", "BAR=1" in "FOO_BAR=1"), no
// number, version, date or time ("1.2" in "1.2.3"), no operator ("x =" in "x == y"), and not the
// name before an assignment ("port = 1" in "app.port = 1"), nor a statement before the rest of its
// last name ("import os" in "import os.path"), nor a line whose text stays beside added lines. What
// stays the same makes no difference: it is another word that would be changed. If all places are
// asked for, and some cut something in two and some do not ("id" in "valid"), there is no telling
// whether those are meant, too.
#pragma once

#include <vector>

#include "edits/place/match.h"

namespace bodkin {

std::vector<Place> find_in_bytes(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
