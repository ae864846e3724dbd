#include "agent/suggest/missing_import.h"

#include <algorithm>
#include <set>
#include <vector>

#include "edits/align/lines.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "grammars/names.h"

namespace bodkin {

namespace {

using Words = std::set<std::string, std::less<>>;

constexpr size_t kFewestLetters = 3;
constexpr size_t kMostWords = 40;         // that one edit brings
constexpr size_t kMostBytes = 64 * 1024;  // of a file that is parsed

// Names that mean something though nothing in the file declares them: of the language, or of its
// runtime. Decides: whose import is not offered though a file of the project declares the same.
constexpr std::string_view kPythonNames =
    " abs aiter all any anext ascii bin bool breakpoint bytearray bytes callable chr classmethod "
    "compile complex delattr dict dir divmod enumerate eval exec exit filter float format "
    "frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter len "
    "list locals map max memoryview min next object oct open ord pow print property quit range "
    "repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip "
    "True False None NotImplemented Ellipsis self cls ";
constexpr std::string_view kScriptNames =
    " Array ArrayBuffer AbortController AbortSignal BigInt Blob Boolean Buffer Cache CSS DataView "
    "Date Document Element Error Event EventTarget Exclude Extract File FormData Function Headers "
    "History Image Infinity Intl Iterator JSON Location Map Math Navigator Node Notification "
    "Number Object Omit Option Parameters Partial Performance Pick Promise Proxy Range Readonly "
    "Record RegExp Request Required Response ReturnType Selection Set Storage String Symbol Text "
    "URL WeakMap WeakRef WeakSet Window Worker any afterAll afterEach alert async await beforeAll "
    "beforeEach bigint boolean clearInterval clearTimeout close confirm console describe document "
    "escape exports expect fetch global globalThis history location module name never number "
    "object open origin parent print process prompt queueMicrotask require screen self "
    "setInterval setTimeout status stop string structuredClone symbol test this top true false "
    "null undefined unknown void window ";

bool is_given(std::string_view name, bool is_python) {
  const std::string word = " " + std::string(name) + " ";
  if (!is_python) return kScriptNames.contains(word);
  return kPythonNames.contains(word) || name.starts_with('_') || name.ends_with("Error") ||
         name.ends_with("Warning") || name.ends_with("Exception");
}

// The words of the lines that were not there before.
Words new_words(const EditedLines& edit) {
  Words words;
  for (const std::string& line : edit.after)
    for (const LineToken& token : line_tokens(line))
      if (token.kind == LineToken::Kind::word && token.text.size() >= kFewestLetters)
        words.emplace(token.text);
  for (const std::string& line : edit.before)
    for (const LineToken& token : line_tokens(line)) words.erase(std::string(token.text));
  return words;
}

// The only declaration of each that others can import.
std::vector<IndexedSymbol> only_ones(const std::string& path, const Words& words,
                                     const SymbolIndex& symbols, bool is_python) {
  const std::vector<std::string> names(words.begin(), words.end());
  std::vector<IndexedSymbol> found = symbols.find(names, 200), out;
  std::erase_if(found, [&](const IndexedSymbol& one) {
    return !one.container.empty() || !is_module(one.path, is_python);
  });
  for (const std::string& name : names) {
    const auto is_it = [&](const IndexedSymbol& one) { return one.name == name; };
    const auto one = std::ranges::find_if(found, is_it);
    if (one == found.end() || one->path == path || one->kind == SymbolKind::method) continue;
    if (std::ranges::all_of(found, [&](const IndexedSymbol& other) {
          return other.name != name || other.path == one->path;
        }))
      out.push_back(*one);
  }
  return out;
}

bool is_exported(const IndexedSymbol& symbol, const ImportWorld& world) {
  const auto text = world.read(symbol.path);
  if (!text) return false;
  const std::string line = text->line(symbol.name_line);
  return line.starts_with("export ") && !line.starts_with("export default") &&
         line.contains(symbol.name);
}

// A file that is run and not imported.
bool is_run(std::string_view path) {
  const std::string_view name = last_part(path);
  return name == "__main__.py" || name == "setup.py";
}

// Whether the file of the symbol imports this one: then each would need the other first.
bool imports_back(const IndexedSymbol& symbol, const std::string& path, const ImportWorld& world,
                  bool is_python) {
  const auto text = world.read(symbol.path);
  if (!text || text->size() > kMostBytes) return true;  // it is not known
  const Language* const language = language_of(symbol.path, text->line(0));
  if (!language) return true;
  const auto tree = SyntaxTree::parse(*language, *text);
  const auto names = tree ? names_in(*tree, {}) : std::nullopt;
  if (!names) return true;
  return ModulePath(symbol.path, path, names->imports, world, is_python).is_imported();
}

// After the names that are imported there already, or among them if they are sorted. Nullopt: it
// would be before the comment of another name.
std::optional<NextEdit> added_to(const NamedImport& there, const Text& file,
                                 const std::string& name) {
  const auto& names = there.names;
  const bool is_sorted = names.size() > 1 && std::ranges::is_sorted(names, {}, &ImportedName::name);
  const auto next =
      is_sorted
          ? std::ranges::find_if(names, [&](const ImportedName& each) { return each.name > name; })
          : names.end();
  const bool is_one_line = file.line_of(names.front().begin) == there.lines.begin;
  const size_t line = file.line_of(names.back().begin);
  const std::string own = file.line(line);
  const std::string between =
      is_one_line
          ? ", "
          : "," +
                file.substr(file.line_end(line), file.line_begin(line + 1) - file.line_end(line)) +
                std::string(indentation_of(own));
  const size_t last = names.back().end;
  const std::string behind = file.substr(last, file.line_end(line) - last);
  if (next == names.end() && !is_one_line && !is_one_of(trimmed(behind), {"", ",", ")", "\\"}))
    return std::nullopt;
  const Replacement change = next == names.end() ? Replacement{names.back().end, 0, between + name}
                                                 : Replacement{next->begin, 0, name + between};
  return in_whole_lines(file, {change});
}

}  // namespace

NextEdits missing_import(const std::string& path, const SyntaxTree& tree, EditedLines edit,
                         const std::vector<EditedLines>& earlier, const ImportWorld& world) {
  const Text& file = tree.text();
  const bool is_python = tree.language().id == "python";
  if (!world.symbols.is_complete()) return {};
  for (const EditedLines& before : earlier) {
    if (!is_import(tree, file.line_begin(edit.first))) break;
    auto its = as_now(file, before);
    if (!its) return {};
    edit = *std::move(its);
  }
  if (!is_module(path, is_python)) return {};
  Words words = new_words(edit);
  std::erase_if(words, [&](const std::string& word) { return is_given(word, is_python); });
  if (words.empty() || words.size() > kMostWords) return {};
  const std::vector<IndexedSymbol> declared = only_ones(path, words, world.symbols, is_python);
  if (declared.empty()) return {};
  const auto names = names_in(tree, words);
  if (!names || std::ranges::any_of(names->imports, &NamedImport::is_all)) return {};
  const size_t begin = file.line_begin(edit.first),
               end = file.line_begin(edit.first + edit.after.size());
  for (const IndexedSymbol& symbol : declared) {
    const auto is_here = [&](const UsedName& use) {
      return use.name == symbol.name && begin <= use.offset && use.offset < end;
    };
    if (names->others.contains(symbol.name) || std::ranges::none_of(names->uses, is_here) ||
        (!is_python && !is_exported(symbol, world)))
      continue;
    const ModulePath module(path, symbol.path, names->imports, world, is_python);
    NextEdits out;
    out.what = "Import " + symbol.name;
    const auto there = std::ranges::find_if(names->imports, [&](const NamedImport& each) {
      return !each.names.empty() && !each.is_type && module.is_it(each);
    });
    if (there != names->imports.end()) {
      auto added = added_to(*there, file, symbol.name);
      if (!added) continue;
      out.edits.push_back(*std::move(added));
      return out;
    }
    if (is_run(symbol.path) || imports_back(symbol, path, world, is_python)) continue;
    const bool is_type = std::ranges::all_of(names->uses,
                                             [&](const UsedName& use) {
                                               return use.name != symbol.name || use.is_type;
                                             }) &&
                         is_one_of(name_of(symbol.kind), {"interface", "type"});
    const auto added = module.import_of(symbol.name, is_type, file, names->first_code);
    if (!added) continue;
    out.edits.push_back({{file.line_of(added->offset), file.line_of(added->offset) + 1}, *added});
    return out;
  }
  return {};
}

}  // namespace bodkin
