// Edit formats: how a model is taught to write edits in the text of its reply (the profile
// `blocks`). The guides are formats/NAME.md; each has a worked example, which a test applies as it
// is written. Any known format is read, whichever was taught (edits/README.md, "Formats").
#pragma once

#include <string_view>
#include <vector>

namespace bodkin {

struct EditFormat {
  std::string_view name;  // as in Aider: diff, udiff, editor-whole, …
  std::string_view guide;

  // A fence below the path of an existing file replaces it; else it only shows code.
  bool is_whole() const { return name == "whole" || name == "editor-whole"; }
};

inline constexpr std::string_view kDefaultEditFormat = "diff";

// All that are compiled in, by name.
const std::vector<EditFormat>& edit_formats();
const EditFormat* find_edit_format(std::string_view name);  // null: none

}  // namespace bodkin
