#include "agent/tools/mcp_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxServers = 20;
constexpr size_t kMaxServerName = 32;

bool is_server_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  return !name.empty() && name.size() <= kMaxServerName && is_letter(name[0]) &&
         name.find("__") == name.npos && std::ranges::all_of(name, [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
         });
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == name.npos && name.find('\0') == name.npos;
}

// Reads one server; throws std::runtime_error with what is wrong, the end of a sentence.
class ServerReader {
 public:
  ServerReader(const std::string& name, const json& given) : given_(given) { server_.name = name; }

  McpServer read() {
    if (!given_.is_object()) wrong("must be an object with a \"command\"");
    for (const auto& [key, value] : given_.items()) member(key, value);
    if (server_.command.empty()) wrong("has no \"command\"");
    server_.command.insert(server_.command.end(), arguments_.begin(), arguments_.end());
    return std::move(server_);
  }
  bool is_disabled() const { return is_disabled_; }

 private:
  [[noreturn]] static void wrong(const std::string& what) { throw std::runtime_error(what); }

  static std::string text(const std::string& key, const json& value) {
    if (!value.is_string() || value.get_ref<const std::string&>().find('\0') != std::string::npos)
      wrong("\"" + key + "\" must be a string");
    return value.get<std::string>();
  }
  static bool truth(const std::string& key, const json& value) {
    if (!value.is_boolean()) wrong("\"" + key + "\" must be true or false");
    return value.get<bool>();
  }
  static std::vector<std::string> list(const std::string& key, const json& value) {
    if (!value.is_array()) wrong("\"" + key + "\" must be a list of strings");
    std::vector<std::string> result;
    for (const json& each : value) result.push_back(text(key, each));
    return result;
  }

  void member(const std::string& key, const json& value) {
    if (key == "command") {
      server_.command = {text(key, value)};
      if (server_.command[0].empty()) wrong("\"command\" is empty");
    } else if (key == "args") {
      arguments_ = list(key, value);
    } else if (key == "env") {
      if (!value.is_object()) wrong("\"env\" must be an object of strings");
      for (const auto& [name, each] : value.items()) {
        if (!is_variable_name(name)) wrong("\"env\" has an invalid variable name");
        server_.set_variables.push_back(name + "=" + text("env", each));
      }
    } else if (key == "environment") {
      server_.also_variables = list(key, value);
      if (!std::ranges::all_of(server_.also_variables, is_variable_name))
        wrong("\"environment\" must be a list of variable names");
    } else if (key == "readable") {
      server_.readable = list(key, value);
    } else if (key == "sandbox") {
      server_.is_confined = truth(key, value);
    } else if (key == "network") {
      server_.network = truth(key, value);
    } else if (key == "disabled") {
      is_disabled_ = truth(key, value);
    } else if (key == "timeoutMs") {
      if (!value.is_number() || value.get<double>() < 1 || value.get<double>() > 3'600'000)
        wrong("\"timeoutMs\" must be a number from 1 to 3600000");
      server_.timeout = std::chrono::milliseconds(value.get<int64_t>());
    } else if (key == "type" && value == "stdio") {
      // the only one
    } else if (key == "type" || key == "url") {
      wrong("only servers on standard input and output are supported");
    } else {
      wrong("unknown member \"" + key + "\"");
    }
  }

  const json& given_;
  McpServer server_;
  std::vector<std::string> arguments_;
  bool is_disabled_ = false;
};

}  // namespace

McpSettings mcp_settings(const json& given) {
  McpSettings result;
  if (given.is_null() || given == json::array()) return result;
  if (!given.is_object()) {
    result.problems.emplace_back("bodkin.agent.mcpServers must be an object of servers.");
    return result;
  }
  const auto refuse = [&](const std::string& name, const std::string& what) {
    result.problems.push_back(
        fmt::format("bodkin.agent.mcpServers: \"{}\": {}; it is not used until this is corrected.",
                    plain_line(name), plain_line(what)));
  };
  for (const auto& [name, value] : given.items()) {
    if (!is_server_name(name)) {
      refuse(name, "not a valid name: use letters, digits, - and _, at most 32 of them");
      continue;
    }
    ServerReader reader(name, value);
    try {
      McpServer server = reader.read();
      if (reader.is_disabled()) continue;
      if (result.servers.size() == kMaxServers) {
        refuse(name, fmt::format("one too many: at most {} are started", kMaxServers));
      } else {
        result.servers.push_back(std::move(server));
      }
    } catch (const std::runtime_error& e) {
      refuse(name, e.what());
    }
  }
  return result;
}

}  // namespace bodkin
