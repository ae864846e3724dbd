#include "agent/sandbox/linux/sandbox_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/support/json.h"
#include "agent/support/real_path.h"

namespace bodkin {

using PlanJson = nlohmann::json;

// In CBOR, strings are bytes: a file and its name need not be UTF-8.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxFolder::File, path, text, mode, time_ns, is_link,
                                   is_folder)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxFolder, folder, drafts, absent, is_live, hides_git)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxPlan::Place, path, kind, index)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxPlan::Folder, files, is_cache, is_copy)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxPlan, way, command, environment, network, wants_changes,
                                   serves, timeout_ms, processes, memory, space, places, folders)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxReport, end, exit_code, text, hidden, changes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxChange, folder, path, state, text, is_ignored, has_text,
                                   is_link, moves_work, mode, time_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SandboxChanges, list, left_out, are_all)

namespace {

template <class Value>
std::string cbor_of(const Value& value) {
  std::string bytes;
  PlanJson::to_cbor(value, bytes);
  return bytes;
}

template <class Value>
std::optional<Value> value_of(const PlanJson& json) {
  try {
    return json.get<Value>();
  } catch (const PlanJson::exception&) {
    return std::nullopt;
  }
}

PlanJson json_in(std::string_view cbor) {
  return PlanJson::from_cbor(cbor, true, /*allow_exceptions=*/false);
}

}  // namespace

std::string encode(const SandboxPlan& plan) {
  const std::string bytes = cbor_of(plan);
  return std::to_string(bytes.size()) + "\n" + bytes;
}

std::optional<SandboxPlan> decode_plan(const std::string& bytes) {
  return value_of<SandboxPlan>(json_in(bytes));
}

std::string encode(const SandboxReport& report) {
  return PlanJson(report).dump(-1, ' ', false, PlanJson::error_handler_t::replace) + "\n";
}

std::optional<SandboxReport> decode_report(const std::string& errors) {
  // A sanitizer or the dynamic linker may have printed something before.
  const size_t end = errors.rfind('}');
  if (end == std::string::npos) return std::nullopt;
  const size_t begin = errors.rfind('\n', end) + 1;  // 0, too
  const auto parsed = parse_json(std::string_view(errors).substr(begin, end + 1 - begin));
  return parsed ? value_of<SandboxReport>(*parsed) : std::nullopt;
}

std::string encode(const SandboxChanges& changes) { return cbor_of(changes); }

// The command may have written this if there are no walls.
std::optional<SandboxChanges> decode_changes(std::string_view bytes) {
  auto changes = value_of<SandboxChanges>(json_in(bytes));
  if (!changes) return std::nullopt;
  for (SandboxChange& each : changes->list) {
    if (each.state > SandboxChange::State::deep) return std::nullopt;
    each.mode &= 07777;
  }
  return changes;
}

bool shows_temporary(const SandboxPlan& plan) {
  using Kind = SandboxPlan::Place::Kind;
  return std::ranges::any_of(plan.places, [&](const SandboxPlan::Place& place) {
    const SandboxPlan::Folder* folder =
        place.kind == Kind::view ? &plan.folders[place.index] : nullptr;
    const bool is_of_disk =
        place.kind == Kind::kept || (folder && (folder->is_cache || folder->files.is_live));
    return is_of_disk && lies_in(place.path, "/tmp");
  });
}

}  // namespace bodkin
