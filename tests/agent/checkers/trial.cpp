#include "agent/checkers/trial.h"

#include <doctest/doctest.h>

#include <string>

using namespace bodkin;

TEST_CASE("the wrong line is behind the comments at the top, or at the end of C") {
  const auto made = [](Imports imports, const char* text) {
    const Trial trial = trial_of(imports, Text(std::string(text)));
    CHECK(trial.text.line(trial.line).contains(kUnknownName));
    return trial.line;
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
