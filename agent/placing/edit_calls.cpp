#include "agent/placing/edit_calls.h"

#include <initializer_list>

#include "agent/support/json.h"
#include "edits/formats/parse.h"
#include "edits/plan/paths.h"

namespace bodkin {

using json = nlohmann::json;

namespace {

// The first of `names` that is there and not null.
const json* member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    const auto it = object.find(name);
    if (it != object.end() && !it->is_null()) return &*it;
  }
  return nullptr;
}

const std::string* text_member(const json& object, std::initializer_list<const char*> names) {
  const json* value = member(object, names);
  return value != nullptr ? value->get_ptr<const json::string_t*>() : nullptr;
}

bool contains_markers(std::string_view text) {
  for (const std::string_view marker :
       {"*** Begin Patch", " SEARCH\n", "\n@@", "*** Update File:"}) {
    if (text.find(marker) != text.npos) return true;
  }
  return text.starts_with("@@");
}

}  // namespace

void EditCalls::add(const json& edit, const std::string& path, const std::string& tool) {
  if (edit.is_array()) {
    for (const json& one : edit) add(one, path, tool);
    return;
  }
  if (!edit.is_object()) {
    calls.push_back({.problem = "is not an object"});
    return;
  }
  if (const json* list = member(edit, {"tool_calls", "tool_uses", "calls"})) {
    return add(*list, path);
  }
  if (const json* function = member(edit, {"function"}); function && function->is_object()) {
    return add(*function, path);
  }
  const std::string* name = text_member(edit, {"name", "tool", "tool_name", "recipient_name"});
  if (const json* inner = member(edit, {"arguments", "input", "parameters", "args"});
      inner != nullptr && name != nullptr) {
    const std::string_view bare = std::string_view(*name).substr(name->rfind('.') + 1);
    if (inner->is_object()) return add(*inner, path, std::string(bare));
    if (const auto* text = inner->get_ptr<const json::string_t*>()) {
      const auto parsed = parse_json(*text);
      if (parsed && parsed->is_object()) return add(*parsed, path, std::string(bare));
      if (contains_markers(*text)) return calls.push_back({.path = path, .patch = *text});
    }
  }
  add_object(edit, path, tool);
}

void EditCalls::add_object(const json& edit, const std::string& path, const std::string& tool) {
  Call call{.arguments = {.tool = tool}, .path = path};
  for (const auto& [key, value] : edit.items()) {
    if (const auto* text = value.get_ptr<const json::string_t*>()) {
      call.arguments.values.emplace(key, *text);
    } else if (value.is_primitive() && !value.is_null()) {
      call.arguments.values.emplace(key, value.dump());
    } else if (!value.is_null() && (key.starts_with("old") || key.starts_with("new"))) {
      call.problem = "has a " + key + " that is not a string";
    }
  }
  call.path = path_of(call.arguments, path);
  call.names_file = !path_of(call.arguments).empty();
  if (const json* several = member(edit, {"edits", "changes", "replacements"})) {
    if (several->is_array()) return add(*several, call.path, tool);
    call.problem = "has edits that are not a list";
  }
  if (const std::string* text = text_member(edit, {"patch", "diff", "input", "patchText"});
      text != nullptr && contains_markers(*text)) {
    call.patch = *text;
  }
  if (const json* words = member(edit, {"command", "cmd"}); words && words->is_array()) {
    for (const json& word : *words) {
      const auto* text = word.get_ptr<const json::string_t*>();
      if (text != nullptr && text->find("*** Begin Patch") != text->npos) call.patch = *text;
    }
  }
  calls.push_back(std::move(call));
}

FailureOr<void> add_call(const EditCalls::Call& call, const std::string& name, size_t source_line,
                         EditPlan& plan) {
  if (!call.problem.empty()) return malformed(name + " " + call.problem);
  if (call.patch.empty()) {
    return add_tool_edit(call.arguments, call.path, name, source_line, plan);
  }
  auto inner = parse_edits(call.patch, {Format::automatic, call.path, false});
  if (!inner) return std::unexpected(inner.error());
  for (FileChange& change : inner->changes) {
    if (call.names_file) {
      if (!may_mean(change.path, call.path))
        return malformed(name + " names " + call.path + ", but its patch changes " + change.path,
                         "send one for each file");
      change.path = call.path;
    }
    change.source_line += source_line - 1;
    for (Hunk& hunk : change.hunks) hunk.source_line += source_line - 1;
    plan.changes.push_back(std::move(change));
  }
  return {};
}

bool is_certain(const EditCalls::Call& call) {
  return !call.patch.empty() || (call.problem.empty() && is_edit(call.arguments));
}

}  // namespace bodkin
