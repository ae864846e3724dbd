// The tools that write nothing: read_symbol, outline and context, which are the agent's own, with
// base ids; and verify.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "agent/context/symbols.h"
#include "agent/tools/tools.h"
#include "grammars/context.h"
#include "lsp/mcp/base_id.h"
#include "lsp/mcp/placed_patch.h"
#include "lsp/mcp/tool_table.h"
#include "lsp/sessions/verification.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::mcp {

namespace {

using nlohmann::json;

constexpr size_t kFunctionBudget = 4'500;      // bytes of file text
constexpr size_t kDeclarationsBudget = 1'600;  // bytes
constexpr size_t kMapBudget = 700;             // bytes

// "base 0123…" for a file that was shown.
std::string base_line(const ServedFolder& served, const std::string& path) {
  const auto text = ServedFiles(served).read(path);
  if (!text) return "";
  const auto resolved = served.folder.resolve(path);
  const std::string shown = resolved ? served.editors.shown_as(*resolved) : "";
  return fmt::format("{}base {}\n", shown.empty() ? "" : path + " is shown " + shown + "\n",
                     base_entry(path, text->str()));
}

// Replaces advice to list a folder, for which there is no tool.
std::string without_listing(std::string text) {
  constexpr std::string_view kAdvice = "List a folder to see what there is";
  if (const size_t at = text.find(kAdvice); at != text.npos)
    text.replace(at, kAdvice.size(), "outline shows the files");
  return text;
}

void look_up_symbols(const ToolCall& call) {
  if (call.task.report) call.task.report({Progress::Kind::status, "Indexing"});
  const Roots roots = call.served.documents.roots();
  call.served.set_symbols(call.shared.symbols(roots, call.served.is_trusted, call.task.stop),
                          call.task);
}

// Runs one of the agent's tools on the folder.
ToolText run_tool(const ToolCall& call, const std::string& name, json arguments) {
  ServedFolder& served = call.served;
  ToolBench bench{{*served.draft, *served.guard, served.syntax.get(), nullptr, std::nullopt},
                  *served.shown,
                  nullptr,
                  served.conversation};
  if (arguments.contains("path"))
    arguments["path"] = served.inside(arguments["path"].get<std::string>());
  const std::vector<std::string> names{name};
  const std::vector<Tool> tools = make_tools(names, bench);
  if (tools.empty()) return failed("No such tool.");
  ToolOutcome outcome = tools[0].run(arguments, call.task);
  ToolText result{std::move(outcome.content), outcome.is_error};
  if (result.is_error) result.text = without_listing(std::move(result.text));
  if (!result.text.ends_with('\n')) result.text += '\n';
  for (const auto& [path, hash] : served.conversation.seen) result.text += base_line(served, path);
  return result;
}

constexpr size_t kMaxJson = 6'500;  // bytes, so that nothing of the JSON is cut

// The object of `bodkin verify --json`, its verdict first; of long lists, how many were left out.
std::string words_of(const CheckResult& check, int64_t ms) {
  const json found = json_of(check);
  nlohmann::ordered_json object;
  for (const char* key : {"state", "by", "reason", "new", "fixed", "remaining"})
    object[key] = found[key];
  object["ms"] = ms;
  const auto text = [&] {
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  };
  for (const char* key : {"fixed", "new"}) {
    size_t left_out = 0;
    while (text().size() > kMaxJson && !object[key].empty()) {
      object[key].erase(object[key].size() - 1);
      object[std::string(key) + "_left_out"] = ++left_out;
    }
  }
  return text();
}

}  // namespace

ToolText read_symbol(const ToolCall& call) {
  const json& given = call.arguments;
  const bool is_in_one_file = given.contains("path") && (given.contains("line"));
  if (!is_in_one_file) look_up_symbols(call);
  return run_tool(call, "read_symbol", given);
}

ToolText outline(const ToolCall& call) { return run_tool(call, "outline", call.arguments); }

ToolText context(const ToolCall& call) {
  look_up_symbols(call);
  ServedFolder& served = call.served;
  const std::string path = served.inside(call.arguments["path"].get<std::string>());
  if (path.empty()) return failed("path must name a file.\n");
  auto file = served.shown->read(path, call.task);
  if (!file) return failed(file.error().message + "\n");
  const auto line = call.arguments["line"].get<int64_t>();
  const size_t count = line_count_of(file->text);
  if (line < 1) return failed("Lines are counted from 1.\n");
  if (static_cast<size_t>(line) > std::max<size_t>(count, 1))
    return failed(fmt::format("{} has only {} lines.\n", path, count));
  const auto at = static_cast<size_t>(line - 1);
  const ParsedFile source = parsed(std::move(*file), call.task);
  const Text& text = source.file.text;
  Context context;
  if (source.tree)
    context = context_of(*source.tree, source.outline, {at, at + 1}, kFunctionBudget);
  if (context.parts.empty()) context = context_of(text, {at, at + 1}, kFunctionBudget);
  LineRange used{at, at + 1};
  std::string result = fmt::format("{} line {}", path, line);
  if (context.symbol) {
    used = context.symbol->lines;
    result += fmt::format(", in {} {} ({})", name_of(context.symbol->kind), context.symbol->name,
                          line_words(used));
  }
  result += ":\n" + fenced(render(text, context));
  const std::string declared =
      declarations_text(*served.shown, source, used, "", kDeclarationsBudget, call.task);
  if (!declared.empty()) result += "Declared in other files and used here:\n" + fenced(declared);
  const std::string map = repository_map(*served.shown, {path}, kMapBudget, call.task);
  if (!map.empty()) result += "The most used declarations elsewhere:\n" + fenced(map);
  return {result + base_line(served, path)};
}

// Asks language servers about the files that a patch would leave; nothing is written.
ToolText verify(const ToolCall& call) {
  const auto began = std::chrono::steady_clock::now();
  ServedFolder& served = call.served;
  PlacedPatch placed = place_patch(served,
                                   {.text = call.arguments["patch"].get<std::string>(),
                                    .path = call.arguments.value("path", std::string())},
                                   call.task);
  if (!placed.refused.empty()) return failed("not placed: " + placed.refused);
  if (call.task.report) call.task.report({Progress::Kind::verifying, "Asking language servers"});
  const CheckResult result = call.shared.check(
      lsp::checker_settings(served.settings, served.is_trusted),
      {.root = served.folder.path(), .files = std::move(placed.report.files)}, call.task);
  const auto taken = std::chrono::steady_clock::now() - began;
  return {words_of(result, std::chrono::duration_cast<std::chrono::milliseconds>(taken).count())};
}

}  // namespace bodkin::mcp
