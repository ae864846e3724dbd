#include "agent/tools/sketch.h"

#include <doctest/doctest.h>

#include "edits/apply/apply.h"
#include "grammars/syntax_tree.h"

using namespace bodkin;

namespace {

// Lines 3 to 7 are the region.
const char kFile[] =
    "import os\n"
    "\n"
    "def one(value):\n"
    "    first = value\n"
    "    second = first\n"
    "    third = second\n"
    "    return third\n"
    "\n"
    "def two():\n"
    "    return 2\n";
const char kSketch[] =
    "def one(value):\n"
    "    # ... existing code ...\n"
    "    third = second + 1\n"
    "    # ... existing code ...\n";

class One : public Files {
 public:
  std::optional<Text> read(std::string_view path) const override {
    return path == "a.py" ? std::optional(Text(std::string(kFile))) : std::nullopt;
  }
  std::vector<std::string> paths() const override { return {"a.py"}; }
};

// The file afterwards, or why not.
std::string finished(std::string_view answer, std::string sketch = kSketch) {
  static const auto syntax = make_syntax();
  const SketchedRegion region{"a.py", Text(std::string(kFile)), {2, 7}, std::move(sketch)};
  const auto plan = plan_of_answer(region, answer, syntax.get());
  if (!plan) return "refused: " + plan.error().message;
  const ApplyReport report = apply(*plan, One(), nullptr, {});
  REQUIRE(report.ok);
  return report.files.empty() ? kFile : report.files[0].after->str();
}

std::string changed(std::string_view from, std::string_view to) {
  std::string text = kFile;
  return text.replace(text.find(from), from.size(), to);
}

const std::string kGood =
    "def one(value):\n    first = value\n    second = first\n    third = second + 1\n    return "
    "third\n";

}  // namespace

TEST_CASE("a region in one fence is taken, with prose around it") {
  const std::string want = changed("third = second", "third = second + 1");
  CHECK(finished("```python\n" + kGood + "```\n") == want);
  CHECK(finished("Here it is:\n\n````\n" + kGood + "````\nThat is all.") == want);
}

TEST_CASE("a list of line edits is taken, alone or in a fence") {
  const std::string want = changed("third = second", "third = second + 1");
  const std::string plan =
      R"([{"start_line": 6, "end_line": 6, "replacement": "    third = second + 1\n"}])";
  CHECK(finished(plan) == want);
  CHECK(finished("```json\n" + plan + "\n```") == want);
  // Both count in the file as it is now.
  CHECK(
      finished(R"([{"start_line": 4, "end_line": 4, "replacement": "    first = 1\n    zero = 0\n"},
                     {"start_line": 6, "end_line": 6, "replacement": "    third = 3"}])",
               "def one(value):\n    first = 1\n    zero = 0\n    second = first\n    third = 3\n"
               "    return third\n") ==
      "import os\n\ndef one(value):\n    first = 1\n    zero = 0\n    second = first\n    third = "
      "3\n    return third\n\ndef two():\n    return 2\n");
}

TEST_CASE("what cannot be used of a second model's answer is refused with the reason") {
  struct Row {
    const char* why;
    std::string answer;
    std::string sketch = kSketch;
  };
  const std::string broken =
      "def one(value):\n    first = value\n    second = first\n    third = (second\n    return "
      "third\n";
  const auto fence = [](const std::string& text) { return "```\n" + text + "```\n"; };
  for (
      const auto& [why, answer, sketch] : {
          Row{"neither one fenced block", "I would add one to `second`."},
          Row{"neither one fenced block", ""},
          Row{"several fenced blocks", fence(kGood) + "\n" + fence(kGood)},
          Row{"not closed", "```\n" + kGood},
          Row{"is empty", "```\n```\n"},
          Row{"A placeholder is left", fence(kSketch)},
          Row{"\"import os\" is neither in the region", fence("import os\n\n" + kGood)},
          Row{"\"def two():\" is neither", fence(kGood + "\ndef two():\n    return 2\n")},
          Row{"Line 4 of the file",
              fence("def one(value):\n    third = second + 1\n    return third\n")},
          Row{"Line 4 of the file", fence("def one(value):\n    third = second + 1\n")},
          Row{"Line 6 of the file", fence("def one(value):\n    first = value\n    second "
                                          "= first\n    third = second + 1\n")},
          Row{"Line 4 of the file", fence("def one(value):\n    return 1\n"),
              "def one(value):\n    return 1\n"},
          Row{"Line 3 of the file", fence("def extra():\n    return 1\n"),
              "def extra():\n    return 1\n"},
          Row{"of the sketch is missing",
              R"([{"start_line": 7, "end_line": 7, "replacement": "    print(1)\n    return third"}])",
              "def extra():\n    return 1\n"},
          Row{"\"import sys\" is neither in the region nor in the sketch",
              fence("import sys\n\n" + kGood)},
          Row{"syntax error", fence(broken), broken},
          Row{"outside of the region", R"([{"start_line": 1, "end_line": 1, "replacement": "x"}])"},
          Row{"outside of the region", R"([{"start_line": 7, "end_line": 9, "replacement": "x"}])"},
          Row{"outside of the region", R"([{"start_line": 5, "end_line": 4, "replacement": "x"}])"},
          Row{"needs the numbers", R"([{"start_line": "6", "end_line": 6, "replacement": "x"}])"},
          Row{"needs the numbers",
              R"([{"start_line": 6, "end_line": 6, "replacement": "x", "path": "b"}])"},
          Row{"change the same lines",
              R"([{"start_line": 5, "end_line": 6, "replacement": "    x = 1\n"},
                       {"start_line": 6, "end_line": 6, "replacement": "    y = 1\n"}])"},
      }) {
    CAPTURE(answer);
    const std::string got = finished(answer, sketch);
    CHECK(got.starts_with("refused: "));
    CHECK_MESSAGE(got.find(why) != std::string::npos, got);
  }
}

TEST_CASE("what a placeholder stands for stays as it is: all, once, and in order") {
  const std::string sketch = "# ... existing code ...\n    second = 2\n# ... existing code ...\n";
  const auto answer = [&](const std::string& lines) {
    return finished("```\ndef one(value):\n" + lines + "```\n", sketch);
  };
  CHECK(answer("    first = value\n    second = 2\n    third = second\n    return third\n") ==
        changed("second = first", "second = 2"));
  struct Row {
    const char* why;
    std::string lines;
  };
  for (const auto& [why, lines] : {
           // All that is behind the change is gone.
           Row{"Line 5 of the file", "    first = value\n    second = 2\n"},
           Row{"Line 6 of the file", "    first = value\n    second = 2\n    return third\n"},
           Row{"Line 5 of the file", "    second = 2\n    third = second\n    return third\n"},
           Row{"\"third = second\" is not where the file and the sketch have it",
               "    first = value\n    return third\n    second = 2\n    third = second\n    "
               "return third\n"},
           Row{"\"third = second\" is not where the file and the sketch have it",
               "    first = value\n    second = 2\n    third = second\n    third = second\n    "
               "return third\n"},
           Row{"Line 5 of the file",
               "    second = 2\n    first = value\n    second = 2\n    third = second\n    "
               "return third\n"},
           Row{"is changed or gone",
               "    first = value\n    second = 2\n    return third\n    third = second\n"},
       }) {
    CAPTURE(lines);
    const std::string got = answer(lines);
    CHECK(got.starts_with("refused: "));
    CHECK_MESSAGE(got.find(why) != std::string::npos, got);
  }
}

TEST_CASE("a line of the sketch may repeat one of the file") {
  // A second `first = value`, further down.
  const std::string added = changed("    return third\n", "    first = value\n    return third\n");
  CHECK(finished("```\n" + added.substr(11, added.find("\ndef two") - 11) + "```\n",
                 "# ... existing code ...\n    third = second\n    first = value\n    return "
                 "third\n") == added);
}

TEST_CASE("a shorter block may take the place of a block whose head changes, too") {
  CHECK(finished("```\ndef one(value, step):\n    return value + step\n```\n",
                 "# ... existing code ...\ndef one(value, step):\n    return value + step\n"
                 "# ... existing code ...\n") ==
        changed("def one(value):\n    first = value\n    second = first\n    third = second\n    "
                "return third\n",
                "def one(value, step):\n    return value + step\n"));
}

TEST_CASE("what a sketch shows to be replaced or removed may go") {
  // A whole function by another; a placeholder before it that stands for nothing.
  CHECK(finished("```\ndef one(value):\n    return value + 1\n```\n",
                 "# ... existing code ...\ndef one(value):\n    return value + 1\n") ==
        changed("    first = value\n    second = first\n    third = second\n    return third\n",
                "    return value + 1\n"));
  // Without a placeholder, between two lines that are shown; and what is only added.
  CHECK(finished("```\ndef one(value):\n    return third\n```\n",
                 "def one(value):\n    return third\n") ==
        changed("    first = value\n    second = first\n    third = second\n", ""));
  const std::string added = changed("    return third\n", "    print(1)\n    return third\n");
  CHECK(finished("```\n" + added.substr(11, added.find("\ndef two") - 11) + "```\n",
                 "    print(1)\n") == added);
  // Lines between two that are shown.
  CHECK(finished("```\ndef one(value):\n    first = value\n    return third\n```\n",
                 "# ... existing code ...\n    first = value\n    return third\n") ==
        changed("    second = first\n    third = second\n", ""));
}

TEST_CASE("placeholders in the words of other systems are known") {
  CHECK(has_placeholder("# no changes needed before this line\nx = 1\n"));
  CHECK(has_placeholder("x = 1\n# no changes needed after this line\n"));
  CHECK(has_placeholder("// ... existing code ...\nint x;\n"));
  CHECK_FALSE(has_placeholder("# before this line there is nothing\nx = 1\n"));
}
