// In C the declared name can be nested in a declarator at any depth: int *(*f(void))[3].
#pragma once

#include <tree_sitter/api.h>

namespace bodkin {

// The name that a C or C++ declarator declares, or a null node if it declares no function.
TSNode declared_name(TSNode declarator);

}  // namespace bodkin
