// Checks an answer to a sketch (agent/tools/sketch.h): it must have the sketch's lines in their
// order, and between them, where it has placeholders, the region's lines, all of them, once and in
// theirs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/tools/sketch.h"

namespace bodkin {

std::vector<std::string> lines_in(std::string_view text);
std::vector<std::string> lines_of_range(const Text& text, LineRange range);

// A written line that is not a line of the region and stands for others; empty if there is none.
std::string placeholder_left(const SketchedRegion& region, const std::vector<std::string>& written);

// Why the finished lines of the region cannot be used; nullopt: they can.
std::optional<Error> wrong_with(const SketchedRegion& region,
                                const std::vector<std::string>& finished);

}  // namespace bodkin
