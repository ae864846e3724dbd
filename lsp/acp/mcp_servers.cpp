#include "lsp/acp/mcp_servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "agent/support/shown_text.h"
#include "lsp/acp/acp_protocol.h"

namespace bodkin::acp {

namespace {

bool has_server(const std::vector<McpServer>& servers, const std::string& name) {
  return std::ranges::find(servers, name, &McpServer::name) != servers.end();
}

// "GitHub MCP (work)" becomes GitHub-MCP-work.
std::string usable_name(const std::string& name) {
  std::string made;
  for (const char c : name) {
    const bool is_kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    const char next = is_kept ? c : '-';
    const bool is_double = !made.empty() && made.back() == next && (next == '-' || next == '_');
    if (!is_double) made += next;
  }
  const size_t begin = made.find_first_not_of("-_"), end = made.find_last_not_of("-_");
  made = begin == made.npos ? "" : made.substr(begin, end - begin + 1);
  if (made.empty() || (made[0] >= '0' && made[0] <= '9'))
    made = made.empty() ? "editor" : "m" + made;
  return made;
}

std::string unique_name(const std::string& name, const std::vector<McpServer>& known,
                        const std::vector<McpServer>& made) {
  constexpr size_t kLongest = 32;
  const std::string base = usable_name(name);
  for (size_t number = 1;; ++number) {
    const std::string end = number == 1 ? "" : fmt::format("-{}", number);
    std::string tried = base.substr(0, kLongest - end.size()) + end;
    if (!has_server(known, tried) && !has_server(made, tried)) return tried;
  }
}

bool is_list_of_texts(const Json& list) {
  return list.is_null() ||
         (list.is_array() && std::ranges::all_of(list, [](const Json& each) {
            return each.is_string() && !each.get_ref<const std::string&>().contains('\0');
          }));
}

// Nothing: what is wrong is in `problem`, the end of a sentence.
std::optional<McpServer> read_editors_server(const Json& given,
                                             const std::vector<std::string>& insecure_hosts,
                                             std::string& problem) {
  const std::string type = text_member(given, "type");
  McpServer server;
  server.is_confined = false;
  if (type == "http") {
    server.url = text_member(given, "url");
    server.has_variables = false;
    for (const Json& header : member(given, "headers"))
      server.headers.emplace_back(text_member(header, "name"), text_member(header, "value"));
    problem = why_not_reachable(server, insecure_hosts);
    return problem.empty() ? std::optional(std::move(server)) : std::nullopt;
  }
  if ((!type.empty() && type != "stdio") || member(given, "command").is_null()) {
    problem = "it is neither a program nor reached by streamable HTTP";
    return {};
  }
  server.command = {text_member(given, "command")};
  const Json &args = member(given, "args"), &env = member(given, "env");
  if (server.command[0].empty() || server.command[0].contains('\0') || !is_list_of_texts(args)) {
    problem = "its command or one of its args is not a string";
    return {};
  }
  for (const Json& word : args) server.command.push_back(word.get<std::string>());
  for (const Json& variable : env) {
    const std::string name = text_member(variable, "name"), value = text_member(variable, "value");
    if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != name.npos ||
        value.contains('\0')) {
      problem = "one of the variables in its env has no valid name or value";
      return {};
    }
    server.set_variables.push_back(fmt::format("{}={}", name, value));
  }
  return server;
}

}  // namespace

McpSettings servers_of_editor(const Json& given, const std::vector<McpServer>& known,
                              const std::vector<std::string>& insecure_hosts) {
  constexpr size_t kMax = 20;
  McpSettings made;
  for (const Json& each : given.is_array() ? given : Json::array()) {
    const std::string name = text_member(each, "name");
    std::string problem;
    auto server = read_editors_server(each, insecure_hosts, problem);
    if (server && known.size() + made.servers.size() >= kMax) {
      problem = fmt::format("at most {} are started", kMax);
      server.reset();
    }
    if (server) {
      server->name = unique_name(name, known, made.servers);
      made.servers.push_back(*std::move(server));
    } else {
      made.problems.push_back(fmt::format("The editor's MCP server \"{}\" is not used: {}.",
                                          plain_line(name.substr(0, 100)), problem));
    }
  }
  return made;
}

}  // namespace bodkin::acp
