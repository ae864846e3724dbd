// The tools that edit, by the names that models know from training.
#pragma once

#include <string_view>

namespace bodkin {

// A call is known by these.
// clang-format off
inline constexpr std::string_view kEditingTools[] = {
    "write_to_file", "write_file", "create_file", "insert_file", "add_file", "new_file",
    "append_to_file", "delete_file", "edit_file", "insert_content", "search_and_replace",
    "search_replace", "str_replace", "str_replace_editor", "str_replace_based_edit_tool", "replace",
    "edit", "write", "multi_edit", "MultiEdit", "Edit", "Write", "insert_lines", "replace_lines",
    "remove_lines", "replace_string_in_file", "apply_patch", "apply_diff", "patch"};
// clang-format on

// A tag of one of these tools never contains a thought.
inline constexpr std::string_view kToolsWithText[] = {
    "write_to_file",      "write_file",  "create_file",        "edit_file",  "insert_content",
    "search_and_replace", "str_replace", "str_replace_editor", "apply_diff", "replace_in_file"};

}  // namespace bodkin
