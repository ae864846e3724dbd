// How an edit changed the problems that the editor reports (agent/README.md, "Diagnostics").
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/workspace/workspace.h"

namespace bodkin {

struct DiagnosticsChange {
  std::vector<Diagnostic> added;      // only after: caused by the edit; places in the new text
  std::vector<Diagnostic> fixed;      // only before; places in the old text
  std::vector<Diagnostic> remaining;  // both; places in the new text
};

// `edits` turned the old text into the new one: bytes of the old text, ascending, disjoint. Two
// diagnostics are the same if message, code and source are equal and the place of one, shifted by
// the edits, is the place of the other; one in a replaced part may be anywhere in the replacement.
// At the same place outside of the replaced parts, the code alone decides: messages name lines and
// types, which an edit may change elsewhere. bodkin's own diagnostics (source "bodkin") are
// ignored. Pure.
DiagnosticsChange compare(std::span<const Diagnostic> before, std::span<const Diagnostic> after,
                          std::span<const Replacement> edits);

// One line for the model: "line 13: error: no member named 'x' [clang no_member]", lines from 1.
std::string describe(const Diagnostic& diagnostic);

// The message without its quotes of other files: quoted pieces that are not in `text`.
std::string without_foreign_words(const std::string& message, std::string_view text);

struct FileDiagnostics {
  std::string path;
  DiagnosticsChange change;
};

// The problems that are worth a repair: new errors and warnings.
size_t count_to_repair(std::span<const FileDiagnostics> files);

// Tells the model what the editor reports after its edit was applied; empty if there is nothing to
// repair. Only for fresh diagnostics: silence is not "clean".
std::string repair_prompt(std::span<const FileDiagnostics> files);

}  // namespace bodkin
