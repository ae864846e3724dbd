// tests/grammars/lazy: sketches of several languages. See its README.
#include "edits/lazy/lazy.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "edits/place/write.h"

namespace bodkin {

TEST_CASE("a sketch is merged into the file, or refused") {
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
      const auto edits = merge_lazy(parts["sketch"], file, path);
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

}  // namespace bodkin
