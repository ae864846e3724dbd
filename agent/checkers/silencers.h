// What an edit writes to keep a checker from reporting errors: "# type: ignore", "// @ts-ignore".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "edits/plan/report.h"

namespace bodkin {

struct Silencer {
  size_t line = 0;     // from 1, of the new text
  std::string marker;  // "# type: ignore"
};

// The first one in or right above the lines that the edit adds or changes; nullopt: none.
// `language`: LSP's identifier; what silences only warnings is none. Pure.
std::optional<Silencer> silencer_of(const ChangedFile& file, std::string_view language);

}  // namespace bodkin
