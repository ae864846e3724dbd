#include "lsp/acp/acp_protocol.h"

#include <algorithm>
#include <ctime>

#include "agent/support/shown_text.h"
#include "edits/plan/diff.h"
#include "edits/text/line_keys.h"

namespace bodkin::acp {

ClientAbilities abilities_of(const Json& initialize) {
  ClientAbilities abilities;
  abilities.name = lower_case(text_member(initialize, "clientInfo.name"));
  abilities.reads_files = flag_member(initialize, "clientCapabilities.fs.readTextFile");
  abilities.writes_files = flag_member(initialize, "clientCapabilities.fs.writeTextFile");
  abilities.has_forms = member(initialize, "clientCapabilities.elicitation.form").is_object();
  return abilities;
}

Json initialize_result() {
  const Json is_there = Json::object();
  return {
      {"protocolVersion", kVersion},
      {"agentInfo", {{"name", "bodkin"}, {"title", "bodkin"}, {"version", BODKIN_VERSION}}},
      {"authMethods", Json::array()},
      {"agentCapabilities",
       {{"loadSession", true},
        {"promptCapabilities", {{"image", true}, {"audio", false}, {"embeddedContext", true}}},
        {"mcpCapabilities", {{"http", true}, {"sse", false}}},
        {"sessionCapabilities", {{"list", is_there}, {"resume", is_there}, {"close", is_there}}}}}};
}

Json text_block(std::string_view text) { return {{"type", "text"}, {"text", visible(text)}}; }

Json text_content(std::string_view text) {
  return {{"type", "content"}, {"content", text_block(text)}};
}

std::string title_text(std::string_view title) {
  constexpr std::string_view kRunning = "Running ";
  const std::string line = plain_line(title);
  if (!line.starts_with(kRunning)) return line;
  const std::string command = line.substr(kRunning.size());
  size_t longest = 0, run = 0;
  for (const char c : command) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string mark(longest + 1, '`');
  const std::string pad = command.starts_with('`') || command.ends_with('`') ? " " : "";
  return std::string(kRunning) + mark + pad + command + pad + mark;
}

Json option(const char* id, const char* name, const char* kind) {
  return {{"optionId", id}, {"name", name}, {"kind", kind}};
}

Json message_chunk(const char* kind, std::string_view text, const std::string& message_id) {
  return {{"sessionUpdate", kind}, {"content", text_block(text)}, {"messageId", message_id}};
}

const char* kind_of_tool(std::string_view tool) {
  const auto names = [&](std::initializer_list<std::string_view> words) {
    return contains_any(tool, words);
  };
  if (tool.find("__") != tool.npos) return "other";  // of an MCP server
  if (names({"delete"})) return "delete";
  if (names({"edit", "write", "patch", "insert", "replace", "remove"})) return "edit";
  if (names({"grep", "find", "glob", "search"})) return "search";
  if (names({"read", "outline", "list", "diff", "diagnostics"})) return "read";
  if (names({"command", "shell", "bash"})) return "execute";
  return "other";
}

Json locations_of(const ChangedFile& file, const std::string& absolute) {
  constexpr size_t kMax = 50;
  Json locations = Json::array();
  if (file.before && file.after) {
    for (const LineChange& change : line_changes(*file.before, *file.after)) {
      const size_t line = file.after->line_of(change.new_offset) + 1;
      if (locations.size() < kMax) locations.push_back({{"path", absolute}, {"line", line}});
    }
  }
  if (locations.empty()) locations.push_back({{"path", absolute}, {"line", 1}});
  return locations;
}

const char* kind_of(const ChangedFile& file) {
  return !file.after ? "delete" : file.rename_to ? "move" : "edit";
}

std::string title_of(const ChangedFile& file) {
  const std::string path = shown_name(file.path);
  if (!file.after) return "Delete " + path;
  if (file.rename_to) return "Move " + path + " to " + shown_name(*file.rename_to);
  return (file.before ? "Edit " : "Create ") + path;
}

Json json_of(const Verification& verification) {
  Json problems = Json::array();
  for (const CheckedProblem& problem : verification.problems) {
    problems.push_back({{"path", visible(problem.path)},
                        {"line", problem.line},
                        {"severity", wire_name(problem.severity)},
                        {"message", visible(problem.message)},
                        {"source", visible(problem.source)}});
  }
  return {
      {"state", name_of(state_now(verification))}, {"by", visible(verification.by)},
      {"found", visible(verification.found)},      {"syntaxChecked", verification.syntax_checked},
      {"words", visible(in_words(verification))},  {"problems", std::move(problems)}};
}

std::string utc_time(int64_t milliseconds) {
  const std::time_t seconds = milliseconds / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace bodkin::acp
