#include "agent/checkers/trial.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

TEST_CASE("the wrong line is behind the comments at the top, or at the end of C") {
  const auto made = [](Imports imports, const char* text) {
    const Trial trial = trial_of(imports, Text(std::string(text)));
    CHECK(trial.text.line(trial.lines[0]).contains(kUnknownName));
    return trial.lines[0];
  };
  CHECK(made(Imports::include, "int a;\n") == 3);
  CHECK(made(Imports::include, "#define A \\") == 2);
  CHECK(made(Imports::python, "#!/usr/bin/python\n\n# type: ignore\nx = 1\n") == 3);
  CHECK(made(Imports::python, "x = 1\n# why\n") == 0);
  CHECK(made(Imports::python, "# why") == 2);
  CHECK(made(Imports::python, "") == 2);
  CHECK(made(Imports::script, "\xef\xbb\xbf// @ts-nocheck\r\n/* of\n several */\n\nf();\n") == 4);
  CHECK(made(Imports::script, "/* one */ f();\n") == 0);
}

TEST_CASE("other wrong lines are right above the places, each once") {
  const auto made = [](Imports imports, const char* text, std::vector<size_t> places) {
    const Trial trial = trial_of(imports, Text(std::string(text)), places);
    CHECK(trial.lines.size() == places.size() + 1);
    for (const size_t line : trial.lines) CHECK(trial.text.line(line).contains(kUnknownName));
    return trial.text.str();
  };
  const std::string name = kUnknownName;
  CHECK(made(Imports::python, "def f():\n  a()\n  b()\n", {1, 2}) ==
        name + "\ndef f():\n  " + name + "\n  a()\n  " + name + "\n  b()\n");
  CHECK(made(Imports::python, "a()\n", {0}) == name + "\na()\n");
  CHECK(made(Imports::include, "#if A\n#define B \\\n  1\n#endif\n", {2}) ==
        "#if A\n#error " + name + "\n#define B \\\n  1\n#endif\n\n\nint bodkin_test = " + name +
            ";\n");
}
