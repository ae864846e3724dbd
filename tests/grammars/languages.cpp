#include "grammars/languages.h"

#include <doctest/doctest.h>

#include "grammars/outline.h"

namespace bodkin {
namespace {

std::string_view id_of(std::string_view path, std::string_view first_line = {}) {
  const Language* language = language_of(path, first_line);
  return language ? language->id : "none";
}

}  // namespace

TEST_CASE("a language is found by extension, file name, and what the first line says") {
  CHECK(id_of("src/a.cpp") == "cpp");
  CHECK(id_of("a.b/c.TSX") == "typescriptreact");
  CHECK(id_of("SConstruct") == "python");
  CHECK(id_of("tool", "#!/usr/bin/env -S python3.11 -u") == "python");
  CHECK(id_of("tool", "#!/usr/bin/env NODE_ENV=test node") == "javascript");
  CHECK(id_of("tool.cc", "#!/usr/bin/python") == "cpp");
  CHECK(id_of("deploy", "#!/bin/bash") == "shellscript");
  CHECK(id_of("include/vector", "// <vector> -*- C++ -*-") == "cpp");
  CHECK(id_of("tool", "# -*- coding: utf-8; mode: ruby -*-") == "ruby");
  CHECK(id_of("notes", "-*- nothing known -*-") == "none");
  CHECK(id_of("lib/Rakefile") == "ruby");
  CHECK(id_of("main.tf") == "hcl");
  CHECK(id_of("README.md") == "markdown");
  CHECK(id_of("app.csproj") == "xml");
  CHECK(id_of(".clang-format") == "yaml");
  CHECK(id_of("a.unknown") == "none");
  CHECK(id_of("no.dots/at_all") == "none");
  CHECK(id_of("") == "none");
  CHECK(language_with_id("typescriptreact")->name == "TypeScript JSX");
  CHECK(language_with_id("javascriptreact")->id == "javascript");
  CHECK(language_with_id("jsonc")->id == "json");
  CHECK(language_with_id("terraform")->id == "hcl");
  CHECK(language_with_id("") == nullptr);
}

TEST_CASE("every language's queries compile and its grammar is of a version that the core reads") {
  for (const Language& language : languages()) {
    CAPTURE(language.id);
    auto tree = SyntaxTree::parse(language, Text(""));
    REQUIRE(tree);
    CHECK(outline_query_error(language) == "");
  }
}

}  // namespace bodkin
