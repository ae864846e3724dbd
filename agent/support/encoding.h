// Texts in encodings other than UTF-8.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "edits/text/result.h"

namespace bodkin {

bool is_utf8(std::string_view bytes);

// The UTF-16 that the byte order mark at the beginning names; empty: there is none.
std::string utf_16_of(std::string_view bytes);

// What a shell has redirected or piped: UTF-16 with a byte order mark, as PowerShell's > writes it,
// as UTF-8 without one; everything else as it is.
std::string utf8_of_shell(std::string bytes);

// Compares names that editors, iconv and .editorconfig give an encoding: "cp1252", "windows1252".
// In lower case.
bool is_same_encoding(std::string_view one, std::string_view other);
bool is_utf8_name(std::string_view encoding);  // with a byte order mark or not; or none

bool is_utf_16_name(std::string_view encoding);

// Whether texts can be read and written in it: in UTF-8, in UTF-16 of a known byte order, and where
// the system knows it and each ASCII character is its own byte, as it is not in EBCDIC.
bool is_known_encoding(std::string_view encoding);

// The bytes as UTF-8. Nullopt: the system does not know the encoding, the bytes are not text in it,
// or encoding the result again would not give the same bytes. `encoding`: untrusted; it
// must be known, as above. Thread: any.
std::optional<std::string> decoded(std::string_view bytes, const std::string& encoding);

// UTF-8 in an encoding. Error (invalid_input, the end of a sentence): it lacks a character, which
// is named, or it is unknown.
Result<std::string> encoded(std::string_view text, const std::string& encoding);

}  // namespace bodkin
