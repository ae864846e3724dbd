// A file's contribution to the symbol index: its declarations, and the names it uses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

// A name's last part, as it is used elsewhere: "Widget::resize" -> "resize", "Box<T>" -> "Box".
std::string_view simple_name(std::string_view name);

// Hash of a simple name. Equal names have equal hashes; to be sure, compare the names too.
uint32_t hash_of_name(std::string_view simple);

// Compact, because there are thousands: about 30 bytes per declaration and 8 per used name.
struct FileSymbols {
  struct Definition {
    uint32_t hash = 0;        // of the simple name
    uint32_t name_begin = 0;  // in `names`
    uint16_t name_size = 0;   // bytes
    SymbolKind kind = SymbolKind::function;
    uint32_t first_line = 0, end_line = 0;  // from 0, half open
    uint32_t name_line = 0;                 // where the name is
    uint32_t parent = kNoParent;            // an index of `definitions`
    bool operator==(const Definition&) const = default;
  };
  static constexpr uint32_t kNoParent = UINT32_MAX;
  struct Use {
    uint32_t hash = 0;
    uint32_t count = 0;
    bool operator==(const Use&) const = default;
  };

  std::string names;                    // of the definitions, one after the other
  std::vector<Definition> definitions;  // in the order of the text
  std::vector<Use> uses;                // by hash, each once; declarations count as uses

  std::string_view name(const Definition& definition) const;
  // "Outer::Widget", as far as the file says; empty at the top of the file.
  std::string container(const Definition& definition) const;
  size_t bytes() const;  // of memory, about
  bool operator==(const FileSymbols&) const = default;
};

// At most 20,000 declarations and 50,000 different names of a file are kept.
FileSymbols symbols_of(const SyntaxTree& tree, const Outline& outline);

// Whether code elsewhere can refer to declarations in this language; not for data and text, which
// have only sections.
bool declares_names(const Language& language);

// Changes with every version of the parsers.
std::string_view grammar_set();

// The distinct names in `lines`, in order of first use.
std::vector<std::string> names_used(const SyntaxTree& tree, LineRange lines);

}  // namespace bodkin
