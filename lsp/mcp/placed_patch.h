// Turns the text of an edit into what it would write, placed as `bodkin apply` places it.
#pragma once

#include <string>
#include <vector>

#include "edits/apply/apply.h"
#include "edits/formats/parse.h"
#include "lsp/mcp/served_folder.h"

namespace bodkin::mcp {

struct PatchText {
  std::string text;
  Format format = Format::automatic;
  std::string path;  // of the file, if the text names none; or empty
};

struct PlacedPatch {
  ApplyReport report;             // its files are those that really change
  std::vector<FileWrite> writes;  // for write_files
  std::string refused;            // for the model: why it cannot be applied; empty: it can
  std::string ignored;            // for the model: the differences that were ignored; or empty
  // The hunks that the text alone does not place for certain, one each: "a.py line 4 (the
  // indentation)". The caller must have seen the file.
  std::vector<std::string> uncertain;
  std::string diff;                   // unified, of the files that change
  std::string base;                   // of this change of these files; empty: it is not shown
  std::vector<std::string> cautions;  // sentences, for the model (agent/ask/cautions.h)
  // Files that may change only with the user's consent, and why: see acting_files.h.
  std::vector<std::string> acting;
  std::vector<std::string> syntax_errors;
  bool is_syntax_checked = false;  // of all files
};
PlacedPatch place_patch(ServedFolder& served, const PatchText& patch, const Task& task);

// Why the change may not be made with this `base` (base_id.h), as a clause; empty: it may.
std::string why_other_base(std::string_view base, const PlacedPatch& placed);

// The diff of the changed files, as the model may see it; empty if it may not read files.
std::string diff_text(const PlacedPatch& placed, const ServedFolder& served);

}  // namespace bodkin::mcp
