#include "agent/context/profile.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/support/embedded.h"
#include "agent/support/json.h"

namespace bodkin {

namespace {

std::optional<std::string_view> embedded(const std::string& name) {
  for (const EmbeddedText& text : embedded_texts()) {
    if (text.name == name) return text.text;
  }
  return std::nullopt;
}

struct Variable {
  size_t begin, end;  // with its braces
  std::string_view name;
};

std::optional<Variable> next_variable(std::string_view text, size_t from) {
  const size_t begin = text.find("{{", from);
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = text.find("}}", begin);
  if (end == std::string_view::npos) return std::nullopt;
  return Variable{begin, end + 2, text.substr(begin + 2, end - begin - 2)};
}

}  // namespace

Result<void> check_template(std::string_view text, const std::vector<std::string_view>& known) {
  for (auto variable = next_variable(text, 0); variable;
       variable = next_variable(text, variable->end)) {
    if (std::ranges::find(known, variable->name) == known.end()) {
      return fail(Error::Code::invalid_input,
                  "unknown variable {{" + std::string(variable->name) + "}} in a prompt.");
    }
  }
  return {};
}

std::string fill_in(std::string_view text, const TemplateVariables& variables) {
  std::string result;
  size_t from = 0;
  while (const auto variable = next_variable(text, from)) {
    result += text.substr(from, variable->begin - from);
    const auto value = variables.find(variable->name);
    if (value != variables.end()) result += value->second;
    from = variable->end;
  }
  result += text.substr(from);
  return result;
}

Result<Profile> load_profile(std::string_view name, std::string_view guide) {
  const auto source = embedded("context/profiles/" + std::string(name) + ".json");
  if (!source) {
    return fail(Error::Code::not_found, "Unknown profile \"" + std::string(name) + "\".");
  }
  Profile profile;
  profile.name = name;
  try {
    const auto json = parse_json(*source).value_or(nlohmann::json());
    for (const std::string part : json.at("parts")) {
      const auto text = embedded("context/profiles/" + part + ".md");
      if (!text) return fail(Error::Code::invalid_input, "profiles/" + part + ".md is missing.");
      if (!profile.system.empty()) profile.system += "\n";
      profile.system += part == "tools" && !guide.empty() ? guide : *text;
    }
    for (const std::string tool : json.at("tools")) {
      if (!embedded("tools/" + tool + ".md")) {
        return fail(Error::Code::invalid_input, "tools/" + tool + ".md is missing.");
      }
      profile.tools.push_back(tool);
    }
    profile.edits_in_text = json.at("edits_in_text").get<bool>();
  } catch (const nlohmann::json::exception& e) {
    return fail(Error::Code::invalid_input, "profiles/" + std::string(name) + ".json: " + e.what());
  }
  auto checked = check_template(profile.system,
                                {std::begin(kTemplateVariables), std::end(kTemplateVariables)});
  if (!checked) return std::unexpected(checked.error());
  return profile;
}

}  // namespace bodkin
