#include "lsp/mcp/tool_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/guarded.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "agent/tools/tools.h"
#include "agent/workspace/secrets.h"
#include "lsp/apply/journal_folder.h"

namespace bodkin::mcp {

namespace {

using nlohmann::json;

// Plain objects without $ref, oneOf or format: some clients refuse these. The descriptions are paid
// for with each request of the model's: all definitions together stay below 2,000 tokens.
// Decides: which tools `bodkin mcp` has.
constexpr ServedTool kTools[] = {
    {"check_patch", false, false,
     "Says what apply_patch would do, and changes nothing: where each hunk belongs, new syntax "
     "errors, the diff, and the base id.",
     R"({"type":"object","properties":{
       "patch":{"type":"string","description":"*** Begin Patch, unified diff, or SEARCH/REPLACE blocks; may edit, create, move and delete several files"},
       "path":{"type":"string","description":"the file, if the patch names none"}},
       "required":["patch"],"additionalProperties":false})",
     check_patch},
    {"apply_patch", true, false,
     "Applies a patch to the files: all hunks or none. Each is placed by the lines it quotes, not "
     "by line numbers, and refused if it fits no place or several. What is not quoted exactly is "
     "shown as a diff first, and applied when it is sent again with that base.",
     R"({"type":"object","properties":{
       "patch":{"type":"string","description":"*** Begin Patch, unified diff, or SEARCH/REPLACE blocks; may edit, create, move and delete several files"},
       "path":{"type":"string","description":"the file, if the patch names none"},
       "base":{"type":"string","description":"base id from an earlier result: refuse if the files have changed since"}},
       "required":["patch"],"additionalProperties":false})",
     apply_patch},
    {"edit", true, false,
     "Replaces one piece of text in a file. old_str must occur exactly once, unless replace_all "
     "is "
     "true; an empty old_str creates the file.",
     R"({"type":"object","properties":{
       "path":{"type":"string"},
       "old_str":{"type":"string","description":"the exact text to replace"},
       "new_str":{"type":"string"},
       "replace_all":{"type":"boolean"},
       "base":{"type":"string","description":"base id from an earlier result: refuse if the file has changed since"}},
       "required":["path","old_str","new_str"],"additionalProperties":false})",
     edit},
    {"undo", true, false,
     "Undoes a change of apply_patch or edit, as long as its files are as it left them.",
     R"({"type":"object","properties":{
       "change":{"type":"string","description":"the id that apply_patch or edit returned"}},
       "required":["change"],"additionalProperties":false})",
     undo},
    {"read_symbol", false, true,
     "The exact text of one function, class or other declaration with its lines, found by name "
     "anywhere in the project, or by a line in a file, and the base id of its file.",
     R"({"type":"object","properties":{
       "name":{"type":"string","description":"resize, Widget::resize or Widget.resize"},
       "path":{"type":"string","description":"only in this file"},
       "line":{"type":"integer","description":"with path: the declaration around this line, from 1"}},
       "additionalProperties":false})",
     read_symbol},
    {"outline", false, true,
     "The declarations of a file with their lines, or those of a folder's source files.",
     R"({"type":"object","properties":{
       "path":{"type":"string","description":"a file or folder; default: the whole project"}},
                     "additionalProperties" : false
})",
     outline},
    {"context", false, true,
     "What matters for a change at a line: the function around it, the declarations that it uses "
     "from other files, and the base id.",
     R"({"type":"object","properties":{
       "path":{"type":"string"},
       "line":{"type":"integer","description":"from 1"}},
       "required":["path","line"],"additionalProperties":false})",
     context},
    {"verify", false, true,
     "Asks language servers (clangd, basedpyright or pyright, tsserver, gopls) which errors a "
     "patch would bring "
     "and fix, in other files too, and changes nothing. The result is JSON: state is clean, "
     "problems or not_checked.",
     R"({"type":"object","properties":{
       "patch":{"type":"string","description":"as for check_patch"},
       "path":{"type":"string","description":"the file, if the patch names none"}},
       "required":["patch"],"additionalProperties":false})",
     verify},
};

constexpr size_t kMaxText = 7'900;  // bytes
constexpr size_t kTail = 1'500;     // of these at the end, where ids are

bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Cuts the middle of a text that is too long: clients would cut it, too, but without saying how
// much.
std::string bounded(std::string text) {
  if (text.size() <= kMaxText) return text;
  constexpr size_t kNote = 100;
  size_t head = text.rfind('\n', kMaxText - kTail - kNote);
  if (head == text.npos || head == 0) {
    head = kMaxText - kTail - kNote;
    while (continues_utf8(text[head])) --head;
  } else {
    ++head;
  }
  size_t tail = text.find('\n', text.size() - kTail);
  if (tail == text.npos || tail + 1 >= text.size()) {
    tail = text.size() - kTail;
    while (continues_utf8(text[tail])) ++tail;
  } else {
    ++tail;
  }
  return text.substr(0, head) + fmt::format("\n[{} bytes are left out here]\n", tail - head) +
         text.substr(tail);
}

ToolSpec spec_of(const ServedTool& tool) {
  return {std::string(tool.name), std::string(tool.description),
          parse_json(tool.schema).value_or(json::object())};
}

// A rule that is not understood is one that the user relies on.
void add_settings_problems(ToolText& result, const ServedFolder& served) {
  constexpr size_t kMax = 3;
  std::string words;
  const std::vector<std::string> problems = served.settings.problems();
  for (size_t i = 0; i < std::min(problems.size(), kMax); ++i)
    words += "settings: " + problems[i] + "\n";
  if (!words.empty()) add_below_verdict(result, words);
}

// Why a tool whose answer quotes files is not run, as a line; empty: it may be.
std::string why_not_shown(const ServedFolder& served) {
  if (served.may_show) return "";
  return served.limits.permissions.rule_for("read", "").access == Access::ask
             ? "not allowed: bodkin.agent.permissions requires asking before files are read, and "
               "an "
               "MCP server cannot ask\n"
             : "not allowed: bodkin.agent.permissions denies reading files\n";
}

ToolText run(const ServedTool& tool, const std::string& root, json arguments, bool is_read_only,
             Shared& shared, const Word& word, const Task& task) {
  const ToolSpec spec = spec_of(tool);
  if (const auto wrong = coerce_arguments(spec, arguments))
    return failed(spec.name + ": " + with_advice(*wrong) + "\n");
  if (arguments.value("path", std::string()).contains('\0'))
    return failed("path must not contain a zero byte.\n");
  const auto served = ServedFolder::open(root, task);
  if (!served) return failed(served.error().message + "\n");
  if (const auto same = shared.check_unchanged((*served)->folder); !same && tool.writes)
    return failed(same.error().message + "; nothing was changed\n");
  // Tools that write look when it is their turn.
  const auto looked = tool.writes ? Result<void>() : (*served)->look_at_editors(task);
  if (!looked) return failed(looked.error().message + "\n");
  const std::string unread = tool.shows ? why_not_shown(**served) : "";
  ToolText result = unread.empty()
                        ? tool.run({**served, arguments, is_read_only, shared, task, word})
                        : failed(unread);
  if (!tool.writes && tool.run != verify && needs_recovery((*served)->folder)) {
    add_below_verdict(result,
                      "An interrupted change may have left files half changed; the next one that "
                      "is applied restores them first.\n");
  }
  // The result of verify is JSON.
  if ((tool.run != verify || result.is_error) && shared.tells_of_settings())
    add_settings_problems(result, **served);
  // The reasons why a file cannot be read name it by its place on the disk.
  if (result.is_error) {
    const std::string above = (*served)->folder.path() + "/";
    for (size_t at = 0; (at = result.text.find(above, at)) != result.text.npos;)
      result.text.erase(at, above.size());
  }
  return result;
}

}  // namespace

void add_below_verdict(ToolText& result, const std::string& words) {
  const size_t line = result.text.find('\n');
  result.text.insert(line == result.text.npos ? result.text.size() : line + 1, words);
}

std::span<const ServedTool> served_tools() { return kTools; }

json tools_json() {
  json list = json::array();
  for (const ServedTool& tool : kTools) {
    ToolSpec spec = spec_of(tool);
    // Honest ones: an edit replaces text, and a second one like it fails.
    list.push_back({{"name", std::move(spec.name)},
                    {"description", std::move(spec.description)},
                    {"inputSchema", std::move(spec.parameters)},
                    {"annotations",
                     {{"readOnlyHint", !tool.writes},
                      {"destructiveHint", tool.writes},
                      {"idempotentHint", !tool.writes},
                      {"openWorldHint", false}}}});
  }
  return list;
}

ToolText call_tool(const ServedTool& tool, const std::string& root, json arguments,
                   bool is_read_only, Shared& shared, const Word& word, const Task& task) {
  ToolText result;
  guarded([&] { result = run(tool, root, std::move(arguments), is_read_only, shared, word, task); },
          [&](const char* what) {
            result = failed(std::string("Internal error in bodkin: ") + what + "\n");
          });
  result.text = bounded(hide_secrets(valid_utf8(result.text)));
  if (result.question)
    result.question->words = bounded(plain(hide_secrets(valid_utf8(result.question->words))));
  return result;
}

}  // namespace bodkin::mcp
