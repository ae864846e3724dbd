// The tags that mark a thought, for the room alone (thoughts.h).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bodkin {

struct ThoughtTag {
  std::string_view open, close;
};
std::span<const ThoughtTag> thought_tags();

// The tag at the beginning of `text`: its whole length, or 0; npos: it may become one. Blanks may
// be before its '>', as in XML.
size_t tag_length(std::string_view text, std::string_view tag);
inline bool is_tag(size_t length) { return length != 0 && length != std::string_view::npos; }

// 1: prose talks of the tag that ends at `end`; 0: no; -1: not known yet. `is_whole`: no more text
// comes.
int mention(std::string_view text, size_t end, bool is_whole);

// Whether a call in tags begins there, or may once more of the text is there.
bool may_begin_call(std::string_view text);

}  // namespace bodkin
