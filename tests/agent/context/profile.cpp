#include "agent/context/profile.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "agent/support/embedded.h"
#include "agent/support/temporary_folder.h"
#include "agent/tools/dialect.h"
#include "agent/tools/tools.h"

using namespace bodkin;

TEST_CASE("every profile and every tool that is compiled in can be loaded") {
  size_t profiles = 0;
  std::set<std::string> described, offered;
  for (const EmbeddedText& text : embedded_texts()) {
    std::string name(text.name.substr(text.name.rfind('/') + 1));
    if (text.name.starts_with("context/profiles/") && text.name.ends_with(".json")) {
      ++profiles;
      const auto profile = load_profile(name.substr(0, name.size() - 5));
      CHECK_MESSAGE(profile.has_value(), name);
      if (!profile) continue;
      CHECK(!profile->system.empty());
      offered.insert(profile->tools.begin(), profile->tools.end());
    } else if (text.name.starts_with("tools/") && !text.name.starts_with("tools/dialects/")) {
      described.insert(name.substr(0, name.size() - 3));
      const auto spec = load_tool_spec(name.substr(0, name.size() - 3));
      CHECK_MESSAGE(spec.has_value(), name);
    }
  }
  CHECK(profiles >= 3);
  const std::vector<std::string> tools = tool_names();
  CHECK(described == std::set(tools.begin(), tools.end()));
  for (const std::string& tool : tools) {
    const bool has_dialect = std::ranges::any_of(
        dialects(), [&](const ToolDialect& dialect) { return dialect.uses(tool); });
    CHECK_MESSAGE((offered.contains(tool) || has_dialect), tool << " is offered to nobody");
  }
  CHECK(load_profile("no such").error().code == Error::Code::not_found);
}

TEST_CASE("an unknown variable in a template is an error at load time") {
  CHECK(check_template("in {{folder}} on {{date}}", {"folder", "date"}).has_value());
  const auto wrong = check_template("in {{foldr}}", {"folder", "date"});
  REQUIRE(!wrong.has_value());
  CHECK(wrong.error().message.find("foldr") != std::string::npos);
}

TEST_CASE("what a variable's value contains is not filled in again") {
  CHECK(fill_in("{{a}}-{{b}}", {{"a", "{{b}}"}, {"b", "2"}}) == "{{b}}-2");
  CHECK(fill_in("no end {{a", {{"a", "1"}}) == "no end {{a");
}

TEST_CASE("arguments are put right where they can only mean one thing") {
  const auto spec = load_tool_spec("read_file");
  REQUIRE(spec.has_value());
  nlohmann::json good = {{"path", "a"}, {"start_line", "12"}, {"end_line", nullptr}};
  CHECK(!coerce_arguments(*spec, good));
  CHECK(good["start_line"] == 12);
  CHECK(!good.contains("end_line"));
  nlohmann::json unknown = {{"path", "a"}, {"x", 1}};
  const auto wrong = coerce_arguments(*spec, unknown);
  REQUIRE(wrong);
  CHECK(wrong->message == "\"x\" is not an argument.");
  CHECK(wrong->advice == "The arguments are end_line, max_lines, path, start_line.");
  nlohmann::json list = nlohmann::json::array();
  CHECK(coerce_arguments(*spec, list).has_value());
  nlohmann::json huge = {{"path", "a"}, {"start_line", 1e300}};
  CHECK(coerce_arguments(*spec, huge).has_value());
}

TEST_CASE("a profile of the user's own has the form of the built-in ones, and may be like one") {
  const auto ours = TemporaryFolder::make(TemporaryFolder::Where::disk);
  REQUIRE(ours);
  const std::string& own = ours->path();
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(own + "/" + name, std::ios::binary) << text;
  };
  write("mine.json", R"({"parts": ["role", "words"], "tools": ["read_file"]}  // with a comment)");
  write("mine.words.md", "Speak Latin in {{ folder }}.\n");
  const auto mine = load_profile("mine", own);
  REQUIRE_MESSAGE(mine.has_value(), mine.error().message);
  CHECK(mine->system.ends_with("Speak Latin in {{ folder }}.\n"));
  CHECK(mine->system.starts_with(load_profile("blocks")->system.substr(0, 60)));
  CHECK(mine->tools == std::vector<std::string>{"read_file"});
  CHECK(load_profile("mine").error().code == Error::Code::not_found);

  write("terse.json", R"({"like": "shell", "sentence": "Terse."})");
  write("terse.observation.md", "{{returncode}}: {{output}}");
  write("shell.format-error.md", "One block!");
  const auto terse = load_profile("terse", own);
  REQUIRE_MESSAGE(terse.has_value(), terse.error().message);
  CHECK(terse->is_shell);
  CHECK(terse->shell.observation == "{{returncode}}: {{output}}");
  CHECK(terse->shell.format_error == "One block!");
  CHECK(terse->shell.instance == load_profile("shell")->shell.instance);
  CHECK(load_profile("shell", own)->shell.format_error == "One block!");

  std::vector<std::string> names, wanted;
  for (const ProfileName& each : profile_names("")) wanted.push_back(each.name);
  wanted.insert(wanted.end(), {"mine!", "terse!"});
  for (const ProfileName& each : profile_names(own))
    names.push_back(each.name + (each.file.empty() ? "" : "!"));
  CHECK(names == wanted);

  struct Case {
    std::string file, text, wanted;
  };
  const Case cases[] = {
      {"terse.limits.md", "{{output}}", "terse.limits.md: unknown variable {{output}}"},
      {"terse.limits.md", "{% for %}", "terse.limits.md: a template has {{variables}}"},
      {"terse.json", R"({"like": "terse"})", "terse.json: it is like itself"},
      {"terse.json", R"({"like": "nobody"})", "Unknown profile \"nobody\""},
      {"terse.json", R"({"like": 1})", "terse.json: \"like\" must be"},
      {"terse.json", R"({"parts": ["x/../y"]})", "there is no part \"x/../y\""},
      {"terse.json", R"({"parts": ["role"], "tools": ["rm"]})", "there is no tool \"rm\""},
      {"terse.json", R"({"parts": [1]})", "terse.json: "},
      {"terse.json", "{}", "terse.json: \"parts\" is missing"},
      {"terse.json", R"({"like": "tools", "tools": "edit"})", "\"tools\" must be a list"},
      {"terse.json", R"({"part": []})", "terse.json: unknown member \"part\""},
      {"terse.json", "[", "terse.json is not a JSON object"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.text);
    write("terse.json", R"({"like": "shell"})");
    write("terse.limits.md", "Stopped.");
    write(each.file, each.text);
    const auto wrong = load_profile("terse", own);
    REQUIRE(!wrong.has_value());
    CAPTURE(wrong.error().message);
    CHECK(wrong.error().message.find(each.wanted) != std::string::npos);
  }
  CHECK(load_profile("../mine", own).error().code == Error::Code::not_found);
}
