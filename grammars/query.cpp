#include "grammars/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace bodkin {
namespace {

struct CursorDelete {
  void operator()(TSQueryCursor* cursor) const { ts_query_cursor_delete(cursor); }
};

// tree-sitter only stores predicates; the program must evaluate them.
std::string read_predicates(Query& result) {
  const TSQuery* query = result.query.get();
  auto string = [&](uint32_t id) {
    uint32_t length = 0;
    const char* value = ts_query_string_value_for_id(query, id, &length);
    return std::string(value, length);
  };
  for (uint32_t pattern = 0; pattern < ts_query_pattern_count(query); ++pattern) {
    uint32_t count = 0;
    const TSQueryPredicateStep* steps = ts_query_predicates_for_pattern(query, pattern, &count);
    auto& predicates = result.predicates.emplace_back();
    for (uint32_t i = 0; i < count; ++i) {
      std::string name = string(steps[i].value_id);
      bool known = name == "any-of?" || name == "eq?";
      if (!known || i + 1 >= count || steps[i + 1].type != TSQueryPredicateStepTypeCapture)
        return fmt::format("pattern {}: #{} is not known", pattern, name);
      QueryPredicate& predicate = predicates.emplace_back();
      predicate.capture = steps[++i].value_id;
      for (++i; i < count && steps[i].type == TSQueryPredicateStepTypeString; ++i)
        predicate.words.push_back(string(steps[i].value_id));
    }
  }
  return {};
}

Query compile(const Language& language) {
  Query result;
  const std::string_view text = language.symbols;
  if (text.empty()) return result;
  uint32_t where = 0;
  TSQueryError error = TSQueryErrorNone;
  result.query.reset(ts_query_new(language.grammar(), text.data(),
                                  static_cast<uint32_t>(text.size()), &where, &error));
  if (!result.query) {
    result.error = fmt::format("queries/{}/symbols.scm: error {} near \"{}\"", language.id,
                               static_cast<int>(error), text.substr(where, 40));
    return result;
  }
  for (uint32_t i = 0; i < ts_query_capture_count(result.query.get()); ++i) {
    uint32_t length = 0;
    const char* name = ts_query_capture_name_for_id(result.query.get(), i, &length);
    result.captures.emplace_back(name, length);
  }
  result.error = read_predicates(result);
  if (!result.error.empty()) result.query.reset();
  return result;
}

bool holds(const std::vector<QueryPredicate>& predicates, const TSQueryMatch& match,
           std::string_view text) {
  return std::ranges::all_of(predicates, [&](const QueryPredicate& predicate) {
    for (uint16_t i = 0; i < match.capture_count; ++i) {
      if (match.captures[i].index != predicate.capture) continue;
      TSNode node = match.captures[i].node;
      size_t begin = ts_node_start_byte(node);
      std::string_view word = text.substr(begin, ts_node_end_byte(node) - begin);
      return std::ranges::find(predicate.words, word) != predicate.words.end();
    }
    return false;
  });
}

}  // namespace

const Query& query_of(const Language& language) {
  struct Compiled {
    std::once_flag once;
    Query query;
  };
  static std::mutex mutex;
  static std::map<const Language*, Compiled> compiled;
  Compiled* found = nullptr;
  {
    std::lock_guard lock(mutex);
    found = &compiled[&language];
  }
  std::call_once(found->once, [&] { found->query = compile(language); });
  return found->query;
}

void for_each_match(const Query& query, const SyntaxTree& tree, std::string_view text,
                    const Budget& budget, const std::function<bool(const TSQueryMatch&)>& each) {
  if (!query.query) return;
  TSQueryCursorOptions options{const_cast<Budget*>(&budget), [](TSQueryCursorState* state) {
                                 return static_cast<const Budget*>(state->payload)->is_spent();
                               }};
  std::unique_ptr<TSQueryCursor, CursorDelete> cursor(ts_query_cursor_new());
  ts_query_cursor_exec_with_options(cursor.get(), query.query.get(), ts_tree_root_node(tree.tree()),
                                    &options);
  TSQueryMatch match;
  while (ts_query_cursor_next_match(cursor.get(), &match))
    if (holds(query.predicates[match.pattern_index], match, text) && !each(match)) return;
}

}  // namespace bodkin
