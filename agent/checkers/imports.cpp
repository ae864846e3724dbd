#include "agent/checkers/imports.h"

#include <algorithm>
#include <cctype>

#include "agent/platform/paths.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "edits/text/pieces.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

// "a/b.d.ts" -> "b"
std::string script_name(std::string_view path) {
  std::string_view name = last_part(path);
  for (const std::string_view extension :
       {".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d", ".json"}) {
    if (name.size() > extension.size() && name.ends_with(extension))
      name.remove_suffix(extension.size());
  }
  if (name.ends_with(".d")) name.remove_suffix(2);
  return std::string(name);
}

// Whether a line of C or C++ is a directive that brings in another file. Comments may precede it,
// and C++'s imports are such directives.
bool brings_in(std::string_view line) {
  while (line.starts_with("/*")) {
    const size_t end = line.find("*/", 2);
    if (end == line.npos) return false;
    line = trimmed(line.substr(end + 2));
  }
  const bool is_directive = line.starts_with('#') || line.starts_with("%:");
  if (is_directive) line = trimmed(line.substr(line[0] == '#' ? 1 : 2));
  if (!is_directive && line.starts_with("export")) line = trimmed(line.substr(6));
  const size_t end = std::min(line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), line.size());
  const std::string_view word = line.substr(0, end);
  return word == "import" ||
         (is_directive && (word == "include" || word == "include_next" || word == "embed"));
}

// Adds the headers that `__has_include(<a.h>)` asks about.
void add_asked(std::string_view text, std::set<std::string>& keys) {
  for (size_t at = text.find("__has_"); at != text.npos; at = text.find("__has_", at + 1)) {
    const std::string_view rest = text.substr(at + 6, text.find('\n', at) - at - 6);
    if (!rest.starts_with("include") && !rest.starts_with("embed")) continue;
    const size_t open = rest.find('(');
    if (open == rest.npos || rest.find_first_of(")&|") < open) continue;
    const std::string_view name = trimmed(rest.substr(open + 1));
    const size_t end = name.find_first_of("\">", 1);
    if (name.empty() || name.starts_with(')')) continue;
    if ((name[0] == '"' || name[0] == '<') && end != name.npos)
      keys.emplace(last_part(name.substr(1, end - 1)));
  }
}

// All that a line names which brings in another file, and that lines continue.
void add_includes(std::string_view text, std::set<std::string>& keys) {
  bool continues = false, is_include = false;
  each_line(text, [&](std::string_view line) {
    is_include = (continues && is_include) || (!continues && brings_in(line));
    continues = line.ends_with('\\');
    if (!is_include) return;
    const size_t begin = line.find_first_of("\"<");
    if (begin == line.npos) {
      if (!continues) keys.insert("*");  // a macro says which
      return;
    }
    for (size_t at = begin; at != line.npos; at = line.find_first_of("\"<", at)) {
      const size_t end = line.find_first_of("\">", at + 1);
      if (end == line.npos) break;
      keys.emplace(last_part(line.substr(at + 1, end - at - 1)));
      at = end + 1;
    }
  });
  add_asked(text, keys);
}

void add_python_imports(std::string_view text, std::set<std::string>& keys) {
  bool continues = false;
  each_line(text, [&](std::string_view line) {
    const std::string_view code = line.substr(0, line.find('#'));
    const bool begins = code.contains("import");
    if (!begins && !continues) {
      // "from . \\" and the like
      if (!line.starts_with("from ")) return;
    }
    each_word(code, [&](std::string_view word) { keys.emplace(word); });
    if (begins) continues = code.find('(') != code.npos;
    if (code.find(')') != code.npos) continues = false;
    if (code.ends_with('\\')) continues = true;
    if (line.contains("from .")) keys.insert("__init__");
  });
}

void add_script_imports(std::string_view text, std::set<std::string>& keys) {
  for (size_t i = 0; i < text.size(); ++i) {
    const char quote = text[i];
    if (quote != '\'' && quote != '"' && quote != '`') continue;
    const size_t end = text.find_first_of(std::string{quote, '\n'}, i + 1);
    if (end == text.npos) break;
    if (text[end] != quote) {
      i = end;
      continue;
    }
    const std::string_view before =
        trimmed(text.substr(i < 24 ? 0 : i - 24, std::min<size_t>(i, 24)));
    const bool is_import = before.ends_with("from") || before.ends_with("import") ||
                           before.ends_with("import(") || before.ends_with("require(") ||
                           before.ends_with("path=") || before.ends_with("module");
    if (is_import) {
      std::string_view name = text.substr(i + 1, end - i - 1);
      while (name.ends_with('/')) name.remove_suffix(1);
      const std::string key = script_name(name);
      keys.insert(key == "." || key == ".." || key.empty() ? "index" : key);
    }
    i = end;
  }
}

}  // namespace

void each_line(std::string_view text, const std::function<void(std::string_view)>& visit) {
  for (const std::string_view line : split_lines(text)) visit(trimmed(line));
}

void each_word(std::string_view text, const std::function<void(std::string_view)>& visit) {
  for (size_t i = 0; i < text.size();) {
    if (!is_word_char(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word_char(text[end])) ++end;
    visit(text.substr(i, end - i));
    i = end;
  }
}

bool declares_globals(std::string_view text) {
  if (text.contains("declare global") || text.contains("declare module") ||
      text.contains("export as namespace"))
    return true;
  for (const std::string_view word : {"require(", "module.exports", "exports."})
    if (text.contains(word)) return false;
  for (const std::string_view word : {"import", "export"}) {
    if (text.starts_with(word) || text.contains("\n" + std::string(word))) return false;
  }
  return true;
}

bool is_unit(std::string_view path) {
  for (const std::string_view extension :
       {".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".m", ".mm", ".cu"})
    if (path.ends_with(extension)) return true;
  return false;
}

bool is_source(std::string_view path) {
  if (language_of(path)) return true;
  const std::string_view name = last_part(path);
  const size_t dot = name.find('.');
  if (dot == name.npos) return true;
  for (const std::string_view extension : {".inc", ".ipp", ".def", ".inl", ".tpp", ".txx", ".tcc",
                                           ".impl", ".x", ".cuh", ".ixx", ".cppm", ".in"})
    if (name.ends_with(extension)) return true;
  return false;
}

bool is_of(Imports imports, std::string_view path) {
  const Language* language = language_of(path);
  const std::string_view id = language ? language->id : "";
  switch (imports) {
    case Imports::include:
      return id == "c" || id == "cpp" || (!language && is_source(path));
    case Imports::python:
      return id == "python";
    case Imports::go:
      return id == "go";
    case Imports::script:
      return id.starts_with("typescript") || id == "javascript";
    case Imports::none:
      break;
  }
  return false;
}

std::set<std::string> imported_keys(Imports imports, std::string_view text) {
  std::set<std::string> keys;
  switch (imports) {
    case Imports::none:
    case Imports::go:  // go itself looks at all packages
      break;
    case Imports::include:
      add_includes(text, keys);
      break;
    case Imports::python:
      add_python_imports(text, keys);
      break;
    case Imports::script:
      add_script_imports(text, keys);
      break;
  }
  return keys;
}

namespace {

// True if the string after `before` is a path that a script imports. Not what `includes("/")` or
// `Array.from("/")` take.
bool imports_next(std::string_view before) {
  before = trimmed(before);
  if (before.ends_with("*/")) return true;  // a comment of a bundler's between the two
  const auto is_last = [&](std::string_view word) {
    if (!before.ends_with(word)) return false;
    const char c = before.size() == word.size() ? ' ' : before[before.size() - word.size() - 1];
    return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '$';
  };
  if (!before.ends_with('(')) {
    if (before.ends_with('=')) return before.contains("reference");  // /// <reference path="…" />
    return is_last("from") || is_last("import");
  }
  before = trimmed(before.substr(0, before.size() - 1));
  return is_last("import") || is_last("require") || is_last("resolve");
}

}  // namespace

std::vector<std::string> far_imports(Imports imports, std::string_view text) {
  std::vector<std::string> paths;
  std::string_view above;  // the last line that is not blank
  each_line(text, [&](std::string_view line) {
    if (imports == Imports::python) {  // "from ...a.b import c": one dot is the folder itself
      const size_t begin = line.starts_with("from") ? line.find("..") : line.npos;
      if (begin == line.npos) return;
      const size_t name = std::min(line.find_first_not_of('.', begin), line.size());
      std::string path;
      for (size_t i = begin + 1; i < name; ++i) path += "../";
      path += line.substr(name, line.find_first_of(" .;\t", name) - name);
      paths.push_back(path.ends_with("import") ? path.substr(0, path.size() - 6) : path);
      return;
    }
    static constexpr std::string_view kWords[] = {"include", "import",    "embed",
                                                  "from",    "reference", "require"};
    const std::string_view previous = above;
    if (!is_blank(line)) above = line;
    const bool has_word =
        std::ranges::any_of(kWords, [&](auto word) { return line.contains(word); });
    if (imports != Imports::script && !has_word) return;
    if (imports == Imports::include && !brings_in(line) && !line.contains("__has_")) return;
    const bool is_script = imports == Imports::script;
    const char* const opening = is_script ? "\"'`" : "\"'<`";
    const char* const closing = is_script ? "\"'`" : "\"'>`";
    for (size_t at = line.find_first_of(opening); at != line.npos;
         at = line.find_first_of(opening, at)) {
      const size_t end = line.find_first_of(closing, at + 1);
      if (end == line.npos) break;
      const std::string_view path = line.substr(at + 1, end - at - 1);
      const std::string_view before = line.substr(0, at);
      if ((os::is_absolute(path) || path.contains("..")) &&
          (imports != Imports::script || imports_next(is_blank(before) ? previous : before)))
        paths.emplace_back(path);
      at = end + 1;
    }
  });
  return paths;
}

std::set<std::string> keys_of(Imports imports, std::string_view path) {
  std::set<std::string> keys;
  const std::string_view name = last_part(path);
  switch (imports) {
    case Imports::none:
    case Imports::go:
      break;
    case Imports::include:
      keys.emplace(name);
      keys.insert("*");
      break;
    case Imports::python:
      keys.emplace(name.substr(0, name.find('.')));
      if (name.starts_with("__init__.")) keys.emplace(last_part(folder_part(path)));
      break;
    case Imports::script: {
      const std::string own = script_name(path);
      keys.insert(own);
      // A package's or a folder's entry is named by any of the folders around it.
      if (own == "index" || own == "main" || own == "mod") {
        keys.insert("*");
        keys.insert("index");
        for (std::string_view folder = folder_part(path); !folder.empty();
             folder = folder_part(folder))
          keys.emplace(last_part(folder));
      }
      break;
    }
  }
  return keys;
}

}  // namespace bodkin
