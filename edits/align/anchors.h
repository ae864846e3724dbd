// Anchors: which part of a file a hunk means by something other than its lines.
//
// An anchor ("@@ class Foo") is a line of code, whole or on word boundaries: "def load" is neither
// "def load_all" nor a word of a comment. Several anchors mean the innermost, inside all of them.
// An anchor names its section, and a place outside it is not meant:
//
//   def load(p):        the line
//       log(p)          what is deeper
//                       and, for a line with nothing deeper below it, what follows at its depth
//   def save(p):        up to a line that is less deep, or that begins in the same way: the next
//                       "def", "FROM", "[table]", or heading that is not below it
//
// A diff's heading also names a section, but it may be the function before the hunk, and wrong: it
// contradicts a place only if the line number is in its section and the place in another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/plan/plan.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// The section that the line heads, without blank lines at its end; never beyond `limit`.
LineRange section_of(const MappedText& file, size_t head, size_t limit);

// The section of the innermost anchor. Nullopt if an anchor is missing or not unique.
std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors);

// True if the anchors name another part of the file than these lines, or a missing one.
bool anchors_contradict(const MappedText& file, const Evidence& evidence, const LineRange& place);

// True if a diff's heading and its line number both name another section than that.
bool heading_contradicts(const MappedText& file, const Evidence& evidence, const LineRange& place);

// The line before which a pure addition without any old line goes: its number, or the file's end.
// Nothing below an anchor: that names a section, not a line of it, and programs that read such
// patches disagree where the lines go.
std::optional<size_t> insertion_line(const MappedText& file, const Evidence& evidence);

}  // namespace bodkin
