#include "agent/tools/mcp_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "agent/platform/paths.h"
#include "agent/support/held_secrets.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxServers = 20;
constexpr size_t kMaxServerName = 32;

bool is_server_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxServerName && is_ascii_letter(name[0]) &&
         name.find("__") == name.npos && std::ranges::all_of(name, is_name_char);
}

// The headers that bodkin or HTTP itself sets.
constexpr std::array<std::string_view, 8> kOwnHeaders = {
    "accept", "connection", "content-length", "content-type",
    "host",   "te",         "trailer",        "transfer-encoding"};

// A token of HTTP (RFC 9110, 5.6.2).
bool is_header_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_name_char(c) || std::string_view("!#$%&'*+.^`|~").contains(c);
  });
}

bool is_own_header(std::string_view name) {
  const std::string known = lower_case(name);
  return std::ranges::find(kOwnHeaders, known) != kOwnHeaders.end() || known.starts_with("mcp-");
}

bool is_header_value(std::string_view value) {
  return std::ranges::none_of(value,
                              [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; });
}

// Calls `text` with the literal parts, and `variable` with each NAME of "${NAME}".
void read_template(std::string_view given, const auto& text, const auto& variable) {
  while (!given.empty()) {
    const size_t begin = given.find("${");
    const size_t end = begin == given.npos ? given.npos : given.find('}', begin);
    if (end == given.npos) return text(given);
    text(given.substr(0, begin));
    variable(std::string(given.substr(begin + 2, end - begin - 2)));
    given.remove_prefix(end + 1);
  }
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.find('=') == name.npos && name.find('\0') == name.npos;
}

// Reads one server; throws std::runtime_error with the problem, the end of a sentence.
class ServerReader {
 public:
  ServerReader(const std::string& name, const json& given,
               const std::vector<std::string>& insecure_hosts)
      : given_(given), insecure_hosts_(insecure_hosts) {
    server_.name = name;
  }

  McpServer read() {
    if (!given_.is_object()) wrong("must be an object with a \"command\" or a \"url\"");
    for (const auto& [key, value] : given_.items()) member(key, value);
    if (!server_.url.empty()) {
      if (!program_member_.empty())
        wrong("\"" + program_member_ + "\" is for a program, and it has a \"url\"");
      server_.is_confined = false;
      if (auto why = why_not_reachable(server_, insecure_hosts_); !why.empty()) wrong(why);
      return std::move(server_);
    }
    if (!server_.headers.empty()) wrong("\"headers\" are for a server with a \"url\"");
    if (is_by_http_) wrong("has no \"url\"");
    if (server_.command.empty()) wrong("has no \"command\" and no \"url\"");
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
    for (const char* each :
         {"command", "args", "env", "environment", "readable", "sandbox", "network"})
      if (key == each) program_member_ = key;
    if (key == "url") {
      server_.url = text(key, value);
      if (server_.url.empty()) wrong("\"url\" is empty");
    } else if (key == "headers") {
      if (!value.is_object()) wrong("\"headers\" must be an object of strings");
      for (const auto& [name, each] : value.items())
        server_.headers.emplace_back(name, text("headers", each));
    } else if (key == "command") {
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
    } else if (key == "type") {
      const std::string type = text(key, value);
      is_by_http_ = type == "http" || type == "streamable-http" || type == "streamableHttp";
      if (!is_by_http_ && type != "stdio")
        wrong("\"type\" must be \"stdio\" or \"http\": others are not supported");
    } else {
      wrong("unknown member \"" + key + "\"");
    }
  }

  const json& given_;
  McpServer server_;
  std::vector<std::string> arguments_;
  const std::vector<std::string>& insecure_hosts_;
  std::string program_member_;  // one that only a program has
  bool is_disabled_ = false, is_by_http_ = false;
};

}  // namespace

std::string why_not_reachable(const McpServer& server,
                              const std::vector<std::string>& insecure_hosts) {
  const auto url = parse_url(server.url);
  if (!url || (url->scheme != "http" && url->scheme != "https"))
    return "its \"url\" must begin with http:// or https://";
  if (url->has_login)
    return "its \"url\" must not contain a user name or password: use \"headers\"";
  for (const auto& [name, value] : server.headers) {
    if (!is_header_name(name) || !is_header_value(value))
      return "\"headers\" has an invalid name or value";
    if (is_own_header(name)) return "\"headers\" must not have " + name + ", which bodkin sets";
  }
  if (!server.headers.empty() && url->scheme == "http" && !is_loopback(server.url) &&
      std::ranges::find(insecure_hosts, url->host) == insecure_hosts.end())
    return fmt::format(
        "its headers are not sent to {} unencrypted: use https, or add {} to "
        "bodkin.model.insecureHosts",
        origin_of(server.url), url->host);
  return "";
}

bool may_hold_secret(std::string_view name) {
  const std::string lower = lower_case(name);
  return std::ranges::any_of(
      std::initializer_list<const char*>{"auth", "key", "token", "secret", "passw", "cookie"},
      [&](const char* word) { return lower.find(word) != lower.npos; });
}

Result<std::vector<std::string>> expanded_headers(const McpServer& server) {
  std::vector<std::string> result;
  for (const auto& [name, given] : server.headers) {
    std::string value = server.has_variables ? "" : given;
    std::optional<std::string> unset;
    if (server.has_variables)
      read_template(
          given, [&](std::string_view text) { value += text; },
          [&](const std::string& variable) {
            const char* found = os::getenv(variable.c_str());
            if (found && *found) {
              value += found;
            } else {
              unset = variable;
            }
          });
    if (unset)
      return fail(Error::Code::unavailable,
                  fmt::format("the environment variable {}, which its header {} needs, is not set.",
                              unset->empty() ? "${}" : plain_line(*unset), name));
    if (!is_header_value(value))
      return fail(Error::Code::unavailable,
                  fmt::format("no HTTP header can have the value of its header {}.", name));
    if (may_hold_secret(name)) hold_header(value);
    result.push_back(name + ": " + value);
  }
  return result;
}

std::vector<std::string> variables_of_headers(const McpServer& server) {
  std::vector<std::string> result;
  if (!server.has_variables) return result;
  for (const auto& [name, value] : server.headers)
    read_template(
        value, [](std::string_view) {},
        [&](const std::string& variable) { result.push_back(variable); });
  return result;
}

McpSettings mcp_settings(const json& given, const std::vector<std::string>& insecure_hosts) {
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
    ServerReader reader(name, value, insecure_hosts);
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
