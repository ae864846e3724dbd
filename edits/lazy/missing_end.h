// Finds what a text that may be all of a file removes from it, and whether it lacks an end of it.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "edits/lazy/solid_lines.h"

namespace bodkin {

constexpr size_t kTiny = 3;  // lines with little to lose

// A place where lines of the file go (half open, of SolidLines::lines) and `added` others come,
// from line `at` of the text on.
struct Removal {
  size_t begin, end, added, at;
  size_t count() const { return end - begin; }
  size_t lost() const { return count() - std::min(count(), added); }
};

// Ascending, without places where lines are only added.
std::vector<Removal> removed_places(std::span<const std::string_view> before,
                                    std::span<const std::string_view> after);

// "leaves out lines 3 to 7 of it": `count` lines from `first` on.
std::string lines_left_out(const SolidLines& before, size_t first, size_t count);

// Why the text begins below the file's beginning, or its first comment, or stops above its end, for
// the model: lines go there, and few or none come, or none that close or are needed. A file is
// shortened in its middle, except for a line or two that begin like the next one and that nothing
// needs: an import. `removed`: their removed_places().
std::optional<std::string> lacks_an_end(const SolidLines& before, const SolidLines& after,
                                        const std::vector<Removal>& removed);

}  // namespace bodkin
