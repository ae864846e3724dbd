// Does a sketch forget lines of the file that it neither shows nor elides?
//
// Two lines that a sketch shows beside each other say that those between them go; but a model that
// copies a part of a file for the sake of one line may as well have skipped another. So:
//
//   Where a run of the sketch shows a change, a line elsewhere in the run that only goes, with
//   nothing in its place and with lines that stay between it and the change, may be forgotten.
//   It goes if the change takes the last uses of one of its names away (an import and what used
//   it), or if the run was shown for nothing else. Many lines may be forgotten in any run of a
//   sketch that changes others, unless they are an entry.
//   Nor does a line that changes in a word or two take the place of the one beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/text/mapped_text.h"
#include "edits/text/text.h"

namespace bodkin {

// The first line that these edits remove and that may be forgotten, trimmed; nothing: there is
// none.
std::optional<std::string> forgotten_line(const ReplyLines& sketch, const MappedText& file,
                                          const std::vector<Replacement>& edits);

}  // namespace bodkin
