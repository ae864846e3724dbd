#include "agent/checkers/changed_names.h"

#include "agent/checkers/imports.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

constexpr size_t kMaxNames = 400;

// Words that say nothing about which declaration a line is of.
constexpr std::string_view kCommonWords =
    " a an and any as assert async auto await bool boolean break case catch char class const "
    "constexpr continue def default del delete do double elif else end enum err error except "
    "export "
    "extends extern False false finally float for from func function get global go if implements "
    "import in inline int int32_t int64_t interface is lambda let long map namespace new nil None "
    "nonlocal not null number of or override package pass private protected public raise range "
    "readonly return self set short signed size_t sizeof static std str string struct super switch "
    "template this throw True true try type typedef typename uint8_t uint32_t uint64_t undefined "
    "union unknown unsigned use using var virtual void while with yield 0 1 2 the to ";

// Users may call what it declares by a name that no text has: one that macros paste, or their own
// for a default export.
bool may_hide_names(const Language& language, const std::string& text) {
  if (language.id == "c" || language.id == "cpp") return text.contains("##");
  return (language.id.starts_with("typescript") || language.id == "javascript") &&
         (text.contains("export default") || text.contains("module.exports") ||
          text.contains("export ="));
}

LineRange lines_of(const Text& text, size_t begin, size_t length) {
  const size_t first = text.line_of(begin);
  return {first, length == 0 ? first : text.line_of(begin + length - 1) + 1};
}

}  // namespace

std::set<std::string> changed_names(const std::vector<ChangedFile>& changed, bool itself) {
  std::set<std::string> names;
  for (const ChangedFile& file : changed) {
    if (!file.before || !file.after || file.rename_to) return {};
    const std::vector<LineChange> edits = line_changes(*file.before, *file.after);
    bool reaches_all = false;
    for (const LineChange& edit : edits) {
      const std::string old = file.before->substr(edit.offset, edit.length);
      for (const std::string* side : {&old, &edit.text}) {
        const std::string& text = *side;
        each_line(text, [&](std::string_view line) {
          const bool is_directive =
              line.starts_with('#') && !trimmed(line.substr(1)).starts_with("define");
          if ((is_directive && !file.path.ends_with(".py")) ||
              line.starts_with("using namespace") || line.find("import *") != line.npos ||
              line.find("export *") != line.npos)
            reaches_all = true;
        });
        if (itself && side != &old) continue;
        each_word(text, [&](std::string_view word) {
          if (kCommonWords.find(" " + std::string(word) + " ") == kCommonWords.npos)
            names.emplace(word);
        });
      }
    }
    if (reaches_all) return {};
    const Language* language = language_of(file.path);
    for (const bool is_after : {false, true}) {
      const Text& text = is_after ? *file.after : *file.before;
      const auto tree = language ? SyntaxTree::parse(*language, text)
                                 : Result<SyntaxTree>(fail(Error::Code::unavailable, ""));
      if (!tree) return {};
      const Outline found = outline(*tree);
      for (const LineChange& edit : edits) {
        const size_t begin = is_after ? edit.new_offset : edit.offset;
        const size_t length = is_after ? edit.text.size() : edit.length;
        const Symbol* const own =
            itself ? enclosing(found, lines_of(text, begin, length)) : nullptr;
        for (const Symbol& symbol : found.symbols) {
          // The members of a namespace are listed by themselves.
          if (symbol.kind == SymbolKind::module || symbol.begin > begin + length ||
              symbol.end < begin || (own && symbol.begin < own->begin))
            continue;
          each_word(symbol.name, [&](std::string_view word) { names.emplace(word); });
        }
      }
    }
    if (names.size() > kMaxNames) return {};
  }
  return names;
}

bool add_names_of_users(const std::string& path, const Text& text, std::set<std::string>& names) {
  const Language* language = language_of(path);
  const auto tree = language ? SyntaxTree::parse(*language, text)
                             : Result<SyntaxTree>(fail(Error::Code::unavailable, ""));
  if (!tree) return false;
  if (may_hide_names(*language, text.str())) return false;
  std::set<std::string> added;
  const Outline found = outline(*tree);
  std::vector<bool> is_covered(text.line_count() + 1, false);
  const auto cover = [&](LineRange lines) {
    for (size_t line = lines.begin; line < lines.end && line < is_covered.size(); ++line)
      is_covered[line] = true;
  };
  for (const Symbol& symbol : found.symbols) {
    if (symbol.kind == SymbolKind::module) continue;
    cover(symbol.lines);
    if (mentions(text.substr(symbol.begin, symbol.end - symbol.begin), names))
      each_word(symbol.name, [&](std::string_view word) { added.emplace(word); });
  }
  for (const LineRange& lines : found.imports) {
    bool renames = false;
    for (size_t line = lines.begin; line < lines.end; ++line)
      renames = renames || text.line(line).contains(" as ");
    if (!renames) cover(lines);
  }
  // Other declarations have no name that is known: of macros, variables, exports. What is
  // together may be one.
  std::string block;
  for (size_t line = 0; line <= text.line_count(); ++line) {
    const bool is_part =
        line < text.line_count() && !is_covered[line] && !trimmed(text.line(line)).empty();
    if (is_part) {
      block += std::string(text.line(line)) + "\n";
      continue;
    }
    if (mentions(block, names)) {
      each_word(block, [&](std::string_view word) {
        if (kCommonWords.find(" " + std::string(word) + " ") == kCommonWords.npos)
          added.emplace(word);
      });
    }
    block.clear();
  }
  names.merge(added);
  return names.size() <= kMaxNames;
}

bool mentions(std::string_view text, const std::set<std::string>& names) {
  bool found = false;
  each_word(text, [&](std::string_view word) {
    if (!found && names.contains(std::string(word))) found = true;
  });
  return found;
}

}  // namespace bodkin
