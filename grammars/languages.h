// The supported languages: one row each in languages.cpp. To add one:
// grammars/README.md, "A new language".
#pragma once

#include <span>
#include <string_view>

struct TSLanguage;

namespace bodkin {

struct Language {
  std::string_view id;            // LSP's language identifier, "cpp"
  std::string_view name;          // for display, "C++"
  std::string_view aliases;       // other identifiers that editors send, separated by spaces
  std::string_view extensions;    // without the dot, separated by spaces; lower case
  std::string_view file_names;    // whole names, separated by spaces
  std::string_view interpreters;  // of a "#!" line, without version
  const TSLanguage* (*grammar)();
  std::string_view symbols;  // the text of queries/<id>/symbols.scm
};

std::span<const Language> languages();

// The language of a file, or null. A file name or an extension decides; else the "-*- mode -*-"
// or the "#!" of the first line. Thread: any.
const Language* language_of(std::string_view path, std::string_view first_line = {});

// By the identifier that an editor sends with didOpen ("typescriptreact"), or null.
const Language* language_with_id(std::string_view id);

}  // namespace bodkin
