// Line diffs: of two texts, for minimal edits and for display.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/plan.h"
#include "edits/plan/report.h"
#include "edits/text/text.h"

namespace bodkin {

// The two sequences as one list of kept, removed and added lines. dtl finds the longest common
// subsequence between the common ends; if the middle is too long for it, the middle counts as
// replaced.
std::vector<HunkLine> line_diff(std::vector<std::string> before, std::vector<std::string> after);

// The same, without the lines: the kind of each, in order.
std::vector<HunkLine::Kind> diff_of(std::span<const std::string_view> before,
                                    std::span<const std::string_view> after);

// before -> after, one replacement for every run of changed lines: whole lines with their line
// ends, ascending, disjoint, never adjacent.
std::vector<Replacement> changed_lines(const Text& before, const Text& after);

// The same, each with the offset of its text in `after`.
struct LineChange : Replacement {
  size_t new_offset = 0;
};
std::vector<LineChange> line_changes(const Text& before, const Text& after);

// The change of one file, by changed_lines(). Nullopt: no file on that side; one side has it.
ChangedFile change_between(std::string path, std::optional<Text> before, std::optional<Text> after);

// A unified diff, for display and for patch(1). Null: the file does not exist on that side. Empty
// if the texts are equal.
std::string unified_diff(std::string_view old_path, std::string_view new_path, const Text* before,
                         const Text* after, size_t context = 3);

}  // namespace bodkin
