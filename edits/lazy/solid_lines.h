// The contents of a text: its lines that are not blank, trimmed, and their numbers.
#pragma once

#include <string_view>
#include <vector>

#include "edits/text/mapped_text.h"

namespace bodkin {

struct SolidLines {
  explicit SolidLines(const Text& of) : text(of) {
    for (size_t i = 0; i < text.line_count(); ++i) {
      const std::string_view line = trimmed(text.line(i));
      if (line.empty()) continue;
      lines.push_back(line);
      numbers.push_back(i);
    }
  }
  SolidLines(const SolidLines&) = delete;
  SolidLines& operator=(const SolidLines&) = delete;

  const MappedText text;
  std::vector<std::string_view> lines;  // views into `text`
  std::vector<size_t> numbers;
};

}  // namespace bodkin
