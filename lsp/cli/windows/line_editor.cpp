// Whole lines, with the keys that the console has by itself.
#include "lsp/cli/line_editor.h"

#include "lsp/cli/ask_screen.h"

namespace bodkin {

struct LineEditor::State {};

LineEditor::LineEditor(Complete) {}
LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read(const std::string&) {
  std::string text;
  for (bool goes_on = false;; goes_on = true) {
    auto line = ask_for_line(goes_on ? ". " : "> ");
    if (!line) return std::nullopt;
    text += *line;
    if (!text.ends_with('\\')) return text;
    text.back() = '\n';
  }
}

void LineEditor::remember(const std::string&) {}

}  // namespace bodkin
