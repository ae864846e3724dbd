// The functions that a file declares, with their parameters, and the calls of a plain name: `f(a)`,
// not `x.f(a)`.
#pragma once

#include <string>
#include <vector>

#include "grammars/syntax_tree.h"

namespace bodkin {

struct Parameter {
  std::string name;
  bool is_optional = false;
};

struct Signature {
  std::string name;
  size_t name_begin = 0;      // bytes
  size_t begin = 0, end = 0;  // bytes of the list, with its parentheses
  std::vector<Parameter> parameters;
  // False: a method, or it has parameters that stand for several arguments, or for none.
  bool is_plain = true;
};

struct Argument {
  size_t begin = 0, end = 0;  // bytes
  std::string keyword;        // `b` of `b=1`
  bool may_act = false;       // it calls or assigns something
};

struct Call {
  std::string name;
  size_t begin = 0, end = 0;            // bytes
  size_t list_begin = 0, list_end = 0;  // with the parentheses
  std::vector<Argument> arguments;
  // False if an argument stands for several, or there are comments or very many arguments.
  bool is_plain = true;
};

struct SignaturesAndCalls {
  std::vector<Signature> signatures;
  std::vector<Call> calls;
};

// In the order of the text, without declarations and calls that have a syntax error.
SignaturesAndCalls signatures_and_calls(const SyntaxTree& tree);

}  // namespace bodkin
