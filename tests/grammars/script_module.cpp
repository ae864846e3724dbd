#include "grammars/script_module.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

namespace {

std::string shown(const std::map<std::string, size_t>& lines) {
  std::string words;
  for (const auto& [word, line] : lines)
    words += (words.empty() ? "" : ", ") + word + " " + std::to_string(line);
  return words;
}

}  // namespace

TEST_CASE("script_module: what a module imports") {
  const ScriptModule module =
      script_module("a.js", Text("import a from './a';\nexport * from \"./b.js\";\n"
                                 "const c = () => import('../c');\nconst d = require('./d');\n"));
  CHECK(shown(module.sources) == "../c 2, ./a 0, ./b.js 1");
  CHECK(shown(module.syntax) == "export 1, import 0");
  CHECK(shown(module.commonjs) == "require 3");
}

TEST_CASE("script_module: names of CommonJS that a text declares or asks for are its own") {
  const auto commonjs = [](const std::string& text) {
    return shown(script_module("a.mjs", Text(text)).commonjs);
  };
  CHECK(commonjs("const require = createRequire(import.meta.url);\nrequire('a');\n") == "");
  CHECK(commonjs("if (typeof module !== 'undefined') module.exports = a;\n") == "");
  CHECK(commonjs("const f = (exports) => exports.a;\n") == "");
  CHECK(commonjs("a.require('b');\nb = { module: 1 };\n") == "");
  CHECK(commonjs(
            "exports.a = 1;\njoin(__dirname, 'a');\nlog(`${__filename}`);\nx = { require };\n") ==
        "__dirname 1, __filename 2, exports 0, require 3");
}
