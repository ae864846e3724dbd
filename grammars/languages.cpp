#include "grammars/languages.h"

#include <algorithm>
#include <string>

#include "edits/plan/paths.h"
#include "grammars/queries.h"

#define BODKIN_GRAMMAR(name) extern "C" const TSLanguage* tree_sitter_##name();
BODKIN_GRAMMAR(bash)
BODKIN_GRAMMAR(c)
BODKIN_GRAMMAR(c_sharp)
BODKIN_GRAMMAR(cpp)
BODKIN_GRAMMAR(css)
BODKIN_GRAMMAR(elixir)
BODKIN_GRAMMAR(go)
BODKIN_GRAMMAR(haskell)
BODKIN_GRAMMAR(hcl)
BODKIN_GRAMMAR(html)
BODKIN_GRAMMAR(java)
BODKIN_GRAMMAR(javascript)
BODKIN_GRAMMAR(json)
BODKIN_GRAMMAR(julia)
BODKIN_GRAMMAR(kotlin)
BODKIN_GRAMMAR(lua)
BODKIN_GRAMMAR(markdown)
BODKIN_GRAMMAR(ocaml)
BODKIN_GRAMMAR(ocaml_interface)
BODKIN_GRAMMAR(php)
BODKIN_GRAMMAR(python)
BODKIN_GRAMMAR(ruby)
BODKIN_GRAMMAR(rust)
BODKIN_GRAMMAR(scala)
BODKIN_GRAMMAR(swift)
BODKIN_GRAMMAR(toml)
BODKIN_GRAMMAR(tsx)
BODKIN_GRAMMAR(typescript)
BODKIN_GRAMMAR(xml)
BODKIN_GRAMMAR(yaml)
BODKIN_GRAMMAR(zig)
#undef BODKIN_GRAMMAR

namespace bodkin {
namespace {

// id, name, aliases, extensions, file names, interpreters, grammar, symbols
// Decides: which languages are understood, by which file names.
constexpr Language kLanguages[] = {
    {"c", "C", "", "c", "", "", tree_sitter_c, queries::c_symbols},
    {"cpp", "C++", "c++ objective-cpp cuda cuda-cpp",
     "cpp cc cxx c++ h hpp hh hxx h++ ipp inl tpp txx tcc cppm ixx cu cuh", "", "", tree_sitter_cpp,
     queries::cpp_symbols},
    {"csharp", "C#", "cs c#", "cs csx", "", "dotnet-script", tree_sitter_c_sharp,
     queries::csharp_symbols},
    {"css", "CSS", "", "css", "", "", tree_sitter_css, queries::css_symbols},
    {"elixir", "Elixir", "", "ex exs", "mix.lock", "elixir", tree_sitter_elixir,
     queries::elixir_symbols},
    {"go", "Go", "", "go", "", "", tree_sitter_go, queries::go_symbols},
    {"haskell", "Haskell", "", "hs", "", "runghc runhaskell", tree_sitter_haskell,
     queries::haskell_symbols},
    {"hcl", "HCL", "terraform terraform-vars tf", "hcl tf tfvars", "", "", tree_sitter_hcl,
     queries::hcl_symbols},
    {"html", "HTML", "", "html htm xhtml", "", "", tree_sitter_html, queries::html_symbols},
    {"java", "Java", "", "java", "", "", tree_sitter_java, queries::java_symbols},
    {"javascript", "JavaScript", "javascriptreact jsx js", "js jsx mjs cjs", "Jakefile",
     "node nodejs", tree_sitter_javascript, queries::javascript_symbols},
    {"json", "JSON", "jsonc json5", "json jsonc json5 webmanifest geojson",
     ".prettierrc .eslintrc composer.lock Pipfile.lock flake.lock", "", tree_sitter_json,
     queries::json_symbols},
    {"julia", "Julia", "jl", "jl", "", "julia", tree_sitter_julia, queries::julia_symbols},
    {"kotlin", "Kotlin", "kt", "kt kts", "", "kotlin", tree_sitter_kotlin, queries::kotlin_symbols},
    {"lua", "Lua", "luau", "lua", ".luacheckrc", "lua luajit", tree_sitter_lua,
     queries::lua_symbols},
    {"markdown", "Markdown", "md", "md markdown mdown mkd", "", "", tree_sitter_markdown,
     queries::markdown_symbols},
    {"ocaml", "OCaml", "", "ml", "", "ocaml ocamlrun", tree_sitter_ocaml, queries::ocaml_symbols},
    {"ocaml.interface", "OCaml interface", "", "mli", "", "", tree_sitter_ocaml_interface,
     queries::ocaml_symbols},
    {"php", "PHP", "", "php phtml php5 inc", "", "php", tree_sitter_php, queries::php_symbols},
    {"python", "Python", "py", "py pyi pyw", "SConstruct SConscript wscript", "python pypy",
     tree_sitter_python, queries::python_symbols},
    {"ruby", "Ruby", "rb", "rb rake gemspec ru",
     "Rakefile Gemfile Guardfile Vagrantfile Podfile Capfile Brewfile", "ruby", tree_sitter_ruby,
     queries::ruby_symbols},
    {"rust", "Rust", "rs", "rs", "", "rust-script", tree_sitter_rust, queries::rust_symbols},
    {"scala", "Scala", "", "scala sc sbt", "", "scala", tree_sitter_scala, queries::scala_symbols},
    {"shellscript", "Shell", "sh bash zsh shell", "sh bash zsh ksh",
     ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile PKGBUILD",
     "sh bash dash ksh zsh", tree_sitter_bash, queries::shellscript_symbols},
    {"swift", "Swift", "", "swift", "", "swift", tree_sitter_swift, queries::swift_symbols},
    {"toml", "TOML", "", "toml", "Cargo.lock Pipfile poetry.lock uv.lock", "", tree_sitter_toml,
     queries::toml_symbols},
    {"typescript", "TypeScript", "ts", "ts mts cts", "", "deno ts-node tsx bun",
     tree_sitter_typescript, queries::typescript_symbols},
    {"typescriptreact", "TypeScript JSX", "tsx", "tsx", "", "", tree_sitter_tsx,
     queries::typescript_symbols},
    {"xml", "XML", "xsl",
     "xml xsd xsl xslt svg rss wsdl plist csproj fsproj vbproj props targets xaml ui qrc", "", "",
     tree_sitter_xml, queries::xml_symbols},
    {"yaml", "YAML", "dockercompose github-actions-workflow yml", "yml yaml",
     ".clang-format .clang-tidy .clangd .yamllint CITATION.cff", "", tree_sitter_yaml,
     queries::yaml_symbols},
    {"zig", "Zig", "", "zig zon", "", "", tree_sitter_zig, queries::zig_symbols},
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
    word = last_part(word);
    if (word != "env" && !word.starts_with('-') && word.find('=') == word.npos) break;
  }
  return word.substr(0, word.find_last_not_of("0123456789.") + 1);
}

// "// -*- C++ -*- wrapper", "-*- mode: ruby; coding: utf-8 -*-" -> "c++", "ruby"
std::string editor_mode(std::string_view line) {
  const size_t begin = line.find("-*-");
  if (begin == line.npos) return {};
  const size_t end = line.find("-*-", begin + 3);
  if (end == line.npos) return {};
  std::string mode(line.substr(begin + 3, end - begin - 3));
  for (char& c : mode)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  if (const size_t named = mode.find("mode:"); named != mode.npos) mode.erase(0, named + 5);
  mode.erase(0, mode.find_first_not_of(" \t"));
  return mode.substr(0, mode.find_first_of(" \t;"));
}

template <class Matches>
const Language* find_language(Matches matches) {
  auto found = std::ranges::find_if(kLanguages, matches);
  return found == std::end(kLanguages) ? nullptr : &*found;
}

}  // namespace

std::span<const Language> languages() { return kLanguages; }

const Language* language_of(std::string_view path, std::string_view first_line) {
  std::string_view file = last_part(path);
  auto by_name = [&](const Language& l) { return lists(l.file_names, file); };
  if (const Language* found = find_language(by_name)) return found;
  if (size_t dot = file.rfind('.'); dot != file.npos) {
    std::string extension(file.substr(dot + 1));
    for (char& c : extension)
      if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    auto by_extension = [&](const Language& l) { return lists(l.extensions, extension); };
    if (const Language* found = find_language(by_extension)) return found;
  }
  if (const std::string mode = editor_mode(first_line); !mode.empty())
    return language_with_id(mode);
  std::string_view program = interpreter(first_line);
  return find_language([&](const Language& l) { return lists(l.interpreters, program); });
}

const Language* language_with_id(std::string_view id) {
  return find_language([&](const Language& l) { return l.id == id || lists(l.aliases, id); });
}

}  // namespace bodkin
