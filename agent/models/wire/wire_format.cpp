#include "agent/models/wire/wire_format.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "agent/support/fnv1a.h"
#include "edits/plan/paths.h"

namespace bodkin {

std::string join_url(const std::string& base, std::string_view version, std::string_view path) {
  const bool has_version = base.ends_with("/" + std::string(version));
  return base + (has_version || version.empty() ? "" : "/" + std::string(version)) +
         std::string(path);
}

std::string openai_models_url(const Wire& wire) { return wire.azure ? "" : wire.base + "/models"; }

std::vector<std::string> bearer_header(const Wire& wire) {
  if (wire.key.empty()) return {};
  return {(wire.azure ? "api-key: " : "Authorization: Bearer ") + wire.key};
}

std::string wire_id(const std::string& id, size_t most, bool exact) {
  const auto fits = [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || (!exact && (c == '_' || c == '-'));
  };
  if (!id.empty() && id.size() <= most && (!exact || id.size() == most) &&
      std::ranges::all_of(id, fits))
    return id;
  uint64_t hash = fnv1a(id);
  std::string made;
  for (int i = 0; i < 9; ++i, hash /= 36) made += "0123456789abcdefghijklmnopqrstuvwxyz"[hash % 36];
  return made;
}

std::string wire_name(std::string_view name) {
  std::string made(name.substr(0, 64));
  for (char& c : made)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  return made.empty() ? "unknown" : made;
}

double gemini_generation(const Wire& wire) {
  constexpr std::string_view kName = "gemini-";
  const size_t at = wire.model.rfind(kName);
  return at == wire.model.npos ? 0 : std::atof(wire.model.c_str() + at + kName.size());
}

bool needs_signatures(const Wire& wire) { return gemini_generation(wire) >= 3; }

std::string openai_effort(const Wire& wire, const std::string& effort) {
  const std::string_view model = last_part(wire.model);
  const bool is_o = model.size() > 1 && model[0] == 'o' && model[1] >= '1' && model[1] <= '9';
  const bool is_first = model == "gpt-5" || model.starts_with("gpt-5-");
  if (effort == "none" && is_o) return "low";
  if (effort == "none" && is_first) return "minimal";
  const bool has_max =
      wire.base.find("deepseek") != std::string::npos || model.starts_with("gpt-6");
  return effort == "max" && !has_max ? "high" : effort;
}

std::string cache_key(const ModelRequest& request) {
  uint64_t hash = fnv1a("");
  const auto add = [&](std::string_view text) { hash = fnv1a(text, hash); };
  add(request.system);
  for (const ToolSpec& tool : request.tools) add(tool.name);
  if (!request.messages.empty() && !request.messages.front().blocks.empty())
    if (const auto* text = std::get_if<TextBlock>(&request.messages.front().blocks.front()))
      add(text->text);
  std::string key = "bodkin-";
  for (int shift = 60; shift >= 0; shift -= 4) key += "0123456789abcdef"[(hash >> shift) & 15];
  return key;
}

nlohmann::json function_tools(const std::vector<ToolSpec>& tools) {
  auto list = nlohmann::json::array();
  for (const ToolSpec& tool : tools) {
    list.push_back({{"type", "function"},
                    {"function",
                     {{"name", tool.name},
                      {"description", tool.description},
                      {"parameters", tool.parameters}}}});
  }
  return list;
}

}  // namespace bodkin
