#include "grammars/languages.h"

#include <algorithm>
#include <string>

#include "grammars/queries.h"

#define BODKIN_GRAMMAR(name) extern "C" const TSLanguage* tree_sitter_##name();
BODKIN_GRAMMAR(c)
BODKIN_GRAMMAR(cpp)
BODKIN_GRAMMAR(go)
BODKIN_GRAMMAR(java)
BODKIN_GRAMMAR(javascript)
BODKIN_GRAMMAR(python)
BODKIN_GRAMMAR(rust)
BODKIN_GRAMMAR(tsx)
BODKIN_GRAMMAR(typescript)
#undef BODKIN_GRAMMAR

namespace bodkin {
namespace {

// id, name, aliases, extensions, file names, interpreters, grammar, symbols
constexpr Language kLanguages[] = {
    {"c", "C", "", "c", "", "", tree_sitter_c, queries::c},
    {"cpp", "C++", "c++ objective-cpp cuda cuda-cpp",
     "cpp cc cxx c++ h hpp hh hxx h++ ipp inl tpp txx cppm ixx cu cuh", "", "", tree_sitter_cpp,
     queries::cpp},
    {"go", "Go", "", "go", "", "", tree_sitter_go, queries::go},
    {"java", "Java", "", "java", "", "", tree_sitter_java, queries::java},
    {"javascript", "JavaScript", "javascriptreact jsx", "js jsx mjs cjs", "Jakefile", "node nodejs",
     tree_sitter_javascript, queries::javascript},
    {"python", "Python", "", "py pyi pyw", "SConstruct SConscript wscript", "python pypy",
     tree_sitter_python, queries::python},
    {"rust", "Rust", "", "rs", "", "rust-script", tree_sitter_rust, queries::rust},
    {"typescript", "TypeScript", "ts", "ts mts cts", "", "deno ts-node tsx bun",
     tree_sitter_typescript, queries::typescript},
    {"typescriptreact", "TypeScript JSX", "tsx", "tsx", "", "", tree_sitter_tsx,
     queries::typescript},
};

bool lists(std::string_view words, std::string_view word) {
  if (word.empty()) return false;
  for (size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

// "#!/usr/bin/env -S python3.11 -u" -> "python"
std::string_view interpreter(std::string_view line) {
  if (!line.starts_with("#!")) return {};
  line.remove_prefix(2);
  std::string_view word;
  while (true) {
    size_t begin = line.find_first_not_of(" \t");
    if (begin == line.npos) break;
    size_t end = line.find_first_of(" \t\r\n", begin);
    word = line.substr(begin, end == line.npos ? line.npos : end - begin);
    line.remove_prefix(end == line.npos ? line.size() : end);
    word = word.substr(word.rfind('/') + 1);  // npos + 1 is 0
    if (word != "env" && !word.starts_with('-') && word.find('=') == word.npos) break;
  }
  return word.substr(0, word.find_last_not_of("0123456789.") + 1);
}

template <class Matches>
const Language* find_language(Matches matches) {
  auto found = std::ranges::find_if(kLanguages, matches);
  return found == std::end(kLanguages) ? nullptr : &*found;
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* language_of(std::string_view path, std::string_view first_line) {
  std::string_view file = path.substr(path.rfind('/') + 1);
  auto by_name = [&](const Language& l) { return lists(l.file_names, file); };
  if (const Language* found = find_language(by_name)) return found;
  if (size_t dot = file.rfind('.'); dot != file.npos) {
    std::string extension(file.substr(dot + 1));
    for (char& c : extension)
      if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    auto by_extension = [&](const Language& l) { return lists(l.extensions, extension); };
    if (const Language* found = find_language(by_extension)) return found;
  }
  std::string_view program = interpreter(first_line);
  return find_language([&](const Language& l) { return lists(l.interpreters, program); });
}

const Language* language_with_id(std::string_view id) {
  return find_language([&](const Language& l) { return l.id == id || lists(l.aliases, id); });
}

}  // namespace bodkin
