#include "agent/context/profile.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "agent/support/embedded.h"
#include "agent/support/json.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

constexpr size_t kMaxFile = 1 << 20;  // bytes of a user's file

struct Variable {
  size_t begin, end;  // with its braces
  std::string_view name;
};

std::optional<Variable> next_variable(std::string_view text, size_t from) {
  const size_t begin = text.find("{{", from);
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = text.find("}}", begin);
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view name = text.substr(begin + 2, end - begin - 2);
  name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
  name = name.substr(0, name.find_last_not_of(' ') + 1);
  return Variable{begin, end + 2, name};
}

std::string joined(const std::vector<std::string_view>& words) {
  std::string result;
  for (const std::string_view word : words)
    result += (result.empty() ? "" : ", ") + std::string(word);
  return result;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_name_char);
}

// The files of the profiles: the user's before the built-in ones.
class ProfileFiles {
 public:
  ProfileFiles(const std::string& own, std::string_view format) : own_(own), format_(format) {}

  struct Found {
    std::string file;  // as it is named to the user
    std::string text;
  };
  // Error: not_found, or the user's cannot be read.
  Result<Found> find(const std::string& name) const {
    if (!own_.empty()) {
      const std::string file = join_path(own_, name);
      auto text = read_file(file, kMaxFile);
      if (text) return Found{file, std::move(*text)};
      if (text.error().code != Error::Code::not_found) return std::unexpected(text.error());
    }
    if (const EditFormat* format = find_edit_format(format_); format && name == "blocks.md")
      return Found{"formats/" + std::string(format->name) + ".md", std::string(format->guide)};
    if (const auto text = embedded_text("context/profiles/" + name))
      return Found{"profiles/" + name, std::string(*text)};
    return fail(Error::Code::not_found, "profiles/" + name + " is missing.");
  }

 private:
  const std::string& own_;
  const std::string_view format_;
};

class ProfileLoader {
 public:
  ProfileLoader(const std::string& own, std::string_view format) : files_(own, format) {}

  Result<Profile> load(std::string_view name, std::string_view guide) {
    auto json = json_of(std::string(name));
    if (!json) return std::unexpected(json.error());
    Profile profile;
    profile.name = name;
    try {
      profile.sentence = json->value("sentence", "");
      profile.edits_in_text = json->value("edits_in_text", false);
      profile.is_shell = json->value("shell", false);
      profile.is_plan = json->value("plan", false);
      profile.own_tools = json->value("own_tools", false);
      for (const char* list : {"parts", "tools"}) {
        if (json->contains(list) && !json->at(list).is_array())
          return fail(Error::Code::invalid_input,
                      file_ + ": \"" + list + "\" must be a list of names.");
      }
      if (!json->contains("parts"))
        return fail(Error::Code::invalid_input,
                    file_ + ": \"parts\" is missing; name them, or the profile it is \"like\".");
      for (const std::string part : json->at("parts")) {
        auto text = part_of(part, {});
        if (!text) return std::unexpected(text.error());
        if (!profile.system.empty()) profile.system += "\n";
        profile.teaches_format = profile.teaches_format || part == "blocks";
        profile.system += part == "tools" && !guide.empty() ? guide : *text;
      }
      if (json->contains("tools")) {
        for (const std::string tool : json->at("tools")) {
          if (tool != kMcpTools && !embedded_text("tools/" + tool + ".md"))
            return fail(Error::Code::invalid_input, file_ + ": there is no tool \"" + tool + "\".");
          profile.tools.push_back(tool);
        }
      }
    } catch (const nlohmann::json::exception& e) {
      return fail(Error::Code::invalid_input, file_ + ": " + e.what());
    }
    if (profile.is_shell) {
      struct Row {
        const char* part;
        std::string ShellTemplates::*text;
        std::vector<std::string_view> variables;
      };
      const Row rows[] = {
          {"instance", &ShellTemplates::instance, {"confinement"}},
          {"observation", &ShellTemplates::observation, {"returncode", "output", "changes"}},
          {"format-error", &ShellTemplates::format_error, {"n_actions", "problem"}},
          {"timeout", &ShellTemplates::timeout, {"command", "reason", "output"}},
          {"limits", &ShellTemplates::limits, {"reason"}},
      };
      for (const Row& row : rows) {
        std::vector<std::string_view> known = row.variables;
        for (const std::string_view each : {"task", "n_model_calls", "model_cost"})
          known.push_back(each);
        auto text = part_of(row.part, known);
        if (!text) return std::unexpected(text.error());
        profile.shell.*row.text = std::move(*text);
      }
    }
    return profile;
  }

 private:
  // The profile as JSON, completed by the profile that it is based on.
  Result<nlohmann::json> json_of(const std::string& name) {
    const auto unknown = [&](const std::string& which) {
      return fail(Error::Code::not_found,
                  "Unknown profile \"" + which + "\"; `bodkin settings --profiles` lists them.");
    };
    if (!is_name(name)) return unknown(name);
    const auto found = files_.find(name + ".json");
    if (!found && found.error().code == Error::Code::not_found) return unknown(name);
    if (!found) return std::unexpected(found.error());
    if (std::ranges::find(names_, name) != names_.end())
      return fail(Error::Code::invalid_input, found->file + ": it is like itself.");
    names_.push_back(name);
    if (file_.empty()) file_ = found->file;
    auto json = parse_object(found->text, {.comments = true});
    if (!json) return fail(Error::Code::invalid_input, found->file + " is not a JSON object.");
    constexpr std::string_view kMembers[] = {"sentence",      "like",  "parts", "tools",
                                             "edits_in_text", "shell", "plan",  "own_tools"};
    for (const auto& [member, value] : json->items()) {
      if (std::ranges::find(kMembers, member) == std::end(kMembers))
        return fail(Error::Code::invalid_input,
                    found->file + ": unknown member \"" + member + "\".");
    }
    if (!json->contains("like")) return *json;
    if (!json->at("like").is_string())
      return fail(Error::Code::invalid_input, found->file + ": \"like\" must be a profile's name.");
    auto base = json_of(json->at("like").get<std::string>());
    if (!base) return base;
    base->update(*json);
    return base;
  }

  // The checked template. `known`: variables in addition to those of the system prompt.
  Result<std::string> part_of(const std::string& part, std::vector<std::string_view> known) const {
    const std::string missing = file_ + ": there is no part \"" + part + "\": " + names_.front() +
                                "." + part + ".md is missing.";
    Result<ProfileFiles::Found> found = fail(Error::Code::not_found, "");
    const auto look_for = [&](const std::string& name) {
      if (!found && found.error().code == Error::Code::not_found) found = files_.find(name);
    };
    if (is_name(part)) {
      for (const std::string& name : names_) look_for(name + "." + part + ".md");
      look_for(part + ".md");
    }
    if (!found && found.error().code == Error::Code::not_found)
      return fail(Error::Code::invalid_input, missing);
    if (!found) return std::unexpected(found.error());
    known.insert(known.end(), std::begin(kTemplateVariables), std::end(kTemplateVariables));
    const auto checked = check_template(found->text, known);
    if (!checked)
      return fail(Error::Code::invalid_input, found->file + ": " + checked.error().message);
    return std::move(found->text);
  }

  ProfileFiles files_;
  std::string file_;                // the profile's own JSON
  std::vector<std::string> names_;  // the profile, and those that it is like
};

}  // namespace

Result<void> check_template(std::string_view text, const std::vector<std::string_view>& known) {
  if (const size_t at = text.find("{%"); at != text.npos && text.find("%}", at) != text.npos) {
    return fail(Error::Code::invalid_input,
                "a template has {{variables}} and no {% statements %}.");
  }
  for (auto variable = next_variable(text, 0); variable;
       variable = next_variable(text, variable->end)) {
    if (std::ranges::find(known, variable->name) == known.end()) {
      return fail(Error::Code::invalid_input, "unknown variable {{" + std::string(variable->name) +
                                                  "}}; known are: " + joined(known) + ".");
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

Result<Profile> load_profile(std::string_view name, const std::string& own, std::string_view guide,
                             std::string_view format) {
  return ProfileLoader(own, format).load(name, guide);
}

std::vector<ProfileName> profile_names(const std::string& own) {
  constexpr std::string_view kFolder = "context/profiles/", kEnd = ".json";
  std::vector<ProfileName> names;
  for (const EmbeddedText& text : embedded_texts()) {
    if (!text.name.starts_with(kFolder) || !text.name.ends_with(kEnd)) continue;
    const size_t size = text.name.size() - kFolder.size() - kEnd.size();
    const std::string_view name = text.name.substr(kFolder.size(), size);
    if (name != kChatProfile) names.push_back({std::string(name), ""});
  }
  const size_t built_in = names.size();
  std::error_code error;
  if (own.empty()) return names;
  for (const auto& entry : std::filesystem::directory_iterator(own, error)) {
    const std::string file = entry.path().filename().generic_string();
    if (!file.ends_with(kEnd)) continue;
    const std::string name = file.substr(0, file.size() - kEnd.size());
    const auto same = std::ranges::find(names, name, &ProfileName::name);
    if (same != names.end()) {
      same->file = entry.path().generic_string();
    } else {
      names.push_back({name, entry.path().generic_string()});
    }
  }
  std::sort(names.begin() + static_cast<std::ptrdiff_t>(built_in), names.end(),
            [](const ProfileName& x, const ProfileName& y) { return x.name < y.name; });
  return names;
}

}  // namespace bodkin
