#include "agent/checkers/plain_edits.h"

#include <algorithm>
#include <initializer_list>
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

bool is_of_template(const Text& text, const Symbol& symbol) {
  const size_t begin = symbol.begin - std::min<size_t>(symbol.begin, 200);
  return text.substr(symbol.begin, symbol.body_begin - symbol.begin).contains("template") ||
         trimmed_right(text.substr(begin, symbol.begin - begin)).ends_with('>');
}

}  // namespace

bool changes_bodies_alone(const ChangedFile& file) {
  const Language* language = language_of(file.path);
  if (!file.before || !file.after || file.rename_to || !language) return false;
  std::vector<Outline> outlines;
  for (const Text* text : {&*file.before, &*file.after}) {
    const auto tree = SyntaxTree::parse(*language, *text);
    if (!tree) return false;
    outlines.push_back(outline(*tree));
  }
  for (const LineChange& edit : line_changes(*file.before, *file.after)) {
    const size_t begins[] = {edit.offset, edit.new_offset};
    const size_t lengths[] = {edit.length, edit.text.size()};
    for (const size_t side : {0, 1}) {
      const Text& text = side == 0 ? *file.before : *file.after;
      const std::vector<Symbol>& symbols = outlines[side].symbols;
      const auto around = std::ranges::find_if(symbols, [&](const Symbol& symbol) {
        return is_function(symbol.kind) && symbol.body_begin < begins[side] &&
               begins[side] + lengths[side] < symbol.end;
      });
      if (around == symbols.end() || around->kind == SymbolKind::macro ||
          text.substr(begins[side], lengths[side]).contains('#'))
        return false;
      const std::string head = text.substr(around->begin, around->body_begin - around->begin);
      if (head.contains("auto") && !head.contains("->")) return false;  // its type is deduced
      for (const char* word : {"constexpr", "consteval", "CONSTEXPR"})
        if (head.contains(word)) return false;
      for (const Symbol* symbol = &*around; symbol;
           symbol = symbol->parent ? &symbols[*symbol->parent] : nullptr)
        if (is_of_template(text, *symbol)) return false;
    }
  }
  return true;
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
  return std::ranges::all_of(line_changes(*file.before, *file.after), [&](const auto& edit) {
    return edit.offset >= before && edit.new_offset >= after;
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
    found =
        found ||
        is_one_of(word, {"asm", "__asm", "__asm__", "alias", "__alias__", "ifunc", "weakref"}) ||
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
