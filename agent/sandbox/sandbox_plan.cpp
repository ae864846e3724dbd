#include "agent/sandbox/sandbox_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/support/json.h"
#include "agent/support/utf8.h"

namespace bodkin {

namespace {

using PlanJson = nlohmann::json;

// Strings are bytes: a file and its name need not be UTF-8.
PlanJson bytes_of(const std::string& text) { return PlanJson::binary({text.begin(), text.end()}); }
std::string text_of(const PlanJson& bytes) {
  const auto& binary = bytes.get_binary();
  return {binary.begin(), binary.end()};
}
PlanJson list_of(const std::vector<std::string>& texts) {
  PlanJson list = PlanJson::array();
  for (const std::string& text : texts) list.push_back(bytes_of(text));
  return list;
}
std::vector<std::string> texts_of(const PlanJson& list) {
  std::vector<std::string> texts;
  for (const PlanJson& text : list) texts.push_back(text_of(text));
  return texts;
}

}  // namespace

std::string encode(const SandboxPlan& plan) {
  PlanJson places = PlanJson::array(), folders = PlanJson::array();
  for (const SandboxPlan::Place& place : plan.places) {
    places.push_back({bytes_of(place.path), static_cast<int>(place.kind), place.index});
  }
  for (const SandboxPlan::Folder& folder : plan.folders) {
    PlanJson drafts = PlanJson::array();
    for (const SandboxFolder::File& file : folder.files.drafts) {
      drafts.push_back({bytes_of(file.path), bytes_of(file.text), file.mode, file.time_ns,
                        file.is_link, file.is_folder});
    }
    folders.push_back({bytes_of(folder.files.folder), std::move(drafts),
                       list_of(folder.files.absent), folder.is_cache, folder.is_copy,
                       folder.files.is_live, folder.files.hides_git, list_of(folder.files.around)});
  }
  std::string result;
  PlanJson::to_cbor({static_cast<int>(plan.way), list_of(plan.command), list_of(plan.environment),
                     plan.network, plan.wants_changes, plan.timeout_ms, plan.processes, plan.memory,
                     plan.space, std::move(places), std::move(folders), plan.serves},
                    result);
  return result;
}

std::optional<SandboxPlan> decode_plan(const std::string& bytes) {
  const PlanJson all = PlanJson::from_cbor(bytes, true, /*allow_exceptions=*/false);
  if (!all.is_array() || all.size() != 12) return std::nullopt;
  SandboxPlan plan;
  plan.way = static_cast<SandboxPlan::Isolation>(all[0].get<int>());
  plan.command = texts_of(all[1]);
  plan.environment = texts_of(all[2]);
  plan.network = all[3];
  plan.wants_changes = all[4];
  plan.timeout_ms = all[5];
  plan.processes = all[6];
  plan.memory = all[7];
  plan.space = all[8];
  plan.serves = all[11];
  for (const PlanJson& place : all[9]) {
    plan.places.push_back({text_of(place[0]),
                           static_cast<SandboxPlan::Place::Kind>(place[1].get<int>()),
                           place[2].get<uint64_t>()});
  }
  for (const PlanJson& each : all[10]) {
    SandboxPlan::Folder& folder = plan.folders.emplace_back();
    folder.files.folder = text_of(each[0]);
    for (const PlanJson& draft : each[1]) {
      folder.files.drafts.push_back({text_of(draft[0]), text_of(draft[1]), draft[2].get<unsigned>(),
                                     draft[3].get<int64_t>(), draft[4].get<bool>(),
                                     draft[5].get<bool>()});
    }
    folder.files.absent = texts_of(each[2]);
    folder.is_cache = each[3];
    folder.is_copy = each[4];
    folder.files.is_live = each[5];
    folder.files.hides_git = each[6];
    folder.files.around = texts_of(each[7]);
  }
  return plan;
}

std::string encode(const SandboxReport& report) {
  PlanJson hidden = PlanJson::array();
  for (const std::string& path : report.hidden) hidden.push_back(valid_utf8(path));
  return PlanJson({static_cast<int>(report.end), report.exit_code, valid_utf8(report.text), hidden,
                   report.changes})
             .dump() +
         "\n";
}

std::optional<SandboxReport> decode_report(const std::string& errors) {
  // A sanitizer or the dynamic linker may have printed something before.
  const size_t end = errors.rfind(']');
  if (end == std::string::npos) return std::nullopt;
  const size_t line = errors.rfind('\n', end);
  const size_t begin = line == std::string::npos ? 0 : line + 1;
  const auto parsed = parse_json(std::string_view(errors).substr(begin, end + 1 - begin));
  if (!parsed || !parsed->is_array() || parsed->size() != 5) return std::nullopt;
  const PlanJson& all = *parsed;
  if (!all[0].is_number_integer() || !all[1].is_number_integer() || !all[2].is_string() ||
      !all[3].is_array() || !all[4].is_number_unsigned() ||
      !std::ranges::all_of(all[3], [](const PlanJson& each) { return each.is_string(); })) {
    return std::nullopt;
  }
  return SandboxReport{static_cast<SandboxReport::End>(all[0].get<int>()), all[1].get<int>(),
                       all[2].get<std::string>(), all[3].get<std::vector<std::string>>(),
                       all[4].get<uint64_t>()};
}

std::string encode(const SandboxChanges& changes) {
  PlanJson list = PlanJson::array();
  for (const SandboxChange& each : changes.list) {
    list.push_back({each.folder, bytes_of(each.path), static_cast<uint64_t>(each.state),
                    bytes_of(each.text), each.is_ignored, each.has_text, each.is_link,
                    each.moves_work, each.mode, each.time_ns});
  }
  std::string result;
  PlanJson::to_cbor({changes.left_out, changes.are_all, std::move(list)}, result);
  return result;
}

// Where there are no walls the command may have written this.
std::optional<SandboxChanges> decode_changes(std::string_view bytes) {
  const PlanJson all = PlanJson::from_cbor(bytes, true, /*allow_exceptions=*/false);
  if (!all.is_array() || all.size() != 3 || !all[0].is_number_unsigned() || !all[1].is_boolean() ||
      !all[2].is_array()) {
    return std::nullopt;
  }
  SandboxChanges changes{{}, all[0].get<uint64_t>(), all[1].get<bool>()};
  for (const PlanJson& each : all[2]) {
    if (!each.is_array() || each.size() != 10 || !each[0].is_number_unsigned() ||
        !each[1].is_binary() || !each[2].is_number_unsigned() ||
        each[2].get<uint64_t>() > static_cast<uint64_t>(SandboxChange::State::deep) ||
        !each[3].is_binary() || !each[4].is_boolean() || !each[5].is_boolean() ||
        !each[6].is_boolean() || !each[7].is_boolean() || !each[8].is_number_unsigned() ||
        !each[9].is_number_integer()) {
      return std::nullopt;
    }
    changes.list.push_back({.folder = each[0].get<size_t>(),
                            .path = text_of(each[1]),
                            .state = static_cast<SandboxChange::State>(each[2].get<int>()),
                            .text = text_of(each[3]),
                            .is_ignored = each[4].get<bool>(),
                            .has_text = each[5].get<bool>(),
                            .is_link = each[6].get<bool>(),
                            .moves_work = each[7].get<bool>(),
                            .mode = each[8].get<unsigned>() & 07777,
                            .time_ns = each[9].get<int64_t>()});
  }
  return changes;
}

}  // namespace bodkin
