// The tools that edit, by the names that models know from training.
#pragma once

#include <string_view>

namespace bodkin {

struct EditingTool {
  std::string_view name;
  bool by_call;  // a call is known by it
  bool hides;    // nothing in such a tag is a thought, whatever it holds
};
// clang-format off
inline constexpr EditingTool kEditingTools[] = {
    {"write_to_file", true, true},
    {"write_file", true, true},
    {"create_file", true, true},
    {"insert_file", true, false},
    {"add_file", true, false},
    {"new_file", true, false},
    {"append_to_file", true, false},
    {"delete_file", true, false},
    {"edit_file", true, true},
    {"insert_content", true, true},
    {"search_and_replace", true, true},
    {"search_replace", true, false},
    {"str_replace", true, true},
    {"str_replace_editor", true, true},
    {"str_replace_based_edit_tool", true, false},
    {"replace", true, false},
    {"edit", true, false},
    {"write", true, false},
    {"multi_edit", true, false},
    {"MultiEdit", true, false},
    {"Edit", true, false},
    {"Write", true, false},
    {"insert_lines", true, false},
    {"replace_lines", true, false},
    {"remove_lines", true, false},
    {"replace_string_in_file", true, false},
    {"apply_patch", true, false},
    {"apply_diff", true, true},
    {"patch", true, false},
    {"replace_in_file", false, true},
};
// clang-format on

}  // namespace bodkin
