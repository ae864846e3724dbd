// Queries on a node of a syntax tree that are needed again and again.
#pragma once

#include <tree_sitter/api.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "edits/text/text.h"

namespace bodkin {

// The child that is this field of the node; null if there is none.
inline TSNode field(TSNode node, std::string_view name) {
  return ts_node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

// Empty for a null node.
inline std::string_view type_of(TSNode node) {
  return ts_node_is_null(node) ? std::string_view() : ts_node_type(node);
}

// The node's text.
inline std::string words_of(const Text& text, TSNode node) {
  const size_t begin = ts_node_start_byte(node);
  return text.substr(begin, ts_node_end_byte(node) - begin);
}

// On one line, with single spaces for white space.
inline std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!is_space)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace bodkin
