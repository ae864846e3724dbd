#include "agent/checkers/plain_edits.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "agent/checkers/imports.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"
#include "grammars/outline.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

bool is_one_of(std::string_view list, std::string_view word) {
  return list.contains(" " + std::string(word) + " ");
}

bool is_keyword(std::string_view word) {
  return is_one_of(
      " if else while for return break continue case default do switch sizeof true false ", word);
}

bool is_builtin_type(std::string_view word) {
  return is_one_of(
      " bool char short int long unsigned signed float double size_t int8_t int16_t int32_t "
      "int64_t "
      "uint8_t uint16_t uint32_t uint64_t ",
      word);
}

// Comments and literals say nothing about declarations.
std::string bare_code(std::string_view text) {
  std::string code;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    size_t end = text.npos;
    if (rest.starts_with("//")) {
      end = text.find('\n', i);
    } else if (rest.starts_with("/*")) {
      end = text.find("*/", i + 2);
    } else if (text[i] == '"' || text[i] == '\'') {
      end = i + 1;
      while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
    } else {
      code += text[i];
      continue;
    }
    code += ';';
    if (end >= text.size()) break;
    i = end;
  }
  return code;
}

// The names that a function declares once, and with a builtin type: `int sum = 0`, `size_t n)`.
// What else comes after another word, or after a type's & or *, is declared with a type that is
// not known here.
std::set<std::string, std::less<>> builtin_names(std::string_view function) {
  std::set<std::string, std::less<>> builtin, other;
  std::string_view before;  // the word before, with nothing but spaces between them
  for (size_t i = 0; i < function.size();) {
    if (!is_word_char(function[i])) {
      // An operator has a space on both sides.
      const bool is_spaced =
          i > 0 && function[i - 1] == ' ' && function.substr(i + 1).starts_with(' ');
      if (!is_spaced && (function[i] == '&' || function[i] == '*' || function[i] == '>'))
        before = "?";
      else if (function[i] != ' ' && function[i] != '\t' && function[i] != '\n')
        before = {};
      ++i;
      continue;
    }
    size_t end = i;
    while (end < function.size() && is_word_char(function[end])) ++end;
    const std::string_view word = function.substr(i, end - i);
    i = end;
    if (is_keyword(word)) {
      before = {};
      continue;
    }
    if (!before.empty() && before != "?" && !is_builtin_type(word)) {
      const bool is_first = is_builtin_type(before) && builtin.emplace(word).second;
      if (!is_first) other.emplace(word);
    } else if (before == "?") {
      other.emplace(word);
    }
    before = word;
  }
  for (const std::string& word : other) builtin.erase(word);
  return builtin;
}

// Whether a line can have an effect in no header: only operators between literals and variables
// whose types are builtin. Of anything else the tokens do not say what it instantiates: `a + b` may
// be a template, and `return a;` convert to one.
bool is_plain_statement(std::string_view line, const std::set<std::string, std::less<>>& names) {
  line = line.substr(0, line.find("//"));
  if (line.find_first_of("#\\\"'[]{}~:.") != line.npos) return false;
  bool is_plain = true;
  each_word(line, [&](std::string_view word) {
    const bool is_number = word.find_first_not_of("0123456789") == word.npos;
    if (!is_number && !is_keyword(word) && !names.contains(word)) is_plain = false;
  });
  // The same name before a parenthesis would be a call.
  for (size_t at = line.find('('); is_plain && at != line.npos; at = line.find('(', at + 1)) {
    const std::string_view head = trimmed(line.substr(0, at));
    size_t begin = head.size();
    while (begin > 0 && is_word_char(head[begin - 1])) --begin;
    if (begin < head.size() && !is_keyword(head.substr(begin))) is_plain = false;
  }
  return is_plain;
}

// What a constant expression computes may be a template's argument.
bool may_be_constant(std::string_view head) {
  return head.contains("constexpr") || head.contains("consteval");
}

// Whether `return` may convert what it is given only to a builtin type, and no lambda has one.
bool returns_builtin(std::string_view head, std::string_view function) {
  bool is_builtin = true;
  each_word(head, [&](std::string_view word) {
    if (!is_builtin_type(word) && !is_one_of(" static inline const virtual void extern ", word))
      is_builtin = false;
  });
  for (const std::string_view lambda : {"[]", "[&", "[=", "[this"})
    if (function.contains(lambda)) is_builtin = false;
  return is_builtin;
}

// `function`: around what is `changed`, which is whole lines.
using Judge = std::function<bool(const Text& text, const Outline& outline, const Symbol& function,
                                 const std::string& changed)>;

// Whether all that changes, before and after, lies in bodies of functions, and is right to `judge`.
bool are_in_bodies(const ChangedFile& file, const Judge& judge) {
  const Language* language = language_of(file.path);
  if (!file.before || !file.after || file.rename_to || !language) return false;
  ptrdiff_t shift = 0;
  std::vector<Outline> outlines;
  for (const Text* text : {&*file.before, &*file.after}) {
    const auto tree = SyntaxTree::parse(*language, *text);
    if (!tree) return false;
    outlines.push_back(outline(*tree));
  }
  for (const Replacement& edit : changed_lines(*file.before, *file.after)) {
    const size_t begins[] = {edit.offset,
                             static_cast<size_t>(static_cast<ptrdiff_t>(edit.offset) + shift)};
    const size_t lengths[] = {edit.length, edit.text.size()};
    shift += static_cast<ptrdiff_t>(edit.text.size()) - static_cast<ptrdiff_t>(edit.length);
    for (const size_t side : {0, 1}) {
      const Text& text = side == 0 ? *file.before : *file.after;
      const auto around = std::ranges::find_if(outlines[side].symbols, [&](const Symbol& symbol) {
        return is_function(symbol.kind) && symbol.body_begin < begins[side] &&
               begins[side] + lengths[side] < symbol.end;
      });
      if (around == outlines[side].symbols.end()) return false;
      if (!judge(text, outlines[side], *around, text.substr(begins[side], lengths[side])))
        return false;
    }
  }
  return true;
}

bool is_of_template(const Text& text, const Symbol& symbol) {
  const size_t begin = symbol.begin - std::min<size_t>(symbol.begin, 200);
  return text.substr(symbol.begin, symbol.body_begin - symbol.begin).contains("template") ||
         trimmed_right(text.substr(begin, symbol.begin - begin)).ends_with('>');
}

}  // namespace

bool is_plain_edit(const ChangedFile& file) {
  return are_in_bodies(
      file, [](const Text& text, const Outline&, const Symbol& around, const std::string& changed) {
        const std::string function = text.substr(around.begin, around.end - around.begin);
        const auto names = builtin_names(bare_code(function));
        const std::string_view head =
            std::string_view(function).substr(0, around.name_begin - around.begin);
        if (may_be_constant(head)) return false;
        const bool may_return = returns_builtin(head, function);
        bool is_plain = true;
        each_line(changed, [&](std::string_view line) {
          is_plain = is_plain && is_plain_statement(line, names) &&
                     (may_return || !line.contains("return"));
        });
        return is_plain;
      });
}

bool changes_bodies_alone(const ChangedFile& file) {
  return are_in_bodies(file, [](const Text& text, const Outline& outline, const Symbol& around,
                                const std::string& changed) {
    const std::string head = text.substr(around.begin, around.body_begin - around.begin);
    const bool deduces = head.contains("auto") && !head.contains("->");
    if (around.kind == SymbolKind::macro || deduces || changed.contains('#')) return false;
    for (const char* word : {"constexpr", "consteval", "CONSTEXPR"})
      if (head.contains(word)) return false;
    for (const Symbol* symbol = &around; symbol;
         symbol = symbol->parent ? &outline.symbols[*symbol->parent] : nullptr)
      if (is_of_template(text, *symbol)) return false;
    return true;
  });
}

bool leaves_headers(const ChangedFile& file) {
  if (!file.before || !file.after || file.rename_to) return false;
  const auto end_of_includes = [](const Text& text) {
    for (size_t line = text.line_count(); line-- > 0;)
      if (text.line(line).contains('#') && text.line(line).contains("include"))
        return text.line_end(line);
    return size_t{0};
  };
  const size_t before = end_of_includes(*file.before), after = end_of_includes(*file.after);
  ptrdiff_t shift = 0;
  return std::ranges::all_of(changed_lines(*file.before, *file.after), [&](const auto& edit) {
    const auto begin = static_cast<size_t>(static_cast<ptrdiff_t>(edit.offset) + shift);
    shift += static_cast<ptrdiff_t>(edit.text.size()) - static_cast<ptrdiff_t>(edit.length);
    return edit.offset >= before && begin >= after;
  });
}

namespace {

bool has_word(std::string_view text, std::initializer_list<std::string_view> words) {
  bool found = false;
  each_word(text, [&](std::string_view word) {
    found = found || std::ranges::find(words, word) != words.end();
  });
  return found;
}

}  // namespace

bool forbids_calls(std::string_view text) {
  for (const std::string_view attribute : {"__attribute", "gnu::"}) {
    for (size_t at = text.find(attribute); at != text.npos; at = text.find(attribute, at + 1)) {
      const std::string_view rest =
          text.substr(at, std::min<size_t>(text.find_first_of(";{", at), at + 400) - at);
      for (size_t word = rest.find("error"); word != rest.npos;
           word = rest.find("error", word + 1)) {
        const std::string_view behind = rest.substr(word + 5);
        const size_t open = behind.find_first_not_of("_ ");
        const std::string_view before =
            trimmed_right(rest.substr(0, rest.find_last_not_of('_', word - 1) + 1));
        if (open != behind.npos && behind[open] == '(' && !before.empty() &&
            std::string_view("(,:").contains(before.back()))
          return true;
      }
    }
  }
  return false;
}

bool calls_fortified(std::string_view text) {
  return has_word(text, {"open", "open64", "openat", "openat64", "mq_open"});
}

bool needs_generated_code(const ChangedFile& file) {
  if (!file.after) return false;
  bool found = false;
  each_word(file.after->str(), [&](std::string_view word) {
    found = found || is_one_of(" asm __asm __asm__ alias __alias__ ifunc weakref ", word) ||
            word.starts_with("_mm") || word.starts_with("__builtin_ia32");
  });
  return found ||
         std::ranges::any_of(
             changed_lines(file.before.value_or(Text()), *file.after), [](const Replacement& edit) {
               return has_word(edit.text, {"__attribute__", "__attribute", "gnu"}) &&
                      has_word(edit.text,
                               {"always_inline", "__always_inline__", "error", "__error__",
                                "section", "__section__", "target", "__target__"});
             });
}

}  // namespace bodkin
