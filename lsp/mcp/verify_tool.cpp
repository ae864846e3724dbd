// verify: what language servers say of the files that a patch would leave. Nothing is written.
#include <chrono>
#include <nlohmann/json.hpp>

#include "lsp/mcp/placed_patch.h"
#include "lsp/mcp/tool_table.h"
#include "lsp/sessions/check_json.h"
#include "lsp/workspace/ask_settings.h"

namespace bodkin::mcp {

namespace {

constexpr size_t kMaxJson = 6'500;  // bytes, so that nothing of the JSON is cut

// The object of `bodkin verify --json`, its verdict first; of long lists, how many were left out.
std::string words_of(const CheckResult& check, int64_t ms) {
  const nlohmann::json found = json_of(check);
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
