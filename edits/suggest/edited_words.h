// How an edit changes the words of its lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/align/lines.h"
#include "edits/suggest/recent_edit.h"

namespace bodkin {

using Lines = std::vector<std::string>;

// Whether the lines say so much that the same lines elsewhere have the same meaning.
bool says_enough(const Lines& lines);

// The indentation that all lines with text share.
std::string_view shared_indentation(const Lines& lines);
// The lines with another shared indentation. Nullopt if some are less deep.
std::optional<Lines> moved(const Lines& lines, std::string_view from, std::string_view to);
// The lines that the other edit turned these into; nullopt if they were not its own.
std::optional<Lines> made_of(const Lines& old, const EditedLines& other);

bool is_in(std::string_view line, std::string_view word);
bool is_in(const Lines& lines, std::string_view word);

std::vector<std::string_view> tokens_of(const Lines& lines);

// Whether the new lines are the old ones with something added that is not a value of their place.
bool is_variation(const EditedLines& edit);

// The owner of a token that is a member: the word before its dot, arrow or colons, "." if that is
// not in the line. Empty if it is not a member.
std::string_view owner_of(const std::vector<LineToken>& tokens, size_t i);

// Whether the token's owner is a member, too, or is not in the line.
bool is_of_member(const std::vector<LineToken>& tokens, size_t i);

// `let Some(name) = …`, `Some(name) => …`, `|name| …`: whether the token may be bound there, in a
// pattern.
bool is_bound_anew(const std::vector<LineToken>& tokens, size_t i);

// Whether a line with this name is at the top level of its file, and the name is not a member.
bool is_top_level(std::string_view line, std::string_view name);

// `name: …`, `readonly name?: …`: a property, or a key with its value.
bool is_property(std::string_view line, std::string_view name);

// `Name`, as types are called in most languages; not `name` or `NAME`.
bool is_type_name(std::string_view name);

bool is_import_line(std::string_view line);

}  // namespace bodkin
