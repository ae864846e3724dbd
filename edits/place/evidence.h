// Evidence: which of several equal places a hunk means, by what the edit says beside its lines.
//
// An anchor is a line of code, whole or from word to word: "def load" is neither "def load_all" nor
// a word of a comment, and what names a section of data is that as a whole. Several anchors mean
// the innermost, inside all of them. What an anchor names is its section (edits/place/sections.h), and a
// place outside of it is not meant. A diff's heading names a section, too, but may be the function
// before the hunk, and wrong: only if the line number is in the same section, and the place in
// another, is it a contradiction. Evidence that contradicts a place refuses it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// The lines of the innermost anchor: itself and what is indented below it. Nothing if an anchor is
// not there, or more than once.
std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors);
// The same of a diff's heading, which may be cut.
std::optional<LineRange> range_of_heading(const MappedText& file, const std::string& heading);

// The only place within whole lines [begin, end), as its index.
std::optional<size_t> only_within(const std::vector<Place>& places, size_t begin, size_t end);

// The place that anchors, the file's end, a clearly nearest line hint, or the person's selection
// point to. "The first" is no evidence.
std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection);

// Do the hunk's anchors name another part of the file than this, or one that is not there?
bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place);

// Do a diff's heading and its line number both name another section than this?
bool heading_contradicts(const MappedText& file, const Hunk& hunk, const Place& place);

// A place elsewhere that differs in white space only (if the found place is not exact, in a few
// lines), and that the line number or the person's selection is exactly on: its first line.
std::optional<size_t> contradicting_line(const MappedText& file, const Hunk& hunk,
                                         const Place& place,
                                         const std::optional<LineRange>& selection);

// The line before which a pure addition without any old line goes: never inside the head of what
// its anchor names, nor at a depth that does not fit it.
std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
