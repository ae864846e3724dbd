// A text in the user's own editor.
#pragma once

#include <optional>
#include <string>

namespace bodkin {

// The text as the user leaves it in $VISUAL, $EDITOR or vi, in the foreground of the terminal.
// `name`: of the file that it belongs to, for the editor's colours. Nothing: there is none, which
// is said, or the editor has failed. A last line keeps its line end.
std::optional<std::string> edited_by_user(const std::string& text, const std::string& name);

}  // namespace bodkin
