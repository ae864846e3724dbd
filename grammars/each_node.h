// Visits a syntax tree.
#pragma once

#include <tree_sitter/api.h>

#include <functional>
#include <string_view>

#include "grammars/syntax_tree.h"

namespace bodkin {

// Called for each node before its children. `field`: the node's field in its parent, or empty.
using VisitNode = std::function<void(TSNode node, std::string_view type, std::string_view field)>;
void each_node(const SyntaxTree& tree, const VisitNode& visit);

}  // namespace bodkin
