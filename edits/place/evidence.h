// Evidence: which part of a file a hunk means by something other than its lines.
//
// An anchor is a line of code, whole or on word boundaries: "def load" is neither "def load_all"
// nor a word of a comment, and in data it must be the whole name of a section. Several anchors mean
// the innermost, inside all of them. An anchor names its section (edits/place/sections.h), and a
// place outside it is not meant. A diff's heading also names a section, but it may be the function
// before the hunk, and wrong: it contradicts a place only if the line number is in its section and
// the place in another. A place that evidence contradicts is refused.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// The lines of the innermost anchor: itself and what is indented below it. Nothing if an anchor is
// missing or not unique.
std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors);
// The same for a diff's heading, which may be truncated.
std::optional<LineRange> range_of_heading(const MappedText& file, const std::string& heading);

// True if the hunk's anchors name another part of the file than this, or a missing one.
bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place);

// True if a diff's heading and its line number both name another section than this.
bool heading_contradicts(const MappedText& file, const Hunk& hunk, const Place& place);

// The line before which a pure addition without any old line goes: never inside the head that its
// anchor names, nor at a depth that does not match.
std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
