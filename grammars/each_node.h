// Visits a syntax tree.
#pragma once

#include <tree_sitter/api.h>

#include <functional>
#include <string_view>

#include "grammars/syntax_tree.h"

namespace bodkin {

// Each node before its children. `field`: what the node is of its parent, or empty.
using VisitNode = std::function<void(TSNode node, std::string_view type, std::string_view field)>;
void each_node(const SyntaxTree& tree, const VisitNode& visit);

}  // namespace bodkin
