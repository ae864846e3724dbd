// A language's query (queries/<id>/symbols.scm), compiled, and run over a tree.
#pragma once

#include <tree_sitter/api.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grammars/budget.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

struct QueryDelete {
  void operator()(TSQuery* query) const { ts_query_delete(query); }
};

// (#any-of? @capture "a" "b"), and (#eq? @capture "a"), which is the same with one word.
struct QueryPredicate {
  uint32_t capture = 0;
  std::vector<std::string> words;
};

struct Query {
  std::unique_ptr<TSQuery, QueryDelete> query;  // null if the language has none, or on an error
  std::vector<std::string> captures;            // names, by index
  std::vector<std::vector<QueryPredicate>> predicates;  // by pattern
  std::string error;                                    // where it does not compile; else empty
};

// Compiled at first use and kept: compiling the query of C++ takes a tenth of a second or more.
// Only callers for the same language wait. Thread: any.
const Query& query_of(const Language& language);

// Calls `each` for the matches in the tree, until it returns false or the budget is spent. `text`
// is the tree's.
void for_each_match(const Query& query, const SyntaxTree& tree, std::string_view text,
                    const Budget& budget, const std::function<bool(const TSQueryMatch&)>& each);

}  // namespace bodkin
