// A tree is walked once, leaf by leaf. Whether a leaf is a name is known by its node type; the
// types of a grammar are small numbers, so that is one look into a table.
#include "grammars/file_symbols.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "grammars/queries.h"

namespace bodkin {
namespace {

constexpr size_t kMaxDefinitions = 20'000;
constexpr size_t kMaxNames = 50'000;
constexpr size_t kLongestName = 200;  // bytes

// Node types of names other than those ending in "identifier".
constexpr std::string_view kNameTypes[] = {"name",
                                           "constant",
                                           "variable_name",
                                           "word",
                                           "variable",
                                           "constructor",
                                           "alias",
                                           "tag_name",
                                           "class_name",
                                           "value_name",
                                           "module_name",
                                           "method_name",
                                           "constructor_name",
                                           "type_constructor"};

// The node types of a grammar that are names.
const std::vector<bool>& name_types(const Language& language) {
  static std::mutex mutex;
  static std::map<const TSLanguage*, std::vector<bool>> known;
  const TSLanguage* grammar = language.grammar();
  std::lock_guard lock(mutex);
  auto [found, is_new] = known.try_emplace(grammar);
  if (!is_new) return found->second;
  for (uint32_t symbol = 0; symbol < ts_language_symbol_count(grammar); ++symbol) {
    const std::string_view type = ts_language_symbol_name(grammar, static_cast<TSSymbol>(symbol));
    const bool is_named =
        ts_language_symbol_type(grammar, static_cast<TSSymbol>(symbol)) == TSSymbolTypeRegular;
    found->second.push_back(is_named &&
                            (type.ends_with("identifier") ||
                             std::ranges::find(kNameTypes, type) != std::end(kNameTypes)));
  }
  return found->second;
}

// Calls `use(name)` for each name in [begin, end) of the text, in its order.
template <class Use>
void for_each_name(const SyntaxTree& tree, size_t begin, size_t end, Use use) {
  const std::vector<bool>& is_name = name_types(tree.language());
  const Text& text = tree.text();
  std::string split;  // a name that lies in two chunks of the text
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree.tree()));
  std::string_view chunk;
  size_t chunk_begin = 0;
  while (true) {
    const TSNode node = ts_tree_cursor_current_node(&cursor);
    const size_t from = ts_node_start_byte(node), to = ts_node_end_byte(node);
    if (from >= end) break;
    if (to > begin) {
      const TSSymbol type = ts_node_symbol(node);
      if (type < is_name.size() && is_name[type] && ts_node_child_count(node) == 0) {
        if (from >= begin && to <= text.size() && to - from <= kLongestName && to > from) {
          if (from < chunk_begin || to > chunk_begin + chunk.size()) {
            chunk = text.chunk_at(from);
            chunk_begin = from;
          }
          if (to <= chunk_begin + chunk.size()) {
            use(chunk.substr(from - chunk_begin, to - from));
          } else {
            split = text.substr(from, to - from);
            use(std::string_view(split));
          }
        }
      } else if (ts_tree_cursor_goto_first_child(&cursor)) {
        continue;
      }
    }
    bool more = false;
    while (!(more = ts_tree_cursor_goto_next_sibling(&cursor))) {
      if (!ts_tree_cursor_goto_parent(&cursor)) break;
    }
    if (!more) break;
  }
  ts_tree_cursor_delete(&cursor);
}

}  // namespace

std::string_view simple_name(std::string_view name) {
  const size_t special = name.find("operator");  // "operator<" is one name
  if (special != name.npos && (special == 0 || name[special - 1] == ':')) {
    return name.substr(special);
  }
  size_t begin = 0, end = name.size(), depth = 0;  // depth: in <…>
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<' && depth++ == 0) end = i;
    if (c == '>' && depth > 0) --depth;
    if (depth == 0 && (c == ':' || c == '.') && i + 1 < name.size())
      begin = i + 1, end = name.size();
  }
  const std::string_view last = name.substr(begin, end - begin);
  return last.empty() ? name : last;
}

uint32_t hash_of_name(std::string_view simple) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (const char c : simple) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::string_view FileSymbols::name(const Definition& definition) const {
  return std::string_view(names).substr(definition.name_begin, definition.name_size);
}

std::string FileSymbols::container(const Definition& definition) const {
  std::string result;
  uint32_t parent = definition.parent;
  for (int depth = 0; parent < definitions.size() && depth < 32; ++depth) {
    result = std::string(name(definitions[parent])) + (result.empty() ? "" : "::") + result;
    parent = definitions[parent].parent;
  }
  return result;
}

size_t FileSymbols::bytes() const {
  return sizeof *this + names.capacity() + definitions.capacity() * sizeof(Definition) +
         uses.capacity() * sizeof(Use);
}

FileSymbols symbols_of(const SyntaxTree& tree, const Outline& outline) {
  FileSymbols result;
  const size_t count = std::min(outline.symbols.size(), kMaxDefinitions);
  std::vector<uint32_t> places(count, FileSymbols::kNoParent);  // in `definitions`, by symbol
  result.definitions.reserve(count);
  const Text& text = tree.text();
  for (size_t i = 0; i < count; ++i) {
    const Symbol& symbol = outline.symbols[i];
    if (symbol.kind == SymbolKind::section) continue;  // nobody uses it by name
    FileSymbols::Definition definition;
    definition.hash = hash_of_name(simple_name(symbol.name));
    definition.name_begin = static_cast<uint32_t>(result.names.size());
    definition.name_size = static_cast<uint16_t>(std::min(symbol.name.size(), kLongestName));
    definition.kind = symbol.kind;
    definition.first_line = static_cast<uint32_t>(symbol.lines.begin);
    definition.end_line = static_cast<uint32_t>(symbol.lines.end);
    definition.name_line = static_cast<uint32_t>(text.line_of(symbol.name_begin));
    if (symbol.parent) definition.parent = places[*symbol.parent];
    places[i] = static_cast<uint32_t>(result.definitions.size());
    result.names.append(symbol.name, 0, definition.name_size);
    result.definitions.push_back(definition);
  }
  result.names.shrink_to_fit();

  std::unordered_map<uint32_t, uint32_t> uses;
  for_each_name(tree, 0, text.size(), [&](std::string_view name) {
    if (uses.size() < kMaxNames) ++uses[hash_of_name(name)];
  });
  result.uses.reserve(uses.size());
  for (const auto& [hash, uses_of_it] : uses) result.uses.push_back({hash, uses_of_it});
  std::ranges::sort(result.uses, {}, &FileSymbols::Use::hash);
  return result;
}

bool declares_names(const Language& language) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"@function", "@class", "@type"},
      [&](std::string_view capture) {
        return language.symbols.find(capture) != std::string_view::npos;
      });
}

std::string_view grammar_set() { return queries::grammar_set; }

std::vector<std::string> names_used(const SyntaxTree& tree, LineRange lines) {
  const Text& text = tree.text();
  lines.end = std::min(lines.end, text.line_count());
  if (lines.begin >= lines.end) return {};
  const size_t end = lines.end < text.line_count() ? text.line_begin(lines.end) : text.size();
  std::vector<std::string> result;
  std::unordered_set<std::string> known;
  for_each_name(tree, text.line_begin(lines.begin), end, [&](std::string_view name) {
    if (result.size() < kMaxNames && known.emplace(name).second) result.emplace_back(name);
  });
  return result;
}

}  // namespace bodkin
