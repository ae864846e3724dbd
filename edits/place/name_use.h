// How a line of code uses a name, as far as tokens alone show it.
#pragma once

#include <set>
#include <string_view>

namespace bodkin {

// How a line uses a name, as far as that shows that it is one of its surroundings, and not one of
// many that could be there: it is bound ("x =", "local x", "for x in", "char x["), something is
// looked up in it ("x."), or it is expanded ("$x", "${x}").
enum class Use { text, plain, bound, looked_up, expanded };

// All uses of the word in the line.
std::set<Use> uses_of(std::string_view word, std::string_view line);

// True if the line has a keyword of a statement ("if", "return", "with").
bool has_statement(std::string_view line);

// True if these two function heads may be overloads of one name. A parameter more makes another
// function where names are overloaded.
bool may_be_overload(std::string_view quoted, std::string_view ours);

}  // namespace bodkin
