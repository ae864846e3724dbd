// Detects a sketch that drops what belongs to a head whose body it leaves out.
//
// Where a body is elided, its head is shown only to say which one it is, and what is directly
// above that (its comment, its attributes, a line that exports it) is left out like the body. So:
//
//   A comment or an attribute directly above a head that the sketch shows with an elision below, or
//   a line there that has the head's name, goes only by a sketch that changes nothing else.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/text/mapped_text.h"
#include "edits/text/text.h"

namespace bodkin {

// The first such head, trimmed, that these edits would take something from; nothing if there is
// none.
std::optional<std::string_view> stripped_head(const ReplyLines& sketch, const MappedText& file,
                                              const std::vector<Replacement>& edits);

}  // namespace bodkin
