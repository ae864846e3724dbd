// Writing: the bytes that a placed hunk changes. Unchanged text stays byte for byte; only removed
// lines are deleted and added lines inserted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// The hunk's changes at its place, in bytes of the file: ascending, disjoint, without no-op
// replacements. Its added lines are written as they are.
std::vector<Replacement> edits_at(const MappedText& file, const Hunk& hunk, const Place& place);

// Whole lines [first, last) of the file become `lines`. The file keeps its final line end, or its
// lack of one, unless `final_newline` says otherwise.
Replacement whole_lines(const MappedText& file, size_t first, size_t last,
                        const std::vector<std::string>& lines, std::optional<bool> final_newline);

std::vector<std::string> lines_of(std::string_view bytes);  // without line ends

Text with_edits(const Text& before, const std::vector<Replacement>& edits);

}  // namespace bodkin
