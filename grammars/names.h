// Names in a file of Python, JavaScript or TypeScript, as far as an import can be told from them:
// how they are used, and what is imported.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "grammars/syntax_tree.h"

namespace bodkin {

struct UsedName {
  std::string name;
  size_t offset = 0;
  bool is_type = false;  // where only a type can be meant, in TypeScript
};

struct ImportedName {
  std::string name;  // in the module
  size_t begin = 0, end = 0;
};

// `from m import a, b`, `import {a} from "m"`, `import m`.
struct NamedImport {
  std::string module;  // as written, without quotes
  LineRange lines;
  size_t end = 0;                   // of the statement; other things may stand behind it
  std::vector<ImportedName> names;  // empty: others, or all of it
  bool is_type = false;             // `import type`
  bool is_all = false;              // `from m import *`
};

struct FileNames {
  std::vector<UsedName> uses;                 // where nothing else can be meant
  std::set<std::string, std::less<>> others;  // named otherwise, too: declared, imported, …
  std::vector<NamedImport> imports;           // those at the top, in order
  size_t first_code = 0;  // the byte where more than comments and directives begins; or the end
};

// The uses of these names, and the imports. Nullopt: another language, a syntax error in an import,
// or more than a person writes.
std::optional<FileNames> names_in(const SyntaxTree& tree,
                                  const std::set<std::string, std::less<>>& wanted);

// Whether these bytes are a name, in any language: not a keyword, a word of the language, or text.
bool is_name(const SyntaxTree& tree, size_t offset, size_t length);

// Whether they are a name that is bound there, not used. In doubt it is.
bool is_bound(const SyntaxTree& tree, size_t offset, size_t length);

// Whether the language itself has such a word, so that it is not a name.
bool is_keyword(const Language& language, std::string_view word);

// Whether this offset is in an import.
bool is_import(const SyntaxTree& tree, size_t offset);

// Whether the definition whose name is at this offset is the only one in the file to bind the name,
// and at the top level. Any language; false in doubt, also if the name is used very often.
bool is_bound_once(const SyntaxTree& tree, std::string_view name, size_t definition);

}  // namespace bodkin
