#include "agent/workspace/grants.h"

#include <nlohmann/json.hpp>

#include "agent/support/kept_json.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

using nlohmann::json;

std::set<std::string> grants_in(const json& kept, const std::string& workspace) {
  std::set<std::string> result;
  if (!kept.is_object() || !kept.contains("workspaces")) return result;
  const json& all = kept["workspaces"];
  if (!all.is_object() || !all.contains(workspace) || !all[workspace].is_array()) return result;
  for (const json& each : all[workspace]) {
    if (each.is_string()) result.insert(each.get<std::string>());
  }
  return result;
}

}  // namespace

Grants::Grants(std::string file, const Roots& roots)
    : file_(roots.empty() ? "" : std::move(file)), workspace_(roots.key()) {
  if (!file_.empty()) held_ = grants_in(read_kept_json(file_), workspace_);
}

// Decides: what was allowed in a workspace for good.
bool Grants::holds(const std::string& what) const {
  const std::lock_guard lock(mutex_);
  return held_.contains(what);
}

std::set<std::string> Grants::all() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

bool Grants::can_keep(const std::string& what) const {
  return !file_.empty() && find_secrets(what).empty();
}

Result<void> Grants::add(const std::string& what) {
  const std::lock_guard lock(mutex_);
  held_.insert(what);
  return change_kept_json(file_, [&](json& kept) {
    std::set<std::string> all = grants_in(kept, workspace_);  // another process may have added some
    all.insert(what);
    if (!kept.is_object()) kept = json::object();
    if (!kept["workspaces"].is_object()) kept["workspaces"] = json::object();
    kept["workspaces"][workspace_] = all;
  });
}

}  // namespace bodkin
