// What goes back to the model, for every kind of failure and what was forgiven: one file a case in
// explain/, in the sections "== file PATH", "== reply [truncated]" and "== explain".
#include "edits/apply/explain.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

using namespace bodkin;

namespace {

struct Case : Files {
  std::map<std::string, std::string> files;
  std::string reply, expected;
  bool truncated = false;

  std::optional<Text> read(std::string_view path) const override {
    const auto it = files.find(std::string(path));
    return it == files.end() ? std::nullopt : std::optional(Text(it->second));
  }
  std::vector<std::string> paths() const override {
    std::vector<std::string> all;
    for (const auto& [path, text] : files) all.push_back(path);
    return all;
  }
};

Case read_case(const std::filesystem::path& path) {
  Case out;
  std::ifstream in(path);
  std::string* section = nullptr;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== file ")) {
      section = &out.files[line.substr(8)];
    } else if (line.starts_with("== reply")) {
      section = &out.reply;
      out.truncated = line.ends_with("truncated");
    } else if (line == "== explain") {
      section = &out.expected;
    } else if (section) {
      *section += line + "\n";
    }
  }
  return out;
}

std::string explained(const Case& test) {
  ParseOptions options;
  options.truncated = test.truncated;
  const auto plan = parse_edits(test.reply, options);
  REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().message));
  return explain(apply(*plan, test, nullptr, {}));
}

}  // namespace

TEST_CASE("every kind of failure says what differs and what to send") {
  size_t cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BODKIN_TESTS_DIR "/edits/explain")) {
    INFO(entry.path().filename().string());
    const Case test = read_case(entry.path());
    CHECK(explained(test) == test.expected);
    ++cases;
  }
  CHECK(cases >= 12);
}

TEST_CASE("an explanation stays short whatever failed") {
  Case test;
  for (int i = 0; i < 300; ++i) test.files["f.py"] += "value_" + std::to_string(i) + " = 1\n";
  for (int i = 0; i < 200; ++i)
    test.reply += "f.py\n<<<<<<< SEARCH\nvalue_" + std::to_string(i) +
                  " = 2\nother\n=======\nx\n>>>>>>> REPLACE\n";
  const std::string text = explained(test);
  CHECK(std::count(text.begin(), text.end(), '\n') <= 60);
  CHECK(text.find("hunk 1 ") != std::string::npos);
}
