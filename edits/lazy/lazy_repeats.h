// Detects a merged sketch that writes a line of the file a second time.
//
// A sketch that goes astray, in a run that is placed too far down or in an end that is not one,
// shows it by lines that occur twice afterwards. A line may well occur in two functions, but hardly
// twice in one block. So:
//
//   A line that says something, that a block has once and keeps, and that the sketch shows once, is
//   not added to that block. Nor is one beside itself, if the sketch shows only one there.
//
// A block ends at a line that is less indented, and at a heading of a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/mapped_text.h"
#include "edits/text/text.h"

namespace bodkin {

// The first such line, trimmed; nothing if there is none. `shown` are the lines of the sketch.
std::optional<std::string> line_added_again(const std::vector<std::string_view>& shown,
                                            const MappedText& file, std::string_view path,
                                            const std::vector<Replacement>& edits);

}  // namespace bodkin
