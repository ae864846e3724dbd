// The texts compiled into the program, by their paths in agent/: tools/*.md, tools/dialects/*.md,
// tools/dialects/*.json, context/profiles/*.md, context/profiles/*.json, context/formats/*.md,
// models/models.json.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace bodkin {

struct EmbeddedText {
  std::string_view name;  // "tools/edit.md"
  std::string_view text;
};

std::span<const EmbeddedText> embedded_texts();

// The text of this name; nullopt if there is none.
inline std::optional<std::string_view> embedded_text(std::string_view name) {
  for (const EmbeddedText& each : embedded_texts())
    if (each.name == name) return each.text;
  return std::nullopt;
}

}  // namespace bodkin
