// context_lines < PATHS: for each path a JSON line {"path", "errors": [line,…],
// "symbols": [[kind, name, start, end],…], "lines": [index into symbols or -1, …]}: the function or
// class around every line, as `bodkin context` would name it. What tests/grammars/accuracy/*.py
// compare with a language's own tools.
#include <fmt/core.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "grammars/outline.h"

int main() {
  using namespace bodkin;
  std::string path;
  while (std::getline(std::cin, path)) {
    std::ifstream file(path, std::ios::binary);
    Text text(std::string(std::istreambuf_iterator<char>(file), {}));
    const Language* language = language_of(path, text.substr(0, 200));
    nlohmann::json symbols = nlohmann::json::array(), lines = nlohmann::json::array();
    auto tree = language ? SyntaxTree::parse(*language, text)
                         : fail(Error::Code::not_found, "unknown language");
    if (!tree) {
      std::cout << nlohmann::json{{"path", path}, {"error", tree.error().message}} << std::endl;
      continue;
    }
    Outline all = outline(*tree);
    for (const Symbol& s : all.symbols)
      symbols.push_back({name_of(s.kind), s.name, s.lines.begin + 1, s.lines.end});
    for (size_t line = 0; line < text.line_count(); ++line) {
      const Symbol* found = enclosing(all, {line, line + 1});
      lines.push_back(found ? found - all.symbols.data() : -1);
    }
    nlohmann::json errors = nlohmann::json::array();
    for (const SyntaxError& e : syntax_errors(*tree)) errors.push_back(e.line + 1);
    nlohmann::json result = {
        {"errors", errors}, {"path", path}, {"symbols", symbols}, {"lines", lines}};
    std::cout << result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  }
}
