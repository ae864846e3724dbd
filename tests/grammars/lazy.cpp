// tests/grammars/lazy: sketches merged by declarations. See its README.
#include "edits/lazy/lazy.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "edits/place/write.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

TEST_CASE("a sketch is merged by its declarations, or refused") {
  const auto syntax = make_syntax();
  for (const auto& entry : std::filesystem::directory_iterator(BODKIN_TESTS_DIR "/grammars/lazy")) {
    if (entry.path().extension() == ".md") continue;
    const std::string path = entry.path().filename().string();
    std::ifstream source(entry.path(), std::ios::binary);
    std::string title, part;
    std::map<std::string, std::string> parts;
    size_t cases = 0;
    const auto check = [&] {
      if (title.empty()) return;
      CAPTURE(path);
      CAPTURE(title);
      ++cases;
      const Text file(parts["file"]);
      const auto edits = merge_lazy(parts["sketch"], file, path, syntax.get());
      for (const auto& [name, wanted] : parts) {
        if (name == "result") {
          CHECK_MESSAGE(edits.has_value(), edits.error().message);
          if (edits) CHECK(with_edits(file, *edits).str() == wanted);
        } else if (name.starts_with("refused: ")) {
          REQUIRE_MESSAGE(!edits.has_value(), with_edits(file, *edits).str());
          const std::string why = for_model(edits.error());
          CHECK_MESSAGE(why.find(name.substr(9)) != std::string::npos, why);
        }
      }
      parts.clear();
    };
    for (std::string line; std::getline(source, line);) {
      if (line.starts_with("=== ")) {
        check();
        title = line.substr(4);
      } else if (line.starts_with("--- ")) {
        part = line.substr(4);
        parts[part];
      } else {
        parts[part] += line + "\n";
      }
    }
    check();
    CHECK(cases > 0);
  }
}

TEST_CASE(
    "a file too large to be parsed in passing is merged by its lines alone, and refused if they "
    "leave a doubt") {
  std::string text = "def a():\n    return 1\n";
  for (size_t n = 0; text.size() < 2'200'000; ++n)
    text += "\n\ndef f" + std::to_string(n) + "():\n    pass\n";
  const auto syntax = make_syntax();
  const auto merged = [&](std::string_view sketch) {
    return merge_lazy(sketch, Text(text), "a.py", syntax.get());
  };
  const auto clear = merged("def a():\n    b()\n    return 1\n\n\n# ... existing code ...\n");
  REQUIRE(clear);
  CHECK(with_edits(Text(text), *clear).str() == "def a():\n    b()" + text.substr(8));
  const auto doubtful =
      merged("# ... existing code ...\ndef a():\n    return 1\n# ... existing code ...\n");
  REQUIRE(!doubtful);
  CHECK(doubtful.error().message.contains("too large"));
}

}  // namespace bodkin
