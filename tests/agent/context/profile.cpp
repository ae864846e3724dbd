#include "agent/context/profile.h"

#include <doctest/doctest.h>

#include "agent/support/embedded.h"
#include "agent/tools/tools.h"

using namespace bodkin;

TEST_CASE("every profile and every tool that is compiled in can be loaded") {
  size_t profiles = 0, tools = 0;
  for (const EmbeddedText& text : embedded_texts()) {
    std::string name(text.name.substr(text.name.rfind('/') + 1));
    if (text.name.starts_with("context/profiles/") && text.name.ends_with(".json")) {
      ++profiles;
      const auto profile = load_profile(name.substr(0, name.size() - 5));
      CHECK_MESSAGE(profile.has_value(), name);
      if (!profile) continue;
      CHECK(!profile->system.empty());
    } else if (text.name.starts_with("tools/") && !text.name.starts_with("tools/dialects/")) {
      ++tools;
      const auto spec = load_tool_spec(name.substr(0, name.size() - 3));
      CHECK_MESSAGE(spec.has_value(), name);
    }
  }
  CHECK(profiles >= 3);
  CHECK(tools >= 5);
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
  CHECK(coerce_arguments(*spec, unknown) ==
        "read_file: \"x\" is not an argument; the arguments are end_line, max_lines, path, "
        "start_line.");
  nlohmann::json list = nlohmann::json::array();
  CHECK(coerce_arguments(*spec, list).has_value());
  nlohmann::json huge = {{"path", "a"}, {"start_line", 1e300}};
  CHECK(coerce_arguments(*spec, huge).has_value());
}
